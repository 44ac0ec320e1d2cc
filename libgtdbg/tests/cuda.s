# SPDX-License-Identifier: MIT
# A module as CUDA's compiler makes it, in DWARF 2. The test turns the object
# file of the host's assembler into one of CUDA. Two functions in sections of
# their own, each starting at 0; registers of a parameter and, in a list of
# locations, of a variable; a parameter in the constant bank; local, global and
# shared variables.

	# A line gets its row in the line table at the next instruction.
	.macro CODE size
	nop
	.skip \size - 1
	.endm

	.section .text.add, "ax"
	.file 1 "module.cu"
add_start:
	.loc 1 3
	CODE 16
	.loc 1 4
	CODE 48
add_end:

	.section .text._Z7computePi, "ax"
compute_start:
	.loc 1 7
	CODE 32
	.loc 1 9
	CODE 16
	.loc 1 10
	CODE 80
compute_end:

	.globl state
	.section .nv.global, "aw", @nobits
	.skip 8
state:
	.skip 16

	.macro ATTRIBUTES list:vararg
	.uleb128 \list, 0, 0
	.endm

	# Each line is a DIE: number, tag, children; then attribute and form.
	.section .debug_abbrev
	ATTRIBUTES 1, 0x11, 1, 0x03, 0x08, 0x1b, 0x08, 0x10, 0x06, 0x11, 0x01
	ATTRIBUTES 2, 0x2e, 1, 0x11, 0x01, 0x12, 0x01, 0x40, 0x0a, 0x2007, 0x08, 0x03, 0x08, 0x3a, 0x0b, 0x3b, 0x0b
	ATTRIBUTES 3, 0x05, 0, 0x02, 0x0a, 0x33, 0x0b, 0x03, 0x08, 0x49, 0x13
	ATTRIBUTES 4, 0x34, 0, 0x02, 0x0a, 0x33, 0x0b, 0x03, 0x08, 0x49, 0x13
	ATTRIBUTES 5, 0x34, 0, 0x02, 0x06, 0x33, 0x0b, 0x03, 0x08, 0x49, 0x13
	ATTRIBUTES 6, 0x24, 0, 0x03, 0x08, 0x3e, 0x0b, 0x0b, 0x0b
	ATTRIBUTES 7, 0x13, 1, 0x03, 0x08, 0x0b, 0x0b
	ATTRIBUTES 8, 0x0d, 0, 0x03, 0x08, 0x49, 0x13, 0x38, 0x0a
	ATTRIBUTES 9, 0x01, 1, 0x49, 0x13
	ATTRIBUTES 10, 0x21, 0, 0x2f, 0x0b
	.byte 0

	.macro FUNCTION name, linkage, line
	.uleb128 2
	.quad \name\()_start, \name\()_end
	.byte 1, 0x9c
	.asciz "\linkage"
	.asciz "\name"
	.byte 1, \line
	.endm

	# A DIE with a location between the labels 1 and 2.
	.macro DIE number
	.uleb128 \number
	.byte 2f - 1f
1:
	.endm

	.macro VARIABLE class, name, type
2:
	.byte \class
	.asciz "\name"
	.long \type - unit
	.endm

	.section .debug_info
unit:
	.long unit_end - unit_version
unit_version:
	.value 2
	.long 0
	.byte 8
	.uleb128 1
	.asciz "module.cu", "/src"
	.long 0
	.quad 0

	FUNCTION add, _Z3addP4pairi, 3
	DIE 3
	.byte 0x90			# regx %r24
	.uleb128 0x25723234
	VARIABLE 2, by, int_type
	DIE 3
	.byte 0x90			# regx, no name
	.uleb128 0x7fff
	VARIABLE 2, nothing, int_type
	.uleb128 5
	.long 0
	.byte 2
	.asciz "sum"
	.long int_type - unit
	.byte 0

	FUNCTION compute, _Z7computePi, 7
	DIE 3
	.byte 0x03			# addr
	.quad 0x160
	VARIABLE 7, out, int_type
	DIE 4
	.byte 0x91, 0x70, 0x96, 0x96, 0x23, 4, 0x96	# fbreg -16; plus 4
	VARIABLE 6, mine, pair_type
	DIE 4
	.byte 0x03
	.quad 0x40
	VARIABLE 8, tile, array_type
	DIE 4
	.byte 0x03
	.quad state
	.byte 0x23, 4			# plus_uconst
	VARIABLE 5, state_g, int_type
	.byte 0

int_type:
	.uleb128 6
	.asciz "int"
	.byte 5, 4
pair_type:
	.uleb128 7
	.asciz "pair"
	.byte 16
	.uleb128 8
	.asciz "first"
	.long int_type - unit
	.byte 2, 0x23, 0
	.uleb128 8
	.asciz "second"
	.long int_type - unit
	.byte 3, 0x23, 8, 0x96
	.byte 0
array_type:
	.uleb128 9
	.long int_type - unit
	.uleb128 10
	.byte 63
	.byte 0
	.byte 0
unit_end:

	.section .debug_loc
	.quad add_start + 16, add_end
	.value 2f - 1f
1:
	.byte 0x90			# regx %r1
	.uleb128 0x257231
2:
	.quad 0, 0
