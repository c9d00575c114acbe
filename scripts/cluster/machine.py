"""The processes, ports and folders of a run. A run ends what it started, by the ids that it noted, however it ends itself."""

import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ROOT / ".tools/cluster"
DEBIAN = TOOLS / "debian"
FILES = ROOT / "deploy/cluster"
LIBRARIES = "usr/lib/x86_64-linux-gnu"


# Set once the run has to end: whoever waits or starts something in another thread gives up.
ENDING = threading.Event()


class Broken(Exception):
    """The cluster cannot be brought into the state that a scenario needs: the run ends."""


class Missing(Exception):
    """A program that a scenario needs is not there: the scenario is skipped."""


def say(*words):
    print(time.strftime("%H:%M:%S"), *words, flush=True)


def program(name):
    """Where a program is: fetched by scripts/bootstrap, or the machine's own."""
    for folder in ["usr/bin", "usr/sbin"]:
        if (DEBIAN / folder / name).exists():
            return str(DEBIAN / folder / name)
    found = shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin")
    if not found:
        raise Missing(f"{name} is not there")
    return found


def postgres_programs():
    folders = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))
    if not folders or not (folders[-1] / "pg_basebackup").exists():
        raise Missing("PostgreSQL with pg_basebackup is not there (apt-get install postgresql)")
    return folders[-1]


def faketime_library():
    for root in [DEBIAN, pathlib.Path("/")]:
        for found in (root / "usr/lib").glob("*/faketime/libfaketimeMT.so.1"):
            return str(found)
    raise Missing("libfaketime is not there")


def state(pid):
    """What Linux says of a process: T if it is stopped, Z if it has ended and only waits for its parent; nothing if there is none."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def alive(pid):
    """Whether a process runs; one that has ended and only waits for its parent does not."""
    return state(pid) not in ("", "Z")


def gone(pids):
    return not any(alive(pid) for pid in pids)


def family(pid):
    """A process and all that descend from it."""
    children = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                parent = pathlib.Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()[1]
            except (FileNotFoundError, ProcessLookupError):
                continue
            children.setdefault(int(parent), []).append(int(entry))
    found, todo = [], [pid]
    while todo:
        found.append(todo.pop())
        todo += children.get(found[-1], [])
    return found


def wait_for(pid, seconds):
    """Waits until a process has ended that is nobody's child here."""
    end = time.monotonic() + seconds
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.1)


def send(pids, what):
    """Sends a signal to those that are still there: what it has done, the scenarios look at themselves (effects.py)."""
    for pid in pids:
        try:
            os.kill(pid, what)
        except ProcessLookupError:
            pass


class Machine:
    """One folder and what runs in it."""

    def __init__(self, base):
        self.root = os.geteuid() == 0
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cluster-", dir=base))
        self.folder.chmod(0o755)
        self.logs = self.folder / "log"
        self.logs.mkdir()
        self.logs.chmod(0o777)
        self.started = {}
        self.servers = []
        self.taken = []
        self.ending = threading.Lock()

    def port(self):
        """A free port of loopback, never given twice."""
        while True:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                port = probe.getsockname()[1]
            if port not in self.taken:
                self.taken.append(port)
                return port

    def own(self, path):
        """Gives a path to whom PostgreSQL runs as."""
        if self.root:
            user = pwd.getpwnam("postgres")
            os.chown(path, user.pw_uid, user.pw_gid)
        return path

    def as_postgres(self, command):
        return ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", *command] if self.root else list(command)

    def environment(self, more):
        """What the programs of a run see: nothing of the settings of whoever started it."""
        kept = {name: os.environ[name] for name in ["PATH", "LANG", "HOME"] if name in os.environ}
        libraries = {"LD_LIBRARY_PATH": str(DEBIAN / LIBRARIES)} if DEBIAN.exists() else {}
        return {**kept, **libraries, **{name: str(value) for name, value in more.items()}}

    def start(self, name, command, env=None, postgres=False, folder=None):
        """Starts a program in a session of its own, so that Ctrl-C reaches only this run, which then ends it."""
        if ENDING.is_set():
            raise Broken("the run is ending")
        if postgres:
            command = self.as_postgres(command)
        with open(self.logs / f"{name}.log", "ab") as log:
            process = subprocess.Popen(
                [str(word) for word in command],
                env=self.environment(env or {}),
                cwd=folder or self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.started[name] = process
        return process

    def run(self, command, env=None, postgres=False, timeout=600, folder=None):
        """Runs a command to its end and returns it with what it said."""
        if postgres:
            command = self.as_postgres(command)
        return subprocess.run(
            [str(word) for word in command],
            env=self.environment(env or {}),
            cwd=folder or self.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    def stop(self, name, how=signal.SIGTERM, grace=30):
        """Ends a program and returns how long that took and its exit code."""
        process = self.started.pop(name, None)
        if process is None:
            return 0.0, None
        begun = time.monotonic()
        if process.poll() is None:
            send([process.pid], signal.SIGCONT)
            send([process.pid], how)
            try:
                process.wait(grace)
            except subprocess.TimeoutExpired:
                send([process.pid], signal.SIGKILL)
                process.wait()
        return time.monotonic() - begun, process.returncode

    def log(self, name):
        path = self.logs / f"{name}.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def server(self, data):
        """Notes the folder of a PostgreSQL that somebody else starts here, to be ended with all others."""
        self.servers.append(pathlib.Path(data))

    def postmaster(self, data):
        """The id of the server of a data folder: only of one that works in that folder, because ids are used again."""
        try:
            pid = int((pathlib.Path(data) / "postmaster.pid").read_text().split()[0])
            return pid if os.readlink(f"/proc/{pid}/cwd") == str(data) else None
        except (OSError, ValueError, IndexError):
            return None

    def end(self):
        """Ends everything that still runs: first whoever would start servers again, then the servers."""
        with self.ending:
            self.end_all()

    def end_all(self):
        order = sorted(self.started, key=lambda name: (name.startswith("etcd"), name.startswith("patroni"), name))
        for name in [name for name in order if not name.startswith(("patroni", "etcd"))]:
            # A copy that drains has nobody left to serve.
            self.stop(name, grace=0.5 if "copy" in name else 5)
        for name in [name for name in order if name.startswith("patroni")]:
            self.stop(name, how=signal.SIGKILL)
        for data in self.servers:
            pid = self.postmaster(data)
            if pid:
                send(family(pid), signal.SIGCONT)
                send([pid], signal.SIGQUIT)
                wait_for(pid, 20)
        for name in list(self.started):
            self.stop(name, grace=3)

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def until(what, seconds, pause=0.1):
    """Asks until the answer is true, and returns it, or None once the time is over."""
    end = time.monotonic() + seconds
    while not ENDING.is_set():
        answer = what()
        if answer:
            return answer
        if time.monotonic() > end:
            return None
        time.sleep(pause)
    raise Broken("the run is ending")
