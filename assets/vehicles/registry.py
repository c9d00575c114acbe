"""Ids that stay: what has an id keeps it when newer data come, and an id is never given twice."""

import csv

from sources import key

# A vehicle's id is the model's times this, plus the year less 1900; an engine's is the vehicle's times the other, plus its slot.
SLOTS = 128
LAST_MODEL = 65_535


def give_model_ids(path, models):
    """The id of each model, from the file of ids, which gets the new ones at its end."""
    known, last = {}, 0
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                last = int(row["id"])
                known[(int(row["make"]), key(row["name"]))] = last
    else:
        path.write_text("id,make,name\n", encoding="utf-8")
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        for of in sorted(models):
            if of not in known:
                last += 1
                known[of] = last
                writer.writerow([last, of[0], models[of].name])
    if last > LAST_MODEL:
        raise SystemExit("there are more models than ids")
    return known


def read_slots(lines):
    """The slots that the engines of each vehicle have, from the file that was written last time."""
    slots = {}
    for line in lines:
        if line.startswith("E,"):
            _, model, slot, litres, cylinders, fuel, drive, _, years = line.rstrip("\n").split(",")
            engine = (float(litres), int(cylinders), fuel, drive)
            for year in years_of(years):
                slots.setdefault((int(model), year), {})[engine] = int(slot)
    return slots


def give_slots(taken, engines):
    """The slot of each engine of a vehicle, and those of the engines that newer data no longer have."""
    slots = dict(taken)
    for engine in sorted(engines):
        if engine not in slots:
            slots[engine] = max(slots.values(), default=0) + 1
    if max(slots.values(), default=0) >= SLOTS:
        raise SystemExit("a vehicle has more engines than slots")
    return slots


def runs(years):
    """1996-1999 2001: years, with what follows one another said once."""
    found = []
    for year in sorted(years):
        if found and year == found[-1][1] + 1:
            found[-1][1] = year
        else:
            found.append([year, year])
    return " ".join(str(first) if first == last else f"{first}-{last}" for first, last in found)


def years_of(text):
    for run in text.split():
        first, _, last = run.partition("-")
        yield from range(int(first), int(last or first) + 1)
