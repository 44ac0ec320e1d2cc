# SPDX-License-Identifier: MIT
"""How long an editor waits for a thread's frames and variables where all 672
threads of the device are stopped; prints the mean, in milliseconds, of 20."""
import os
import sys
import time

from dap_client import Client

SLOTS = 672
TIMES = 20

launch, kernels = sys.argv[1:]
client = Client.start()
client.begin("launch", ("setBreakpoints", {
    "source": {"path": kernels}, "breakpoints": [{"line": 39}]}),
             program=launch, args=[kernels, "kinds", str(8 * SLOTS)],
             maxThreads=0)
client.event("stopped")
threads = client.get("threads")["threads"]
start = time.monotonic()
for thread in threads[-TIMES:]:
    frame = client.frames(thread["id"])[0]
    scopes = client.scopes(frame["id"])
    client.variables(scopes["Locals"])
    client.variables(scopes["Arguments"])
took = (time.monotonic() - start) * 1000 / TIMES
client.get("disconnect")
client.leave()
client.process.wait()
print("%.1f" % took if len(threads) == SLOTS else
      "only %d threads are stopped" % len(threads))
