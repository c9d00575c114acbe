"""Which years a model was sold."""

import collections

from sources import key

# The years that the EPA's file covers.
EPA_YEARS = range(1984, 2022)
# The first model year whose VINs have 17 signs.
FIRST = 1981


def years_of_range(first, last, now):
    """A closed range holds all its years. Of an open one only the first is certain, because vPIC seldom closes a range when a
    model ends; one that began at most three model years ago runs to next year."""
    if last is None:
        last = now + 1 if first >= now - 3 else first
    return range(max(first, FIRST), min(last, now + 1) + 1)


class Model:
    def __init__(self, make, name):
        self.make = make
        self.name = name
        self.vpic_years = set()
        self.epa_years = set()
        self.kinds = collections.Counter()
        self.engines = collections.defaultdict(set)

    def sources(self):
        """The years, each with who says so."""
        for year in sorted(self.vpic_years | self.epa_years):
            if year not in self.epa_years:
                yield year, "vpic"
            else:
                yield year, "both" if year in self.vpic_years else "epa"

    def kind(self):
        return min(self.kinds, key=lambda kind: (-self.kinds[kind], kind))


def models_of_vpic(ranges, names, now):
    """The models of the makes that were chosen, by the make's id and the name's key."""
    models = {}
    for row in ranges:
        make = names.make_of_vpic.get(key(row.make))
        if make is None:
            continue
        name = names.model_name(row.make, row.model)
        model = models.setdefault((make, key(name)), Model(make, name))
        years = years_of_range(row.first, row.last, now)
        model.vpic_years.update(years)
        model.kinds[row.kind] += len(years)
    return {of: model for of, model in models.items() if model.vpic_years}


def add_epa(models, rows, names):
    """Gives the models the EPA's years and engines; answers how many of its model-years found no model."""
    known = collections.defaultdict(set)
    for make, model in models:
        known[make].add(model)
    unknown = sorted({row.make for row in rows if key(row.make) not in names.make_of_key and key(row.make) not in names.aliases})
    unknown = [make for make in unknown if key(make) not in names.left_out]
    if unknown:
        raise SystemExit(f"makes of the EPA that neither makes.csv nor makes-left-out.csv has: {unknown}")
    joined, left = set(), set()
    for row in rows:
        to = names.join(row.make, row.model, known)
        if to is None or to not in models:
            left.add((row.make, row.model, row.year))
            continue
        joined.add((row.make, row.model, row.year))
        models[to].epa_years.add(row.year)
        if row.litres or row.cylinders or row.fuel == "electric":
            models[to].engines[row.year].add((row.litres, row.cylinders, row.fuel, row.drive))
    for model in models.values():
        for engines in model.engines.values():
            forget_unknown_fuels(engines)
    return len(joined), sorted(left)


def forget_unknown_fuels(engines):
    """Leaves out an engine of an unknown fuel beside the same one of a known fuel: the file of fuels has not all rows."""
    known = {(litres, cylinders, drive) for litres, cylinders, fuel, drive in engines if fuel}
    engines -= {engine for engine in engines if not engine[2] and (engine[0], engine[1], engine[3]) in known}


def agreement(models):
    """How vPIC and the EPA agree on the years of the models that both have: both say so, vPIC alone, EPA alone."""
    counts = collections.Counter()
    for model in models.values():
        if model.epa_years:
            counts.update(source for year, source in model.sources() if year in EPA_YEARS)
            counts["models"] += 1
    return counts
