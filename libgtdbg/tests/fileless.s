# SPDX-License-Identifier: MIT
# A line program of two rows, whose second one names a file that there is not.
	.text
start:
	.skip 64
	.section .debug_abbrev, "", @progbits
	.uleb128 1; .uleb128 0x11; .byte 0	# compile_unit, without children
	.uleb128 0x10; .uleb128 0x17		# stmt_list, sec_offset
	.uleb128 0x11; .uleb128 0x01		# low_pc, addr
	.uleb128 0x12; .uleb128 0x07		# high_pc, data8
	.byte 0, 0
	.byte 0

	.section .debug_info, "", @progbits
unit:
	.long unit_end - unit - 4
	.short 4
	.long .debug_abbrev
	.byte 8
	.uleb128 1; .long .debug_line; .quad start; .quad 64
unit_end:

	.section .debug_line, "", @progbits
lines:
	.long lines_end - lines - 4
	.short 2
	.long header_end - header
header:
	.byte 1, 1, -5, 14, 10			# opcodes from 10 on are special
	.byte 0, 1, 1, 1, 1, 0, 0, 0, 1		# arguments of those before
	.byte 0					# no folders
	.asciz "one.cl"; .byte 0, 0, 0
	.byte 0
header_end:
	.byte 0, 9, 2; .quad start		# set_address
	.byte 1					# copy
	.byte 4; .uleb128 200			# set_file
	.byte 3; .sleb128 4			# advance_line
	.byte 2; .uleb128 16			# advance_pc
	.byte 1
	.byte 2; .uleb128 48
	.byte 0, 1, 1				# end_sequence
lines_end:
