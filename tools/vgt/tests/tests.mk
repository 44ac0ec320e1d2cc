# SPDX-License-Identifier: MIT
# The tests of the virtual GT. Every *_test.c here is a program that prints
# TAP; kernels/ is one more, run through vgt-run.
tests := $(src)/tests
test_src := $(wildcard $(tests)/*_test.c)
test_bin := $(test_src:$(tests)/%.c=$(out)/tests/%)
kernels_src := $(wildcard $(tests)/kernels/*.c)
kernels_obj := $(kernels_src:$(tests)/%.c=$(out)/tests/%.o)

tests: $(test_bin) $(out)/tests/kernels/kernels

$(out)/tests/%.o: $(tests)/%.c
	@mkdir -p $(@D)
	$(CC) $(VGT_CPPFLAGS) -I$(tests) $(VGT_CFLAGS) -MMD -MP -c -o $@ $<

$(out)/tests/message_test $(out)/tests/image_test: $(out)/tests/message_rig.o

$(out)/tests/%_test: $(out)/tests/%_test.o $(out)/libvgt.a
	$(CC) $(VGT_LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(VGT_LDLIBS)

$(out)/tests/kernels/kernels: $(kernels_obj)
	$(CC) $(VGT_LDFLAGS) -o $@ $^ -lOpenCL -lm

check: all tests
	sh $(tests)/run-tests $(out) $(tests)

# The references of the kernel tests are proven against another OpenCL.
check-references: $(out)/tests/kernels/kernels
	OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd $< $(tests)/kernels

-include $(test_bin:=.d) $(kernels_obj:.o=.d)
.SECONDARY:
.PHONY: tests check-references
