# SPDX-License-Identifier: MIT
# Blocks in each other, each of which says that its own first child is its next
# sibling as well: who goes both ways goes 2^200 of them.
	.text
start:
	.skip 64
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
	.uleb128 0x01; .uleb128 0x13		# sibling, ref4
	.uleb128 0x11; .uleb128 0x01
	.uleb128 0x12; .uleb128 0x07
	.byte 0, 0
	.uleb128 4; .uleb128 0x34; .byte 0	# variable
	.uleb128 0x03; .uleb128 0x08
	.byte 0, 0
	.byte 0

	.section .debug_info, "", @progbits
unit:
	.long unit_end - unit - 4
	.short 4
	.long .debug_abbrev
	.byte 8
	.uleb128 1; .quad start; .quad 64
	.uleb128 2; .asciz "wide"; .quad start; .quad 64
	.uleb128 4; .asciz "outer"
	.rept 200
	.uleb128 3; .long 1f - unit; .quad start; .quad 64
1:
	.endr
	.uleb128 4; .asciz "inmost"
	.rept 202
	.byte 0
	.endr
unit_end:
