# SPDX-License-Identifier: MIT
"""Requests at the wrong time, bad arguments, bytes that are no messages, sockets:
all that "gtdbgctl dap" answers without a module."""
import json
import os
import random
import signal
import socket
import stat
import subprocess
import sys
import tarfile
import tempfile
import time

from dap_check import check, run, same
from dap_client import Client, Failure
from dap_replay import replay, shown

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "programs.cl")
CORES = os.path.join(HERE, "../../../libgtdbg/tests/fuzz/core.tar.xz")


def refused(client, text, command, **arguments):
    answer = client.ask(command, **arguments)
    check("refused: %s" % text, not answer["success"] and
          text in answer["message"], answer)


def alone(client, wanted, command, **arguments):
    """What is wrong with one breakpoint is its own message: the others stand."""
    answer = client.get(command, **arguments)["breakpoints"]
    check("%s: each for itself" % command, len(answer) == len(wanted) and all(
        text in item["message"] or text == item["reason"]
        for text, item in zip(wanted, answer)), answer)


def requests():
    client = Client.start()
    refused(client, '"initialize" comes first', "threads")
    refused(client, "pathFormat", "initialize", pathFormat="uri")
    abilities = client.get("initialize", adapterID="gtdbg")
    check("what it can do is said", abilities["supportsDisassembleRequest"])
    client.event("initialized")
    refused(client, "comes only once", "initialize")
    refused(client, 'unknown request "frobnicate"', "frobnicate")
    refused(client, '"program" is missing', "launch")
    refused(client, "no program that can be executed", "launch",
            program="/nonexistent")
    refused(client, '"lanes": "x" is none', "launch", program="true", lanes="x")
    refused(client, '"sip": "x" is none', "launch", program="true", sip="x")
    refused(client, '"cwd": /nonexistent', "launch", program="true",
            cwd="/nonexistent")
    refused(client, "is no name of a variable", "launch", program="true",
            env={"A=B": "x"})
    refused(client, "word 2 is no text", "launch", program="true",
            args=["x", None])
    refused(client, "the kernel module is not loaded", "launch", program="true")
    refused(client, '"pid" is missing', "attach", pid="1")
    refused(client, "the kernel module is not loaded", "attach", pid=1)
    for command in ("continue", "next", "stepIn", "stepOut", "stackTrace",
                    "scopes", "variables", "setVariable", "readMemory",
                    "writeMemory", "exceptionInfo", "evaluate"):
        refused(client, "No GPU thread is stopped.", command, expression="1")
    refused(client, "does not use the GPU yet", "pause", threadId=1)
    refused(client, "is not being run", "terminate")
    refused(client, "neither a path nor a reference", "setBreakpoints",
            source={}, breakpoints=[])
    alone(client, ("a line that is none", "pending"), "setBreakpoints",
          source={"path": "x.cl"}, breakpoints=[{"line": 0}, {"line": 5}])
    alone(client, ("without a name", "pending"), "setFunctionBreakpoints",
          breakpoints=["x", {"name": "f"}])
    alone(client, ("leads nowhere",), "setInstructionBreakpoints",
          breakpoints=[{"instructionReference": "0x10", "offset": -16}])
    client.send_bytes('{"seq": 99, "type": "response", "command": "threads"}')
    same("what is no request is not answered", client.get("threads") and
         99 in client.answers, False)
    refused(client, "is no address", "disassemble", memoryReference="x")
    refused(client, "no text of reference 7", "source", sourceReference=7)
    same("there are no threads", client.get("modules")["totalModules"], 0)
    same("it ends when it is told to", client.end(), 0)


def breakpoints():
    client = Client.start()
    client.get("initialize", adapterID="gtdbg", linesStartAt1=False)
    first = client.get("setBreakpoints", source={"path": "/x/a.cl"}, breakpoints=[
        {"line": 3}, {"line": 4, "hitCondition": "often"}])["breakpoints"]
    same("a breakpoint waits, at the line that was asked for",
         (first[0]["verified"], first[0]["line"]), (False, 3))
    check("a bad hit condition is refused", "hit condition" in
          first[1]["message"], first)
    again = client.get("setBreakpoints", source={"path": "/x/a.cl"}, breakpoints=[
        {"line": 8}, {"line": 3}])["breakpoints"]
    same("one that stays is the same", again[1]["id"], first[0]["id"])
    shown = client.get("evaluate", expression="`info breakpoints",
                       context="repl")["result"]
    check("both are the prompt's", "a.cl:9" in shown and "a.cl:4" in shown,
          shown)
    client.get("setBreakpoints", source={"path": "/x/a.cl"}, breakpoints=[])
    same("none are left", client.get("evaluate", context="repl",
         expression="`info breakpoints")["result"], "No breakpoints.\n")
    client.get("evaluate", expression="`quit", context="repl")
    same("the prompt's quit ends it", client.process.wait(60), 0)


def shell():
    client = Client.start()
    client.get("initialize", adapterID="gtdbg")
    client.get("evaluate", expression="`shell seq 100000", context="repl")
    client.get("evaluate", expression="`shell cat; echo over", context="repl")
    check("more words than a pipe has room for are all there",
          client.output("stdout").startswith(
              "".join("%u\n" % i for i in range(1, 100001))))
    check("a command reads nothing of what is said to the adapter",
          client.output("stdout").endswith("over\n"))
    client.send("evaluate", expression="`shell echo begun; sleep 3600",
                context="repl")
    client.event("output", output="begun\n")
    client.process.send_signal(signal.SIGTERM)
    same("one that does not end goes with it", client.process.wait(600), 0)


def places(client, stopped):
    """Where the thread of the core file stands: share of programs.cl."""
    thread = client.get("threads")["threads"][0]
    same("the list begins with the thread that stopped", thread["id"],
         stopped["threadId"])
    check("and says where it stands", thread["name"].startswith(
        "2.1 share:85 [0-7]"), thread)
    frames = client.get("stackTrace", threadId=thread["id"])
    frame = frames["stackFrames"][0]
    same("it has a frame", (frame["name"], frame["line"], len(
        frames["stackFrames"])), ("share", 85, frames["totalFrames"]))
    same("in the file with the kernel's text", frame["source"]["path"], KERNELS)
    place = client.get("setBreakpoints", source={"path": KERNELS},
                       breakpoints=[{"line": 85}])["breakpoints"][0]
    check("a breakpoint has no place in it", not place["verified"] and
          "does not run" in place["message"], place)
    module = client.get("modules")["modules"][0]
    same("its module", (module["name"], frame["moduleId"]),
         ("launch_1.cl", module["id"]))
    same("and its only source", client.get("loadedSources")["sources"],
         [frame["source"]])
    text = client.get("source", sourceReference=module["id"])["content"]
    same("whose text is there", text.split("\n")[84].strip(),
         "int other = row[7 - l];")
    refused(client, "A core file does not run.", "continue", threadId=1)
    refused(client, "A core file does not run.", "next", threadId=1)
    refused(client, "A core file does not run.", "pause", threadId=1)
    refused(client, "has not stopped for an exception", "exceptionInfo",
            threadId=thread["id"])
    refused(client, "Thread 5 is not stopped", "stackTrace", threadId=5)
    refused(client, "count from 0", "stackTrace", threadId=thread["id"],
            startFrame=-1)
    return frame


def values(client, frame):
    def evaluate(text, **words):
        return client.get("evaluate", expression=text, frameId=frame["id"],
                          **words)

    scopes = client.scopes(frame["id"])
    local = client.variables(scopes["Locals"])
    same("a struct", local["both"]["value"], "{member = 77, ratio = 2.5}")
    parts = client.variables(local["both"]["variablesReference"])
    same("and its members", [(item["evaluateName"], item["value"])
                             for item in parts.values()],
         [("both.member", "77"), ("both.ratio", "2.5")])
    same("an array's size", local["row"]["indexedVariables"], 8)
    page = client.variables(local["row"]["variablesReference"], start=2, count=3)
    same("and a page of it", [(name, item["value"]) for name, item in
                              page.items()],
         [("[2]", "102"), ("[3]", "103"), ("[4]", "104")])
    pointer = client.variables(scopes["Arguments"])["in"]
    same("what a pointer points to", client.variables(
        pointer["variablesReference"])["*in"]["value"], "100")
    same("expressions", evaluate("in[3] + both.member")["result"], "180")
    same("in hexadecimal", evaluate("in[3]", format={"hex": True})["result"],
         "0x67")
    refused(client, "No symbol", "evaluate", expression="nothing",
            frameId=frame["id"])
    refused(client, "is no reference of this stop", "variables",
            variablesReference=4711)
    refused(client, "this is a frame", "variables",
            variablesReference=frame["id"])
    refused(client, "no frame's", "scopes", frameId=scopes["Locals"])
    refused(client, "Cannot write", "setVariable", name="total", value="1",
            variablesReference=scopes["Locals"])
    lanes = client.variables(scopes["Lanes"])
    same("lanes", list(lanes), ["lane %d" % i for i in range(8)])
    same("with values of their own", [client.variables(
        item["variablesReference"])["item"]["value"]
        for item in lanes.values()], [str(i) for i in range(8)])
    sets = client.variables(scopes["Registers"])
    registers = client.variables(sets["r"]["variablesReference"], start=126,
                                 count=9)
    same("registers in pages", list(registers), ["r126", "r127"])
    same("whose parts can be opened", len(client.variables(
        registers["r127"]["variablesReference"])), 8)
    for item in sets.values():
        client.variables(item["variablesReference"])
    for text, lane in (("Only a debugger of a program that runs", 0),
                       ("a dataId that is none", 99)):
        known = client.get("dataBreakpointInfo", name="row", frameId=frame["id"],
                           variablesReference=scopes["Locals"])["dataId"].split()
        known[3] = str(lane)
        alone(client, (text,), "setDataBreakpoints",
              breakpoints=[{"dataId": " ".join(known)}])
    refused(client, "no text of reference", "source",
            sourceReference=(1 << 32) + 1)
    same("memory", client.get("readMemory", offset=4, count=6, memoryReference=
                              pointer["memoryReference"])["data"], "ZQAAAGYA")
    same("and where there is none", client.get(
        "readMemory", memoryReference="0x1000", count=16)["unreadableBytes"],
         16)
    refused(client, "count is from 0", "readMemory", memoryReference="0x1000",
            count=1 << 40)
    refused(client, "no base 64", "writeMemory", memoryReference="0x1000",
            data="!")


def code(client, frame):
    here = frame["instructionPointerReference"]
    lines = client.get("disassemble", memoryReference=here, instructionCount=5,
                       instructionOffset=-2)["instructions"]
    same("code", [line["address"] for line in lines].index(here), 2)
    check("with its bytes and line", lines[2]["instructionBytes"] and
          lines[0]["line"] in range(70, 90), lines)
    before = client.get("disassemble", memoryReference=here,
                        instructionCount=3, instructionOffset=-100000)
    same("there is nothing before it", [line["presentationHint"] for line in
                                        before["instructions"]],
         ["invalid"] * 3)


def unpack(folder):
    core = os.path.join(folder, "share.core")
    with tarfile.open(CORES) as archive:
        with open(core, "wb") as file:
            file.write(archive.extractfile("share.core").read())
    return core


def core_file():
    folder = tempfile.mkdtemp()
    core = unpack(folder)
    client = Client.start()
    client.get("initialize", adapterID="gtdbg")
    refused(client, "cannot open core file", "attach", core="/nonexistent")
    refused(client, "none of gtdbg's", "attach", core="/dev/null")
    client.get("attach", core=core, sources=[KERNELS])
    client.get("configurationDone")
    stopped = client.event("stopped")
    frame = places(client, stopped)
    values(client, frame)
    code(client, frame)
    shown = client.get("evaluate", expression="`thread 2.1:3", context="repl",
                       frameId=frame["id"])["result"]
    check("the prompt's commands", "Switching to thread 2.1:3" in shown, shown)
    same("nothing of it is ended", client.end(), 0)
    client = Client.start()
    client.begin("attach", core=core, lanes="threads", maxThreads=3)
    stopped = client.event("stopped")
    threads = client.get("threads")["threads"]
    same("lanes are threads if that is wanted", [thread["name"][:5] for thread
                                                 in threads],
         ["2.1:0", "2.1:1", "2.1:2"])
    frame = client.frames(threads[2]["id"])[0]
    same("with their own values", client.get(
        "evaluate", expression="item", frameId=frame["id"])["result"], "2")
    client.leave()
    same("an editor may just go", client.process.wait(60), 0)
    os.unlink(core)
    os.rmdir(folder)


def recorded():
    client = Client.start()
    with tempfile.TemporaryDirectory() as folder:
        answers = replay(client, "dap_neovim.txt", core=unpack(folder),
                         kernels=KERNELS)
    found = {item["name"]: item["value"]
             for items in shown(answers, "variables", "variables")
             for item in items}
    same("it sees a struct", found["both"], "{member = 77, ratio = 2.5}")
    same("and what it hovers over", [found["[%d]" % i] for i in range(8)],
         [str(i + 100) for i in range(8)])
    same("and what it asks for", shown(answers, "evaluate", "result")[0], "180")
    client.leave()
    same("then it goes", client.process.wait(60), 0)


def no_messages():
    client = Client.start()
    for text in ('{"seq": 1, "type": ', "[]", "nul", "[" * 100 + "]" * 100, "",
                 '{"seq": "x"}', '{"command": 7}', '"\\ud800"'):
        client.send_bytes(text)
    check("what is no message is passed over",
          client.get("initialize", adapterID="gtdbg"))
    check("and said to be none", "is no JSON" in client.output("stderr"))
    client.end()
    # The protocol has them begin at 1. nvim-dap does not.
    client = Client.start()
    client.seq = -1
    check("requests may be counted from 0",
          client.get("initialize", adapterID="gtdbg"))
    client.end()
    for name, text in (("without a length", b"Content-Type: x\r\n\r\n{}"),
                       ("too long", b"Content-Length: 99999999999\r\n\r\n"),
                       ("below zero", b"Content-Length: -1\r\n\r\n"),
                       ("without an end", b"x" * 9000)):
        client = Client.start()
        os.write(client.writer, text)
        same("a head %s is an end" % name, client.process.wait(60), 1)
    client = Client.start()
    client.leave()
    same("so is a closed pipe", client.process.wait(60), 0)


def noise():
    """Messages with bytes changed at random; the same ones each time."""
    chance = random.Random(16)
    commands = ("initialize", "launch", "setBreakpoints", "evaluate", "source",
                "variables", "threads", "disassemble", "modules")
    statuses = set()
    for _ in range(20):
        client = Client.start(stderr=subprocess.DEVNULL)
        for seq in range(30):
            body = bytearray(json.dumps({
                "seq": seq + 1, "type": "request",
                "command": "initialize" if not seq else chance.choice(commands),
                "arguments": {"source": {"path": "a"}, "breakpoints": [
                    {"line": chance.choice((1, -1, 1 << 40, "x", None))}],
                    "expression": chance.choice(("`help", "1", "((", None)),
                    "memoryReference": "0x10", "instructionCount": 1 << 33,
                    "args": [None], "program": "true"}}).encode())
            for _ in range(chance.choice((0, 0, 1, 3))):
                body[chance.randrange(len(body))] = chance.randrange(256)
            os.write(client.writer, b"Content-Length: %d\r\n\r\n" % len(body) +
                     body)
        client.leave()
        while os.read(client.reader, 65536):
            pass
        statuses.add(client.process.wait(60))
    same("noise does no harm", statuses, {0})


def sockets():
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "socket")
    process = subprocess.Popen(
        [os.environ["GTDBGCTL"], "dap", "--socket=" + path])
    while not os.path.exists(path):
        time.sleep(0.02)
    same("a socket is for its user alone",
         stat.S_IMODE(os.stat(path).st_mode) & 0o077, 0)
    line = socket.socket(socket.AF_UNIX)
    line.connect(path)
    client = Client(process, line.fileno(), os.dup(line.fileno()))
    client.get("initialize", adapterID="gtdbg")
    client.get("disconnect")
    same("it serves one editor", process.wait(60), 0)
    check("and is gone", not os.path.exists(path))
    os.rmdir(folder)
    process = subprocess.Popen([os.environ["GTDBGCTL"], "dap", "--port=0"],
                               stdout=subprocess.PIPE)
    port = int(process.stdout.readline())
    process.stdout.close()
    line = socket.create_connection(("127.0.0.1", port))
    client = Client(process, line.fileno(), os.dup(line.fileno()))
    check("so does a port", client.get("initialize", adapterID="gtdbg"))
    line.shutdown(socket.SHUT_RDWR)
    same("an editor that is gone is an end", process.wait(60), 0)


def both_families():
    """As runtimes of Java and .NET make it: a socket of IPv6 that speaks IPv4, too."""
    process = subprocess.Popen([os.environ["GTDBGCTL"], "dap", "--port=0"],
                               stdout=subprocess.PIPE)
    port = int(process.stdout.readline())
    process.stdout.close()
    line = socket.socket(socket.AF_INET6)
    line.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    line.connect(("::ffff:127.0.0.1", port))
    client = Client(process, line.fileno(), os.dup(line.fileno()))
    check("a port serves sockets of both families",
          client.get("initialize", adapterID="gtdbg"))
    line.shutdown(socket.SHUT_RDWR)
    same("to their end", process.wait(60), 0)


def state(port):
    """Of a connection to that port, as /proc/net/tcp has it."""
    with open("/proc/net/tcp", encoding="ascii") as table:
        for line in table:
            if line.split()[2] == "0100007F:%04X" % port:
                return line.split()[3]
    return None


def strangers():
    """A connection that was closed before anyone looked whose it was: anyone's."""
    process = subprocess.Popen([os.environ["GTDBGCTL"], "dap", "--port=0"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    port = int(process.stdout.readline())
    process.send_signal(signal.SIGSTOP)
    line = socket.create_connection(("127.0.0.1", port))
    line.sendall(b'Content-Length: 2\r\n\r\n[]')
    line.close()
    deadline = time.monotonic() + 60
    while state(port) != "05" and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGCONT)
    check("what may be another user's is not served",
          b"another user's" in process.stderr.readline())
    process.kill()
    process.wait()
    process.stdout.close()
    process.stderr.close()


sys.exit(run(Failure, requests, breakpoints, shell, core_file, recorded, no_messages, noise,
             sockets, both_families, strangers))
