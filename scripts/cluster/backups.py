"""Backup and restore, word for word from docs/operations.md."""

import asyncio
import os

from books import books
from document import blocks, perform
from failures import later
from machine import Broken, program, until
from shop import program_under_test


def shell(run, more):
    """What an operator's shell has: the programs, and the variables that the document names."""
    folders = [run.cluster.bin, os.path.dirname(program("pgbackrest")), os.path.dirname(program_under_test()), os.environ["PATH"]]
    return {"PATH": ":".join(map(str, folders)), **more}


def empty_server(run, name):
    """A PostgreSQL of its own beside the cluster, and its port."""
    data, port = run.machine.folder / name / "data", run.machine.port()
    data.parent.mkdir()
    run.machine.own(data.parent)
    made = [run.cluster.bin / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"]
    if run.machine.run(made, postgres=True).returncode:
        raise Broken(f"initdb {data}")
    run.machine.server(data)
    more = ["-c", "listen_addresses=127.0.0.1", "-c", "max_wal_size=1GB", "-c", "shared_buffers=256MB", "-c", "max_connections=200"]
    run.machine.start(name, [run.cluster.bin / "postgres", "-D", data, "-p", port, "-k", data.parent, *more], postgres=True, folder=data)
    if not until(lambda: run.cluster.answers(port, "postgres", "postgres"), 30):
        raise Broken(f"{name} does not start: {run.machine.log(name)[-500:]}")
    return port


def there(run, port):
    """The keys of the last load's orders that a server has."""
    rows = run.cluster.sql("SELECT contact_address FROM orders WHERE contact_address LIKE %s", f"{run.seen.run} %", port=port)
    return {address.split(" ")[1] for (address,) in rows}


async def restore(run):
    """A dump while orders go on, and its restoration into an empty server."""
    dump, load_it = blocks("A dump")
    folder = run.machine.folder / "dump"
    folder.mkdir()
    begun = {}

    async def back_up(load):
        begun["at"] = load.since()
        await later(perform, run.machine, dump, shell(run, {"DATABASE_URL": run.cluster.url()}), folder=folder)
        begun["took"] = load.since() - begun["at"]

    result = await run.under_load("restore", back_up, 30)
    port = await later(empty_server, run, "restored")
    new = {"NEW_SERVER": f"postgres://postgres@127.0.0.1:{port}/postgres", "NEW_DATABASE_URL": f"postgres://driveline@127.0.0.1:{port}/driveline"}
    said = await later(perform, run.machine, load_it, shell(run, new), folder=folder)
    kept = await later(there, run, port)
    missing = [key for key, _, _, acked, _ in run.seen.acked if acked < begun["at"] and key not in kept]
    result.notes.append(f"dumped in {begun['took']:.1f} s under load; {len(kept)} orders of this load restored; {said[-2].strip()}")
    result.broken += [f"{len(missing)} orders acknowledged before the dump are not in it"] if missing or not kept else []
    result.broken += [f"restored: {sentence}" for sentence in await later(books, run.shop, new["NEW_DATABASE_URL"])]
    result.broken += [] if "(0 rows)" in said[-1] else [f"restored: {said[-1]}"]
    await later(run.machine.stop, "restored")
    return result


async def moment(run):
    """A backup under load, a mistake, and the recovery of the moment before it."""
    _, back_up, recover = blocks("To a moment")
    cut, home = {}, run.machine.folder / "recovered"
    home.mkdir()
    run.machine.own(home)
    data, port = home / "data", run.machine.port()
    leader = await later(run.cluster.leader)
    node = run.machine.folder / f"n{leader}"
    env = shell(run, {"PGBACKREST_CONFIG": node / "pgbackrest.conf", "PGHOST": node, "PGPORT": run.cluster.port[leader]})

    async def mistake(load):
        await later(perform, run.machine, back_up, env, True)
        await asyncio.sleep(6)
        cut["moment"] = str((await later(run.cluster.sql, "SELECT clock_timestamp()"))[0][0])
        cut["at"] = load.since()
        await asyncio.sleep(0.5)
        await later(run.cluster.sql, "UPDATE products SET description = 'A mistake'")
        await asyncio.sleep(6)

    result = await run.under_load("moment", mistake, 60)
    more = {"MOMENT": cut["moment"], "RESTORED": data, "RESTORED_PORT": port}
    data.mkdir(mode=0o700)
    run.machine.own(data)
    run.machine.server(data)
    await later(perform, run.machine, recover, {**env, **more}, True)
    open_ = await later(until, lambda: not run.cluster.sql("SELECT pg_is_in_recovery()", port=port)[0][0], 120)
    kept = await later(there, run, port)
    missing = [key for key, _, _, acked, _ in run.seen.acked if acked < cut["at"] and key not in kept]
    # An order that was asked for before the moment and acknowledged after it may be either.
    later_ones = [key for key, _, begun, *_ in run.seen.acked if begun > cut["at"] + 0.5 and key in kept]
    mistaken = run.cluster.sql("SELECT count(*) FROM products WHERE description = 'A mistake'", port=port)[0][0]
    result.notes.append(f"{len(kept)} orders of this load at the moment; {len(missing)} missing, {len(later_ones)} of later, {mistaken} mistakes")
    result.broken += [] if open_ and kept else ["the recovered server does not open"]
    result.broken += ["what was recovered is not the moment"] if missing or later_ones or mistaken else []
    result.broken += [f"recovered: {sentence}" for sentence in await later(books, run.shop, run.cluster.url_at(port))]
    await later(run.cluster.sql, "UPDATE products SET description = 'A part'")
    pid = run.machine.postmaster(data)
    await later(run.machine.run, [run.cluster.bin / "pg_ctl", "-D", data, "-m", "fast", "-w", "stop"], None, True)
    result.broken += [] if pid else ["the recovered server had ended"]
    return result


SCENARIOS = {"restore": restore, "moment": moment}
