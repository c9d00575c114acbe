"""What a scenario has to be judged by: the orders that are there, the books, and what the clients saw."""

import collections
from dataclasses import dataclass, field

from machine import ROOT, Broken
from shop import LOT

BOOKS = ROOT / "target/debug/examples/books"
# A sentence of the books about units that are somewhere else than where they belong.
OF_STOCK = ("what a product has available", "holds less than nothing", "every order took its units", "has returned its units")
TWICE_IN_THE_OUTBOX = """
    SELECT count(*) FROM (
        SELECT FROM outbox WHERE event_id IS NOT NULL GROUP BY channel, event_id, topic, endpoint_id HAVING count(*) > 1
    ) AS twice"""


@dataclass
class Result:
    """One scenario: what was counted, and what it says beside that."""

    scenario: str
    acked: int = 0
    # The longest time without an acknowledged order, and when the last try was refused, counted from the event.
    stopped: float = 0.0
    settled: float = 0.0
    hasty: collections.Counter = field(default_factory=collections.Counter)
    tries: collections.Counter = field(default_factory=collections.Counter)
    gave_up: int = 0
    slowest: float = 0.0
    lost: int = 0
    twice: int = 0
    drift: int = 0
    oversold: int = 0
    outbox_twice: int = 0
    broken: list = field(default_factory=list)
    restarted: int = 0
    notes: list = field(default_factory=list)
    # What its fault did, and whether that was seen: a name of bars.py for each.
    effects: dict = field(default_factory=dict)
    # Whether orders were placed at all: some scenarios are about something else.
    ordered: bool = True


def longest_gap(seen, seconds):
    """The longest time without an acknowledged order that had not ended when the event came."""
    times = [0.0, *sorted(acked for *_, acked, _ in seen.acked), seconds]
    return max((after - before for before, after in zip(times, times[1:]) if after > seen.event), default=0.0)


def counted(shop, name, seen, seconds, **where):
    """What the clients saw, against what the database has (as `compare`)."""
    result = Result(name, acked=len(seen.acked), hasty=seen.hasty, gave_up=len(seen.left))
    result.tries = collections.Counter(said for _, said in seen.tries)
    refused = [at - seen.event for at, said in seen.tries if said not in ("201", "409") and at > seen.event]
    result.stopped, result.settled = longest_gap(seen, seconds), max(refused, default=0.0)
    result.slowest = max((acked - begun for _, _, begun, acked, _ in seen.acked), default=0.0)
    result.notes += seen.unusual
    compare(shop, seen, result, **where)
    return result


def compare(shop, seen, result, sql=None, url=None):
    """Fills in what is lost, twice or wrong, as the database has it now: the cluster's, or that which `sql` asks. An empty `url`
    leaves the books out."""
    sql = sql or shop.cluster.sql
    statement = "SELECT id::text, contact_address, product_id::text FROM orders WHERE contact_address LIKE %s"
    rows = sql(statement, f"{seen.run} %")
    placed = collections.defaultdict(set)
    for order, address, _ in rows:
        placed[address.split(" ")[1]].add(order)
    answered = collections.defaultdict(set)
    for key, order, *_ in seen.acked:
        answered[key].add(order)
    result.lost = sum(order not in placed[key] for key, orders in answered.items() for order in orders)
    result.twice = sum(len(orders) > 1 for orders in [*placed.values(), *answered.values()])
    if seen.scarce:
        sold = sum(part == seen.scarce for *_, part in rows)
        had = sql("SELECT sum(delta) FROM stock_ledger WHERE product_id = %s AND kind = 'received'", seen.scarce)[0][0] // LOT
        result.oversold = max(0, sold - had)
    result.outbox_twice = sql(TWICE_IN_THE_OUTBOX)[0][0]
    result.broken = [] if url == "" else books(shop, url or f"{shop.cluster.url()}?target_session_attrs=read-write")
    result.drift = sum(any(words in sentence for words in OF_STOCK) for sentence in result.broken)


def books(shop, url):
    """The violated invariants of a database."""
    ended = shop.machine.run([BOOKS, url])
    if ended.returncode and not ended.stdout:
        raise Broken(f"the books could not be checked: {ended.stderr[-500:]}")
    return ended.stdout.splitlines()
