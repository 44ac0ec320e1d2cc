# SPDX-License-Identifier: MIT
"""A client of the Debug Adapter Protocol, for tests: what an editor does."""
import json
import os
import select
import subprocess
import time

DEADLINE_S = 600


class Failure(Exception):
    """What was waited for does not come."""


class Client:
    """Reads and writes a pair of descriptors."""

    def __init__(self, process, reader, writer):
        self.process = process
        self.reader = reader
        self.writer = writer
        self.bytes = b""
        self.seq = 0
        self.events = []
        self.answers = {}
        self.messages = []
        self.has_ended = False

    @classmethod
    def start(cls, *words, **options):
        process = subprocess.Popen(
            [os.environ["GTDBGCTL"], "dap", *words], bufsize=0,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options)
        return cls(process, process.stdout.fileno(), process.stdin.fileno())

    def send_bytes(self, text):
        body = text.encode()
        os.write(self.writer, b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def send(self, command, **arguments):
        self.seq += 1
        self.send_bytes(json.dumps({
            "seq": self.seq, "type": "request", "command": command,
            "arguments": arguments}))
        return self.seq

    def take(self, message):
        self.messages.append(message)
        if "DAP_LOG" in os.environ:
            with open(os.environ["DAP_LOG"], "a", encoding="utf-8") as log:
                log.write(json.dumps(message) + "\n")
        if message["type"] == "event":
            self.events.append(message)
        elif message["type"] == "response":
            self.answers[message["request_seq"]] = message

    def receive(self, deadline):
        """Takes what comes; raises Failure at the deadline or at the end."""
        if not select.select([self.reader], [], [],
                             max(0, deadline - time.monotonic()))[0]:
            raise Failure("nothing comes any more")
        more = os.read(self.reader, 65536)
        if not more and self.has_ended:
            raise Failure("the adapter has ended")
        self.has_ended = not more
        self.bytes += more
        while b"\r\n\r\n" in self.bytes:
            head, rest = self.bytes.split(b"\r\n\r\n", 1)
            length = int(head.split(b":")[1])
            if len(rest) < length:
                break
            self.take(json.loads(rest[:length].decode()))
            self.bytes = rest[length:]

    def answer(self, seq):
        deadline = time.monotonic() + DEADLINE_S
        while seq not in self.answers:
            self.receive(deadline)
        return self.answers.pop(seq)

    def ask(self, command, **arguments):
        """The whole answer, whether it is a success or not."""
        return self.answer(self.send(command, **arguments))

    def get(self, command, **arguments):
        """The body of an answer, which has to be a success."""
        answer = self.ask(command, **arguments)
        if not answer["success"]:
            raise Failure("%s: %s" % (command, answer.get("message")))
        return answer.get("body", {})

    def event(self, name, **fields):
        """The next event of that name whose body has these fields."""
        deadline = time.monotonic() + DEADLINE_S
        while True:
            for i, event in enumerate(self.events):
                body = event.get("body", {})
                if event["event"] == name and all(
                        body.get(key) == fields[key] for key in fields):
                    del self.events[:i + 1]
                    return body
            self.receive(deadline)

    def either(self, *names):
        """The next event that has one of these names, and its name."""
        deadline = time.monotonic() + DEADLINE_S
        while True:
            for i, event in enumerate(self.events):
                if event["event"] in names:
                    del self.events[:i + 1]
                    return event["event"], event.get("body", {})
            self.receive(deadline)

    def drain(self):
        """All that comes until the adapter ends."""
        deadline = time.monotonic() + DEADLINE_S
        while not self.has_ended:
            self.receive(deadline)

    def output(self, category):
        """All that was written so far."""
        return "".join(
            message["body"]["output"] for message in self.messages
            if message["type"] == "event" and message["event"] == "output"
            and message["body"].get("category") == category)

    def pid(self):
        """Of the program, once that is known."""
        return [message["body"]["systemProcessId"] for message in self.messages
                if message.get("event") == "process"][0]

    def begin(self, kind, *setup, **arguments):
        """Through initialize and launch or attach, to configurationDone."""
        self.get("initialize", adapterID="gtdbg", clientID="test",
                 supportsVariableType=True, supportsMemoryReferences=True)
        self.event("initialized")
        self.get(kind, **arguments)
        answers = [self.get(command, **words) for command, words in setup]
        self.get("configurationDone")
        return answers

    def variables(self, reference, **page):
        """Values by name."""
        body = self.get("variables", variablesReference=reference, **page)
        return {item["name"]: item for item in body["variables"]}

    def scopes(self, frame):
        body = self.get("scopes", frameId=frame)
        return {item["name"].split(" (")[0]: item["variablesReference"]
                for item in body["scopes"]}

    def frames(self, thread, **page):
        return self.get("stackTrace", threadId=thread, **page)["stackFrames"]

    def pause(self):
        """Until threads are stopped: the kernel may not have begun."""
        deadline = time.monotonic() + DEADLINE_S
        while time.monotonic() < deadline:
            self.get("pause", threadId=1)
            name, body = self.either("stopped", "output")
            while name == "output" and " the program goes on" not in \
                    body["output"]:
                name, body = self.either("stopped", "output")
            if name == "stopped":
                return body
            time.sleep(0.2)
        raise Failure("no thread stops")

    def leave(self):
        """Goes without a word."""
        if self.process.stdin:
            self.process.stdin.close()
        else:
            os.close(self.writer)

    def end(self):
        self.get("disconnect")
        self.leave()
        return self.process.wait(DEADLINE_S)
