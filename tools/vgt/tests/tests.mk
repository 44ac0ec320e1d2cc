# SPDX-License-Identifier: MIT
# The tests of the virtual GT. Every *_test.c here is a program that prints
# TAP; kernels/ is one more, run through vgt-run.
tests := $(src)/tests
test_src := $(wildcard $(tests)/*_test.c)
test_bin := $(test_src:$(tests)/%.c=$(out)/tests/%)
# What the test programs share among them.
helper_src := $(filter-out $(test_src),$(wildcard $(tests)/*.c))
helper_obj := $(helper_src:$(tests)/%.c=$(out)/tests/%.o)
kernels_src := $(wildcard $(tests)/kernels/*.c)
kernels_obj := $(kernels_src:$(tests)/%.c=$(out)/tests/%.o)
numbers_src := $(wildcard $(tests)/numbers/*.c)
numbers_obj := $(numbers_src:$(tests)/%.c=$(out)/tests/%.o)

program_bin := $(out)/tests/kernels/kernels $(out)/tests/numbers/numbers $(out)/tests/misbehave \
	$(out)/tests/doors $(out)/tests/node $(out)/tests/no_code $(out)/tests/rates $(out)/tests/seeded $(out)/tests/fresh \
	$(out)/tests/level_zero \
	$(out)/tests/scale.spv

tests: $(test_bin) $(program_bin)

$(out)/tests/%.o: $(tests)/%.c
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(VGT_CPPFLAGS) -I$(tests) $(VGT_CFLAGS) \
		-MMD -MP -c -o $@ $<

# These follow the rounding mode that they set.
$(out)/tests/model.o $(numbers_obj): VGT_CFLAGS += -frounding-math

$(out)/tests/libtests.a: $(helper_obj)
	$(Q)rm -f $@
	$(call quiet,AR)$(AR) rcs $@ $^

$(out)/tests/%_test: $(out)/tests/%_test.o $(out)/tests/libtests.a \
		$(out)/libvgt.a
	$(call quiet,LD)$(CC) $(VGT_LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) \
		$(VGT_LDLIBS)

$(out)/tests/kernels/kernels: $(kernels_obj)
	$(call quiet,LD)$(CC) $(VGT_LDFLAGS) -o $@ $^ -lOpenCL -lm

# What the runtime's compiler makes of the cases, as the runtime keeps it. They are compiled
# once, and not in each run: in a guest that takes ten times as long.
compiled := $(out)/tests/compiled

$(compiled): $(wildcard $(tests)/kernels/*.cl) | all $(out)/tests/kernels/kernels
	@rm -rf $@ $@.new && mkdir -p $@.new
	$(call quiet,CL)for variant in default debug; do \
		cl_cache_dir=$@.new $(out)/vgt-run --door=drm $(out)/tests/kernels/kernels \
			$(tests)/kernels $$variant >$@.log 2>&1 & \
		pids="$$pids $$!"; \
	done; wait $$pids; mv $@.new $@

# For a guest with a GPU, as the next one is.
cases: $(out)/tests/kernels/kernels $(compiled)

# What all cases are at the simulator's socket, and with another OpenCL, which is wrong in
# some places and lacks others.
results: cases
	@mkdir -p $(out)/tests/results
	$(out)/vgt-run --door=socket $(out)/tests/kernels/kernels $(tests)/kernels default \
		>$(out)/tests/results/socket
	-OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd $(out)/tests/kernels/kernels \
		$(tests)/kernels >$(out)/tests/results/pocl

$(out)/tests/numbers/numbers: $(numbers_obj) $(out)/tests/tap.o
	$(call quiet,LD)$(CC) $(VGT_LDFLAGS) -o $@ $^ -lOpenCL -lm

$(out)/tests/misbehave $(out)/tests/doors $(out)/tests/rates $(out)/tests/seeded $(out)/tests/fresh: \
		$(out)/tests/%: $(tests)/programs/%.c
	@mkdir -p $(@D)
	$(call quiet,LD)$(CC) $(VGT_CFLAGS) $(VGT_LDFLAGS) -o $@ $< -lOpenCL

$(out)/tests/node $(out)/tests/no_code: $(out)/tests/%: $(tests)/programs/%.c
	@mkdir -p $(@D)
	$(call quiet,LD)$(CC) $(VGT_CPPFLAGS) $(VGT_CFLAGS) $(VGT_LDFLAGS) -o $@ $<

$(out)/tests/level_zero: $(tests)/programs/level_zero.c
	@mkdir -p $(@D)
	$(call quiet,LD)$(CC) $(VGT_CFLAGS) $(VGT_LDFLAGS) -o $@ $< -lze_loader \
		-lpthread

# For a debugger, too: this file says so. The compiler names it after the device family.
$(out)/tests/scale.spv: $(tests)/programs/scale.cl $(tests)/tests.mk
	@mkdir -p $(@D)/spv
	$(call quiet,CL)ocloc compile -q -file $< -device tgllp -out_dir $(@D)/spv \
		-options "-g -cl-opt-disable" -output scale && mv $(@D)/spv/scale_*.spv $@

# A program that hangs is named as a failed test, and with "make -k" the others still run.
tap := $(tests)/../../../selftests/tap

check: check-native check-fuzz check-asan check-tsan

# The kernels that sanitizers see in "check"; all in the soak. Debug builds of
# kernels run many times as many instructions, of which few are of other kinds.
SANITIZED := default

check-soak:
	@status=0; \
	$(MAKE) -k -f $(src)/Makefile ON_SOCKET=all LIMIT=7200 PROGRAMS=10000 \
		NUMBERS=1048576 check-native || status=1; \
	$(tap) --timeout 3600 --as numbers-debug $(out)/vgt-run $(out)/tests/numbers/numbers \
		16384 "-g -cl-opt-disable" || status=1; \
	$(tap) --timeout 3600 --as stop_test $(out)/tests/stop_test 100000 || status=1; \
	$(MAKE) -k -f $(src)/Makefile SANITIZED="default debug" COMPILED=all \
		COMPILED_TSAN=all check-asan check-tsan || status=1; \
	exit $$status

# What else runs over the simulator's socket: uploads, and each kind of memory.
ON_SOCKET := command image memory range session

# What runs with all its code compiled, if not everything: branches and loops, and other
# threads.
COMPILED := flow range_saxpy
COMPILED_TSAN := range_saxpy
check-native: COMPILED := all

# So many values of each type with more than 16 bits; empty: as many as it likes.
NUMBERS :=

# So many programs, one after the other, have to leave nothing behind.
PROGRAMS := 40

# Seconds for a program that takes some twenty alone, so that the stage ends behind one
# that hangs, and names it.
export LIMIT := 900

# Warnings are errors in what is tested. Not so with sanitizers, which make the
# compiler see paths that are none.
check-native: WERROR := -Werror

check-native: check-programs check-numbers check-servers check-doors check-checkers check-leftovers

check-programs: all tests $(compiled)
	KEPT=$(compiled) SOCKET="$(ON_SOCKET)" COMPILED="$(COMPILED)" \
		sh $(tests)/run-tests $(out) $(tests) \
		$(out)/tests/kernels/kernels

check-numbers: all tests
	$(tap) --timeout $(LIMIT) --as numbers $(out)/vgt-run $(out)/tests/numbers/numbers $(NUMBERS)

check-servers: all tests
	$(tap) --as server-tests $(tests)/server-tests $(out) $(out)/tests/misbehave

check-doors: all tests
	$(tap) --as door-tests $(tests)/door-tests $(out)

check-checkers: all tests
	$(tap) --timeout $(LIMIT) --as checker-tests $(tests)/checker-tests $(out) $(tests)

check-leftovers: all tests
	$(tap) --timeout $(LIMIT) --as leftovers $(tests)/leftovers $(out) $(PROGRAMS)

# Once more with sanitizers in vgtd and the test programs. The program that
# loads Intel's runtime is the plain one: the runtime is not ours to check.
check-asan: tests
	$(MAKE) -f $(src)/Makefile VARIANT=-asan CFLAGS="-O1 -g" all tests \
		SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=undefined"
	KEPT=$(compiled) VARIANTS="$(SANITIZED)" COMPILED="$(COMPILED)" \
		sh $(tests)/run-tests $(BUILD)/vgt-asan $(tests) \
		$(out)/tests/kernels/kernels
	ASAN_OPTIONS=detect_leaks=0 $(tap) --as server-tests $(tests)/server-tests \
		$(BUILD)/vgt-asan $(out)/tests/misbehave

# Several EU threads at the same memory at the same time.
check-tsan: tests
	$(MAKE) -f $(src)/Makefile VARIANT=-tsan CFLAGS="-O1 -g" all \
		$(BUILD)/vgt-tsan/tests/protocol_test \
		$(BUILD)/vgt-tsan/tests/drm_test \
		$(BUILD)/vgt-tsan/tests/offer_test \
		$(BUILD)/vgt-tsan/tests/pci_test \
		$(BUILD)/vgt-tsan/tests/execlist_test SANITIZE=-fsanitize=thread
	TSAN_OPTIONS="halt_on_error=1 suppressions=$(tests)/tsan.supp" \
		KEPT=$(compiled) VARIANTS="$(SANITIZED)" COMPILED="$(COMPILED_TSAN)" \
		sh $(tests)/run-tests $(BUILD)/vgt-tsan $(tests) \
		$(out)/tests/kernels/kernels atomic chain_ local command range_saxpy

check-fuzz:
	@if command -v $(FUZZ_CC) >/dev/null; then \
		$(MAKE) -f $(src)/Makefile fuzz FUZZ_SECONDS=4 >&2 && \
		echo "ok 1 - replay the corpora, and fuzz all doors and regions" || \
		{ echo "not ok 1 - fuzz all doors and regions"; false; }; \
	else \
		echo "ok 1 - fuzz all doors and regions # SKIP no $(FUZZ_CC)"; \
	fi
	@echo 1..1

# make fuzz FUZZ_SECONDS=600 for a long run. A crash leaves its input behind. It
# begins with the inputs that are kept in fuzz/ here.
FUZZ_SECONDS ?= 60
FUZZ_CC ?= clang-14

$(out)/tests/tbx_fuzz: $(tests)/fuzz/tbx_fuzz.c $(src)/host/tbx.c \
		$(src)/host/tbx.h
	@mkdir -p $(@D)
	$(call quiet,CC)$(FUZZ_CC) -I$(src) -I$(tests) -std=gnu11 -D_GNU_SOURCE -O1 -g \
		-fsanitize=fuzzer,address,undefined \
		-fno-sanitize-recover=undefined -o $@ $(filter %.c,$^)

$(out)/tests/drm_fuzz: $(tests)/fuzz/drm_fuzz.c $(wildcard $(src)/drm/*.[ch]) \
		$(out)/libvgt.a
	@mkdir -p $(@D)
	$(call quiet,CC)$(FUZZ_CC) $(VGT_CPPFLAGS) -std=gnu11 -D_GNU_SOURCE -O1 -g \
		-Wno-gnu-variable-sized-type-not-at-end -fsanitize=fuzzer,address,undefined \
		-fno-sanitize-recover=undefined -o $@ $(filter %.c,$^) \
		$(out)/libvgt.a $(VGT_LDLIBS) -lpthread

$(out)/tests/pci_fuzz: $(tests)/fuzz/pci_fuzz.c $(tests)/machine.c \
		$(wildcard $(src)/pci/*.[ch] $(src)/gt/*.[ch]) $(out)/libvgt.a
	@mkdir -p $(@D)
	$(call quiet,CC)$(FUZZ_CC) $(VGT_CPPFLAGS) -I$(tests) -std=gnu11 -D_GNU_SOURCE \
		-O1 -g -Wno-psabi -fsanitize=fuzzer,address,undefined \
		-fno-sanitize-recover=undefined -o $@ $(filter %.c,$^) \
		$(out)/libvgt.a $(VGT_LDLIBS) -lpthread

# Vectors stay without sanitizers, as everywhere, so they come from the library.
$(out)/tests/region_fuzz: $(tests)/fuzz/region_fuzz.c $(wildcard $(src)/tier/*.[ch] $(src)/eu/*.[ch]) \
		$(out)/libvgt.a $(out)/tests/libtests.a
	@mkdir -p $(@D)
	$(call quiet,CC)$(FUZZ_CC) $(VGT_CPPFLAGS) -I$(tests) -std=gnu11 -D_GNU_SOURCE \
		-O1 -g -Wno-psabi -fsanitize=fuzzer,address,undefined \
		-fno-sanitize-recover=undefined -o $@ \
		$(filter-out $(src)/eu/vector_%,$(filter %.c,$^)) \
		$(out)/tests/libtests.a $(out)/libvgt.a $(VGT_LDLIBS) -lpthread

# $(call fuzz_door,DOOR). An input takes milliseconds; one without end is found by
# the timeout, on a busy machine as well.
fuzz_door = $(out)/tests/$1_fuzz -max_total_time=$(FUZZ_SECONDS) -timeout=100 \
	-use_value_profile=1 -artifact_prefix=$(out)/fuzz/$1- \
	$(out)/fuzz/$1 $(tests)/fuzz/$1

fuzz: $(out)/tests/tbx_fuzz $(out)/tests/drm_fuzz $(out)/tests/pci_fuzz $(out)/tests/region_fuzz
	@mkdir -p $(out)/fuzz/tbx $(out)/fuzz/drm $(out)/fuzz/pci $(out)/fuzz/region
	$(call fuzz_door,tbx)
	$(call fuzz_door,drm)
	$(call fuzz_door,pci)
	$(call fuzz_door,region)

# The references of the kernel tests are proven against another OpenCL.
check-references: $(out)/tests/kernels/kernels
	OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd $< $(tests)/kernels

-include $(test_bin:=.d) $(helper_obj:.o=.d) $(kernels_obj:.o=.d) $(numbers_obj:.o=.d)
.SECONDARY:
.PHONY: tests cases results check-soak check-native check-programs check-numbers check-servers \
	check-doors check-checkers check-leftovers check-asan check-tsan check-fuzz check-references
