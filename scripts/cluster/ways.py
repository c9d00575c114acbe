"""Scenarios about the ways to the database: a pooler that was not set, and a replica for lists."""

import asyncio

from bars import READ, SILENT
from books import Result
from effects import node_hangs, scans, stopped
from failures import later
from machine import Broken, until


async def pooler(run):
    """A copy behind a pooler in transaction mode that does not know of it ends at once, with one line that says why."""
    result = Result("pooler", ordered=False)
    for kind in ("transaction", "prepared"):
        port = await later(run.cluster.pool, kind)
        # Whether a pooler lends one session to several clients shows only while others work there too.
        environment = {**run.shop.environment(1, {}), "PORT": run.machine.port(), "METRICS_ADDR": f"127.0.0.1:{run.machine.port()}"}
        environment["DATABASE_URL"] = run.cluster.url_at(port)
        name = f"unset-{kind}"
        process = run.machine.start(name, [run.shop.binary, "serve"], environment)
        await later(until, lambda process=process: process.poll() is not None, 20)
        said = [line for line in run.machine.log(name).splitlines() if "DATABASE_POOLER=transaction" in line]
        result.notes.append(f"{kind}: ended with {process.poll()}, {len(said)} line")
        if process.poll() != 2 or len(said) != 1:
            result.broken.append(f"{kind}: a pooler in transaction mode was not refused: {run.machine.log(name)[-500:]}")
        await later(run.machine.stop, name)
    return result


async def replica(run):
    """Lists come from a standby; what somebody has just ordered is in their next list; a standby that is away delays nobody."""
    standby = await later(run.cluster.standby)
    port = run.cluster.port[standby]
    found = {"stale": 0, "asked": 0}

    def order_and_list(times):
        email, cookie = run.shop.buyers[0]
        token = run.shop.token(email, cookie)
        for _ in range(times):
            body = {"productId": run.shop.products[0], "quantity": 50, "name": "Some Body", "phone": "+1 555 0100", "address": "own"}
            order = run.shop.call("POST", "/orders", body, token=token)[0]["insertedId"]
            # Up to fifty of one's newest orders are read from the primary, together with what others ask it for.
            listed = run.shop.call("GET", "/orders?limit=51", token=token)[0]
            found["asked"] += 1
            found["stale"] += all(entry["_id"] != order for entry in listed)

    def read_since(before):
        found["scans"] = scans(run.cluster, standby) - before
        return found["scans"] > 0

    async def use(_):
        before = await later(scans, run.cluster, standby)
        await later(order_and_list, 60)
        # Before the pause, because what is sent to it meanwhile is read after that.
        run.saw(READ, await later(until, lambda: read_since(before), 12))
        async with stopped(run, await later(run.cluster.node_of, standby)):
            looking = asyncio.create_task(later(node_hangs, run.cluster, standby))
            await later(order_and_list, 20)
            run.saw(SILENT, await looking)

    await later(run.shop.restart, {"DATABASE_READ_URL": run.cluster.url_at(port)})
    try:
        result = await run.under_load("replica", use, 40)
    except Broken as broken:
        raise Broken(f"with a replica: {broken}") from broken
    finally:
        await later(run.shop.restart)
    listed = f"{found['asked']} orders listed at once, {found['stale']} not in the list"
    result.notes.append(f"{listed}; {found['scans']} reads at the standby before it was paused")
    result.broken += [f"{found['stale']} lists lack the order that was just placed"] if found["stale"] else []
    return result


SCENARIOS = {"pooler": pooler, "replica": replica}
