# SPDX-License-Identifier: MIT
"""Runs a program; the status is 1 if something has opened a file meanwhile, for more than
its path.
usage: opens.py FILE PROGRAM ARGUMENT...
"""
import ctypes
import os
import subprocess
import sys

IN_OPEN = 0x20

libc = ctypes.CDLL(None, use_errno=True)
fd = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
if fd < 0 or libc.inotify_add_watch(fd, sys.argv[1].encode(), IN_OPEN) < 0:
    print(f"opens.py: {os.strerror(ctypes.get_errno())}")
    sys.exit(2)
subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL, check=False)
try:
    os.read(fd, 4096)
except BlockingIOError:
    sys.exit(0)
sys.exit(1)
