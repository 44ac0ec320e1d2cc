# SPDX-License-Identifier: MIT
# $(call quiet,CC) before a command prints "CC file" instead of it; with V=1 the
# command is printed as make does, with -s neither. $(Q) only hides.
ifeq ($(V),1)
Q :=
else
Q := @
ifeq ($(findstring s,$(firstword -$(MAKEFLAGS))),)
quiet = @printf '  %-7s %s\n' '$(1)' '$(@:$(BUILD)/%=%)';
else
quiet = @
endif
endif
