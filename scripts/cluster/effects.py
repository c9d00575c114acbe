"""What a fault has done. Each scenario looks, because a fault that has missed looks just like one that was borne well.

Imports nothing that has to be installed, as bars.py, so that `make check` tries what compares (recorded.py). What asks a cluster
is tried by `planted` on one in which nothing happens.
"""

import asyncio
import contextlib
import email.utils
import signal
import socket
import time
import urllib.request

from bars import STOOD
from machine import alive, send, state, until

# The first message of a client that would like TLS, which PostgreSQL answers with one byte whatever it is set to
# (protocol, "SSLRequest").
HELLO = bytes([0, 0, 0, 8, 4, 210, 22, 47])
ASK = b"GET /health HTTP/1.0\r\n\r\n"
# How far a standby is, by the primary's account, and how far the primary is.
POSITIONS = """
    SELECT (SELECT replay_lsn::text FROM pg_stat_replication WHERE application_name = %s), pg_current_wal_lsn()::text"""
# Nothing but lists reads orders at a standby: not the server itself, and not the question after its state or its position.
SCANS = "SELECT coalesce(seq_scan, 0) + coalesce(idx_scan, 0) FROM pg_stat_user_tables WHERE relname = 'orders'"
COMMITS = "a commit waits for "

# --- processes ------------------------------------------------------------------------------------------------------


def stand_still(pids):
    """Whether processes are stopped: the first one surely, of the others those that have not ended meanwhile."""
    states = [state(pid) for pid in pids]
    return states[0] == "T" and set(states) <= {"T", "Z", ""}


@contextlib.asynccontextmanager
async def stopped(run, pids):
    """Stops processes for as long as a block lasts, and notes whether they stood still at its beginning and at its end."""
    send(pids, signal.SIGSTOP)
    try:
        # A process that waits for the disk stops after that.
        begun = asyncio.create_task(asyncio.to_thread(until, lambda: stand_still(pids), 1, 0.02))
        yield
        run.saw(STOOD, await begun and stand_still(pids))
    finally:
        send(pids, signal.SIGCONT)


def hangs(port, words):
    """Whether whoever listens at a port leaves a client without an answer. One that refuses it does not hang."""
    try:
        with socket.create_connection(("127.0.0.1", port), 1) as connection:
            connection.sendall(words)
            connection.recv(1)
            return False
    except TimeoutError:
        return True
    except OSError:
        return False


def node_hangs(cluster, n):
    return hangs(cluster.port[n], HELLO) and hangs(cluster.rest[n], ASK)


def etcd_hangs(cluster):
    return all(hangs(port, ASK) for port, _ in cluster.etcd.values())


# --- who leads, and who follows -------------------------------------------------------------------------------------


def moved(before, after):
    """Whether another node leads: each is asked for as (the leader, its timeline), or nothing where nobody leads."""
    return after is not None and after[0] != before[0]


def took_over(before, after):
    """Whether another node leads, or the same one after a promotion, with which a timeline begins."""
    return moved(before, after) or (after is not None and (after[1] or 0) > (before[1] or 0))


def comes(change, cluster, before, seconds=10):
    """Whether a change of the leader comes in time."""
    return until(lambda: change(before, cluster.reign()), seconds, 0.3)


def stayed(first, second):
    """Whether a standby has replayed nothing between two looks at POSITIONS, while the primary has written. One that the primary
    has lost meanwhile stays where it was, too."""
    return first[0] is not None and second[0] in (first[0], None) and first[1] != second[1]


def stays_behind(cluster, leader, standby):
    def positions():
        return cluster.sql(POSITIONS, f"n{standby}", port=cluster.port[leader])[0]

    # What it had said before it was stopped has arrived by then.
    time.sleep(1)
    first = positions()
    time.sleep(5)
    return stayed(first, positions())


def scans(cluster, n):
    """How often orders were read at a node. Its sessions say so about a second later, and the last time once they have rested for
    ten."""
    return cluster.sql(SCANS, port=cluster.port[n])[0][0]


# --- copies ---------------------------------------------------------------------------------------------------------


def renewed(shop, i, old):
    """Whether a copy's process is gone and another one in its place. That it was ready is what `Shop.start` has waited for."""
    new = shop.runs()[i]
    return old is not None and not alive(old) and new not in (None, old)


def clock_of(shop, i):
    """How many seconds a copy's clock is ahead of the machine's, or nothing if it says no time."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{shop.port[i]}/health/live", timeout=2) as answer:
            said = answer.headers.get("date")
    except OSError:
        return None
    return said and email.utils.parsedate_to_datetime(said).timestamp() - time.time()


def is_ahead(shop, i, seconds):
    ahead = clock_of(shop, i)
    return ahead is not None and abs(ahead - seconds) < 5


def waits_for_standby(log):
    """Whether the last that a copy has said about commits is that they wait for a standby."""
    said = [line for line in log.splitlines() if COMMITS in line]
    return bool(said) and f"{COMMITS}a standby" in said[-1]


def copies_wait(shop):
    return all(waits_for_standby(shop.machine.log(f"{shop.name}{i}")) for i in shop.port)
