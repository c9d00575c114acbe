"""Scenarios in which something fails while orders are placed."""

import asyncio
import functools
import signal

from bars import BEHIND, DIED, MOVED, RENEWED, SILENT, TOOK_OVER, WAITS
from books import compare, counted
from effects import HELLO, comes, copies_wait, etcd_hangs, hangs, moved, node_hangs, renewed, stays_behind, stopped, took_over
from load import HEAVY, Demand, Load


class Run:
    """What all scenarios share."""

    def __init__(self, machine, cluster, shop, seed):
        self.machine, self.cluster, self.shop, self.seed = machine, cluster, shop, seed
        self.effects = {}

    def saw(self, effect, happened):
        """Notes whether a fault did what it is for. What it does several times it has to have done each time."""
        self.effects[effect] = self.effects.get(effect, True) and bool(happened)

    async def under_load(self, name, event=None, seconds=25, front="shop", demand=Demand(), restarts=0, well_first=True):
        """Orders while the event happens, judged at once and again when the cluster is whole."""
        if well_first:
            await asyncio.to_thread(self.cluster.is_well, 120)
        self.effects = {}
        before, starts = self.shop.runs(), sum(self.shop.starts.values())
        load = await asyncio.to_thread(Load, self.shop, name, self.seed, seconds, front, demand)
        seen, returned = await load.go(event)
        result = await asyncio.to_thread(counted, self.shop, name, seen, seconds)
        result.notes.append(f"well again after {await asyncio.to_thread(self.cluster.is_well, 120):.0f} s")
        # A node that was rewound may have taken something along that was there a moment ago.
        await asyncio.to_thread(compare, self.shop, seen, result)
        started = sum(self.shop.starts.values()) - starts
        ended = sum(pid is None for pid in self.shop.runs().values())
        replaced = sum(before[i] != pid for i, pid in self.shop.runs().items()) if restarts == 0 else 0
        result.restarted = ended + replaced + abs(started - restarts)
        # Not a copy: some of them are looked at when all is over.
        result.effects = self.effects
        self.seen, self.returned = seen, returned
        return result


def later(what, *values, **named):
    return asyncio.to_thread(what, *values, **named)


async def quiet(run):
    result = await run.under_load("quiet")
    run.saw(WAITS, await later(copies_wait, run.shop))
    return result


async def a2(run):
    async def kill_all(_):
        for i in (1, 2, 3, 1, 2, 3):
            old = run.shop.runs()[i]
            _, code = await later(run.shop.stop, i, signal.SIGKILL)
            run.saw(DIED, code == -signal.SIGKILL)
            await asyncio.sleep(1.5)
            await later(run.shop.start, i)
            run.saw(RENEWED, renewed(run.shop, i, old))
            await asyncio.sleep(2.5)

    return await run.under_load("a2", kill_all, 45, demand=HEAVY, restarts=6)


async def b3(run):
    stops = []

    async def roll(_):
        for i in (1, 2, 3):
            old = run.shop.runs()[i]
            stops.append(await later(run.shop.stop, i))
            await later(run.shop.start, i)
            run.saw(RENEWED, renewed(run.shop, i, old))
            await asyncio.sleep(3)

    result = await run.under_load("b3", roll, 50, front="once", demand=HEAVY, restarts=3)
    result.notes.append("copies gone after " + ", ".join(f"{seconds:.1f} s" for seconds, _ in stops))
    for seconds, code in stops:
        if code != 0 or seconds > 7:
            result.broken.append(f"a copy ended after {seconds:.1f} s with {code}")
    return result


async def kill_primary(run, name, seconds=40):
    async def kill(_):
        before = await later(run.cluster.reigning)
        run.saw(DIED, await later(run.cluster.kill_postgres, before[0]))
        return before

    result = await run.under_load(name, kill, seconds)
    run.saw(TOOK_OVER, await later(comes, took_over, run.cluster, run.returned))
    return result


async def c(run):
    return await kill_primary(run, "c")


