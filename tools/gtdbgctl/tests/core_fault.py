# SPDX-License-Identifier: MIT
"""Makes of a core file one whose first thread was stopped for a page fault: byte by
byte, from what Documentation/core.rst says, without the tool that writes them.
usage: core_fault.py FROM TO OFFSET PAGE BUFFER...
OFFSET: from where the thread stands to where it is to stand
PAGE: the address of the fault
BUFFER: KIND,NUMBER,ADDRESS,LENGTH,FLAGS, for the program's table
"""
import struct
import sys

from core_notes import note, notes

PAGE_FAULT = 14
INTERRUPT = 1 << 3
EVENT, THREAD, BUFFERS = 0x67740002, 0x67740004, 0x67740007


def number(text):
    return int(text, 0)


def thread_move(desc, offset):
    struct.pack_into("<I", desc, 20, INTERRUPT)
    for at in 40, 48:  # its instruction, and that one's address
        struct.pack_into("<Q", desc, at,
                         struct.unpack_from("<Q", desc, at)[0] + offset)
    struct.pack_into("<I", desc, 68, 0)  # no breakpoint
    return struct.unpack_from("<I", desc, 0) + struct.unpack_from("<I", desc, 8)


def main(path, path_out, offset, page, *buffers):
    data = bytearray(open(path, "rb").read())
    header, = struct.unpack_from("<Q", data, 32)
    at, = struct.unpack_from("<Q", data, header + 8)
    len_bytes, = struct.unpack_from("<Q", data, header + 32)
    made = b""
    where = None
    for kind, _, desc in notes(data, at, at + len_bytes):
        if kind == THREAD and not where:
            where = thread_move(desc, number(offset))
        made += note(kind, bytes(desc))
    made += note(EVENT, struct.pack("<IHH3Q2IQ2I", 56, PAGE_FAULT, 0, 0, 0, 0,
                                    *where, number(page), 0, 0))
    made += note(BUFFERS, b"".join(
        struct.pack("<2I2Q2I", *map(number, buffer.split(",")), 0)
        for buffer in buffers))
    data += bytes(-len(data) % 4)
    struct.pack_into("<Q", data, header + 8, len(data))
    struct.pack_into("<Q", data, header + 32, len(made))
    with open(path_out, "wb") as out:
        out.write(data + made)


main(*sys.argv[1:])
