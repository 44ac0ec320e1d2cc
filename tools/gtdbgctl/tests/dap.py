# SPDX-License-Identifier: MIT
"""Sessions of an editor with "gtdbgctl dap", on stock programs. What is expected
of values follows from the programs: in[i] is i + 100."""
import os
import sys

from dap_check import check, run, same
from dap_client import Client, Failure
from dap_stepping import neovim, stepping
from dap_ways import (COMPUTE, asserting, attaching, complete, decisions, faulting, hundreds,
                      killing, one_thread, pausing, replacing, results, together, vanishing,
                      vanishing_early, watching)


def after_the_end(client):
    """No request does any harm then, and each is answered."""
    for command in ("stackTrace", "continue", "next", "stepIn", "stepOut", "pause",
                    "setVariable", "writeMemory", "exceptionInfo"):
        same("nothing is stopped then: %s" % command,
             client.ask(command, threadId=1)["message"],
             "The program has ended.")
    same("nor listed", client.get("threads")["threads"], [])
    check("there is one program to a session", not client.ask(
        "launch", program=COMPUTE)["success"])
    for command in ("terminate", "configurationDone", "evaluate", "disassemble"):
        client.ask(command, expression="1")
    same("it was told once", [message["event"] for message in client.messages
                              if message.get("event") in (
                                  "exited", "terminated")],
         ["exited", "terminated"])


def first_session():
    """A breakpoint, a stack, variables, and on to the end."""
    client = Client.start()
    early = client.ask("threads")
    check("initialize comes first", not early["success"], early)
    answers = client.begin(
        "launch",
        ("setBreakpoints", {"source": {"path": "compute_1.cl"},
                            "breakpoints": [{"line": 5}]}),
        ("setExceptionBreakpoints", {"filters": ["fault"]}),
        program=COMPUTE)
    place = answers[0]["breakpoints"][0]
    same("a breakpoint waits for its kernel", place["verified"], False)
    changed = client.event("breakpoint")["breakpoint"]
    same("and is there with it", (changed["id"], changed["verified"]),
         (place["id"], True))
    stopped = client.event("stopped")
    same("a thread stops there", (stopped["reason"], stopped["hitBreakpointIds"]),
         ("breakpoint", [place["id"]]))
    same("the editor hears who waits if it is the machine's GPU",
         "other programs wait for this GPU" in client.output("console"),
         os.environ.get("VGT_DOOR") == "gpu")
    threads = client.get("threads")["threads"]
    same("which is first of the list", threads[0]["id"], stopped["threadId"])
    frame = client.frames(stopped["threadId"])[0]
    same("it stands in the kernel", (frame["name"], frame["line"]),
         ("compute", 5))
    values = client.variables(client.scopes(frame["id"])["Locals"])
    same("variables have values", values["point"]["value"], "100")
    source = client.get("source", source=frame["source"], sourceReference=
                        frame["source"]["sourceReference"])["content"]
    same("the kernel's text is the program's", source.split("\n")[2],
         "  int point = in[index];")
    same("bad expressions are refused",
         client.ask("evaluate", expression="point +", frameId=frame["id"])
         ["message"], "A syntax error in expression, near `'.")
    for words in ({"variablesReference": 4711}, {}, {"variablesReference": -1}):
        check("bad references are refused",
              not client.ask("variables", **words)["success"])
    check("unknown requests are refused",
          "unknown request" in client.ask("frobnicate")["message"])
    client.send_bytes('{"seq": 1, "type": ')
    client.send_bytes("[]")
    check("what is no request is passed over",
          not client.ask("initialize")["success"])
    client.get("setBreakpoints", source={"path": "compute_1.cl"}, breakpoints=[])
    client.get("continue", threadId=stopped["threadId"])
    same("the program ends", client.event("exited")["exitCode"], 0)
    client.event("terminated")
    same("with its results", client.output("stdout").strip(), results())
    after_the_end(client)
    same("and so does the adapter", client.end(), 0)


def leftover():
    """What a program leaves behind goes on writing: the session ends nevertheless."""
    client = Client.start()
    client.begin("launch", program="sh", args=["-c", "yes & exit 3"])
    same("a program that leaves one behind ends",
         client.event("exited")["exitCode"], 3)
    same("and so does its session", client.end(), 0)


def nobody():
    """A process that does not use the GPU, and then one that there is not."""
    client = Client.start()
    client.get("initialize", adapterID="gtdbg")
    for pid in (os.getpid(), 1 << 22):
        check("there is nothing to attach to",
              not client.ask("attach", pid=pid)["success"])
    same("and the adapter ends as always", client.end(), 0)


# Names of some of them may be given. Faults are left to the driver of the machine's GPU.
SESSIONS = (first_session, stepping, neovim, decisions, one_thread, together, hundreds, complete,
            watching, pausing, faulting, asserting, attaching, replacing, vanishing,
            vanishing_early, killing, leftover, nobody)
if os.environ.get("VGT_DOOR") == "gpu":
    SESSIONS = [session for session in SESSIONS if session is not faulting]
# With hundreds of threads, or several of others.
if not sys.argv[1:] and not os.environ.get("GTDBG_TEST_SOAK"):
    SESSIONS = [session for session in SESSIONS
                if session not in (together, hundreds, replacing, vanishing)]
sys.exit(run(Failure, *[session for session in SESSIONS
                        if not sys.argv[1:] or session.__name__ in sys.argv]))
