"""A cluster on one machine, and what it does when something fails.

    .tools/cluster/bin/python scripts/cluster [SCENARIO...]     SEED=7 KEEP=1 CLUSTER_DIR=/var/tmp DRIVELINE=...

Starts three etcd, three PostgreSQL under Patroni, PgBouncer, HAProxy and three copies of target/release/driveline, all on
loopback and from the files of deploy/, breaks one after the other while orders are placed, and judges each scenario by the
table in bars.py. One machine plays eight: what counts are losses, answers and seconds, never orders per second.

Exits 0 only if all that was due was run: 1 if something is broken, 2 for a scenario that there is not, 3 if some were not run.
"""

import asyncio
import os
import signal
import sys
import threading
import time
import traceback

import backups
import document
import failures
import planted
import upkeep
import ways
from bars import BARS, ending, judge, verdict_of
from database import Cluster
from machine import ENDING, Broken, Machine, Missing, say
from shop import Shop, program_under_test

SCENARIOS = {**failures.SCENARIOS, **ways.SCENARIOS, **backups.SCENARIOS, **upkeep.SCENARIOS, **planted.SCENARIOS}


def line_of(result, seed):
    """What the table prints of a scenario."""
    hasty = " ".join(f"{count}x{answer}" for answer, count in sorted(result.hasty.items()))
    bare = result.tries["503 bare"]
    counts = f"lost {result.lost} twice {result.twice} drift {result.drift} oversold {result.oversold} outbox twice {result.outbox_twice}"
    if not result.ordered:
        return f"{result.scenario:<14} seed {seed}  {counts}"
    return (
        f"{result.scenario:<14} seed {seed}  acknowledged {result.acked}, stopped {result.stopped:.1f} s, settled {result.settled:.1f} s, "
        f"slowest {result.slowest:.1f} s, gave up {result.gave_up}; hasty {hasty or 'none'}; {counts}; 503 bare {bare}; "
        f"restarted {result.restarted}"
    )


async def perform(run, names):
    """Runs the scenarios one after the other. Returns a verdict and a line for each."""
    verdicts = []
    for name in names:
        say(f"--- {name}: {BARS[name].what}")
        begun = time.monotonic()
        try:
            result = await SCENARIOS[name](run)
        except Missing as missing:
            verdicts.append((name, "SKIPPED", [str(missing)]))
            say(f"{name}: SKIPPED: {missing}")
            continue
        except Exception as error:
            # The next scenario waits for a cluster that is well, and says so if there is none.
            traceback.print_exc()
            verdicts.append((name, "BROKEN", [f"{name:<14} seed {run.seed}  {type(error).__name__}: {error}"]))
            continue
        wrong = judge(result, BARS[name])
        verdict = verdict_of(wrong, BARS[name])
        wrong += [f"known: {BARS[name].known}"] if verdict == "KNOWN" else []
        verdicts.append((name, verdict, [line_of(result, run.seed), *(f"! {sentence}" for sentence in wrong[:8])]))
        say(f"{verdict} after {time.monotonic() - begun:.0f} s: {line_of(result, run.seed)}")
        for line in [*result.notes, *(f"! {sentence}" for sentence in wrong[:8])]:
            say("   ", line)
    return verdicts


def report(verdicts, named):
    """Prints the table, and returns the exit code. What was skipped has not passed, and neither has what is known."""
    print()
    for name, verdict, lines in verdicts:
        print(f"{verdict:<8} {lines[0] if verdict != 'SKIPPED' else name + ': ' + lines[0]}")
        for line in lines[1:]:
            print(f"         {line}")
    counts = {word: sum(verdict == word for _, verdict, _ in verdicts) for word in ["holds", "BROKEN", "KNOWN", "SKIPPED"]}
    print(f"\n  {counts['holds']} passed\n  {counts['SKIPPED']} skipped\n  {counts['KNOWN']} known\n  {counts['BROKEN']} failed")
    return ended(verdicts, named)


def ended(verdicts, named):
    """Prints how the run has ended, and returns the exit code."""
    code, sentence = ending([(name, verdict) for name, verdict, _ in verdicts], named)
    if code:
        print(f"cluster: {sentence}", file=sys.stderr)
    return code


def archive(cluster, machine):
    """Begins to archive the write-ahead log, as operators do once."""
    run = failures.Run(machine, cluster, None, None)
    leader = cluster.leader()
    node = machine.folder / f"n{leader}"
    env = {"PGBACKREST_CONFIG": node / "pgbackrest.conf", "PGHOST": node, "PGPORT": cluster.port[leader]}
    document.perform(machine, document.blocks("To a moment")[0], backups.shell(run, env), postgres=True)


def interrupted(machine, number):
    """Ends the run. Whoever waits in another thread does so for what is ended meanwhile."""
    ENDING.set()
    threading.Thread(target=machine.end).start()
    raise KeyboardInterrupt(signal.Signals(number).name)


def main(names):
    if set(BARS) != set(SCENARIOS):
        print(f"cluster: only one of bars.py and the scenarios has {' '.join(set(BARS) ^ set(SCENARIOS))}", file=sys.stderr)
        return 2
    unknown = [name for name in names if name not in SCENARIOS]
    if unknown:
        print(f"cluster: no such scenario: {' '.join(unknown)} ({' '.join(BARS)})", file=sys.stderr)
        return 2
    seed = os.environ.get("SEED", "1")
    machine = Machine(os.environ.get("CLUSTER_DIR"))
    for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
        signal.signal(number, lambda number, _: interrupted(machine, number))
    say(f"everything of this run is in {machine.folder}")
    wanted = names or list(BARS)
    # Whatever ends it early is looked for in its logs.
    kept = True
    try:
        cluster = Cluster(machine)
        shop = Shop(machine, cluster, program_under_test())
        cluster.start()
        shop.open()
        archive(cluster, machine)
        code = report(asyncio.run(perform(failures.Run(machine, cluster, shop, seed), wanted)), bool(names))
        kept = bool(code == 1 or os.environ.get("KEEP"))
        return code
    except Missing as missing:
        print(f"cluster: not run: {missing}\n  0 passed\n  {len(wanted)} skipped")
        kept = False
        return ended([(name, "SKIPPED", []) for name in wanted], bool(names))
    except KeyboardInterrupt as stopped:
        print(f"cluster: ended by {stopped.args[0]}", file=sys.stderr)
        kept = False
        return 130
    except Broken as broken:
        print(f"cluster: {broken}\n  1 failed", file=sys.stderr)
        return 1
    finally:
        machine.end()
        if kept:
            say(f"logs and data are still in {machine.folder}")
        else:
            machine.remove()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
