# SPDX-License-Identifier: MIT
"""Notes of core files, byte by byte from what Documentation/core.rst says, without the tool
that writes them and the library that reads them."""
import struct


def notes(data, at, end):
    """Of each its type, where it ends, and what it holds."""
    while at < end:
        name_len, len_bytes, kind = struct.unpack_from("<3I", data, at)
        begin = at + 12 + (name_len + 3) // 4 * 4
        yield kind, begin + len_bytes, bytearray(data[begin:begin + len_bytes])
        at = begin + (len_bytes + 3) // 4 * 4


def note(kind, desc):
    padding = bytes(-len(desc) % 4)
    return struct.pack("<3I8s", 6, len(desc), kind, b"gtdbg") + desc + padding
