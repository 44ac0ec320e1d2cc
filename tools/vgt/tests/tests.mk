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

tests: $(test_bin) $(out)/tests/kernels/kernels

$(out)/tests/%.o: $(tests)/%.c
	@mkdir -p $(@D)
	$(CC) $(VGT_CPPFLAGS) -I$(tests) $(VGT_CFLAGS) -MMD -MP -c -o $@ $<

# The model follows the rounding mode that it sets.
$(out)/tests/model.o: VGT_CFLAGS += -frounding-math

$(out)/tests/libtests.a: $(helper_obj)
	rm -f $@
	$(AR) rcs $@ $^

$(out)/tests/%_test: $(out)/tests/%_test.o $(out)/tests/libtests.a \
		$(out)/libvgt.a
	$(CC) $(VGT_LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(VGT_LDLIBS)

$(out)/tests/kernels/kernels: $(kernels_obj)
	$(CC) $(VGT_LDFLAGS) -o $@ $^ -lOpenCL -lm

check: all tests
	sh $(tests)/run-tests $(out) $(tests)

# make fuzz FUZZ_SECONDS=600 for a long run. A crash leaves its input behind.
FUZZ_SECONDS ?= 60
FUZZ_CC ?= clang-14

$(out)/tests/tbx_fuzz: $(tests)/fuzz/tbx_fuzz.c $(tests)/wire.c $(src)/tbx.c \
		$(src)/tbx.h $(tests)/wire.h
	@mkdir -p $(@D)
	$(FUZZ_CC) -I$(src) -I$(tests) -std=gnu11 -D_GNU_SOURCE -O1 -g \
		-fsanitize=fuzzer,address,undefined \
		-fno-sanitize-recover=undefined -o $@ $(filter %.c,$^)

fuzz: $(out)/tests/tbx_fuzz
	@mkdir -p $(out)/fuzz/tbx
	$< -max_total_time=$(FUZZ_SECONDS) -use_value_profile=1 -timeout=5 \
		-artifact_prefix=$(out)/fuzz/ $(out)/fuzz/tbx

# The references of the kernel tests are proven against another OpenCL.
check-references: $(out)/tests/kernels/kernels
	OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd $< $(tests)/kernels

-include $(test_bin:=.d) $(helper_obj:.o=.d) $(kernels_obj:.o=.d)
.SECONDARY:
.PHONY: tests check-references
