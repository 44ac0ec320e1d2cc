# SPDX-License-Identifier: MIT
"""What is in a core file, byte by byte from what Documentation/core.rst says, without the
library that reads them: a line for each note (the file's place where it ends, its type,
a sum of what it holds) and for each piece of memory (its context, address, flags, length,
a sum). Files that hold the same have the same lines but for the places.
usage: core_parts.py FILE
"""
import hashlib
import struct
import sys

from core_notes import notes

NOTE, LOAD = 4, 1
HEAD = 0x67740001


def total(data):
    return hashlib.sha256(data).hexdigest()[:16]


def notes_print(data, at, end):
    for kind, where, what in notes(data, at, end):
        # Of the head, the version.
        print(where, "note", hex(kind),
              total(what[:4] if kind == HEAD else what))


def main(path):
    data = open(path, "rb").read()
    headers, = struct.unpack_from("<Q", data, 32)
    count, = struct.unpack_from("<H", data, 56)
    for i in range(count):
        kind, flags, offset, address, space, len_file, len_bytes, _ = \
            struct.unpack_from("<2I6Q", data, headers + 56 * i)
        if kind == NOTE:
            notes_print(data, offset, offset + len_file)
        elif kind == LOAD:
            print(offset + len_file, "memory", hex(space), hex(address), flags,
                  len_bytes, total(data[offset:offset + len_file]))


main(sys.argv[1])
