# SPDX-License-Identifier: MIT
# Debug information that nests blocks 100,000 deep, and types that contain
# themselves or nothing. No compiler writes such; an attacker does.
	.text
start:
	.skip 64
end:
	.section .debug_abbrev, "", @progbits
	.uleb128 1; .uleb128 0x11; .byte 1	# compile_unit, with children
	.uleb128 0x11; .uleb128 0x01		# low_pc, addr
	.uleb128 0x12; .uleb128 0x07		# high_pc, data8
	.byte 0, 0
	.uleb128 2; .uleb128 0x2e; .byte 1	# subprogram
	.uleb128 0x03; .uleb128 0x08		# name, string
	.uleb128 0x11; .uleb128 0x01
	.uleb128 0x12; .uleb128 0x07
	.byte 0, 0
	.uleb128 3; .uleb128 0x0b; .byte 1	# lexical_block
	.uleb128 0x11; .uleb128 0x01
	.uleb128 0x12; .uleb128 0x07
	.byte 0, 0
	.uleb128 4; .uleb128 0x34; .byte 0	# variable
	.uleb128 0x03; .uleb128 0x08
	.uleb128 0x49; .uleb128 0x13		# type, ref4
	.byte 0, 0
	.uleb128 5; .uleb128 0x13; .byte 1	# structure_type
	.uleb128 0x03; .uleb128 0x08
	.uleb128 0x0b; .uleb128 0x06		# byte_size, data4
	.byte 0, 0
	.uleb128 6; .uleb128 0x0d; .byte 0	# member
	.uleb128 0x03; .uleb128 0x08
	.uleb128 0x49; .uleb128 0x13
	.uleb128 0x38; .uleb128 0x0b		# data_member_location, data1
	.byte 0, 0
	.uleb128 7; .uleb128 0x16; .byte 0	# typedef
	.uleb128 0x03; .uleb128 0x08
	.uleb128 0x49; .uleb128 0x13
	.byte 0, 0
	.uleb128 8; .uleb128 0x01; .byte 1	# array_type
	.uleb128 0x49; .uleb128 0x13
	.byte 0, 0
	.uleb128 9; .uleb128 0x21; .byte 0	# subrange_type
	.uleb128 0x37; .uleb128 0x07		# count, data8
	.byte 0, 0
	.uleb128 10; .uleb128 0x24; .byte 0	# base_type
	.uleb128 0x03; .uleb128 0x08
	.uleb128 0x0b; .uleb128 0x06
	.uleb128 0x3e; .uleb128 0x0b		# encoding, data1
	.byte 0, 0
	.uleb128 11; .uleb128 0x0f; .byte 0	# pointer_type
	.uleb128 0x49; .uleb128 0x13
	.byte 0, 0
	.byte 0

	.section .debug_info, "", @progbits
unit:
	.long unit_end - unit - 4
	.short 4
	.long .debug_abbrev
	.byte 8
	.uleb128 1; .quad start; .quad 64
	# A struct that contains itself, by another name.
node:
	.uleb128 5; .asciz "node"; .long 16
	.uleb128 6; .asciz "self"; .long other - unit; .byte 0
	.byte 0
other:
	.uleb128 7; .asciz "other"; .long node - unit
	# An array of itself, and one that has no end.
array:
	.uleb128 8; .long array - unit
	.uleb128 9; .quad 3
	.byte 0
endless:
	.uleb128 8; .long other - unit
	.uleb128 9; .quad -1
	.byte 0
	# 2^63 times nothing, and as many dimensions as there are blocks.
nothing:
	.uleb128 5; .asciz "nothing"; .long 0
	.byte 0
nowhere:
	.uleb128 8; .long nothing - unit
	.uleb128 9; .quad 1 << 63
	.byte 0
number:
	.uleb128 10; .asciz "number"; .long 4; .byte 4
tall:
	.uleb128 8; .long number - unit
	.rept 100000
	.uleb128 9; .quad 1
	.endr
	.byte 0
	# A float of no size that there is.
third:
	.uleb128 10; .asciz "third"; .long 3; .byte 4
	# A pointer to itself, two to each other, and names for each other.
alone:
	.uleb128 11; .long alone - unit
one:
	.uleb128 11; .long two - unit
two:
	.uleb128 11; .long one - unit
left:
	.uleb128 7; .asciz "left"; .long right - unit
right:
	.uleb128 7; .asciz "right"; .long left - unit
	.uleb128 2; .asciz "deep"; .quad start; .quad 64
	.uleb128 4; .asciz "a"; .long other - unit
	.uleb128 4; .asciz "b"; .long array - unit
	.uleb128 4; .asciz "c"; .long endless - unit
	.uleb128 4; .asciz "d"; .long nowhere - unit
	.uleb128 4; .asciz "e"; .long tall - unit
	.uleb128 4; .asciz "f"; .long third - unit
	.uleb128 4; .asciz "g"; .long alone - unit
	.uleb128 4; .asciz "h"; .long one - unit
	.uleb128 4; .asciz "i"; .long left - unit
	.rept 100000
	.uleb128 3; .quad start; .quad 64
	.endr
	.uleb128 4; .asciz "inmost"; .long node - unit
	.rept 100002
	.byte 0
	.endr
unit_end:
