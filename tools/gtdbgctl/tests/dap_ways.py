# SPDX-License-Identifier: MIT
"""Which threads stop, and the ways to come to a program and to leave it."""
import base64
import json
import os
import re
import signal
import struct
import subprocess
import tempfile
import time

from dap_check import check, same
from dap_client import DEADLINE_S, Client, Failure
from dap_stepping import KERNELS, LAUNCH, line_of

TOOL = os.environ["GTDBGCTL"]
COMPUTE = os.path.join(os.environ.get("BUILD") or os.path.join(
    os.path.dirname(TOOL), ".."), "demo", "compute")
ASSERTS = os.path.join(os.path.dirname(KERNELS), "assert.cl")
# How long something is looked at.
MEASURE_S = 2
# Of the virtual device.
SLOTS = 672
SIXTEEN = line_of("int value = in[item] * 2;")


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
    """Two launches, each of eight threads. compute ends after the launch that is under
    way when it is asked to."""
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
        program=COMPUTE, args=["1000000", "100"])[0]["breakpoints"]
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
    client.get("terminate")
    same("terminate asks the program to end", client.event("exited"),
         {"exitCode": 0})
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
    where = "host" if os.environ.get("VGT_DOOR") in ("socket", "gpu") else "EU"
    check("threads need not stop for it, and are counted",
          re.search(r"log odd \{index\}: \{point\} \(on the " + where +
                    r"\)?.*\n.*already hit 16 times", shown), shown)
    check("unless the EU cannot find out what is to be said",
          re.search(r"\{nothing\} only if index == 21 \(on the host", shown),
          shown)
    client.end()


def together():
    """Two threads meet two conditions on a line, at once: continue shows the other hit."""
    client = Client.start()
    places = client.begin("launch", ("setBreakpoints", {
        "source": {"path": "compute_1.cl"}, "breakpoints": [
            {"line": 8, "condition": "index == 21"},
            {"line": 8, "condition": "index == 42"}]}),
                          program=COMPUTE)[0]["breakpoints"]
    seen = []
    for _ in places:
        stopped = client.event("stopped")
        seen.append((stopped["hitBreakpointIds"], stands(client, stopped)[1]))
        client.get("continue", threadId=stopped["threadId"])
    same("each of two hits on a line is shown", sorted(seen),
         [([place["id"]], item) for place, item in zip(places, ("21", "42"))])
    same("and then the program goes on", client.event("exited")["exitCode"], 0)
    same("to its results", client.output("stdout").strip(), results())
    client.end()


def one_thread():
    """Of several breakpoints at a line that one thread hits at once all are named."""
    client = Client.start()
    places = client.begin("launch", ("setBreakpoints", {
        "source": {"path": "compute_1.cl"}, "breakpoints": [
            {"line": 8, "condition": "index == 21"},
            {"line": 8, "condition": "index == 22"}]}),
                          program=COMPUTE)[0]["breakpoints"]
    stopped = client.event("stopped")
    same("both of a line are named", stopped["hitBreakpointIds"],
         [place["id"] for place in places])
    client.get("continue", threadId=stopped["threadId"])
    same("that is one stop", client.event("exited")["exitCode"], 0)
    client.end()


def hundreds():
    """Each thread of the device, of sixteen lanes, speaks once and stops once, at one
    place: how many the list says. (dap_bench.py has the time that they take.)"""
    client = Client.start()
    client.begin("launch", ("setBreakpoints", {
        "source": {"path": "launch_1.cl"}, "breakpoints": [
            {"line": SIXTEEN, "logMessage": "from {item}"},
            {"line": SIXTEEN + 1}]}),
                 program=LAUNCH, args=[KERNELS, "sixteen", str(16 * SLOTS)],
                 maxThreads=5)
    count = 0
    stopped = client.event("stopped")
    while stopped:
        threads = client.get("threads")["threads"]
        others = re.search(r" and (\d+) more here", threads[0]["name"])
        count += 1 + int(others.group(1) if others else 0)
        check("the list is a page, of the current one first",
              len(threads) <= 5 and threads[0]["id"] == stopped["threadId"],
              threads)
        frame = client.frames(threads[-1]["id"])[0]
        same("whose last one can be looked at as well", client.get(
            "evaluate", expression="value - 2 * item", frameId=frame["id"])
             ["result"], "200")
        client.get("continue", threadId=stopped["threadId"])
        _, stopped = client.either("stopped", "terminated")
    same("all threads have stopped, and are counted", count, SLOTS)
    same("and each has spoken for its first lane", logged(client, "from"), sorted(
        "from %d" % (16 * i) for i in range(SLOTS)))
    client.end()


def registers_of(client, scope):
    """Values of all sets, by name."""
    return {name: item["value"]
            for group in client.variables(scope).values()
            for name, item in client.variables(group["variablesReference"]).items()}


def complete():
    """Four threads, each of sixteen of 64 items: whatever one of them has is shown."""
    client = Client.start()
    client.begin("launch", ("setBreakpoints", {
        "source": {"path": "launch_1.cl"}, "breakpoints": [{"line": SIXTEEN + 1}]}),
                 program=LAUNCH, args=[KERNELS, "sixteen", "64"])
    client.event("stopped")
    items, seen = [], []
    for thread in client.get("threads")["threads"]:
        frame = client.frames(thread["id"])[0]
        scopes = client.scopes(frame["id"])
        registers = registers_of(client, scopes["Registers"])
        same("all general registers are there", [
            name for name in ("r%d" % i for i in range(128)) if name not in registers], [])
        same("and each register has a value", [
            name for name, value in registers.items() if not value or "<" in value], [])
        seen.append(tuple(registers["r%d" % i] for i in range(128)))
        where = client.variables(scopes["Arguments"])["in"]["memoryReference"]
        memory = client.get("readMemory", memoryReference=where, count=256)
        same("so has each byte of memory", struct.unpack("<64i", base64.b64decode(
            memory["data"])), tuple(i + 100 for i in range(64)))
        items.append(int(client.get("evaluate", expression="item",
                                    frameId=frame["id"])["result"]) // 16)
    same("of all threads", sorted(items), [0, 1, 2, 3])
    same("each of which has its own", len(set(seen)), 4)
    client.end()


def lane_scope(client, stopped, lane):
    """The reference of what a lane of the thread has."""
    frame = client.frames(stopped["threadId"])[0]
    lanes = client.variables(client.scopes(frame["id"])["Lanes"])
    return lanes["lane %d" % lane]["variablesReference"]


def watching():
    """A variable of item 5, to which track of watch.cl adds 105, 106, 108, and then 7."""
    kernels = KERNELS.replace("programs.cl", "watch.cl")
    client = Client.start()
    client.begin("launch", ("setBreakpoints", {
        "source": {"path": kernels}, "breakpoints": [
            {"line": 12, "condition": "item == 5"}]}),
                 program=LAUNCH, args=[kernels, "track", "8"])
    stopped = client.event("stopped")
    client.get("setBreakpoints", source={"path": kernels}, breakpoints=[])
    five = lane_scope(client, stopped, 5)
    known = client.get("dataBreakpointInfo", variablesReference=five, name="sum")
    check("a variable of a lane is known by its thread",
          re.fullmatch(r"sum \(thread 2\.\d+:5\)", known["description"]) and
          known["accessTypes"] == ["write"], known)
    same("memory by all threads", client.get(
        "dataBreakpointInfo", variablesReference=five, name="out[5]")
         ["description"], "out[5] (all threads)")
    same("a number has no id", client.get("dataBreakpointInfo", name="5")["dataId"],
         None)
    check("reads are refused", "only \"write\" is" in client.get(
        "setDataBreakpoints", breakpoints=[{
            "dataId": known["dataId"], "accessType": "read"}])["breakpoints"][0]["message"])
    watch = {"dataId": known["dataId"], "condition": "sum != 211"}
    number = None
    for value in ("105", "319", "326"):
        # What is there already stays, with its thread's old id.
        answer = client.get("setDataBreakpoints", breakpoints=[watch])[
            "breakpoints"][0]
        number = number or answer["id"]
        same("it is set once", (answer["verified"], answer["id"]), (True, number))
        client.get("continue", threadId=stopped["threadId"])
        stopped = client.event("stopped")
        same("a change stops", (stopped["reason"], stopped["hitBreakpointIds"]),
             ("data breakpoint", [number]))
        same("that the condition lets stop", client.variables(
            lane_scope(client, stopped, 5))["sum"]["value"], value)
    check("both values are shown", "Old value = 319\nNew value = 326" in
          client.output("console"))
    client.get("setDataBreakpoints", breakpoints=[])
    late = client.get("setDataBreakpoints", breakpoints=[watch])["breakpoints"][0]
    check("an id is good for one stop", not late["verified"] and
          "has run since" in late["message"], late)
    client.get("continue", threadId=stopped["threadId"])
    same("without it the program ends", client.event("exited")["exitCode"], 0)
    same("with its results", client.output("stdout").split()[:8],
         [str(311 + 3 * i) for i in range(8)])
    client.end()


def pausing():
    """A kernel without end, stopped in its loop, runs on and is stopped again by the
    editor, which lets it end."""
    client = Client.start()
    begin = line_of("while (in[0] == 100)")
    client.begin("launch", ("setBreakpoints", {
        "source": {"path": "launch_1.cl"}, "breakpoints": [{"line": begin + 1}]}),
                 program=LAUNCH, args=[KERNELS, "spin", "8"])
    thread = client.event("stopped")["threadId"]
    client.get("setBreakpoints", source={"path": "launch_1.cl"}, breakpoints=[])
    client.get("continue", threadId=thread)
    stopped = client.pause()
    same("pause stops the thread that runs", (stopped["reason"],
                                              stopped["threadId"]),
         ("pause", thread))
    frame = client.frames(thread)[0]
    check("somewhere in its loop", frame["name"] == "spin" and
          frame["line"] in (begin, begin + 1), frame)
    same("where it can be looked at", client.get(
        "evaluate", expression="in[1]", frameId=frame["id"])["result"], "101")
    client.get("setExpression", expression="in[0]", value="7",
               frameId=frame["id"])
    client.get("continue", threadId=thread)
    same("and changed, so that it ends", client.event("exited")["exitCode"], 0)
    same("with what it has stored", client.output("stdout").split()[:8],
         8 * ["101"])
    client.end()


def faulting():
    """stray reads where nothing is mapped, again and again. With the filter for it the first
    such fault stops it, without it none does, and the editor has to."""
    for filters, reason in ((["fault"], "exception"), ([], "pause")):
        client = Client.start()
        client.begin("launch", ("setExceptionBreakpoints", {"filters": filters}),
                     ("setFunctionBreakpoints", {"breakpoints": [{"name": "stray"}]}),
                     program=LAUNCH, args=[KERNELS, "stray", "8"])
        stopped = client.event("stopped")
        client.get("setFunctionBreakpoints", breakpoints=[])
        client.get("continue", threadId=stopped["threadId"])
        deadline = time.monotonic() + DEADLINE_S
        while not filters and "page fault" not in client.output("console"):
            client.receive(deadline)
        stopped = client.event("stopped") if filters else client.pause()
        frame = client.frames(stopped["threadId"])[0]
        same("what a page fault does is the filter's to say", stopped["reason"], reason)
        told = client.ask("exceptionInfo", threadId=stopped["threadId"])
        same("and the editor is told what it was", (
            told["success"], told.get("body", {}).get("exceptionId")),
             (True, "fault") if filters else (False, None))
        client.get("setExpression", expression="in[0]", value="7", frameId=frame["id"])
        client.get("continue", threadId=stopped["threadId"])
        same("the program goes on behind it", client.event("exited")["exitCode"], 0)
        client.end()


def asserting():
    """Whose item fails says the kernel: in[i] is i + 100, and 105 is 15 times 7."""
    client = Client.start()
    client.begin("launch", program=LAUNCH, args=[ASSERTS, "compute", "8"])
    stopped = client.event("stopped")
    same("a failed assertion stops as an exception", stopped["reason"], "exception")
    said = client.output("console") + client.output("stderr")
    same("which it is asked about", client.get(
        "exceptionInfo", threadId=stopped["threadId"])["exceptionId"], "exception")
    check("and says what has failed, and for whom", "global id: [5,0,0], local "
          "id: [5,0,0] Assertion 'point > 0' failed." in said, said)
    client.get("continue", threadId=stopped["threadId"])
    same("the program goes on behind it", client.event("exited")["exitCode"], 0)
    client.end()


def start_attachable():
    """A program that launches again and again; the tool, and the program's pid."""
    starter = subprocess.Popen(
        [TOOL, "run", "--attachable", "--", COMPUTE, "1000000", "100"],
        stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + DEADLINE_S
    while time.monotonic() < deadline and starter.poll() is None:
        listed = subprocess.run([TOOL, "list", "--json"], check=False,
                                capture_output=True, text=True).stdout
        for line in listed.splitlines():
            if json.loads(line).get("kind") == "device":
                return starter, json.loads(line)["pid"]
        time.sleep(0.2)
    raise Failure("no program can be attached to")


def attached(pid):
    """At a stop in the next launch: even items come to line 5."""
    client = Client.start()
    client.begin("attach", ("setBreakpoints", {
        "source": {"path": "compute_1.cl"}, "breakpoints": [{"line": 5}]}),
                 pid=pid)
    stopped = client.event("stopped")
    line, index, point = stands(client, stopped)
    same("a process is joined", (client.pid(), stopped["reason"], line,
                                 int(index) % 2, int(point)),
         (pid, "breakpoint", 5, 0, int(index) + 100))
    return client


def attaching():
    """Three editors, one after the other, of which the last one ends the program."""
    starter, pid = start_attachable()
    same("disconnect leaves what was attached to", attached(pid).end(), 0)
    client = attached(pid)
    client.leave()
    client.drain()
    same("so does an editor that is gone", client.process.wait(DEADLINE_S), 0)
    client = attached(pid)
    check("the program has run on", starter.poll() is None)
    client.get("disconnect", terminateDebuggee=True)
    client.leave()
    same("it ends where that is said", (client.process.wait(DEADLINE_S),
                                        starter.wait(DEADLINE_S)), (0, 137))


def process_of(pid):
    """Another process that has this number."""
    deadline = time.monotonic() + DEADLINE_S
    while time.monotonic() < deadline:
        with open("/proc/sys/kernel/ns_last_pid", "w", encoding="ascii") as file:
            file.write(str(pid - 1))
        process = subprocess.Popen(["sleep", "infinity"])
        if process.pid == pid:
            return process
        process.kill()
        process.wait()
    raise Failure("no other process has this number")


def replacing():
    """A program has died under the debugger, and its number is another process's."""
    starter, pid = start_attachable()
    client = attached(pid)
    os.kill(pid, signal.SIGKILL)
    same("the program dies", starter.wait(DEADLINE_S), 137)
    other = process_of(pid)
    client.get("disconnect", terminateDebuggee=True)
    client.leave()
    same("the editor leaves", client.process.wait(DEADLINE_S), 0)
    same("and another process alone", other.poll(), None)
    other.kill()
    other.wait()


def processor_s(pid):
    """The time of processors that a process has taken."""
    with open("/proc/%d/stat" % pid, encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def vanishing():
    """Both ends of the pipe are closed, while all of a launch's threads stand."""
    with tempfile.NamedTemporaryFile("r") as file:
        client = Client.start()
        client.begin("launch", ("setBreakpoints", {
            "source": {"path": "compute_1.cl"}, "breakpoints": [{"line": 5}]}),
                     program="sh", args=["-c", 'exec "$0" "$@" >' + file.name,
                                         COMPUTE, "1000000", "100"])
        client.event("stopped")
        pid = client.pid()
        client.process.stdout.close()
        client.leave()
        before = processor_s(client.process.pid)
        time.sleep(MEASURE_S)
        spent = processor_s(client.process.pid) - before
        check("what waits for a program takes no processor",
              spent < MEASURE_S / 4, spent)
        os.kill(pid, signal.SIGTERM)
        same("an editor is gone: the program runs to its end",
             (client.process.wait(DEADLINE_S), file.read().strip()),
             (0, results()))


def vanishing_early():
    """Likewise, before the program has come to its GPU."""
    with tempfile.TemporaryDirectory() as folder:
        pipe, file = os.path.join(folder, "pipe"), os.path.join(folder, "file")
        os.mkfifo(pipe)
        client = Client.start()
        client.begin("launch", program="sh", args=[
            "-c", 'echo $$; read word <"$0"; echo $word >"$1"', pipe, file])
        while not client.output("stdout"):
            client.either("output")
        client.process.stdout.close()
        client.leave()
        # Nobody opens the other end where the program was killed.
        deadline = time.monotonic() + DEADLINE_S
        while client.process.poll() is None and time.monotonic() < deadline:
            try:
                end = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
            except OSError:
                time.sleep(0.02)
                continue
            time.sleep(MEASURE_S)
            try:
                os.write(end, b"on\n")
            except OSError:
                pass
            os.close(end)
            break
        same("a program that has not come to its GPU runs on, too",
             (client.process.wait(DEADLINE_S), os.path.exists(file)), (0, True))


def killing():
    """What does not use the GPU is a program, too."""
    client = Client.start()
    client.begin("launch", program="sh",
                 args=["-c", "echo $$; exec sleep 1000"])
    while not client.output("stdout"):
        client.either("output")
    pid = int(client.output("stdout"))
    check("there is nothing to be stopped", "does not use the GPU yet" in
          client.ask("pause", threadId=1)["message"])
    same("disconnect ends what was launched", client.end(), 0)
    check("it is gone", not os.path.exists("/proc/%d" % pid))
