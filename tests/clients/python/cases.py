"""Runs cases. A case is a function whose docstring is its title. Each result is printed as a line of JSON."""

import json
import time
import traceback


class Skipped(Exception):
    """Raised by a case that cannot run here, with the reason."""


def run(cases):
    """Runs the cases in order."""
    for case in cases:
        began = time.monotonic()
        outcome = {"case": " ".join(case.__doc__.split()).rstrip(".")}
        try:
            case()
        except Skipped as reason:
            outcome["skipped"] = str(reason)
        except Exception:
            outcome["failed"] = traceback.format_exc()
        outcome["seconds"] = time.monotonic() - began
        print(json.dumps(outcome), flush=True)


def equal(seen, wanted, what="it"):
    """Fails unless two values are equal. The message lists the paths at which they differ."""
    different = list(differences(seen, wanted, what))
    if different:
        raise AssertionError("; ".join(different))


def differences(seen, wanted, place):
    """The paths at which two values differ, with both values."""
    if isinstance(seen, dict) and isinstance(wanted, dict):
        for key in sorted({*seen, *wanted}):
            yield from differences(seen.get(key), wanted.get(key), f"{place}.{key}")
    elif isinstance(seen, list) and isinstance(wanted, list) and len(seen) == len(wanted):
        for index, (one, other) in enumerate(zip(seen, wanted)):
            yield from differences(one, other, f"{place}[{index}]")
    elif seen != wanted:
        yield f"{place}: expected {shown(wanted)}, got {shown(seen)}"


def shown(value):
    """A value as JSON, or its repr if JSON cannot represent it."""
    try:
        return json.dumps(value, sort_keys=True)
    except TypeError:
        return repr(value)


def await_fact(fact, ask, seconds=120):
    """Calls a function until it returns a true value, and returns it. Fails with the name of the fact after a timeout."""
    end = time.monotonic() + seconds
    while True:
        answer = ask()
        if answer:
            return answer
        if time.monotonic() > end:
            raise AssertionError(f"timed out after {seconds} s: {fact}")
        time.sleep(0.1)
