#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Reads a Perfetto trace with protobuf's own library, and prints a line for each event.

usage: perfetto.py [--picture] FILE
Slices as "slice ROW BEGIN_NS END_NS NAME KEY=VALUE...", nested as they are, flows as
flow=NUMBER; instants and counters likewise. ROW is the names of the rows above it,
joined by "/". With --picture a line for each row that has slices, from the first one's
begin to the last one's end: what has a "#" had one then. Ends with 1 if the file is not a
trace, or a slice has no end.
"""
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

FIELD = descriptor_pb2.FieldDescriptorProto
TYPES = {
    "uint64": FIELD.TYPE_UINT64, "int64": FIELD.TYPE_INT64,
    "uint32": FIELD.TYPE_UINT32, "int32": FIELD.TYPE_INT32,
    "fixed64": FIELD.TYPE_FIXED64, "string": FIELD.TYPE_STRING,
    "double": FIELD.TYPE_DOUBLE, "bool": FIELD.TYPE_BOOL,
}

# As the format's public description has them: number, type, name; "*": repeated.
MESSAGES = {
    "Trace": [(1, "TracePacket*", "packet")],
    "TracePacket": [
        (6, "ClockSnapshot", "clock_snapshot"), (8, "uint64", "timestamp"),
        (10, "uint32", "trusted_packet_sequence_id"),
        (11, "TrackEvent", "track_event"), (58, "uint32", "timestamp_clock_id"),
        (60, "TrackDescriptor", "track_descriptor")],
    "ClockSnapshot": [(1, "Clock*", "clocks"), (2, "int32", "primary_trace_clock")],
    "Clock": [(1, "uint32", "clock_id"), (2, "uint64", "timestamp")],
    "TrackEvent": [
        (4, "DebugAnnotation*", "debug_annotations"), (9, "int32", "type"),
        (11, "uint64", "track_uuid"), (23, "string", "name"),
        (30, "int64", "counter_value"), (47, "fixed64*", "flow_ids"),
        (48, "fixed64*", "terminating_flow_ids")],
    "DebugAnnotation": [
        (3, "uint64", "uint_value"), (6, "string", "string_value"),
        (7, "uint64", "pointer_value"), (10, "string", "name")],
    "TrackDescriptor": [
        (1, "uint64", "uuid"), (2, "string", "name"),
        (3, "ProcessDescriptor", "process"), (4, "ThreadDescriptor", "thread"),
        (5, "uint64", "parent_uuid"), (8, "CounterDescriptor", "counter")],
    "ProcessDescriptor": [(1, "int32", "pid"), (6, "string", "process_name")],
    "ThreadDescriptor": [(1, "int32", "pid"), (2, "int32", "tid"),
                         (5, "string", "thread_name")],
    "CounterDescriptor": [],
}
BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4
MONOTONIC = 3
WIDTH = 64 # of a picture
IS_PICTURE = sys.argv[1] == "--picture"


def trace_class():
    """The class of the whole, from the table."""
    file = descriptor_pb2.FileDescriptorProto(name="trace.proto", syntax="proto2")
    for name, fields in MESSAGES.items():
        message = file.message_type.add(name=name)
        for number, kind, field_name in fields:
            field = message.field.add(name=field_name, number=number)
            field.label = (FIELD.LABEL_REPEATED if kind.endswith("*")
                           else FIELD.LABEL_OPTIONAL)
            kind = kind.rstrip("*")
            if kind in TYPES:
                field.type = TYPES[kind]
            else:
                field.type = FIELD.TYPE_MESSAGE
                field.type_name = "." + kind
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    factory = message_factory.MessageFactory(pool)
    return factory.GetPrototype(pool.FindMessageTypeByName("Trace"))


def row_name(rows, uuid):
    """With those of the rows that it is below."""
    row = rows[uuid]
    name = (row.process.process_name if row.HasField("process") else
            row.thread.thread_name if row.HasField("thread") else row.name)
    if row.HasField("parent_uuid"):
        name = row_name(rows, row.parent_uuid) + "/" + name
    return name.replace(" ", "_")


def details(event):
    """Its arguments and flows."""
    out = []
    for item in event.debug_annotations:
        value = (item.string_value if item.HasField("string_value") else
                 hex(item.pointer_value) if item.HasField("pointer_value") else
                 item.uint_value)
        out.append(f"{item.name}={value}".replace(" ", "_"))
    out += [f"flow={flow}" for flow in event.flow_ids]
    out += [f"flow_end={flow}" for flow in event.terminating_flow_ids]
    return out


def put(*words):
    """One line, if it is to be text."""
    if not IS_PICTURE:
        print(*words)


def slice_end(rows, stacks, event, time):
    """Prints the slice that it ends, and returns its row, begin and end."""
    if not stacks.get(event.track_uuid):
        sys.exit(f"a slice ends at {time} that has not begun")
    begin, begun = stacks[event.track_uuid].pop()
    if time < begin:
        sys.exit(f"the slice {begun.name} ends {begin - time} ns before it begins")
    name = row_name(rows, event.track_uuid)
    put("slice", name, begin, time, begun.name.replace(" ", "_"),
        *details(begun), *details(event))
    return name, begin, time


def draw(slices):
    """Rows below each other, with the names behind."""
    if not slices:
        return
    first = min(begin for _, begin, _ in slices)
    span = max(end for _, _, end in slices) - first + 1
    rows = {}
    for name, begin, end in slices:
        row = rows.setdefault(name, [" "] * WIDTH)
        for column in range((begin - first) * WIDTH // span,
                            (end - first) * WIDTH // span + 1):
            row[column] = "#"
    print(f"{span / 1e6:.3f} ms")
    for name in sorted(rows):
        print("|" + "".join(rows[name]) + "| " + name)


def main():
    """Reads the file that is named."""
    with open(sys.argv[-1], "rb") as file:
        trace = trace_class().FromString(file.read())
    if not trace.packet or not trace.packet[0].HasField("clock_snapshot"):
        sys.exit("no clocks in the first packet")
    rows = {packet.track_descriptor.uuid: packet.track_descriptor
            for packet in trace.packet if packet.HasField("track_descriptor")}
    stacks = {}
    slices = []
    events = [packet for packet in trace.packet if packet.HasField("track_event")]
    for packet in sorted(events, key=lambda packet: packet.timestamp):
        event, time = packet.track_event, packet.timestamp
        if packet.timestamp_clock_id != MONOTONIC:
            sys.exit("an event by another clock")
        if event.type == BEGIN:
            stacks.setdefault(event.track_uuid, []).append((time, event))
        elif event.type == END:
            slices.append(slice_end(rows, stacks, event, time))
        elif event.type == INSTANT:
            put("instant", row_name(rows, event.track_uuid), time,
                event.name.replace(" ", "_"), *details(event))
        elif event.type == COUNTER:
            put("counter", row_name(rows, event.track_uuid), time,
                event.counter_value)
    if any(stacks.values()):
        sys.exit("a slice has no end")
    if IS_PICTURE:
        draw(slices)


main()
