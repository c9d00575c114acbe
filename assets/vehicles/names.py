"""Which make and model a name means: the tables of crates/vehicles/data that were written by hand, and the join of the EPA's
names to vPIC's."""

import csv
import re

from sources import key


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


class Names:
    def __init__(self, data, assets):
        makes = read(data / "makes.csv")
        self.makes = {int(row["id"]): row["name"] for row in makes}
        self.make_of_vpic = {key(row["vpic"]): int(row["id"]) for row in makes}
        self.make_of_key = {key(row["name"]): int(row["id"]) for row in makes}
        self.left_out = {key(row["make"]) for row in read(assets / "makes-left-out.csv")}
        self.renamed = {(key(row["make"]), key(row["vpic"])): row["name"] for row in read(assets / "renamed.csv")}
        self.aliases = {}
        for row in read(data / "aliases.csv"):
            if not row["model"]:
                self.make_of_key[key(row["name"])] = self.make_of_key[key(row["make"])]
        for row in read(data / "aliases.csv"):
            if row["model"]:
                self.add_alias(row)

    def add_alias(self, row):
        """`#` stands for a digit, `*` for what may follow; a target of `-` says that vPIC has no such model."""
        pattern = row["name"].lower()
        regex = re.compile(re.sub(r"[^a-z0-9#*]", "", pattern).replace("#", "[0-9]").replace("*", "[a-z0-9]*"))
        to = self.make_of_key[key(row["to_make"] or row["make"])]
        self.aliases.setdefault(key(row["make"]), []).append((regex, to, row["model"]))

    def model_name(self, make, name):
        return self.renamed.get((key(make), key(name)), name.strip())

    def join(self, make, model, known):
        """The make's id and the model's key that an EPA name means, the longest first words first; None if there is none.

        `known` has the keys of the models of each make's id."""
        ours = self.make_of_key.get(key(make))
        words = [word for word in re.split(r"[\s/]+", model) if word]
        if words and key(words[0]) == key(make):
            words = words[1:]
        firsts = [key("".join(words[:count])) for count in range(len(words), 0, -1)]
        for first in firsts:
            if ours and first in known.get(ours, ()):
                return ours, first
            for regex, to, target in self.aliases.get(key(make), ()):
                if regex.fullmatch(first):
                    return None if target == "-" else (to, key(target))
        return None
