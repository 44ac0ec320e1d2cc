# SPDX-License-Identifier: MIT
"""Which threads stop, and the ways to come to a program and to leave it."""
import os
import re

from dap_check import check, same
from dap_client import Client

COMPUTE = os.path.join(os.environ.get("BUILD") or os.path.join(
    os.path.dirname(os.environ["GTDBGCTL"]), ".."), "demo", "compute")


def results():
    """What compute prints: in[i] is i + 100."""
    return " ".join(str(-1 if i % 2 else i + 1100) for i in range(64))


def stands(client, stopped):
    """Where, and two of the current lane's values."""
    frame = client.frames(stopped["threadId"])[0]
    return [frame["line"]] + [client.get(
        "evaluate", expression=text, frameId=frame["id"])["result"]
        for text in ("index", "point")]


def logged(client, word):
    return sorted(line for line in client.output("console").split("\n")
                  if line.startswith(word))


def decisions():
    """Two launches, each of eight threads."""
    client = Client.start()
    places = client.begin(
        "launch", ("setBreakpoints", {
            "source": {"path": "compute_1.cl"}, "breakpoints": [
                {"line": 2, "hitCondition": "> 16"},
                {"line": 4, "condition": "point == 142"},
                {"line": 5, "hitCondition": ">= 16"},
                {"line": 7, "logMessage": "odd {index}: {point}"},
                {"line": 8, "condition": "index == 21",
                 "logMessage": "now {index}: {point + 1}, {nothing}"}]}),
        program=COMPUTE, args=["2"])[0]["breakpoints"]
    for _ in range(2):
        stopped = client.event("stopped")
        same("a condition chooses thread and lane",
             (stopped["hitBreakpointIds"], stands(client, stopped)),
             ([places[1]["id"]], [4, "42", "142"]))
        client.get("continue", threadId=stopped["threadId"])
    stopped = client.event("stopped")
    # The lane is the one before if the thread is: any of an even item.
    line, index, point = stands(client, stopped)
    same("the last one of all is counted out",
         (stopped["hitBreakpointIds"], line, int(index) % 2, int(point)),
         ([places[2]["id"]], 5, 0, int(index) + 100))
    same("and stops alone", len(client.get("threads")["threads"]), 1)
    client.get("continue", threadId=stopped["threadId"])
    client.event("terminated")
    same("a log point speaks for each thread, in its first lane",
         logged(client, "odd"), sorted(
             2 * ["odd %d: %d" % (i, i + 100) for i in range(1, 64, 8)]))
    same("or for the one that a condition chooses", logged(client, "now"),
         2 * ['now 21: 0, <No symbol "nothing" in current context.>'])
    same("none of it changes results", client.output("stdout").strip(),
         results())
    shown = client.get("evaluate", expression="`info breakpoints",
                       context="repl")["result"]
    # Programs have no place at the socket (Documentation/open.rst).
    where = "host" if os.environ.get("VGT_DOOR") == "socket" else "EU"
    check("threads need not stop for it, and are counted",
          re.search(r"log odd \{index\}: \{point\} \(on the " + where +
                    r"\)?.*\n.*already hit 16 times", shown), shown)
    check("unless the EU cannot find out what is to be said",
          re.search(r"\{nothing\} only if index == 21 \(on the host", shown),
          shown)
    client.end()


def terminating():
    """compute ends after the launch that is under way when it is asked to."""
    client = Client.start()
    client.begin("launch", ("setBreakpoints", {
        "source": {"path": "compute_1.cl"}, "breakpoints": [{"line": 5}]}),
                 program=COMPUTE, args=["1000000", "100"])
    client.event("stopped")
    client.get("setBreakpoints", source={"path": "compute_1.cl"}, breakpoints=[])
    client.get("terminate")
    same("terminate asks the program to end", client.event("exited"),
         {"exitCode": 0})
    client.event("terminated")
    same("which it does in its own way", client.output("stdout").strip(),
         results())
    client.end()
