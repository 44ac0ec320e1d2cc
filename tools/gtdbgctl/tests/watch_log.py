# SPDX-License-Identifier: MIT
"""Compares a session's watchpoint hits, from standard input, with vgt's log of writes: who,
where, in which order, and from what to what, as watch.cl says what each write writes.
usage: watch_log.py LOG BASE HITS to|local ELEMENT BYTES"""
import json
import re
import struct
import sys

ELEMENTS = 64


def messages(path, space, base):
    """Of each its slot, instruction, and for each lane the element and which write it is."""
    counts, last, lanes = {}, None, {}
    for line in open(path):
        write = json.loads(line)
        element = (int(write.get(space, "0"), 16) - base) // 4
        if space not in write or not 0 <= element < ELEMENTS:
            continue
        who, lane = (write["slot"], int(write["address"], 16)), write["lane"]
        if who != last or lane in lanes:
            if lanes:
                yield *last, lanes
            last, lanes = who, {}
        counts[who[0], lane] = counts.get((who[0], lane), 0) + 1
        lanes[lane] = element, counts[who[0], lane]
    if lanes:
        yield *last, lanes


def hits(text):
    """Slot, instruction, lanes (none: not known), old and new value; items of slots."""
    found, items = [], {}
    for part in text.split(" hit Watchpoint ")[1:]:
        before = text[:text.index(part)]
        slot, lane = map(int, re.findall(r"Thread 2\.(\d+):(\d+) hit", before)[-1])
        old, new = re.search(r"Old value = (.*)\nNew value = (.*)\n", part).groups()
        at, lanes = re.search(r"Written by (\S+) [^:]*:\d+\)(?: of lane ([\d, ]+))?:",
                              part).groups()
        item = re.search(r"print item\n\$\d+ = (\d+)", part)
        found.append((slot - 1, int(at, 16) % 2 ** 48, lanes, int(old), int(new)))
        items.setdefault(slot - 1, set()).add(int(item[1]) - lane)
    return found, items


def expected(path, space, base, element, size, items, old):
    """The same as hits() finds."""
    memory = bytearray(struct.pack("<q", old)[:size])
    for slot, at, lanes in messages(path, space, base):
        was, who = int.from_bytes(memory, "little", signed=True), []
        for lane, (place, count) in lanes.items():
            offset = 4 * (place - element)
            if not 0 <= offset < size:
                continue
            who.append(str(lane))
            value = 100 * (min(items.get(slot, {0})) + lane) + count
            memory[offset:offset + 4] = struct.pack("<i", value)
        now = int.from_bytes(memory, "little", signed=True)
        if now != was:
            yield slot, at % 2 ** 48, ", ".join(who) if space == "to" else None, was, now


def main():
    path, base, count, space, element, size = sys.argv[1:]
    found, items = hits(sys.stdin.read())
    base = int(base, 16) % (2 ** 48 if space == "to" else 2 ** 16)
    logged = list(expected(path, space, base, int(element), int(size), items,
                           found[0][3] if found else 0))
    for i in range(max(len(found), len(logged))):
        if found[i:i + 1] != logged[i:i + 1]:
            print(f"# hit {i}: {found[i:i + 1]}, logged {logged[i:i + 1]}")
    firsts = [first for of_slot in items.values() for first in of_slot]
    if len(logged) != int(count) or len(set(firsts)) != len(items):
        print(f"# {len(logged)} changes of {count}; first items of slots: {items}")
        return 1
    return found != logged


sys.exit(main())
