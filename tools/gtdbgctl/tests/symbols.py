# SPDX-License-Identifier: MIT
"""Intel's gdb and gtdbgctl stop in the kernels of a file, and show the same frames,
arguments and variables in all lanes. They share neither what reads the debug
information, nor what unwinds, nor the way to registers and memory.

Each kernel runs in one thread, and stops in some of its lines; in several threads, and stops in
those of some items; or is one that a macro makes, and stops in its middle. What may differ
(Documentation/gdb.rst): what one of them says that it does not know, and vectors, which are only
counted. Of pointers it is compared that they are known: addresses may differ between runs.
usage: symbols.py [FILE...]; the variable SYMBOLS_LOG: where to write what both said"""
import collections
import os
import re
import subprocess
import sys
import textwrap

from dap_check import check, run

TOOL = os.environ["GTDBGCTL"]
HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.normpath(os.path.join(HERE, "..", "..", ".."))
EU = os.path.join(TOP, "selftests", "eu", "kernels", "kernels.cl")
FOLDERS = ("tools/vgt/tests/kernels", "libgtdbg/tests", "tools/gtdbgctl/tests",
           "tools/vgt/tests/programs")
# Kernels that do wrong on purpose.
WITHOUT = ("faults.cl", "seeded.cl", "memcheck.cl", "assert.cl", "assert_call.cl")
LAUNCH = os.path.join(os.path.dirname(TOOL), "tests", "launch")
IS_SOAK = bool(os.environ.get("GTDBG_TEST_SOAK"))
LANES = range(32) if IS_SOAK else (0, 3, 7, 8, 15, 31)
SESSION_S = 1500
STOPS_MAX = 3
# Of a group, and the one in whose thread to stop: the second of three where it has 32
# lanes, the fifth of twelve where it has 8.
ITEMS = 96
ITEM_STOPPED = 35
# Kernels of a macro are one line: how many instructions to go on in it.
STEPS = 60
STEPS_OPTIMIZED = 10
MODES = {"lines": "", "items": ", in several threads", "macros": ", made by macros"}
# Some are without end with what they are given, one is long, one reads what is not its own.
SKIPPED = ("endless", "uneven", "spin", "stray", "grind", "tile")
# gdb takes these from registers that hold something else by then. What they are follows from
# the text: they are constants, or numbers to each of which the launch gives 3.
GIVEN = {("shapes", "letter"): "103", ("shapes", "h"): "1.5"}
GIVEN.update({("arg_many", name): "3"
              for name in ("c", "uc", "s", "us", "n", "un", "l", "ul")})

KERNEL = re.compile(r"^(?:__)?kernel void (\w+)\(([^)]*)\)\s*\{$(.*?)^\}",
                    re.M | re.S)
# launch.c has no such arguments to give.
OTHER = re.compile(r"\b(?:pipe|queue_t|event_t)\b")
ITEM = re.compile(r"\b(\w+) = get_global_id\(0\)")
MACRO = re.compile(r"^#define (\w+)\(([^)]*)\) *\\\n((?:.*\\\n)*.*\n)", re.M)
USE = re.compile(r"^(\w+)\((.*)\)$", re.M)
STATEMENT = re.compile(r"^(\s+)(?!local|__local|return|break|continue|barrier)\S.*;$")
FUNCTION = re.compile(r"^[\w ]*?\b(\w+)\(([^{}();]*)\)\s*\{$(.*?)^\}", re.M | re.S)
VECTOR = re.compile(r"\b(?:u?(?:char|short|int|long)|float|half)(?:2|3|4|8|16)\s+(\w[^;]*)")
THREAD = re.compile(r"\[Switching to thread [0-9.]+:(\d+)(?! *\S*, an inactive)")
FRAME = re.compile(r"#(\d+) +(?:0x[0-9a-f]+ in )?(\w+) \((.*)\) at (?:.*/)?([\w.]+:\d+)$")
VALUE = re.compile(r"        (\w+) = (.*)$")
PC = re.compile(r"\$\d+ = 0x[0-9a-f]*?([0-9a-f]{1,3})$")


