"""The database: etcd, three PostgreSQL under Patroni, HAProxy and PgBouncer in front of them, from the files of deploy/cluster."""

import json
import os
import signal
import time
import urllib.error
import urllib.request

import psycopg

from machine import ENDING, FILES, TOOLS, Broken, Missing, family, gone, postgres_programs, program, say, send, until

NODES = (1, 2, 3)
PASSWORD = "a-long-walk-home"
LEADERS = ("leader", "master", "primary")
POOLERS = {"session": ("pgbouncer", "session"), "transaction": ("pgbouncer", "transaction"), "prepared": ("pgbouncer-new", "transaction")}


def put_in(text, addresses, origin):
    """A shipped file with the addresses and folders of this run. One that the file does not have is a mistake of this table."""
    for shipped, ours in addresses:
        if shipped not in text:
            raise Broken(f"{origin} has no {shipped!r}")
        text = text.replace(shipped, str(ours))
    return text


class Cluster:
    def __init__(self, machine):
        self.machine = machine
        self.bin = postgres_programs()
        self.port = {n: machine.port() for n in NODES}
        self.rest = {n: machine.port() for n in NODES}
        self.etcd = {n: (machine.port(), machine.port()) for n in NODES}
        self.proxy = machine.port()
        self.pools = {}
        self.repository = machine.folder / "backups"
        # As an ordinary user PostgreSQL's roles are not called like the user.
        self.local = [] if machine.root else [("local all all peer", "local all all trust")]

    # --- the files --------------------------------------------------------------------------------------------------

    def write(self, name, path, addresses):
        path.write_text(put_in((FILES / name).read_text(), addresses, f"deploy/cluster/{name}"))
        return self.machine.own(path)

    def etcd_file(self, n):
        peers = ",".join(f"e{k}=http://127.0.0.1:{self.etcd[k][1]}" for k in NODES)
        folder = self.machine.folder / f"etcd{n}"
        return self.write("etcd.yml", self.machine.folder / f"etcd{n}.yml", [
            ("e1=http://10.0.0.21:2380,e2=http://10.0.0.22:2380,e3=http://10.0.0.23:2380", peers),
            ("name: e1", f"name: e{n}"),
            ("/var/lib/etcd", folder),
            ("10.0.0.21:2379", f"127.0.0.1:{self.etcd[n][0]}"),
            ("10.0.0.21:2380", f"127.0.0.1:{self.etcd[n][1]}"),
        ])

    def backup_file(self, n):
        home = self.machine.folder / f"n{n}"
        return self.write("pgbackrest.conf", home / "pgbackrest.conf", [
            ("/var/lib/pgbackrest", self.repository / "repository"),
            ("/var/log/pgbackrest", self.repository / "log"),
            ("/tmp/pgbackrest", self.repository / f"lock{n}"),
            ("/var/spool/pgbackrest", self.repository / f"spool{n}"),
            ("/var/lib/postgresql/15/main", home / "data"),
            ("pg1-port=5432", f"pg1-port={self.port[n]}"),
            ("/var/run/postgresql", home),
        ])

    def node_file(self, n):
        home = self.machine.folder / f"n{n}"
        etcd = ",".join(f"127.0.0.1:{self.etcd[k][0]}" for k in NODES)
        return self.write("patroni.yml", home / "patroni.yml", [
            ("name: n1", f"name: n{n}"),
            ("10.0.0.31:8008", f"127.0.0.1:{self.rest[n]}"),
            ("10.0.0.31:5432", f"127.0.0.1:{self.port[n]}"),
            ("10.0.0.21:2379,10.0.0.22:2379,10.0.0.23:2379", etcd),
            ("/var/lib/postgresql/15/main", home / "data"),
            ("/usr/lib/postgresql/15/bin", self.bin),
            ("/var/lib/postgresql/pgpass", home / "pgpass"),
            ("/var/run/postgresql", home),
            ("10.0.0.0/24", "127.0.0.1/32"),
            *self.local,
        ])

    def secrets(self, n):
        lines = (FILES / "patroni.env").read_text().splitlines()
        names = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
        passwords = {name: PASSWORD if name.endswith("_PASSWORD") else value for name, value in names.items()}
        home = self.machine.folder / f"n{n}"
        path = f"{os.path.dirname(program('pgbackrest'))}:{os.environ['PATH']}"
        return {**passwords, "HOME": home, "PGBACKREST_CONFIG": home / "pgbackrest.conf", "PATH": path}

    # --- starting ---------------------------------------------------------------------------------------------------

    def start(self):
        if not (TOOLS / "bin/patroni").exists():
            raise Missing("Patroni is not there")
        self.prepare_backups()
        for n in NODES:
            self.machine.start(f"etcd{n}", [program("etcd"), "--config-file", self.etcd_file(n)])
        if not until(lambda: self.asked(self.etcd[1][0], "/health"), 30):
            raise Broken(f"etcd does not answer: {self.machine.log('etcd1')[-800:]}")
        for n in NODES:
            home = self.machine.folder / f"n{n}"
            home.mkdir(mode=0o700)
            self.machine.own(home)
            self.node_file(n)
            self.backup_file(n)
            self.machine.server(home / "data")
            self.start_node(n)
            # The first one makes the cluster, the others copy it.
            if n == 1 and not until(lambda: self.asked(self.rest[1], "/primary"), 90):
                raise Broken(f"the first node does not start: {self.machine.log('patroni1')[-1500:]}")
        self.start_proxy()
        self.is_well(120)
        self.sql(f"CREATE ROLE driveline LOGIN PASSWORD '{PASSWORD}'", database="postgres")
        self.sql("CREATE DATABASE driveline OWNER driveline", database="postgres")

    def prepare_backups(self):
        for folder in ["", "repository", "log", *(f"lock{n}" for n in NODES), *(f"spool{n}" for n in NODES)]:
            path = self.repository / folder
            path.mkdir()
            self.machine.own(path)

    def start_node(self, n):
        home = self.machine.folder / f"n{n}"
        self.machine.start(f"patroni{n}", [TOOLS / "bin/patroni", home / "patroni.yml"], self.secrets(n), postgres=True)

    def start_proxy(self):
        servers = [(f"10.0.0.3{n}:5432", f"127.0.0.1:{self.port[n]}") for n in NODES]
        checks = [(f"addr 10.0.0.3{n} port 8008", f"addr 127.0.0.1 port {self.rest[n]}") for n in NODES]
        path = self.machine.folder / "haproxy-database.cfg"
        self.write("haproxy-database.cfg", path, [*servers, *checks, ("127.0.0.1:5000", f"127.0.0.1:{self.proxy}")])
        self.machine.start("haproxy-database", [program("haproxy"), "-f", path, "-db"])

    def pool(self, kind):
        """Starts a PgBouncer of a kind of POOLERS, if it does not run, and returns its port."""
        name, mode = POOLERS[kind]
        if kind in self.pools:
            return self.pools[kind]
        bouncer = str(TOOLS / "pgbouncer/pgbouncer") if name == "pgbouncer-new" else program(name)
        if not os.path.exists(bouncer):
            raise Missing("no PgBouncer of 1.21 or later is there")
        port = self.machine.port()
        users = self.machine.folder / "userlist.txt"
        users.write_text(f'"driveline" "{PASSWORD}"\n')
        self.machine.own(users)
        more = "pool_mode = transaction\nmax_prepared_statements = 200" if kind == "prepared" else f"pool_mode = {mode}"
        # A session holds a connection for itself.
        size = 60 if mode == "session" else 20
        path = self.write("pgbouncer.ini", self.machine.folder / f"pgbouncer-{kind}.ini", [
            ("port=5000", f"port={self.proxy}"),
            ("driveline = host", "* = host"),
            ("listen_port = 6432", f"listen_port = {port}"),
            ("/etc/pgbouncer/userlist.txt", users),
            ("pool_mode = transaction", more),
            ("default_pool_size = 20", f"default_pool_size = {size}"),
        ])
        self.machine.start(f"pgbouncer-{kind}", [bouncer, path], postgres=True)
        self.pools[kind] = port
        if not until(lambda: self.answers(port), 20):
            raise Broken(f"PgBouncer does not answer: {self.machine.log(f'pgbouncer-{kind}')[-800:]}")
        return port

    def answers(self, port, user="driveline", database="driveline"):
        try:
            return self.sql("SELECT 1", port=port, user=user, database=database, patience=0)
        except psycopg.Error:
            return None

    # --- asking -----------------------------------------------------------------------------------------------------

    def url(self, database="driveline"):
        """All three nodes by name: the address that the shop is meant to have."""
        hosts = ",".join(f"127.0.0.1:{self.port[n]}" for n in NODES)
        return f"postgres://driveline:{PASSWORD}@{hosts}/{database}"

    def url_at(self, port, database="driveline"):
        return f"postgres://driveline:{PASSWORD}@127.0.0.1:{port}/{database}"

    def connect(self, port=None, database="driveline", user="postgres"):
        """A connection to the primary, whichever that is, or to the server at a port."""
        where = {"host": "127.0.0.1", "port": port}
        if port is None:
            hosts = {"host": ",".join(["127.0.0.1"] * 3), "port": ",".join(str(self.port[n]) for n in NODES)}
            where = {**hosts, "target_session_attrs": "read-write"}
        return psycopg.connect(**where, dbname=database, user=user, password=PASSWORD, connect_timeout=5, autocommit=True)

    def sql(self, statement, *values, port=None, database="driveline", user="postgres", patience=60):
        """The rows of a statement. A database that is away is waited for; the statement itself is sent once."""
        end = time.monotonic() + patience
        while True:
            try:
                connection = self.connect(port, database, user)
                break
            except psycopg.OperationalError:
                if time.monotonic() > end or ENDING.is_set():
                    raise
                time.sleep(0.5)
        with connection:
            cursor = connection.execute(statement, values or None)
            return cursor.fetchall() if cursor.description else []

    def asked(self, port, path, body=None, timeout=2, method=None):
        """What a REST interface answers, or None if it does not or says no."""
        request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", body and json.dumps(body).encode(), method=method)
        request.add_header("content-type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=timeout) as answer:
                return answer.read() or b"yes"
        except (OSError, urllib.error.HTTPError):
            return None

    def told(self):
        """What the first node that answers says of each."""
        for n in NODES:
            answer = self.asked(self.rest[n], "/cluster")
            if answer:
                return {int(member["name"][1:]): member for member in json.loads(answer)["members"]}
        return {}

    def members(self):
        """Every node's number, role, state and lag."""
        return {n: (member["role"], member["state"], member.get("lag")) for n, member in self.told().items()}

    def reign(self):
        """Who leads, and on which timeline: every promotion begins one. Nothing if nobody leads at the moment."""
        return next(((n, member.get("timeline")) for n, member in self.told().items() if member["role"] in LEADERS), None)

    def reigning(self):
        """As `reign`, and waits until somebody leads."""
        found = until(self.reign, 60, 0.3)
        if not found:
            raise Broken("the cluster has no leader")
        return found

    def leader(self):
        return self.reigning()[0]

    def standby(self):
        """A standby that commits are acknowledged by."""
        return next(n for n, (role, *_) in self.members().items() if role in ("quorum_standby", "sync_standby"))

    def is_well(self, seconds):
        """Waits until there are a primary and two standbys that count for the quorum. Returns how long that took."""
        begun = time.monotonic()

        def well():
            roles = sorted(role for role, state, _ in self.members().values() if state in ("running", "streaming"))
            return len(roles) == 3 and roles[0] in LEADERS and all(role == "quorum_standby" for role in roles[1:])

        if not until(well, seconds, 0.5):
            raise Broken(f"the cluster is not well after {seconds} s: {self.members()}")
        return time.monotonic() - begun

    # --- breaking ---------------------------------------------------------------------------------------------------

    def data(self, n):
        return self.machine.folder / f"n{n}" / "data"

    def postgres_of(self, n):
        pid = self.machine.postmaster(self.data(n))
        if not pid:
            raise Broken(f"the PostgreSQL of n{n} does not run")
        return family(pid)

    def node_of(self, n):
        return [self.machine.started[f"patroni{n}"].pid, *self.postgres_of(n)]

    def kill_postgres(self, n):
        """Kills a postmaster, and returns whether it is gone."""
        pids = self.postgres_of(n)[:1]
        send(pids, signal.SIGKILL)
        return until(lambda: gone(pids), 1, 0.02)

    def kill_node(self, n):
        """Kills a Patroni and its PostgreSQL, and returns whether they are gone."""
        pids = self.node_of(n)
        send(pids, signal.SIGKILL)
        self.machine.started.pop(f"patroni{n}").wait()
        return until(lambda: gone(pids), 10)

    def patch(self, n, configuration):
        return self.asked(self.rest[n], "/config", configuration, timeout=10, method="PATCH")

    def switch_over(self, n):
        answer = self.asked(self.rest[n], "/switchover", {"leader": f"n{n}"}, timeout=60)
        if not answer:
            raise Broken("the switchover was refused")
        say("   ", answer.decode())
