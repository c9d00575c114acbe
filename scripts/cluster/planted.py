"""Faults that are planted, one of each kind: a verdict that does not find its own proves nothing."""

import asyncio
import contextlib
import smtplib
import signal

from aiohttp import web

from bars import AHEAD, BARS, BEHIND, DIED, MOVED, READ, RENEWED, SILENT, STOOD, STOPPED, TOOK_OVER, WAITS, judge
from books import Result, compare
from effects import ASK, HELLO, comes, copies_wait, hangs, is_ahead, moved, renewed, scans, stand_still, stays_behind, took_over
from failures import later
from load import Demand, Load
from machine import Broken, gone, until

# The way that keys, numbers and triggers would stand in.
FREE = "SET LOCAL session_replication_role = replica"
COPY = """
    INSERT INTO orders SELECT (jsonb_populate_record(orders, jsonb_build_object('id', gen_random_uuid(), 'number', 4000000000 + nth,
        'once_key', NULL, 'once_fingerprint', NULL, 'contact_address', %s::text, 'product_id', coalesce(%s::uuid, product_id)))).*
    FROM orders CROSS JOIN generate_series(1, %s) AS nth WHERE id = %s"""


def plants(seen):
    """By the counter that has to notice it: the statements that plant a fault."""
    key, order, *_ = seen.acked[0]
    address = f"{seen.run} {key}"
    return {
        "lost": [("DELETE FROM orders WHERE id = %s", (order,))],
        "twice": [(COPY, (address, None, 1, order))],
        "oversold": [(COPY, (f"{seen.run} planted", seen.scarce, 1000, order))],
        "outbox_twice": [
            ("DROP INDEX outbox_one_letter_per_event", ()),
            ("""INSERT INTO outbox OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(outbox,
                jsonb_build_object('id', -1))).* FROM outbox WHERE order_id = %s AND channel = 'mail' LIMIT 1""", (order,)),
        ],
    }


def in_the_tables(run, seen):
    """Plants each fault in a transaction that is taken back. Returns which counters did not notice theirs."""
    blind = []
    for counter, statements in plants(seen).items():
        result = Result("planted", acked=len(seen.acked))
        with run.cluster.connect() as connection:
            connection.autocommit = False
            connection.execute(FREE)
            for statement, values in statements:
                connection.execute(statement, values or None)

            def sql(statement, *values, connection=connection):
                return connection.execute(statement, values or None).fetchall()

            compare(run.shop, seen, result, sql=sql, url="")
            connection.rollback()
        wrong = judge(result, BARS["quiet"])
        if not getattr(result, counter) or not any(sentence.startswith(counter.replace("_", " ")) for sentence in wrong):
            blind.append(counter)
    return blind


def in_the_stock(run, seen):
    """A unit too many, committed, because the books are checked by a program of their own, and then taken away again."""
    change = f"{FREE.replace('LOCAL ', '')}; UPDATE products SET available = available %+d WHERE id = '{seen.scarce}'"
    result = Result("planted", acked=len(seen.acked))
    run.cluster.sql(change % 1)
    try:
        compare(run.shop, seen, result)
    finally:
        run.cluster.sql(change % -1)
    return [] if result.drift and result.broken and any(line.startswith("drift") for line in judge(result, BARS["quiet"])) else ["drift"]


async def without_copies(run):
    """All copies killed, behind the balancer without its error pages and behind the shipped one."""
    blind = []
    for front, bare in (("bare", True), ("shop", False)):

        async def kill_all(load):
            for i in (1, 2, 3):
                await later(run.shop.stop, i, signal.SIGKILL)
            await asyncio.sleep(5)
            for i in (1, 2, 3):
                await later(run.shop.start, i)

        result = await run.under_load("planted", kill_all, 15, front=front)
        wrong = judge(result, BARS["e"])
        found = any("503 bare" in sentence for sentence in wrong)
        blind += ["503 without Retry-After"] if found != bare or (not bare and not result.tries["503"]) else []
        blind += [] if any(sentence.startswith("copies restarted") for sentence in wrong) else ["restarted"]
    return blind


async def answered_500(run):
    """A shop that answers 500 to hasty clients."""

    async def defect(_):
        return web.Response(status=500)

    application = web.Application()
    application.router.add_post("/orders", defect)
    runner = web.AppRunner(application)
    await runner.setup()
    port = run.machine.port()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    load = await later(Load, run.shop, "planted", run.seed, 2, "shop", Demand(patient=0, hasty=4, rate=40, scarce=0))
    load.url = f"http://127.0.0.1:{port}/orders"
    seen, _ = await load.go(at=0)
    await runner.cleanup()
    result = Result("planted", acked=1000)
    result.tries.update(said for _, said in seen.tries)
    result.hasty = seen.hasty
    wrong = judge(result, BARS["quiet"])
    return [] if any("500" in line for line in wrong) and any("hasty" in line for line in wrong) else ["500"]


async def locked(run):
    """The table of orders, held for two seconds as by a migration that reads all of it."""

    def hold():
        with run.cluster.connect() as connection, connection.transaction():
            connection.execute("LOCK TABLE orders")
            connection.execute("SELECT pg_sleep(2)")

    async def event(_):
        await later(hold)

    result = await run.under_load("planted", event, 12)
    return [] if any(line.startswith(STOPPED) for line in judge(result, BARS["large"])) else ["locked"]


def mailed_twice(run):
    """The same e-mail at the mail server, twice."""
    for _ in range(2):
        with contextlib.closing(smtplib.SMTP("127.0.0.1", run.shop.mail)) as server:
            server.sendmail("a@example.com", ["b@example.com"], "Message-ID: <planted@example.com>\r\n\r\nPlanted\r\n")
    found = until(lambda: run.shop.deliveries("mails")["<planted@example.com>"] == 2, 5)
    return [] if found else ["e-mail twice"]


async def asynchronous(run):
    """The cluster without synchronous commits: what only the primary has is lost with it, and that has to be noticed."""
    cluster = run.cluster
    leader = await later(cluster.leader)

    def configure(mode):
        body = {"synchronous_mode": mode, "synchronous_mode_strict": mode != "off"}
        if not cluster.patch(cluster.leader(), body):
            raise Broken("the configuration of the cluster cannot be changed")

    async def lose(_):
        # What a standby that is only paused was sent already would wait for it in its socket.
        standbys = [n for n in cluster.members() if n != leader]
        for n in standbys:
            await later(cluster.kill_node, n)
        await asyncio.sleep(2)
        await later(cluster.kill_node, leader)
        for n in standbys:
            await later(cluster.start_node, n)
        await asyncio.sleep(25)
        await later(cluster.start_node, leader)
        await asyncio.sleep(5)
        await later(configure, "quorum")

    before = "SELECT current_setting('synchronous_standby_names') = ''"
    await later(configure, "off")
    if not await later(until, lambda: cluster.sql(before)[0][0], 30):
        raise Broken("commits still wait for standbys")
    result = await run.under_load("planted", lose, 60, well_first=False)
    run.notes = f"without synchronous commits {result.lost} acknowledged orders were lost"
    return [] if result.lost and any(line.startswith("lost") for line in judge(result, BARS["c2"])) else ["asynchronous"]


def looks(run):
    """What each look at a fault says while nothing happens but orders: a look that sees something there would see every fault."""
    cluster, shop = run.cluster, run.shop
    before, standby, old = cluster.reigning(), cluster.standby(), shop.runs()[1]
    leader, read = before[0], scans(cluster, standby)
    pids = cluster.node_of(leader)
    doors = [(cluster.port[leader], HELLO), (cluster.rest[leader], ASK), *((port, ASK) for port, _ in cluster.etcd.values())]
    return {
        DIED: gone(pids),
        STOOD: stand_still(pids),
        SILENT: any(hangs(port, words) for port, words in doors),
        MOVED: comes(moved, cluster, before, 1),
        TOOK_OVER: comes(took_over, cluster, before, 1),
        BEHIND: stays_behind(cluster, leader, standby),
        RENEWED: renewed(shop, 1, old),
        AHEAD: is_ahead(shop, 1, 90),
        READ: scans(cluster, standby) > read,
    }


async def planted(run):
    async def look(_):
        return await later(looks, run)

    sound = await run.under_load("planted", look, 20)
    run.saw(WAITS, await later(copies_wait, run.shop))
    seen = run.seen
    result = Result("planted", ordered=False)
    result.broken += judge(sound, BARS["quiet"])
    blind = [f"nothing happened, and {effect}" for effect, happened in run.returned.items() if happened]
    blind += await later(in_the_tables, run, seen)
    blind += await later(in_the_stock, run, seen)
    blind += await later(mailed_twice, run)
    blind += await answered_500(run)
    blind += await locked(run)
    blind += await without_copies(run)
    blind += await asynchronous(run)
    result.notes += [
        "planted: lost, twice, oversold, outbox twice, drift, e-mail twice, 500, locked, 503 bare, restarted, asynchronous, nothing at all",
        run.notes,
    ]
    result.broken += [f"a planted fault was not found: {kind}" for kind in blind]
    return result


SCENARIOS = {"planted": planted}