class Source:
    """The kernels of a file, where to stop in them, and what is a vector."""

    def __init__(self, path):
        self.path = path
        self.kernels = []
        self.lines = []
        self.made = []  # kernels of macros
        self.macros = []  # lines on which these are used
        self.items = {}  # by a line to stop at: the name of the item's number
        self.vectors = {}
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for match in self.functions(text):
            self.kernels.append(match[1])
            first = text.count("\n", 0, match.start(3)) + 1
            lines = self.statements(match[3].split("\n"), first)
            self.lines += lines
            item = ITEM.search(match[3])
            if lines and item:
                self.items[lines[-1]] = item[1]
        self.expand(text)

    def functions(self, text):
        """Those that are kernels."""
        self.vectors.update((match[1], self.declared(match))
                            for match in FUNCTION.finditer(text))
        return [match for match in KERNEL.finditer(text)
                if match[1] not in SKIPPED and not OTHER.search(match[2])]

    def expand(self, text):
        """Kernels that a macro makes are all on the line where it is used: the first one
        of each macro's."""
        macros = {match[1]: match for match in MACRO.finditer(text)}
        text = MACRO.sub(lambda match: "\n" * match[0].count("\n"), text)
        for use in USE.finditer(text):
            macro = macros.pop(use[1], None)
            if not macro:
                continue
            body = textwrap.dedent(re.sub(r"[ \t]*\\\n", "\n", macro[3]))
            for name, value in zip(macro[2].split(", "),
                                   re.split(r", (?![^()]*\))", use[2])):
                body = re.sub(r"\b%s\b" % name, value, body)
            line = text.count("\n", 0, use.start()) + 1
            made = self.functions(body.replace("##", ""))
            if made:
                self.made += [match[1] for match in made]
                self.macros.append(line)

    def places(self, mode):
        if mode != "items":
            return [str(line) for line in getattr(self, mode)]
        return ["%d if %s == %d" % (line, name, ITEM_STOPPED)
                for line, name in self.items.items()]

    @staticmethod
    def declared(function):
        """The names of a function's vectors; pointers to some are none."""
        found = {match[1].split()[0] for part in function[2].split(",")
                 for match in VECTOR.finditer(part)}
        for match in VECTOR.finditer(function[3]):
            rest, count = match[1], 1
            while count:
                rest, count = re.subn(r"\([^()]*\)|\[[^][]*\]", "", rest)
            found.update(part.split()[0] for part in rest.split(",") if part.strip())
        return found

    @staticmethod
    def statements(body, first):
        """The last ones, and the last one that stands deeper."""
        found = [(len(match[1].expandtabs(8)), first + i) for i, match in
                 enumerate(STATEMENT.match(line) for line in body) if match]
        shallow = min(found)[0] if found else 0
        deep = [line for depth, line in found if depth > shallow][-1:]
        flat = [line for depth, line in found if depth == shallow]
        return sorted(deep + flat[len(deep) - STOPS_MAX:])


def session(source, mode, words, breaks, end):
    """What is shown, by stop, lane and frame."""
    places = source.places(mode)
    is_optimized = os.environ["GTDBG_OPTIMIZE"] == "1"
    commands = ["tbreak " + breaks + place for place in places]
    for i in range(len(places)):
        commands.append("run" if words[0] == "run" and not i else "continue")
        if mode == "macros":
            commands.append("stepi %d" % (STEPS_OPTIMIZED if is_optimized else STEPS))
        commands += ["echo (stop)\\n", "print/x $pc"]
        for lane in LANES:
            commands += ["echo (lane)\\n", "thread :%d" % lane,
                         "backtrace -full"]
        commands.append("echo (end)\\n")
    arguments = [word for command in commands + end for word in ("-ex", command)]
    lines = subprocess.run(
        [TOOL] + words + arguments +
        ["--", LAUNCH, "--options", "-cl-std=CL3.0 -cl-kernel-arg-info", "--each",
         source.path, ",".join(source.made if mode == "macros" else source.kernels)] +
        [str(ITEMS)] * (mode == "items"),
        check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, timeout=SESSION_S).stdout.split("\n")
    if "SYMBOLS_LOG" in os.environ:
        with open("%s.%s.%s.%d.%s" % (os.environ["SYMBOLS_LOG"], words[0],
                                      os.path.basename(source.path), is_optimized,
                                      mode), "w", encoding="utf-8") as log:
            log.write("\n".join(lines))
    return lines


def frames(lines):
    """Names and values of each frame, innermost first; "" is where it is."""
    found = []
    for line in lines:
        frame, value = FRAME.match(line), VALUE.match(line)
        if frame:
            found.append({"": frame[2] + " " + frame[4]})
            for argument in re.split(r", (?=\w+=)", frame[3]):
                name, _, text = argument.partition("=")
                if name:
                    found[-1][name] = text
        elif value and found:
            # Of the same names the first one is the innermost.
            found[-1].setdefault(value[1], value[2])
    return found


def stops(lines, items):
    """Frames by place, the code's address in its page, and lane; and by the item, whose
    names are @items."""
    found = {}
    pc, block = None, None
    for line in lines:
        if line.startswith("(gtdbg) "):
            continue
        if line == "(stop)":
            pc, block = None, None
        elif pc is None and PC.match(line):
            pc = PC.match(line)[1]
        elif line in ("(lane)", "(end)"):
            lane = block and THREAD.match(block[0])
            # The thread command shows the innermost frame, too.
            stack = frames(block[2:]) if lane else None
            if stack:
                line = int(stack[0][""].rpartition(":")[2])
                item = stack[0].get(items.get(line))
                found[stack[0][""], pc, int(lane[1]), item] = stack
            block = []
        elif block is not None:
            block.append(line)
    return found


