# SPDX-License-Identifier: MIT
# The tests with a sanitised server. The kernels' host program is the plain
# one: the runtime and the compiler inside it are not ours to check.
asan_flags := -fsanitize=address,undefined -fno-sanitize-recover=undefined
tsan_flags := -fsanitize=thread

# $(call sanitized,variant,flags): a finding ends the program that has it.
define sanitized
$(MAKE) -C $(src) VARIANT=-$(1) SANITIZE="$(2)" all tests
VGTD=$(BUILD)/vgt-$(1)/vgtd ASAN_OPTIONS=detect_leaks=1 \
	TSAN_OPTIONS="halt_on_error=1 suppressions=$(tests)/tsan.supp" \
	sh $(tests)/run-sanitized $(BUILD)/vgt-$(1) $(out) $(tests)
endef

check-asan: all tests
	$(call sanitized,asan,$(asan_flags))

check-tsan: all tests
	$(call sanitized,tsan,$(tsan_flags))

.PHONY: check-asan check-tsan
