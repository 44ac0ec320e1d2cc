# SPDX-License-Identifier: MIT
"""A real editor's conversation, once more. The ids in its requests are those that it
got, and the adapter has to give the same ones."""
import json
import os

from dap_check import same

HERE = os.path.dirname(os.path.abspath(__file__))


def step(client, line, answers):
    """Sends what the editor sent, or waits for what it had heard."""
    message = json.loads(line[2:])
    if line[0] == ">":
        client.send_bytes(json.dumps(message))
    elif "event" in message:
        client.event(message["event"])
    else:
        answer = client.answer(message["request_seq"])
        same("%s is answered as it was" % answer["command"],
             answer["success"], message["success"])
        answers.append(answer)


def replay(client, name, **files):
    """The answers; @files stand for names in capitals between signs."""
    answers = []
    with open(os.path.join(HERE, name), encoding="utf-8") as conversation:
        for line in conversation:
            for file, path in files.items():
                line = line.replace("@%s@" % file.upper(), path)
            if line[0] != "#":
                step(client, line, answers)
    return answers


def shown(answers, command, *path):
    """What stands at that place of all answers to a command."""
    found = []
    for answer in answers:
        if answer["command"] == command:
            value = answer["body"]
            for part in path:
                value = value[part]
            found.append(value)
    return found