def is_known(text):
    return not re.search(r"<(?!repeats )|Cannot access|optimized out", text)


def string(match):
    """A list of characters as gdb has it."""
    return '"%s"' % "".join(
        re.findall(r" '((?:\\.|[^'\\])+)'", match[0]))


def plain(text):
    """Without addresses, what gdb shows at them, and zeros at the end of a string."""
    text = re.sub(r'0x[0-9a-f]+( "(?:\\.|[^"\\])*"(?:\.\.\.)?)?', "0x", text)
    one = r"-?\d+ '(?:\\.|[^'\\])+'"
    text = re.sub(r"\{%s(?:, %s)*\}" % (one, one), string, text)
    return re.sub(r'(?:\\000)+"', '"', text)


class Comparison:
    """What both say of a file."""

    def __init__(self, source):
        self.source = source
        self.count = collections.Counter()
        self.different = []

    def kind(self, function, name, text, other):
        if not is_known(text):
            return "gdb's alone" if is_known(other) else "nobody's"
        if not is_known(other):
            return "the tool's alone"
        is_same = plain(text) == plain(other)
        if name in self.source.vectors.get(function, ()):
            return "vectors alike" if is_same else "vectors unlike"
        if is_same:
            return "the same"
        if text.split()[0] == GIVEN.get((function, name)):
            return "wrong in gdb"
        return "different"

    def frame(self, where, ours, theirs):
        for name in ours.keys() & theirs.keys():
            kind = self.kind(ours[""].split()[0], name, ours[name], theirs[name])
            self.count[kind] += 1
            if kind == "different":
                self.different.append("%s %s: gdb has %s, the tool %s" % (
                    where, name or "place", theirs[name], ours[name]))

    def all(self, ours, theirs):
        for where in sorted(ours.keys() & theirs.keys()):
            self.count["lanes"] += 1
            if len(ours[where]) != len(theirs[where]):
                self.different.append("%s: gdb has %d frames, the tool %d" % (
                    where, len(theirs[where]), len(ours[where])))
            for number, both in enumerate(zip(ours[where], theirs[where])):
                self.frame("%s #%d" % (where, number), *both)
        for where in sorted(ours.keys() - theirs.keys()):
            print("# only the tool: %s" % (where,))
        for where in sorted(theirs.keys() - ours.keys()):
            print("# only gdb: %s" % (where,))


def compare(path, is_optimized, mode="lines"):
    source = Source(path)
    places = source.places(mode)
    if not places:
        return
    os.environ["GTDBG_OPTIMIZE"] = str(int(is_optimized))
    items = source.items if mode == "items" else {}
    theirs = stops(session(source, mode, ["gdb", "-nx", "-batch"], "launch_1.cl:",
                           ["delete", "inferior 1", "continue"]), items)
    ours = stops(session(source, mode, ["run", "--batch", "-nx"], "",
                         ["delete", "continue"]), items)
    comparison = Comparison(source)
    comparison.all(ours, theirs)
    seen = {where[:2] for where in ours.keys() & theirs.keys()}
    for line in comparison.different:
        print("# " + line)
    check("%s at -O%d%s: %d of %d stops; %s" % (
        os.path.relpath(path, TOP), 2 * is_optimized,
        MODES[mode], len(seen), len(places), ", ".join(
            "%d %s" % (count, what)
            for what, count in comparison.count.items())),
          not comparison.different and seen and
          comparison.count["the same"] >= 2 * len(seen))


def few():
    kernels = os.path.join(TOP, "tools", "vgt", "tests", "kernels")
    compare(EU, False)
    compare(EU, True)
    compare(EU, False, "items")
    compare(os.path.join(kernels, "image.cl"), False)
    compare(os.path.join(kernels, "math.cl"), False, "macros")


def each(files):
    for file in files:
        for is_optimized in (False, True):
            for mode in MODES:
                compare(file, is_optimized, mode)


def whole():
    each([EU] + [os.path.join(TOP, folder, name) for folder in FOLDERS
                 for name in sorted(os.listdir(os.path.join(TOP, folder)))
                 if name.endswith(".cl") and name not in WITHOUT])


def named():
    each(map(os.path.abspath, sys.argv[1:]))


SESSION = whole if IS_SOAK else few
sys.exit(run(subprocess.TimeoutExpired, named if sys.argv[1:] else SESSION))
