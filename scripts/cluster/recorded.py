"""Whether the judge of `make cluster` judges rightly: results that hold, each again with a fault that it has to find.

    python3 scripts/cluster/recorded.py

Needs no cluster and nothing that has to be installed, so that `make lint` runs it.
"""

import sys
from types import SimpleNamespace

from bars import BARS, DIED, TOOK_OVER, UNSEEN, ending, judge, verdict_of
from effects import moved, stayed, took_over, waits_for_standby

# The figures of docs/reliability.md, and for what it does not list some that may well be.
SOUND = {
    "quiet": {"acked": 2130, "stopped": 0.1, "slowest": 0.1, "tries": {"201": 2130, "409": 60}, "hasty": {"201": 530, "409": 40}},
    "a2": {
        "acked": 8878, "stopped": 0.3, "slowest": 2.2, "tries": {"201": 8878, "503": 64, "502": 1, "cut": 47},
        "hasty": {"201": 2757, "503": 64, "502": 1, "cut": 47},
    },
    "c": {"acked": 2964, "stopped": 4.5, "slowest": 5.0, "tries": {"201": 2964, "503": 31}, "hasty": {"201": 805, "503": 7}},
    "large": {"acked": 4990, "stopped": 0.1, "slowest": 0.2, "tries": {"201": 4990}, "hasty": {"201": 1200}},
    "migrate": {"ordered": False},
}
# A scenario, what is wrong in its result, and how the sentence about it begins.
FAULTS = [
    ("quiet", {"lost": 1}, "lost: 1"),
    ("quiet", {"twice": 1}, "twice: 1"),
    ("quiet", {"drift": 1}, "drift: 1"),
    ("quiet", {"oversold": 1}, "oversold: 1"),
    ("quiet", {"outbox_twice": 1}, "outbox twice: 1"),
    ("quiet", {"gave_up": 1}, "gave up: 1"),
    ("quiet", {"restarted": 1}, "copies restarted: 1"),
    ("quiet", {"broken": ["a sentence of the books"]}, "a sentence of the books"),
    ("quiet", {"acked": 99}, "only 99 orders"),
    ("quiet", {"hasty": {"201": 500, "503": 1}}, "hasty clients saw"),
    ("quiet", {"stopped": 2.1}, "no order for 2.1 s"),
    ("c", {"stopped": 10.1}, "no order for 10.1 s"),
    ("c", {"tries": {"201": 2964, "503 bare": 1}}, "answers that may not be: 1 x 503 bare"),
    ("c", {"tries": {"201": 2964, "500": 1}}, "answers that may not be: 1 x 500"),
    # What may be where a copy is killed may not be elsewhere.
    ("c", {"tries": {"201": 2964, "502": 1}}, "answers that may not be: 1 x 502"),
    ("c", {"tries": {"201": 2964, "cut": 1}}, "answers that may not be: 1 x cut"),
    ("large", {"slowest": 1.1}, "an order took 1.1 s"),
    ("migrate", {"lost": 1}, "lost: 1"),
    ("c", {"effects": {DIED: False, TOOK_OVER: True}}, f"{UNSEEN} {DIED}"),
    ("c", {"effects": {DIED: True}}, f"{UNSEEN} {TOOK_OVER}"),
    ("large", {"effects": {DIED: False}}, f"{UNSEEN} {DIED}"),
]
# The scenarios in which nothing is ended, paused or set wrong, so that there is no effect to look for.
WITHOUT_FAULT = {"pooler", "migrate", "restore", "moment", "large", "tidy", "planted"}
ONE, OTHER = '{"message":"a commit waits for a standby"}\n', '{"message":"a commit waits for no standby: what only"}\n'
# What compares two looks at a cluster, or reads what a copy has said, and what it has to say of it.
LOOKS = [
    (moved, ((1, 4), (1, 4)), False),
    (moved, ((1, 4), (2, 5)), True),
    (moved, ((1, 4), (1, 5)), False),
    (moved, ((1, 4), None), False),
    (took_over, ((1, 4), (1, 4)), False),
    (took_over, ((1, 4), (2, 5)), True),
    (took_over, ((1, 4), (1, 5)), True),
    (took_over, ((1, 4), (1, None)), False),
    (took_over, ((1, 4), None), False),
    (stayed, (("0/10", "0/20"), ("0/10", "0/30")), True),
    (stayed, (("0/10", "0/20"), (None, "0/30")), True),
    (stayed, (("0/10", "0/20"), ("0/20", "0/30")), False),
    # Where nothing is written, every standby stays where it is.
    (stayed, (("0/20", "0/20"), ("0/20", "0/20")), False),
    (stayed, ((None, "0/20"), (None, "0/30")), False),
    (waits_for_standby, (ONE,), True),
    (waits_for_standby, (OTHER + ONE + "another line\n",), True),
    (waits_for_standby, (ONE + OTHER,), False),
    (waits_for_standby, ("another line\n",), False),
]
# The verdicts of a run, whether its scenarios were named, and its exit code.
ENDINGS = [
    (["holds", "holds"], False, 0),
    (["holds", "KNOWN"], True, 0),
    (["holds", "SKIPPED"], False, 3),
    (["holds", "SKIPPED"], True, 3),
    (["SKIPPED"], False, 3),
    ([], False, 3),
    (["KNOWN"], False, 1),
    (["holds", "SKIPPED", "BROKEN"], True, 1),
]


