"""Cases of a client in Python: each is a function whose docstring is its title; what comes of it is a line of JSON."""

import json
import time
import traceback


class Skipped(Exception):
    """The reason why a case cannot be asked here."""


def run(cases):
    """Asks the cases one after another."""
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
    """Fails where two values are not the same, with the places where they differ."""
    different = list(differences(seen, wanted, what))
    if different:
        raise AssertionError("; ".join(different))


def differences(seen, wanted, place):
    """The places of two values where they differ, with what is there."""
    if isinstance(seen, dict) and isinstance(wanted, dict):
        for key in sorted({*seen, *wanted}):
            yield from differences(seen.get(key), wanted.get(key), f"{place}.{key}")
    elif isinstance(seen, list) and isinstance(wanted, list) and len(seen) == len(wanted):
        for index, (one, other) in enumerate(zip(seen, wanted)):
            yield from differences(one, other, f"{place}[{index}]")
    elif seen != wanted:
        yield f"{place}: expected {shown(wanted)}, got {shown(seen)}"


def shown(value):
    """A value as JSON where it is one."""
    try:
        return json.dumps(value, sort_keys=True)
    except TypeError:
        return repr(value)


def await_fact(fact, ask, seconds=120):
    """Asks until the answer is true, and answers with it; fails with the name of the fact when the time is over."""
    end = time.monotonic() + seconds
    while True:
        answer = ask()
        if answer:
            return answer
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s in vain: {fact}")
        time.sleep(0.1)
