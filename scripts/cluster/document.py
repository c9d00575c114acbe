"""The commands of docs/operations.md, so that what operators read is what is run."""

import re

from machine import ROOT, Broken

PAGE = "docs/operations.md"
FENCED = re.compile(r"^```sh\n(.*?)^```$", re.M | re.S)


def blocks(heading):
    """The commands below a heading, a list for each block, as they stand there."""
    text = (ROOT / PAGE).read_text()
    found = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", FENCED.sub(hidden, text), re.M | re.S)
    if not found:
        raise Broken(f"{PAGE} has no heading {heading!r}")
    lists = [shown(block).strip().replace("\\\n", " ").splitlines() for block in FENCED.findall(found.group(1))]
    if not lists:
        raise Broken(f"{PAGE} has no commands below {heading!r}")
    return [[line for line in lines if line.strip()] for lines in lists]


def hidden(block):
    """A comment in a shell begins like a heading."""
    return re.sub(r"^#", "\x00", block.group(0), flags=re.M)


def shown(block):
    return block.replace("\x00", "#")


def perform(machine, commands, env, postgres=False, folder=None):
    """Runs commands one after the other, each as somebody would type it. Returns what they said."""
    said = []
    for command in commands:
        ended = machine.run(["sh", "-c", command], env, postgres, folder=folder)
        if ended.returncode:
            raise Broken(f"{PAGE}: {command!r} ended with {ended.returncode}: {(ended.stderr or ended.stdout)[-600:]}")
        said.append(ended.stdout)
    return said