def result(name, **changes):
    counted = dict.fromkeys(["lost", "twice", "drift", "oversold", "outbox_twice", "gave_up", "restarted"], 0)
    seen = dict.fromkeys(BARS[name].effects, True)
    # How a scenario ends whose fault has missed, if it is not among these: like one in which nothing happens.
    return SimpleNamespace(**{**counted, "broken": [], "ordered": True, "effects": seen, **SOUND.get(name, SOUND["quiet"]), **changes})


def missed():
    """Every effect of every scenario, not seen although it was looked for, and never looked for."""
    for name, bar in BARS.items():
        if bool(bar.effects) == (name in WITHOUT_FAULT):
            yield f"{name} is to have effects, or to be among those without a fault"
        for effect in bar.effects:
            others = dict.fromkeys(set(bar.effects) - {effect}, True)
            for effects in ({**others, effect: False}, others):
                wrong = judge(result(name, effects=effects), bar)
                if wrong != [f"{UNSEEN} {effect}"] or verdict_of(wrong, bar) != "BROKEN":
                    yield f"{name} without the effect that {effect} is judged by: {'; '.join(wrong) or 'nothing'}"


def complaints():
    yield from missed()
    for look, values, expected in LOOKS:
        if look(*values) is not expected:
            yield f"{look.__name__} of {values} is not {expected}"
    for name in SOUND:
        wrong = judge(result(name), BARS[name])
        if wrong or verdict_of(wrong, BARS[name]) != "holds":
            yield f"{name} holds, and is judged by: {'; '.join(wrong)}"
    for name, changes, beginning in FAULTS:
        wrong = judge(result(name, **changes), BARS[name])
        if not any(sentence.startswith(beginning) for sentence in wrong) or verdict_of(wrong, BARS[name]) != "BROKEN":
            yield f"{name} with {changes} is judged by: {'; '.join(wrong) or 'nothing'}"
    for verdicts, named, code in ENDINGS:
        found, _ = ending([(f"s{nth}", verdict) for nth, verdict in enumerate(verdicts)], named)
        if found != code:
            yield f"{verdicts}, {'named' if named else 'not named'}, ends with {found}, not with {code}"


if __name__ == "__main__":
    found = list(complaints())
    for sentence in found:
        print(f"scripts/cluster/recorded.py: {sentence}", file=sys.stderr)
    sys.exit(1 if found else 0)
