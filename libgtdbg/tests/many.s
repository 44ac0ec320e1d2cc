# SPDX-License-Identifier: MIT
# A struct of 256 structs, each of which has 1,024 members; every one of these has a
# pointer type of its own. Who looks through all types for each goes 2^35 steps.
	.text
start:
	.skip 64
	.section .debug_abbrev, "", @progbits
	.uleb128 1; .uleb128 0x11; .byte 1	# compile_unit, with children
	.uleb128 0x11; .uleb128 0x01		# low_pc, addr
	.uleb128 0x12; .uleb128 0x07		# high_pc, data8
	.byte 0, 0
	.uleb128 2; .uleb128 0x0f; .byte 0	# pointer_type
	.byte 0, 0
	.uleb128 3; .uleb128 0x13; .byte 1	# structure_type
	.uleb128 0x0b; .uleb128 0x0b		# byte_size, data1
	.byte 0, 0
	.uleb128 4; .uleb128 0x13; .byte 1	# structure_type
	.uleb128 0x03; .uleb128 0x08		# name, string
	.uleb128 0x0b; .uleb128 0x0b
	.byte 0, 0
	.uleb128 5; .uleb128 0x0d; .byte 0	# member
	.uleb128 0x49; .uleb128 0x13		# type, ref4
	.byte 0, 0
	.byte 0

	.set per_struct, 1024
	.set structs, 256
	# A struct: its head, its members, and what ends them.
	.set struct_bytes, 2 + 5 * per_struct + 1

	.section .debug_info, "", @progbits
unit:
	.long unit_end - unit - 4
	.short 4
	.long .debug_abbrev
	.byte 8
	.uleb128 1; .quad start; .quad 64
	.set pointer, 11 + 17
pointers:
	.fill structs * per_struct, 1, 2
inner:
	.rept structs
	.uleb128 3; .byte 8
	.rept per_struct
	.byte 5; .long pointer
	.set pointer, pointer + 1
	.endr
	.byte 0
	.endr
	.uleb128 4; .asciz "top"; .byte 8
	.set struct, 11 + 17 + structs * per_struct
	.rept structs
	.byte 5; .long struct
	.set struct, struct + struct_bytes
	.endr
	.byte 0
	.byte 0
unit_end:
