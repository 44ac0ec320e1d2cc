# SPDX-License-Identifier: MIT
"""An editor steps, and changes what a program computes: levels of programs.cl, whose
item i stores 3 * in[i] + 3 and is given i + 100."""
import base64
import os

from dap_check import check, same
from dap_client import DEADLINE_S, Client
from dap_replay import replay, shown

KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                       "programs.cl")
LAUNCH = os.path.join(os.path.dirname(os.environ["GTDBGCTL"]), "tests", "launch")
ITEMS = 8
# What the program prints of the buffer behind the kernel's items.
REST = [i + 100 for i in range(ITEMS, 64)]


def line_of(text):
    """The first line of the kernels' file that has this text."""
    with open(KERNELS, encoding="utf-8") as file:
        return [text in line for line in file].index(True) + 1


class Stepper:
    """One thread, and where it stands."""

    def __init__(self, client, stopped):
        self.client = client
        self.thread = stopped["threadId"]

    def place(self):
        return [(frame["name"], frame["line"])
                for frame in self.client.frames(self.thread)]

    def top(self):
        return self.client.frames(self.thread)[0]

    def go(self, command, **words):
        self.client.get(command, threadId=self.thread, **words)
        stopped = self.client.event("stopped")
        same("%s: the same thread stops" % command, stopped["threadId"],
             self.thread)
        return stopped["reason"]

    def value(self, text, frame=0):
        return self.client.get(
            "evaluate", expression=text,
            frameId=self.client.frames(self.thread)[frame]["id"])["result"]


def step_calls(stepper):
    """Into both functions and out of them again."""
    kernel = ("levels", line_of("int result = outer(in[item]);"))
    outer = ("outer", line_of("int sum = inner(a + 1);"))
    same("next goes to the next line", (stepper.go("next"), stepper.place()),
         ("step", [kernel]))
    same("with the line before carried out", stepper.value("item"), "0")
    same("stepIn enters the call", (stepper.go("stepIn"), stepper.place()),
         ("step", [outer, kernel]))
    stepper.go("stepIn")
    same("and the call in it", stepper.place(),
         [("inner", line_of("int twofold = a * 2;")), outer, kernel])
    stepper.go("next")
    same("whose line has computed", stepper.value("twofold"), "202")
    same("callers have their own variables", stepper.value("a", 1), "100")
    same("stepOut ends the call", (stepper.go("stepOut"), stepper.place()),
         ("step", [outer, kernel]))
    same("next passes over what is left of it", stepper.go("next"), "step")
    same("which has its value", (stepper.value("sum"), stepper.place()[0][1]),
         ("203", line_of("return sum + a;")))


def step_instruction(stepper):
    """One, which is no branch: on to the one behind it."""
    code = stepper.client.get(
        "disassemble", instructionCount=2, memoryReference=stepper.top()
        ["instructionPointerReference"])["instructions"]
    stepper.go("next", granularity="instruction")
    same("a step of one instruction", stepper.top()
         ["instructionPointerReference"], code[1]["address"])


def change(client, stepper):
    """At the kernel's first line: what its items are to read."""
    scopes = client.scopes(stepper.top()["id"])
    where = client.variables(scopes["Arguments"])["in"]["memoryReference"]
    written = client.get("writeMemory", memoryReference=where, offset=8,
                         data=base64.b64encode((1000).to_bytes(4, "little"))
                         .decode())
    same("memory is written", written["bytesWritten"], 4)
    same("and read", stepper.value("in[2]"), "1000")
    same("an expression is set", client.get(
        "setExpression", expression="in[3]", value="400 + 100",
        frameId=stepper.top()["id"])["value"], "500")


def change_result(client, stepper):
    """At its last one: what an item is to store."""
    scopes = client.scopes(stepper.top()["id"])
    same("a variable is set", client.get(
        "setVariable", name="result", value="item + 7",
        variablesReference=scopes["Locals"])["value"], "7")
    lanes = client.variables(scopes["Lanes"])
    same("and that of another lane", client.get(
        "setVariable", name="result", value="-item",
        variablesReference=lanes["lane 5"]["variablesReference"])["value"],
         "-5")
    same("looking at that one makes it not current", [
        scope["name"] for scope in client.get(
            "scopes", frameId=stepper.top()["id"])["scopes"]
        if scope["name"].startswith("Locals")], ["Locals (lane 0)"])
    check("what it is set to must be an expression", not client.ask(
        "setVariable", name="result", value="7 +",
        variablesReference=scopes["Locals"])["success"])
    same("which is then not set", stepper.value("result"), "7")


def address_of(stepper, line):
    """The first instruction of a line that is still to come."""
    code = stepper.client.get(
        "disassemble", instructionCount=1000, memoryReference=stepper.top()
        ["instructionPointerReference"])["instructions"]
    return [row["address"] for row in code if row.get("line") == line][0]


def expected():
    values = [3 * (i + 100) + 3 for i in range(ITEMS)]
    values[0], values[5] = 7, -5
    values[2], values[3] = 3 * 1000 + 3, 3 * 500 + 3
    return " ".join(str(value) for value in values + REST)


def stepping():
    client = Client.start()
    answers = client.begin(
        "launch", ("setFunctionBreakpoints", {"breakpoints": [
            {"name": "levels"}, {"name": "nothing"}]}),
        program=LAUNCH, args=[KERNELS, "levels", str(ITEMS)],
        sources=[KERNELS])
    number = answers[0]["breakpoints"][0]["id"]
    stopped = client.event("stopped")
    same("a function stops", (stopped["reason"], stopped["hitBreakpointIds"]),
         ("function breakpoint", [number]))
    stepper = Stepper(client, stopped)
    change(client, stepper)
    last = line_of("int result = outer(in[item]);") + 1
    address = address_of(stepper, last)
    place = client.get("setInstructionBreakpoints", breakpoints=[
        {"instructionReference": address}])["breakpoints"][0]
    same("an instruction is a place", (place["verified"], place["line"],
         place["instructionReference"]), (True, last, address))
    step_calls(stepper)
    step_instruction(stepper)
    same("an instruction stops", (stepper.go("continue"), stepper.top()
         ["instructionPointerReference"]), ("instruction breakpoint", address))
    change_result(client, stepper)
    client.get("disconnect", terminateDebuggee=False)
    client.drain()
    same("who disconnects may let the program run on, to its results",
         client.output("stdout").strip(), expected())
    same("with which the adapter ends", client.process.wait(DEADLINE_S), 0)


def neovim():
    """A real editor does much of that."""
    client = Client.start()
    answers = replay(client, "dap_neovim_launch.txt", launch=LAUNCH,
                     kernels=KERNELS)
    call = line_of("int result = outer(in[item]);")
    same("it sees each place", shown(answers, "stackTrace", "stackFrames", 0,
                                     "line"),
         [call, line_of("int sum = inner(a + 1);"), line_of("return sum + a;"),
          call])
    same("and what it asks for", shown(answers, "evaluate", "result"), ["101"])
    same("and results", client.output("stdout").strip(), " ".join(
        str(value) for value in [3 * (i + 100) + 3 for i in range(ITEMS)] +
        REST))
    client.end()
