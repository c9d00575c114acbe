"""Clients that order while something breaks. Patient ones repeat a request under its key until they have an answer; hasty ones
ask once. What each of them saw is noted."""

import asyncio
import collections
import random
import time
from dataclasses import dataclass, field

import aiohttp

from shop import LOT

# What a patient client repeats; everything else is an answer.
AGAIN = {"408", "429", "500", "502", "503", "504"}


@dataclass(frozen=True)
class Demand:
    """How much is wanted. One order in twelve is for a product of which there is not enough."""

    patient: int = 24
    hasty: int = 8
    rate: int = 90
    scarce: int = 60


HEAVY = Demand(patient=64, hasty=24, rate=400, scarce=400)


@dataclass
class Seen:
    """What the clients of one scenario saw. Times are seconds since the load began."""

    run: str
    # Of each acknowledged order: its key, its id, when it was first asked for, when it was acknowledged, after how many tries.
    acked: list = field(default_factory=list)
    # Of each try: when it was answered, and what.
    tries: list = field(default_factory=list)
    hasty: collections.Counter = field(default_factory=collections.Counter)
    # What patient clients had not got when they gave up.
    left: list = field(default_factory=list)
    scarce: str = ""
    event: float = 0.0
    unusual: list = field(default_factory=list)


class Load:
    def __init__(self, shop, name, seed, seconds, front="shop", demand=Demand()):
        self.shop, self.seconds, self.demand = shop, seconds, demand
        self.url = f"http://127.0.0.1:{shop.fronts[front]}/orders"
        self.seed = f"{seed}-{name}"
        self.run = f"{name}-{random.SystemRandom().randrange(16**8):08x}"
        self.seen = Seen(self.run)
        self.tokens = shop.tokens()
        if demand.scarce:
            self.seen.scarce = shop.product(f"Scarce part {self.run}", demand.scarce * LOT)

    def since(self):
        return time.monotonic() - self.begun

    async def ask(self, session, key, token, part):
        """One try: what was answered, the order's id if it is one, and how long to wait."""
        body = {"productId": part, "quantity": LOT, "name": "Some Body", "phone": "+1 555 0100", "address": f"{self.run} {key}"}
        headers = {"authorization": f"Bearer {token}", "idempotency-key": key}
        order, wait = None, None
        try:
            async with session.post(self.url, json=body, headers=headers) as answer:
                text = await answer.text()
                said = str(answer.status)
                wait = answer.headers.get("retry-after")
                if answer.status == 201:
                    order = (await answer.json())["insertedId"]
                elif answer.status == 503 and wait is None:
                    said = "503 bare"
                if said not in ("201", "409", "503") and len(self.seen.unusual) < 5:
                    self.seen.unusual.append(f"{said}: {text[:160]}")
        except asyncio.TimeoutError:
            said = "no answer"
        except (aiohttp.ClientError, OSError) as error:
            said = "cut" if isinstance(error, aiohttp.ServerDisconnectedError | ConnectionResetError) else type(error).__name__
        self.seen.tries.append((self.since(), said))
        return said, order, float(wait or 0.3)

    async def order(self, session, chance, key, token, part, patient):
        """Asks for one order until it is answered; a hasty client takes the first thing that it hears."""
        begun, tries = self.since(), 0
        while True:
            tries += 1
            said, order, wait = await self.ask(session, key, token, part)
            if order:
                self.seen.acked.append((key, order, begun, self.since(), tries))
            if not patient:
                self.seen.hasty[said] += 1
                return
            if order or (said[0].isdigit() and said[:3] not in AGAIN):
                return
            if self.since() > self.seconds + 90:
                self.seen.left.append((key, said))
                return
            await asyncio.sleep(min(wait, 2) * (0.5 + chance.random()))

    async def client(self, number, patient):
        chance = random.Random(f"{self.seed}-{number}")
        pause = (self.demand.patient + self.demand.hasty) / self.demand.rate
        token = self.tokens[number % len(self.tokens)]
        connector = aiohttp.TCPConnector(limit=1, keepalive_timeout=25)
        async with aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(total=15)) as session:
            await asyncio.sleep(chance.random() * pause)
            count = 0
            while self.since() < self.seconds:
                begun = self.since()
                scarce = self.seen.scarce and chance.random() < 1 / 12
                part = self.seen.scarce if scarce else chance.choice(self.shop.products)
                await self.order(session, chance, f"{self.run}-{number}-{count}", token, part, patient)
                count += 1
                await asyncio.sleep(max(0.0, pause - (self.since() - begun)) * (0.7 + 0.6 * chance.random()))

    async def go(self, event=None, at=6):
        """Runs all clients, and the event after some seconds. Returns what was seen and what the event returned."""
        self.begun = time.monotonic()

        async def happen():
            await asyncio.sleep(at)
            self.seen.event = self.since()
            return await event(self) if event else None

        happening = asyncio.create_task(happen())
        numbers = range(self.demand.patient + self.demand.hasty)
        await asyncio.gather(*(self.client(number, number < self.demand.patient) for number in numbers))
        return self.seen, await happening
