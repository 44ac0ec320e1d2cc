# SPDX-License-Identifier: MIT
"""How long an editor waits for a thread's frames and variables where all 672
threads of the device are stopped; prints the mean, in milliseconds, of 20."""
import sys
import time

from dap_client import Client

SLOTS = 672
TIMES = 20
STEPS_MAX = 100
# A group's threads are in one sub-slice, which has 112: groups of 16 fill it, and those of
# 32 threads, which the runtime would make, leave 16 of them without work.
ITEMS_OF_GROUP = 8 * 16

launch, kernels = sys.argv[1:]
client = Client.start()
client.begin("launch", ("setBreakpoints", {
    "source": {"path": kernels}, "breakpoints": [{"line": 39}]}),
             program=launch, args=[kernels, "kinds", str(8 * SLOTS), "0",
                                   str(ITEMS_OF_GROUP)],
             maxThreads=0)
thread = client.event("stopped")["threadId"]
threads = client.get("threads")["threads"]
# The first stop may be seen before the last groups have begun. A step of one thread lets the
# others stand, and ends with another look.
for _ in range(STEPS_MAX):
    if len(threads) == SLOTS:
        break
    client.get("next", threadId=thread, granularity="instruction")
    client.event("stopped")
    threads = client.get("threads")["threads"]
else:
    sys.exit("only %d threads are stopped" % len(threads))
start = time.monotonic()
for thread in threads[-TIMES:]:
    frame = client.frames(thread["id"])[0]
    scopes = client.scopes(frame["id"])
    shown = list(client.variables(scopes["Arguments"]))
    if shown != ["in", "out"] or not client.variables(scopes["Locals"]):
        sys.exit("arguments: %s" % shown)
took = (time.monotonic() - start) * 1000 / TIMES
client.get("disconnect")
client.leave()
client.process.wait()
print("%.1f" % took)