def through(kind, scenario):
    """A scenario with a way to the database in between."""

    async def there(run):
        port = run.cluster.proxy if kind == "proxy" else await later(run.cluster.pool, kind)
        settings = {"DATABASE_URL": run.cluster.url_at(port)}
        if kind in ("transaction", "prepared"):
            settings |= {"DATABASE_POOLER": "transaction", "DATABASE_DIRECT_URL": run.cluster.url()}
        await later(run.shop.restart, settings)
        try:
            return await scenario(run)
        finally:
            await later(run.shop.restart)

    return there


async def c2(run):
    started = {}

    async def kill(load):
        before, old = await later(run.cluster.reigning), run.shop.runs()[3]
        _, code = await later(run.shop.stop, 3, signal.SIGKILL)
        killed = await later(run.cluster.kill_node, before[0])
        run.saw(DIED, killed and code == -signal.SIGKILL)
        # The third copy begins without a database and has to serve as soon as there is one.
        started["copy"] = await later(run.shop.start, 3, 60)
        run.saw(RENEWED, renewed(run.shop, 3, old))
        await asyncio.sleep(max(0, 50 - load.since()))
        await later(run.cluster.start_node, before[0])
        return before

    result = await run.under_load("c2", kill, 70, restarts=1)
    run.saw(TOOK_OVER, await later(comes, took_over, run.cluster, run.returned))
    result.notes.append(f"the copy was ready after {started['copy']:.1f} s")
    if started["copy"] > result.settled + 5:
        result.broken.append("the copy that started meanwhile served later than the others")
    return result


async def d(run):
    async def switch(_):
        before = await later(run.cluster.reigning)
        await later(run.cluster.switch_over, before[0])
        return before

    result = await run.under_load("d", switch, 40)
    run.saw(MOVED, await later(comes, moved, run.cluster, run.returned))
    return result


def paused(name, whom, pause, seconds):
    """A scenario that stops processes for a while without ending them. `whom` says which, and how to look at it meanwhile."""

    async def scenario(run):
        async def stop(_):
            pids, look = await later(whom, run)
            async with stopped(run, pids):
                # Beside the pause, which is as long as it is whatever is looked at.
                looking = asyncio.create_task(later(look))
                await asyncio.sleep(pause)
            for effect, happened in (await looking).items():
                run.saw(effect, happened)

        return await run.under_load(name, stop, seconds)

    return scenario


def primary_postgres(run):
    n = run.cluster.leader()
    return run.cluster.postgres_of(n), lambda: {SILENT: hangs(run.cluster.port[n], HELLO)}


def primary_node(run):
    cluster, before = run.cluster, run.cluster.reigning()

    def look():
        # Its lease ends after 20 s of the 45.
        return {SILENT: node_hangs(cluster, before[0]), MOVED: comes(moved, cluster, before, 35)}

    return cluster.node_of(before[0]), look


def standby_node(run):
    cluster, leader, n = run.cluster, run.cluster.leader(), run.cluster.standby()

    def look():
        return {SILENT: node_hangs(cluster, n), BEHIND: stays_behind(cluster, leader, n)}

    return cluster.node_of(n), look


def all_etcd(run):
    return [run.machine.started[f"etcd{n}"].pid for n in (1, 2, 3)], lambda: {SILENT: etcd_hangs(run.cluster)}


e = paused("e", primary_postgres, 20, 55)
e2 = paused("e2", primary_node, 45, 75)
e3 = paused("e3", standby_node, 45, 65)
e4 = paused("e4", all_etcd, 40, 60)

SCENARIOS = {
    "quiet": quiet,
    "a2": a2,
    "b3": b3,
    "c": c,
    **{
        f"c-{kind}": through(kind, functools.partial(kill_primary, name=f"c-{kind}"))
        for kind in ("proxy", "session", "transaction", "prepared")
    },
    "c2": c2,
    "d": d,
    "e": e,
    "e2": e2,
    "e2-proxy": through("proxy", paused("e2-proxy", primary_node, 45, 75)),
    "e3": e3,
    "e4": e4,
}
