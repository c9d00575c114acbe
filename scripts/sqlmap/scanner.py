"""sqlmap, and what it says of one request."""

import dataclasses
import pathlib
import subprocess
import sys
import tempfile

# Every technique, for every kind of database, without what only slows down: time is measured where it is a technique.
SETTINGS = ["--batch", "--level", "1", "--risk", "1", "--ignore-code", "*", "--skip-waf", "--disable-coloring"]
# Of one request; on a busy machine an honest one takes a minute.
LONGEST = 900


@dataclasses.dataclass(eq=False)
class Request:
    """What is sent; an asterisk marks what is tried."""

    name: str
    method: str
    url: str
    headers: dict
    body: str | None = None

    @property
    def marks(self):
        return sum(text.count("*") for text in [self.url, self.body or "", *self.headers.values()])


def scan(request):
    """`found`, `nothing`, or `broken` if it did not get to an end; with what sqlmap printed."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(pathlib.Path(sys.executable).with_name("sqlmap")), *SETTINGS, "--output-dir", folder, "-u", request.url]
        command += ["--method", request.method]
        for name, value in request.headers.items():
            command += ["-H", f"{name}: {value}"]
        if request.body is not None:
            command += ["-H", "Content-Type: application/json", "--data", request.body]
        try:
            ended = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, check=False, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired as late:
            return "broken", f"it took longer than {late.timeout} s"
    said = ended.stdout + ended.stderr
    if "identified the following injection point" in said:
        return "found", said
    # Each mark is tried, or the rest of them was left out.
    ended_well = "all tested parameters do not appear to be injectable" in said and "connection timed out" not in said
    return ("nothing" if ended_well else "broken"), said
