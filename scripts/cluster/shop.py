"""The shop: three copies of `driveline serve` behind deploy/haproxy.cfg, its accounts and its products."""

import base64
import collections
import json
import os
import pathlib
import re
import signal
import sys
import time
import urllib.error
import urllib.request

from database import put_in
from machine import ENDING, ROOT, Broken, alive, faketime_library, program, say, until

COPIES = (1, 2, 3)
BUYERS = 16
PRODUCTS = 50
UNITS = 10_000_000
LOT = 50
PASSWORD = "a long walk home"
ERROR_PAGES = re.compile(r"^ *http-error status .*\n", re.M)


class Shop:
    def __init__(self, machine, cluster, binary, name="copy"):
        """A second shop beside the first needs another name for its processes."""
        self.name = name
        self.machine = machine
        self.cluster = cluster
        self.binary = binary
        self.port = {i: machine.port() for i in COPIES}
        self.metrics = {i: machine.port() for i in COPIES}
        self.fronts = {}
        self.mail, self.hooks = machine.port(), machine.port()
        self.settings = {}
        # Where its database is, unless that is the cluster's primary.
        self.database_port = None
        self.starts = collections.Counter()
        self.buyers, self.products, self.admin = [], [], None
        (machine.folder / "data").mkdir(exist_ok=True)

    # --- the copies -------------------------------------------------------------------------------------------------

    def environment(self, i, more):
        return {
            "DATABASE_URL": self.cluster.url(),
            "HOST": "127.0.0.1",
            "PORT": self.port[i],
            "METRICS_ADDR": f"127.0.0.1:{self.metrics[i]}",
            "PUBLIC_URL": f"http://127.0.0.1:{self.fronts['shop']}",
            "TRUSTED_PROXIES": "127.0.0.1",
            "DATA_DIR": self.machine.folder / "data",
            "TOKEN_SECRET": base64.b64encode(b"a secret of this run, for nobody").decode(),
            "ADMIN_SECOND_FACTOR": "optional",
            "STRIPE_SECRET_KEY": "sk_test_cluster",
            "STRIPE_PUBLISHABLE_KEY": "pk_test_cluster",
            "STRIPE_WEBHOOK_SECRET": "whsec_Y2x1c3RlcmNsdXN0ZXJjbHVzdGVy",
            "STRIPE_API_BASE": "http://127.0.0.1:9",
            "SMTP_URL": f"smtp://127.0.0.1:{self.mail}",
            "MAIL_FROM": "Driveline <orders@shop.example.com>",
            "OUTGOING_WEBHOOKS_ALLOW_PRIVATE": "true",
            # Thirty clients at one address are not one client, and none of them pays.
            "RATE_LIMIT_PER_SECOND": 1_000_000,
            "RATE_LIMIT_BURST": 1_000_000,
            "READ_LIMIT_PER_SECOND": 1_000_000,
            "READ_LIMIT_BURST": 1_000_000,
            "EMAIL_LIMIT_PER_MINUTE": 10_000,
            "EMAIL_LIMIT_BURST": 10_000,
            "UNPAID_ORDERS_NEW": 2_000_000_000,
            "RUST_LOG": "info,http_adapter::middleware::observe=warn",
            **self.settings,
            **more,
        }

    def start(self, i, wait=60, **more):
        """Starts a copy and returns the seconds until it was ready, or nothing if it is not to be waited for."""
        begun = time.monotonic()
        self.starts[i] += 1
        process = self.machine.start(f"{self.name}{i}", [self.binary, "serve"], self.environment(i, more))

        def ready():
            if process.poll() is not None:
                raise Broken(f"copy {i} ended with {process.returncode}: {self.machine.log(f'{self.name}{i}')[-1500:]}")
            return self.cluster.asked(self.port[i], "/health/ready")

        if wait and not until(ready, wait, 0.05):
            raise Broken(f"copy {i} is not ready after {wait} s: {self.machine.log(f'{self.name}{i}')[-1500:]}")
        return time.monotonic() - begun

    def start_ahead(self, i, seconds):
        """Starts a copy whose clock is ahead. It must not get ready, so nobody waits for that."""
        return self.start(i, wait=0, LD_PRELOAD=faketime_library(), FAKETIME=f"+{seconds}s", FAKETIME_DONT_FAKE_MONOTONIC=1)

    def stop(self, i, how=signal.SIGTERM):
        return self.machine.stop(f"{self.name}{i}", how, grace=45)

    def restart(self, settings=None):
        """All copies anew, with settings of their own until the next restart."""
        self.settings = settings or {}
        for i in COPIES:
            self.stop(i, signal.SIGTERM if self.machine.started.get(f"{self.name}{i}") else signal.SIGKILL)
        for i in COPIES:
            self.start(i)

    def runs(self):
        """Which process each copy is: another one, or one that has ended, was restarted."""
        running = {}
        for i in COPIES:
            process = self.machine.started.get(f"{self.name}{i}")
            running[i] = process.pid if process and alive(process.pid) else None
        return running

    # --- in front of them -------------------------------------------------------------------------------------------

    def start_fronts(self):
        """The shipped balancer, one like it that tries no other copy, and one that has lost its error pages."""
        shipped = (ROOT / "deploy/haproxy.cfg").read_text()
        once = put_in(shipped, [("retries 2", "retries 0"), ("    option redispatch\n", "    no option redispatch\n")], "deploy/haproxy.cfg")
        once = put_in(once, [("    retry-on conn-failure\n", "")], "deploy/haproxy.cfg")
        for name, text in {"shop": shipped, "once": once, "bare": ERROR_PAGES.sub("", shipped)}.items():
            self.fronts[name] = self.machine.port()
            copies = [(f"10.0.0.1{i}:8080", f"127.0.0.1:{self.port[i]}") for i in COPIES]
            text = put_in(text, [*copies, ("bind :80", f"bind 127.0.0.1:{self.fronts[name]}")], "deploy/haproxy.cfg")
            path = self.machine.folder / f"haproxy-{self.name}-{name}.cfg"
            # A run may not open as many files as a balancer of its own machine.
            path.write_text(text.replace("maxconn 20000", "maxconn 4000"))
            self.machine.start(f"haproxy-{self.name}-{name}", [program("haproxy"), "-f", path, "-db"])

    # --- accounts and products --------------------------------------------------------------------------------------

    def call(self, method, path, body=None, token="", cookie="", port=None):
        """The answer as JSON, and its headers."""
        headers = {"content-type": "application/json"}
        if token:
            headers["authorization"] = f"Bearer {token}"
        if cookie:
            headers["cookie"] = cookie
        url = f"http://127.0.0.1:{port or self.fronts['shop']}{path}"
        request = urllib.request.Request(url, None if body is None else json.dumps(body).encode(), headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.loads(answer.read() or b"null"), answer.headers
        except urllib.error.HTTPError as refused:
            raise Broken(f"{method} {path}: {refused.code} {refused.read()[:300]!r}") from refused

    def sign_up(self, email):
        _, headers = self.call("POST", "/auth/signup", {"name": "Some Body", "email": email, "password": PASSWORD})
        return "; ".join(cookie.split(";")[0] for cookie in headers.get_all("set-cookie"))

    def token(self, email, cookie):
        """An access token, which is good for a quarter of an hour. A shop that is just coming back is waited for."""
        end = time.monotonic() + 60
        while True:
            try:
                return self.call("PUT", f"/user/{email}", {}, cookie=cookie)[0]["token"]
            except (Broken, OSError):
                if time.monotonic() > end or ENDING.is_set():
                    raise
                time.sleep(0.5)

    def tokens(self):
        return [self.token(email, cookie) for email, cookie in self.buyers]

    def product(self, name, units=UNITS):
        part = {"name": name, "description": "A part", "category": "BRAKES", "img": "/pictures/x.webp", "price": 2}
        part = {**part, "availableQty": units, "minOrder": LOT}
        return self.call("POST", "/products", part, token=self.token(*self.admin))[0]["insertedId"]

    def open(self):
        """The world outside, the copies, and what is bought by whom."""
        sinks = [sys.executable, ROOT / "scripts/cluster/sinks.py", self.mail, self.hooks, self.machine.folder]
        self.machine.start(f"sinks-{self.name}", sinks)
        self.start_fronts()
        for i in COPIES:
            say(f"copy {i} is ready after {self.start(i):.1f} s")
        if not until(lambda: self.cluster.asked(self.fronts["shop"], "/health/ready"), 20):
            raise Broken("the balancer does not answer")
        self.admin = ("admin@example.com", self.sign_up("admin@example.com"))
        made = [self.binary, "admin", "grant", "--unverified", "admin@example.com"]
        granted = self.machine.run(made, {"DATABASE_URL": self.environment(1, {})["DATABASE_URL"]})
        if granted.returncode:
            raise Broken(f"no admin: {granted.stderr}")
        # Whoever has just become an admin is one on every copy half a second later.
        time.sleep(1)
        self.buyers = [(f"buyer{k}@example.com", self.sign_up(f"buyer{k}@example.com")) for k in range(BUYERS)]
        # Addresses that nobody has confirmed get only some e-mails an hour.
        confirmed = "UPDATE accounts SET email_verified_at = now() WHERE email_verified_at IS NULL"
        self.cluster.sql(confirmed, port=self.database_port)
        self.products = [self.product(f"Part {k}") for k in range(PRODUCTS)]
        events = ["order.ordered", "order.paid", "order.shipped", "order.cancelled", "order.refunded"]
        endpoint = {"url": f"http://127.0.0.1:{self.hooks}/hook", "events": events}
        self.call("POST", "/webhook-endpoints", endpoint, token=self.token(*self.admin))

    # --- what arrived -----------------------------------------------------------------------------------------------

    def deliveries(self, kind):
        """How often each e-mail ("mails") or webhook call ("hooks") arrived, by its id."""
        path = self.machine.folder / f"{kind}.tsv"
        lines = path.read_text().splitlines() if path.exists() else []
        return collections.Counter(line.split("\t")[0] for line in lines)


def program_under_test():
    """The release program, or the one that DRIVELINE names."""
    path = pathlib.Path(os.environ.get("DRIVELINE", ROOT / "target/release/driveline")).absolute()
    if not os.access(path, os.X_OK):
        raise Broken(f"{path} is not there: make build")
    return path
