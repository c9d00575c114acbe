"""What each scenario has to keep: one table, the one function that judges by it, and how the whole run ends.

Imports nothing that has to be installed: `make check` judges given results by it (recorded.py).
"""

from dataclasses import dataclass

# What a client may be answered in every scenario.
ANSWERS = {"201", "409", "503"}
LEASE = 20

# What a fault does (effects.py).
DIED = "what was killed is gone"
TOOK_OVER = "another primary, or the same one on a later timeline"
MOVED = "another primary"
STOOD = "what was paused stood still from beginning to end"
SILENT = "what was paused answered nobody"
BEHIND = "the paused standby stayed where it was in the log"
RENEWED = "of each copy that was ended the process is gone, and another one serves"
READ = "orders were read at the standby when they were listed"
AHEAD = "the copy answered with a time that is ahead"
WAITS = "each copy said that a commit waits for a standby"
KILLED = (DIED, TOOK_OVER)
PAUSED = (STOOD, SILENT)


@dataclass(frozen=True)
class Bar:
    """What a scenario is, and its limits beside those that all have."""

    what: str
    # The longest time without an acknowledged order, in seconds.
    stopped: float | None = None
    # What may be answered beside ANSWERS; "cut" is a connection that ended without an answer.
    also: frozenset = frozenset()
    # Whether a hasty client may see anything but an order or a product that is sold out.
    hasty: bool = True
    # The longest time until a patient client had its order.
    slowest: float | None = None
    # What has to have been seen of its fault: one that missed shows nothing, however well it ends.
    effects: tuple = ()
    # Why its orders stop for longer than they should, where that is known and not mended. Nothing else is forgiven.
    known: str = ""


def also(*answers):
    return frozenset(answers)


BARS = {
    "quiet": Bar("nothing happens", stopped=2, hasty=False, effects=(WAITS,)),
    "a2": Bar(
        "six kill -9 of copies at 400 orders a second", stopped=2, also=also("502", "cut"), slowest=25, effects=(DIED, RENEWED)
    ),
    "b3": Bar("rolling restart behind a balancer that tries no other copy", stopped=2, hasty=False, effects=(RENEWED,)),
    "c": Bar("kill -9 of the primary's postmaster; the copies name the three nodes", stopped=10, effects=KILLED),
    "c-proxy": Bar("the same through HAProxy", stopped=10, effects=KILLED),
    "c-session": Bar("the same through PgBouncer in session mode", stopped=10, effects=KILLED),
    "c-transaction": Bar("the same through PgBouncer in transaction mode", stopped=10, effects=KILLED),
    "c-prepared": Bar("the same through PgBouncer 1.21 or later with prepared statements", stopped=10, effects=KILLED),
    "c2": Bar(
        "kill -9 of the primary's whole node, and a copy that starts meanwhile",
        stopped=LEASE + 10,
        also=also("502", "cut"),
        effects=(*KILLED, RENEWED),
    ),
    "d": Bar("switchover", stopped=3, effects=(MOVED,)),
    # Whether its lease ends before the pause does is a matter of a second, so that another primary is not asked for.
    "e": Bar("the primary's PostgreSQL paused for 20 s", stopped=LEASE + 10, effects=PAUSED),
    "e2": Bar("the primary's whole node paused for 45 s", stopped=LEASE + 10, effects=(*PAUSED, MOVED)),
    "e2-proxy": Bar("the same through HAProxy", stopped=LEASE + 10, effects=(*PAUSED, MOVED)),
    "e3": Bar("a standby paused for 45 s", stopped=2, effects=(*PAUSED, BEHIND)),
    "e4": Bar("etcd paused for 40 s", stopped=2, effects=PAUSED),
    "pooler": Bar("a pooler in transaction mode without the setting is refused in one line"),
    "replica": Bar(
        "lists from a replica: one's own change is in the next list, a replica that is away is passed over",
        stopped=2,
        hasty=False,
        effects=(*PAUSED, READ),
    ),
    "migrate": Bar("three migrations at once, through each way: all exit 0, each step is applied once, no lock is left"),
    "restore": Bar("backup and restore, word for word from docs/operations.md", stopped=2, hasty=False),
    "moment": Bar("recovery to the moment before a mistake, word for word", stopped=2, hasty=False),
    "large": Bar("the newest migrations on five million rows: no order waits longer than a second", stopped=1, slowest=1),
    "clock": Bar("a copy's clock is 90 s ahead: no 401, no e-mail twice", stopped=2, hasty=False, effects=(AHEAD,)),
    "tidy": Bar("two million old answers are gone within a minute, no statement takes over a second", stopped=2, hasty=False),
    "planted": Bar("every kind of fault, planted: each has to be found"),
}


STOPPED = "no order for"
UNSEEN = "not seen:"


def verdict_of(wrong, bar):
    """How a scenario has ended: it holds, it is broken, or only stops for longer by what is known."""
    if not wrong:
        return "holds"
    return "KNOWN" if bar.known and all(sentence.startswith(STOPPED) for sentence in wrong) else "BROKEN"


def judge(result, bar):
    """What of a result is against its bar, a sentence for each; none if it holds."""
    wrong = list(result.broken)

    def limit(kept, sentence):
        if not kept:
            wrong.append(sentence)

    for name in ["lost", "twice", "drift", "oversold", "outbox_twice", "gave_up"]:
        limit(getattr(result, name) == 0, f"{name.replace('_', ' ')}: {getattr(result, name)}")
    limit(result.restarted == 0, f"copies restarted: {result.restarted}")
    # What nobody has looked at was not seen either.
    for effect in dict.fromkeys([*bar.effects, *result.effects]):
        limit(result.effects.get(effect), f"{UNSEEN} {effect}")
    if not result.ordered:
        return wrong
    limit(result.acked >= 100, f"only {result.acked} orders prove nothing")
    for answer, count in result.tries.items():
        limit(answer in ANSWERS | bar.also, f"answers that may not be: {count} x {answer}")
    refused = {answer: count for answer, count in result.hasty.items() if answer not in ("201", "409")}
    limit(bar.hasty or not refused, f"hasty clients saw {refused}")
    limit(bar.stopped is None or result.stopped <= bar.stopped, f"{STOPPED} {result.stopped:.1f} s, allowed are {bar.stopped}")
    limit(bar.slowest is None or result.slowest <= bar.slowest, f"an order took {result.slowest:.1f} s, allowed are {bar.slowest}")
    return wrong


def ending(verdicts, named):
    """How the whole run ends, from a verdict for each scenario that was due: its exit code, and a sentence unless it is 0.

    1: something is broken, or nothing holds. 3: something was left out, so that the run proves less than it was to prove."""
    left = [name for name, verdict in verdicts if verdict == "SKIPPED"]
    if any(verdict == "BROKEN" for _, verdict in verdicts):
        return 1, "something is broken"
    if named and left:
        return 3, f"asked for, but not run: {', '.join(left)}"
    if left or not verdicts:
        return 3, f"{len(left)} of {len(verdicts)} scenarios were not run, so this is no success"
    return (0, "") if any(verdict == "holds" for _, verdict in verdicts) else (1, "no scenario holds")
