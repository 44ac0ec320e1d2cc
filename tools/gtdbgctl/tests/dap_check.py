# SPDX-License-Identifier: MIT
"""Results of a test, as TAP."""

count = 0
failed = 0


def check(name, is_right, seen=None):
    global count, failed
    count += 1
    if not is_right:
        failed += 1
        print("# seen: %r" % (seen,))
    print("%s %d - %s" % ("ok" if is_right else "not ok", count, name),
          flush=True)


def same(name, seen, wanted):
    check(name, seen == wanted, seen)


def run(failure, *sessions):
    """Runs each; one that fails is no reason to leave out the next."""
    print("TAP version 13")
    for session in sessions:
        try:
            session()
        except failure as error:
            check("%s: %s" % (session.__name__, error), False)
    print("1..%d" % count)
    return 1 if failed else 0
