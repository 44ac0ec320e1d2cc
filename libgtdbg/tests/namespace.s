# SPDX-License-Identifier: MIT
# Namespaces in each other, and what is declared there, as clang writes them.
	.text
start:
	.skip 64
	.section .debug_abbrev, "", @progbits
	.uleb128 1; .uleb128 0x11; .byte 1	# compile_unit, with children
	.uleb128 0x11; .uleb128 0x01		# low_pc, addr
	.uleb128 0x12; .uleb128 0x07		# high_pc, data8
	.byte 0, 0
	.uleb128 2; .uleb128 0x39; .byte 1	# namespace
	.uleb128 0x03; .uleb128 0x08		# name, string
	.byte 0, 0
	.uleb128 3; .uleb128 0x2e; .byte 0	# subprogram
	.uleb128 0x03; .uleb128 0x08
	.uleb128 0x11; .uleb128 0x01
	.uleb128 0x12; .uleb128 0x07
	.byte 0, 0
	.uleb128 4; .uleb128 0x24; .byte 0	# base_type
	.uleb128 0x03; .uleb128 0x08
	.uleb128 0x0b; .uleb128 0x06		# byte_size, data4
	.uleb128 0x3e; .uleb128 0x0b		# encoding, data1
	.byte 0, 0
	.uleb128 5; .uleb128 0x04; .byte 1	# enumeration_type
	.uleb128 0x03; .uleb128 0x08
	.uleb128 0x0b; .uleb128 0x06
	.byte 0, 0
	.uleb128 6; .uleb128 0x28; .byte 0	# enumerator
	.uleb128 0x03; .uleb128 0x08
	.uleb128 0x1c; .uleb128 0x0b		# const_value, data1
	.byte 0, 0
	.uleb128 7; .uleb128 0x34; .byte 0	# variable
	.uleb128 0x03; .uleb128 0x08
	.uleb128 0x49; .uleb128 0x13		# type, ref4
	.byte 0, 0
	.byte 0

	.section .debug_info, "", @progbits
unit:
	.long unit_end - unit - 4
	.short 4
	.long .debug_abbrev
	.byte 8
	.uleb128 1; .quad start; .quad 64
	.uleb128 2; .asciz "empty"
	.byte 0
	.uleb128 2; .asciz "outer"
	.uleb128 2; .asciz "inner"
number:
	.uleb128 4; .asciz "number"; .long 4; .byte 5
	.uleb128 5; .asciz "kind"; .long 4
	.uleb128 6; .asciz "THREE"; .byte 3
	.byte 0
	.uleb128 7; .asciz "known"; .long number - unit
	.uleb128 3; .asciz "get"; .quad start; .quad 64
	.byte 0, 0, 0
unit_end:
