"""Scenarios about what a shop does beside selling: migrations, tidying up, clocks."""

import asyncio
import collections
import os
import subprocess
import time

from backups import empty_server
from bars import AHEAD
from books import Result, counted
from effects import is_ahead
from failures import later
from load import Load
from machine import ROOT
from shop import COPIES, Shop

ROWS = int(os.environ.get("ROWS", "5000000"))
OLD = int(os.environ.get("OLD", "2000000"))
# The first of the migrations that `large` takes back and applies again: the oldest whose absence the program's orders do not notice.
# Whoever adds a migration that they need raises it.
SINCE = "0100"
ORDERS = """
    SET session_replication_role = replica;
    INSERT INTO orders (id, buyer_id, contact_name, contact_email, contact_phone, contact_address, product_id, product_name, category,
        details, img, unit_price_cents, quantity, total_cents, placed_at, cancelled_at, payment_state, fulfilment, search_key, next_audit_at, number)
    SELECT lpad(to_hex(nth), 32, '0')::uuid, buyer.id, 'A', 'a@example.com', '1', 'A', part.id, 'P', 'BRAKES', 'd', '/p', 200, 50, 10000,
        now() - interval '30 days', now() - interval '29 days', 'unpaid', 'pending', 'a', now() + interval '10 years', nth + 1000000000
    FROM (SELECT id FROM accounts LIMIT 1) AS buyer, (SELECT id FROM products LIMIT 1) AS part, generate_series(1, {rows}) AS nth"""


def migrating(run, url):
    environment = run.machine.environment({"DATABASE_URL": url, "RUST_LOG": "info"})
    command = [str(run.shop.binary), "migrate"]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


async def migrate(run):
    """Three at once on an empty database, through each way to it."""
    cluster = run.cluster
    result = Result("migrate", ordered=False)
    steps = len(list((ROOT / "migrations").glob("*/up.sql")))
    ways = {"named": None, "proxy": cluster.proxy}
    ways |= {kind: await later(cluster.pool, kind) for kind in ("session", "transaction", "prepared")}
    for way, port in ways.items():
        database = f"migrated_{way}"
        await later(cluster.sql, f"CREATE DATABASE {database} OWNER driveline", database="postgres")
        url = cluster.url(database) if port is None else cluster.url_at(port, database)
        begun = time.monotonic()
        processes = [migrating(run, url) for _ in range(3)]
        try:
            said = [(await later(process.communicate, timeout=120))[0] for process in processes]
        finally:
            for process in processes:
                process.kill()
        exits = [process.returncode for process in processes]
        applied = (await later(cluster.sql, "SELECT count(*) FROM __diesel_schema_migrations", database=database))[0][0]
        times = collections.Counter(line for text in said for line in text.splitlines() if line.startswith("Applied"))
        locks = "SELECT count(*) FROM pg_locks JOIN pg_database ON oid = database WHERE locktype = 'advisory' AND datname = %s"
        left = (await later(cluster.sql, locks, database, database="postgres"))[0][0]
        took = time.monotonic() - begun
        result.notes.append(f"{way}: exits {exits}, {applied} of {steps} steps, {len(times)} said once each, {left} locks left, {took:.1f} s")
        if exits != [0, 0, 0] or applied != steps or left or sum(times.values()) != steps or len(times) != steps:
            result.broken.append(f"{result.notes[-1]}: {[text[-200:] for text in said]}")
        await later(cluster.sql, f"DROP DATABASE {database} WITH (FORCE)", database="postgres")
    return result


async def large(run):
    """The newest migrations on a server of its own with many orders, while a shop sells from it."""
    port = await later(empty_server, run, "large")
    shop = Shop(run.machine, run.cluster, run.shop.binary, "large-copy")

    def sql(statement, *values):
        return run.cluster.sql(statement, *values, port=port)

    await later(run.cluster.sql, "CREATE ROLE driveline LOGIN", port=port, database="postgres")
    await later(run.cluster.sql, "CREATE DATABASE driveline OWNER driveline", port=port, database="postgres")
    shop.database_port = port
    shop.settings = {"DATABASE_URL": f"postgres://driveline@127.0.0.1:{port}/driveline"}
    newest = sorted(folder.name for folder in (ROOT / "migrations").iterdir() if folder.name >= SINCE)
    try:
        await later(shop.open)
        begun = time.monotonic()
        await later(sql, ORDERS.format(rows=ROWS))
        await later(sql, "VACUUM ANALYZE orders")
        for name in reversed(newest):
            await later(sql, (ROOT / "migrations" / name / "down.sql").read_text())
        versions = [name.split("_")[0] for name in newest]
        filled = time.monotonic() - begun

        async def bring_up(_):
            # Not before, because a copy whose schema is behind is not asked; the program before these migrations would be.
            await later(sql, "DELETE FROM __diesel_schema_migrations WHERE version = ANY (%s)", versions)
            process = migrating(run, shop.settings["DATABASE_URL"])
            begun = time.monotonic()
            said = (await later(process.communicate, timeout=100))[0]
            return process.returncode, time.monotonic() - begun, said

        load = await later(Load, shop, "large", run.seed, 60)
        seen, (code, took, said) = await load.go(bring_up)
        result = await later(counted, shop, "large", seen, 60, sql=sql, url="")
        size = (await later(sql, "SELECT pg_size_pretty(pg_total_relation_size('orders'))"))[0][0]
        result.notes.append(f"{len(newest)} migrations from {newest[0]} on in {took:.1f} s; {ROWS:,} orders, {size}, filled in {filled:.0f} s")
        if code != 0 or said.count("Applied") != len(newest):
            result.broken.append(f"driveline migrate ended with {code}: {said[-400:]}")
        return result
    finally:
        for i in COPIES:
            await later(run.machine.stop, f"large-copy{i}", grace=0.5)
        for name in [name for name in run.machine.started if "large-copy" in name]:
            await later(run.machine.stop, name, grace=2)
        await later(run.machine.stop, "large")
        await later(run.machine.run, ["rm", "-rf", run.machine.folder / "large"])


async def clock(run):
    """A third copy whose clock is ahead: it must not be asked, and must not send again what others are about to send."""
    before = run.shop.deliveries("mails"), run.shop.deliveries("hooks")

    async def ahead(_):
        await later(run.shop.stop, 3)
        await later(run.shop.start_ahead, 3, 90)
        await asyncio.sleep(20)
        # One that answers nothing is not ready either.
        run.saw(AHEAD, await later(is_ahead, run.shop, 3, 90))
        run.ready = await later(run.cluster.asked, run.shop.port[3], "/health/ready")
        await later(run.shop.stop, 3)
        await later(run.shop.start, 3)

    result = await run.under_load("clock", ahead, 45, restarts=2)
    twice = {}
    for kind, earlier in zip(("mails", "hooks"), before):
        arrived = run.shop.deliveries(kind)
        twice[kind] = sum(count - earlier[name] > 1 for name, count in arrived.items())
        result.notes.append(f"{kind}: {sum(arrived.values()) - sum(earlier.values())} arrived, {twice[kind]} twice")
        if arrived.total() - earlier.total() < 100:
            result.broken.append(f"too few {kind} arrived to say anything")
    result.broken += [f"sent twice: {twice}"] if any(twice.values()) else []
    result.broken += ["a copy whose clock is 90 s ahead was ready"] if run.ready else []
    return result


async def tidy(run):
    """Old answers in millions, found by a copy at its start."""
    fill = """INSERT INTO answers (key, fingerprint, holder, claimed_at, sealed)
        SELECT decode(lpad(to_hex(nth), 64, '0'), 'hex'), decode(lpad(to_hex(nth), 64, '0'), 'hex'), gen_random_uuid(),
            now() - interval '2 days', decode(repeat('ab', 60), 'hex') FROM generate_series(1, %s) AS nth"""
    await later(run.cluster.sql, fill, OLD)
    await later(run.cluster.sql, "VACUUM ANALYZE answers")
    left = "SELECT EXISTS (SELECT FROM answers WHERE claimed_at < now() - interval '26 hours')"
    running = """SELECT coalesce(max(extract(epoch FROM clock_timestamp() - query_start)), 0)::float FROM pg_stat_activity
        WHERE usename = 'driveline' AND state = 'active' AND query ILIKE '%DELETE%answers%'"""
    measured = {"longest": 0.0}

    def watch():
        begun = time.monotonic()
        with run.cluster.connect() as connection:
            while time.monotonic() - begun < 90:
                measured["longest"] = max(measured["longest"], connection.execute(running).fetchone()[0])
                if not connection.execute(left).fetchone()[0]:
                    return time.monotonic() - begun
                time.sleep(0.05)
        return None

    async def restart(_):
        await later(run.shop.stop, 3)
        watching = asyncio.create_task(later(watch))
        await later(run.shop.start, 3)
        return await watching

    result = await run.under_load("tidy", restart, 60, restarts=1)
    gone = run.returned
    result.notes.append(f"{OLD:,} answers gone after {gone and round(gone, 1)} s, the longest statement took {measured['longest']:.2f} s")
    if gone is None or gone > 60 or measured["longest"] > 1:
        result.broken.append(result.notes[-1])
    if measured["longest"] == 0:
        result.broken.append("no statement that forgets answers was seen")
    return result


SCENARIOS = {"migrate": migrate, "large": large, "clock": clock, "tidy": tidy}
