# SPDX-License-Identifier: MIT
# Every target of the project. Each component has a Makefile of its own, which
# also works alone ("make -C tools/vgt check"); products go below build/.

top := $(CURDIR)
export BUILD ?= $(top)/build
KERNEL ?= 6.12
PREFIX ?= /usr/local
export KERNEL PREFIX

# In build order: a later one may use what an earlier one has built.
components := sip libgtdbg tools/vgt tools/gtdbgctl tools/bpf tools/demo selftests
present := $(patsubst %/Makefile,%,$(wildcard $(components:=/Makefile)))
with_bench := $(shell grep -ls '^bench:' $(present:=/Makefile) | xargs -r dirname)

# The kernel's headers, test harness and checkers, from Debian's package.
linux_source := $(BUILD)/linux-source/.unpacked
linux_archive := /usr/src/linux-source-6.12.tar.xz

.PHONY: install-headers install-man deb
.PHONY: all deps kmod kmod-all components demo check check-quick soak check-vm check-gpu check-san \
	bench conformance fuzz fuzz-kmod style sparse docs check-docs install uninstall clean help \
	linux-source shell $(present)

all: kmod components ## Build everything (module for KERNEL=6.12, 6.1 or running)

deps: ## Install the Debian packages (as root), or say which are missing
	@tools/deps.sh

kmod: ## Build the modules for KERNEL into build/kmod-KERNEL/
	@tools/build-module $(KERNEL)

# 6.1's type information comes out of the kernel image, by the source's script.
kmod-all: $(linux_source)
	@tools/build-module 6.12
	@tools/build-module 6.1

components: $(present)

$(present):
	@$(MAKE) --no-print-directory -C $@ all

tools/gtdbgctl tools/bpf: $(filter libgtdbg,$(present))
tools/vgt: $(filter sip,$(present))
selftests: $(filter-out selftests,$(present)) $(linux_source)

linux-source: $(linux_source)

$(linux_source): $(linux_archive)
	@mkdir -p $(@D)
	@echo "unpacking $(<F)"
	@tar -xJf $< --strip-components=1 -C $(@D)
	@ln -sfn linux-source/tools/testing/selftests $(BUILD)/kselftest
	@touch $@

$(linux_archive):
	@tools/deps.sh

demo: deps ## Show a debug session beside the driver i915, or without: GPU=virtual
	@$(MAKE) --no-print-directory all
	@tools/demo/run $(or $(GPU),i915)

check: deps ## Set everything up and run the tests, but for soak
	@selftests/check all

check-quick: deps ## Run what of it takes three minutes
	@selftests/check quick

soak: deps ## Run what takes long and seldom finds anything
	@selftests/check soak

check-vm: deps ## Run the tests that need a guest, on KERNEL
	@selftests/check vm-$(KERNEL)

check-gpu: deps ## Run the tests of this machine's own GPU, as root
	@$(MAKE) --no-print-directory -s all
	@selftests/check-gpu

check-san: deps ## Run the guest's tests in a sanitised kernel
	@selftests/check san

# From the folder that the caller is in, even with "make -C".
shell: all ## A shell, or COMMAND, in a guest with the module loaded
	@cd "$${PWD_CALLER:-.}" && $(top)/selftests/vm/shell $(COMMAND)
shell: export PWD_CALLER := $(PWD)

bench: deps ## Print the figures, as CSV lines
	@$(MAKE) --no-print-directory all
	@for c in $(with_bench); do \
		$(MAKE) --no-print-directory -C $$c bench || exit 1; done

conformance: deps ## Run the OpenCL conformance tests that OPENCL_CTS has built
	@$(MAKE) --no-print-directory -C tools/vgt conformance

fuzz: deps ## Fuzz the parsers (stop with ^C)
	@$(MAKE) --no-print-directory -C libgtdbg fuzz
	@$(MAKE) --no-print-directory -C tools/vgt fuzz

fuzz-kmod: deps ## Fuzz the module in the sanitised kernel for SECONDS
	@selftests/fuzz/run $(or $(SECONDS),600)

style: $(linux_source) ## Check style: checkpatch, SPDX lines, file sizes
	@tools/style

sparse: ## Check the module with sparse, for both kernels
	@tools/build-module --sparse 6.12
	@tools/build-module --sparse 6.1

docs: $(linux_source) ## Build the documentation into build/docs/html/
	@tools/build-docs

check-docs: docs ## Check that the documentation names only what exists
	@tools/check-docs

install: all install-headers install-man ## Install library, tools, headers and modules below PREFIX
	@for c in $(filter-out selftests,$(present)); do \
		grep -q '^install:' $$c/Makefile || continue; \
		$(MAKE) --no-print-directory -C $$c install || exit 1; done
	@release=$$(cat $(BUILD)/kmod-$(KERNEL)/release) && \
		install -D -m 644 -t $(DESTDIR)/lib/modules/$$release/updates \
			$(BUILD)/kmod-$(KERNEL)/*.ko && \
		{ [ -n "$(DESTDIR)" ] || \
			{ /sbin/depmod "$$release" && /sbin/ldconfig; }; }

# By what install would put there now.
uninstall: ## Remove what install puts there
	@rm -rf $(BUILD)/installed
	@$(MAKE) --no-print-directory install DESTDIR=$(BUILD)/installed >/dev/null
	@tools/uninstall $(BUILD)/installed "$(DESTDIR)"
	@rm -rf $(BUILD)/installed

install-headers:
	@install -D -m 644 -t $(DESTDIR)$(PREFIX)/include/linux \
		uapi/linux/gtdbg*.h
	@install -D -m 644 -t $(DESTDIR)$(PREFIX)/include tools/bpf/gtdbg.bpf.h

install-man:
	@install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man4 kmod/*.4
	@install -d $(DESTDIR)$(PREFIX)/share/man/man3
	@tools/man-library libgtdbg/gtdbg.h libgtdbg/gtdbg_core.h \
		libgtdbg/gtdbg_symbols.h \
		>$(DESTDIR)$(PREFIX)/share/man/man3/libgtdbg.3

deb: ## Build the Debian packages into build/deb/
	@tools/build-deb

clean: ## Remove everything that was built
	@rm -rf $(BUILD)

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' Makefile | expand -t 14
