"""The patterns that tell a vehicle by its VIN."""

import collections
import re

from sources import KINDS, key

# The elements of vPIC that are kept, and the sign of each in the file. Litres come as litres, cubic centimetres or cubic inches.
ELEMENTS = {28: "m", 9: "c", 13: "l", 12: "l", 11: "l", 24: "f", 18: "e"}
LITRES = {13: 1, 12: 0.016387064, 11: 0.001}
FUELS = {1: "diesel", 2: "electric", 4: "gasoline", 6: "cng", 7: "cng", 8: "hydrogen", 10: "flex", 15: "flex", 17: "cng", 18: "hydrogen"}
KIND_SIGNS = {2: "p", 3: "t", 7: "u"}


def value(element, text):
    """What the file says of a pattern's value; None if that is nothing usable."""
    try:
        if element == 24:
            return FUELS.get(int(text))
        if element in LITRES:
            litres = float(text) * LITRES[element]
            return f"{litres:.1f}" if 0.1 < litres < 40 else None
        return str(int(float(text)))
    except ValueError:
        return None


def pattern_is_good(keys):
    return re.fullmatch(r"(?:[A-Z0-9*#|]|\[[-A-Z0-9*]+\])+", keys) is not None


def engine_models(vpic):
    """What an engine's model tells of it, as in "c6 l3.0 fgasoline"."""
    found = collections.defaultdict(dict)
    rows = vpic.execute(
        "SELECT EngineModelId, ElementId, AttributeId FROM EngineModelPattern WHERE ElementId IN (9, 11, 12, 13, 24) ORDER BY 1, 2, 3"
    )
    for model, element, text in rows:
        told = value(element, text)
        if told is not None:
            found[str(model)].setdefault(ELEMENTS[element], told)
    return {model: " ".join(sign + told for sign, told in sorted(parts.items())) for model, parts in found.items()}


def schemas(vpic, used):
    """The patterns of each schema: value by value, with the keys that mean it."""
    found = collections.defaultdict(lambda: collections.defaultdict(set))
    marks = ",".join("?" * len(ELEMENTS))
    rows = vpic.execute(
        f"SELECT VinSchemaId, Keys, ElementId, AttributeId FROM Pattern WHERE ElementId IN ({marks})", tuple(ELEMENTS)
    )
    for schema, keys, element, text in rows:
        told = value(element, text)
        keys = keys.upper().strip()
        if schema in used and told is not None and pattern_is_good(keys):
            found[schema][ELEMENTS[element], told].add(keys)
    return {schema: parts for schema, parts in found.items() if any(sign == "m" for sign, _ in parts)}


def wmis(vpic):
    """Each manufacturer's code, with its kind and what it makes, and the schemas with their years."""
    codes = vpic.execute(
        """SELECT wmi.Id, wmi.Wmi, wmi.VehicleTypeId, wmi.TruckTypeId,
                  (SELECT group_concat(make.Name, '/') FROM Wmi_Make link JOIN Make make ON make.Id = link.MakeId WHERE link.WmiId = wmi.Id)
           FROM Wmi wmi WHERE wmi.VehicleTypeId IN (2, 3, 7) ORDER BY wmi.Wmi"""
    ).fetchall()
    ranges = collections.defaultdict(list)
    for wmi, schema, first, last in vpic.execute("SELECT WmiId, VinSchemaId, YearFrom, YearTo FROM Wmi_VinSchema"):
        ranges[wmi].append((schema, first, last))
    for id, code, kind, truck, makes in codes:
        # Light trucks say the decade as cars do.
        yield code, "l" if kind == 3 and truck == 1 else KIND_SIGNS[kind], makes or "", sorted(set(ranges[id]), key=order)


def order(row):
    schema, first, last = row
    return -schema, first, last or 9999


def model_names(vpic):
    rows = vpic.execute(
        """SELECT model.Id, make.Name, model.Name FROM Make_Model link
           JOIN Make make ON make.Id = link.MakeId JOIN Model model ON model.Id = link.ModelId"""
    )
    return {str(id): (make, name) for id, make, name in rows}


def lines(vpic, names, ids):
    """The file: models, engine models, schemas from the newest to the oldest, and the manufacturers' codes."""
    codes = list(wmis(vpic))
    used = {schema for _, _, _, rows in codes for schema, _, _ in rows}
    kept = schemas(vpic, used)
    told = model_names(vpic)
    models = sorted({text for parts in kept.values() for sign, text in parts if sign == "m" and text in told}, key=int)
    place = {text: str(at) for at, text in enumerate(models)}
    for text in models:
        make, name = told[text]
        name = names.model_name(make, name)
        ours = names.make_of_vpic.get(key(make))
        id = ids.get((ours, key(name)))
        yield f"M\t{id}\t\t" if id else f"M\t0\t{names.makes.get(ours, make.strip())}\t{name}"
    engines = engine_models(vpic)
    usable = sorted({text for parts in kept.values() for sign, text in parts if sign == "e" and text in engines}, key=int)
    engine_place = {text: str(at) for at, text in enumerate(usable)}
    for text in usable:
        yield f"E\t{engines[text]}"
    numbers = {schema: at for at, schema in enumerate(sorted(kept, reverse=True))}
    for schema in sorted(kept, reverse=True):
        yield "S"
        for (sign, text), keys in sorted(kept[schema].items()):
            places = {"m": place, "e": engine_place}.get(sign)
            text = text if places is None else places.get(text)
            if text is not None:
                yield f"{sign}{text}\t{' '.join(sorted(keys))}"
    for code, kind, makes, rows in codes:
        spans = [f"{numbers[schema]}:{first}-{last or ''}" for schema, first, last in rows if schema in numbers]
        if spans or makes:
            yield f"W\t{code}\t{kind}\t{shown(makes, names)}\t{' '.join(spans)}"


def shown(makes, names):
    """The make of a code that has but one."""
    if not makes or "/" in makes:
        return ""
    return names.makes.get(names.make_of_vpic.get(key(makes)), makes.strip())


assert set(KIND_SIGNS) == set(KINDS)
