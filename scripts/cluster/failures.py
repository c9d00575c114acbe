"""Scenarios in which something fails while orders are placed."""

import asyncio
import functools
import signal

from books import compare, counted
from load import HEAVY, Demand, Load
from machine import send


class Run:
    """What all scenarios share."""

    def __init__(self, machine, cluster, shop, seed):
        self.machine, self.cluster, self.shop, self.seed = machine, cluster, shop, seed

    async def under_load(self, name, event=None, seconds=25, front="shop", demand=Demand(), restarts=0, well_first=True):
        """Orders while the event happens, judged at once and again when the cluster is whole."""
        if well_first:
            await asyncio.to_thread(self.cluster.is_well, 120)
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
        self.seen, self.returned = seen, returned
        return result


def later(what, *values, **named):
    return asyncio.to_thread(what, *values, **named)


async def quiet(run):
    return await run.under_load("quiet")


async def a2(run):
    async def kill_all(_):
        for i in (1, 2, 3, 1, 2, 3):
            await later(run.shop.stop, i, signal.SIGKILL)
            await asyncio.sleep(1.5)
            await later(run.shop.start, i)
            await asyncio.sleep(2.5)

    return await run.under_load("a2", kill_all, 45, demand=HEAVY, restarts=6)


async def b3(run):
    stops = []

    async def roll(_):
        for i in (1, 2, 3):
            stops.append(await later(run.shop.stop, i))
            await later(run.shop.start, i)
            await asyncio.sleep(3)

    result = await run.under_load("b3", roll, 50, front="once", demand=HEAVY, restarts=3)
    result.notes.append("copies gone after " + ", ".join(f"{seconds:.1f} s" for seconds, _ in stops))
    for seconds, code in stops:
        if code != 0 or seconds > 7:
            result.broken.append(f"a copy ended after {seconds:.1f} s with {code}")
    return result


async def kill_primary(run, name, seconds=40):
    async def kill(_):
        await later(run.cluster.kill_postgres, await later(run.cluster.leader))

    return await run.under_load(name, kill, seconds)


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
        n = await later(run.cluster.leader)
        await later(run.shop.stop, 3, signal.SIGKILL)
        await later(run.cluster.kill_node, n)
        # The third copy begins without a database and has to serve as soon as there is one.
        started["copy"] = await later(run.shop.start, 3, 60)
        await asyncio.sleep(max(0, 50 - load.since()))
        await later(run.cluster.start_node, n)

    result = await run.under_load("c2", kill, 70, restarts=1)
    result.notes.append(f"the copy was ready after {started['copy']:.1f} s")
    if started["copy"] > result.settled + 5:
        result.broken.append("the copy that started meanwhile served later than the others")
    return result


async def d(run):
    async def switch(_):
        await later(run.cluster.switch_over, await later(run.cluster.leader))

    return await run.under_load("d", switch, 40)


def paused(name, whom, pause, seconds):
    """A scenario that stops processes for a while without ending them."""

    async def scenario(run):
        async def stop(_):
            pids = await later(whom, run)
            send(pids, signal.SIGSTOP)
            await asyncio.sleep(pause)
            send(pids, signal.SIGCONT)

        return await run.under_load(name, stop, seconds)

    return scenario


def primary_node(run):
    return run.cluster.node_of(run.cluster.leader())


e = paused("e", lambda run: run.cluster.postgres_of(run.cluster.leader()), 20, 55)
e2 = paused("e2", primary_node, 45, 75)
e3 = paused("e3", lambda run: run.cluster.node_of(run.cluster.standby()), 45, 65)
e4 = paused("e4", lambda run: [run.machine.started[f"etcd{n}"].pid for n in (1, 2, 3)], 40, 60)

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
