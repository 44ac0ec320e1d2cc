# SPDX-License-Identifier: MIT
"""Makes of a core file with one context one with two: byte by byte, from what
Documentation/core.rst says, without the tool that writes them. Context 2 has all that
context 1 has mapped, in bytes of its own in the file, and other bytes in one page of the
mapping that is asked for.
usage: core_double.py FROM TO ADDRESS
"""
import struct
import sys

from core_notes import note, notes

CONTEXT_ADD = 5
NOTE, LOAD = 4, 1
EVENT, MAPPINGS = 0x67740002, 0x67740006
PAGE = 4096


def doubled(kind, desc, at):
    """Both contexts' notes of one that has its context's number at @at."""
    other = bytearray(desc)
    struct.pack_into("<I", other, at, 2)
    return note(kind, bytes(desc)) + note(kind, bytes(other))


def notes_make(data, begin, end):
    made = b""
    for kind, _, desc in notes(data, begin, end):
        if kind == MAPPINGS:
            made += doubled(kind, desc, 4)
        elif kind == EVENT and struct.unpack_from("<H", desc, 4) == (CONTEXT_ADD,):
            made += doubled(kind, desc, 36)
        else:
            made += note(kind, bytes(desc))
    return made


def main(path, path_out, address):
    data = bytearray(open(path, "rb").read())
    headers, = struct.unpack_from("<Q", data, 32)
    count, = struct.unpack_from("<H", data, 56)
    made = []
    for i in range(count):
        header = list(struct.unpack_from("<2I6Q", data, headers + 56 * i))
        data += bytes(-len(data) % PAGE)
        if header[0] == NOTE:
            text = notes_make(data, header[2], header[2] + header[5])
            header[2], header[5] = len(data), len(text)
            data += text
            made.append(header)
        elif header[0] == LOAD:
            text = bytearray(data[header[2]:header[2] + header[5]])
            if header[3] == address:
                text[7] ^= 0xff
            made += [header, [*header[:2], len(data), header[3], header[4] + 1,
                              *header[5:]]]
            data += text
    data += bytes(-len(data) % 8)
    struct.pack_into("<Q", data, 32, len(data))
    struct.pack_into("<H", data, 56, len(made))
    for header in made:
        data += struct.pack("<2I6Q", *header)
    with open(path_out, "wb") as out:
        out.write(data)


main(sys.argv[1], sys.argv[2], int(sys.argv[3], 0))
