#!/usr/bin/env python3
"""Makes crates/vehicles/data from public data: which vehicles there are, their engines, and what a VIN says.

    assets/vehicles/make.py            replaces the files
    assets/vehicles/make.py --check    makes them anew beside, and compares

Needs npm and node. The same sources make the same bytes."""

import argparse
import pathlib
import shutil
import subprocess
import tempfile

import patterns
import registry
import sources
import years
from names import Names

ASSETS = pathlib.Path(__file__).resolve().parent
DATA = ASSETS.parent.parent / "crates/vehicles/data"
# With the largest window that every decoder takes.
BROTLI = """
const { constants: c, brotliCompressSync, brotliDecompressSync } = require('zlib');
const data = require('fs').readFileSync(0);
process.stdout.write(process.argv[1] === 'unpack' ? brotliDecompressSync(data) : brotliCompressSync(data, {
  params: { [c.BROTLI_PARAM_QUALITY]: 11, [c.BROTLI_PARAM_LGWIN]: 24, [c.BROTLI_PARAM_SIZE_HINT]: data.length } }));
"""


def brotli(data, way="pack"):
    return subprocess.run(["node", "-e", BROTLI, way], input=data, check=True, capture_output=True).stdout


def vehicle_lines(models, ids, taken, counts):
    """A line for each model with its years, and one for each engine of it with the years and the slot that it has."""
    for of in sorted(models, key=lambda of: ids[of]):
        model, id = models[of], ids[of]
        said = {}
        for year, source in model.sources():
            said.setdefault(source, []).append(year)
            counts["vehicles"] += 1
        spans = [registry.runs(said.get(source, ())) for source in ("both", "vpic", "epa")]
        yield f"V,{id},{model.kind()},{','.join(spans)}"
        by_engine = {}
        for year, _ in model.sources():
            engines = model.engines.get(year, set())
            for engine, slot in registry.give_slots(taken.get((id, year), {}), engines).items():
                by_engine.setdefault((slot, engine, engine not in engines), []).append(year)
                counts["engines"] += engine in engines
        for (slot, (litres, cylinders, fuel, drive), gone), of_years in sorted(by_engine.items()):
            yield f"E,{id},{slot},{litres:.1f},{cylinders},{fuel},{drive},{'gone' if gone else ''},{registry.runs(of_years)}"


def previous(data):
    packed = data / "vehicles.csv.br"
    return brotli(packed.read_bytes(), "unpack").decode().splitlines() if packed.exists() else []


def make(data, folder):
    names = Names(data, ASSETS)
    vpic, database_hash = sources.fetch_vpic(folder)
    month = sources.vpic_month(vpic)
    models = years.models_of_vpic(sources.model_years(vpic), names, int(month[:4]))
    rows = sources.epa_rows(ASSETS)
    joined, left = years.add_epa(models, rows, names)
    (folder / "left.txt").write_text("".join(f"{make} | {model} | {year}\n" for make, model, year in left))
    ids = registry.give_model_ids(data / "models.csv", models)
    counts = {"makes": len({model.make for model in models.values()}), "models": len(models), "vehicles": 0, "engines": 0}
    taken = registry.read_slots(previous(data))
    texts = {
        "vehicles.csv": "\n".join(vehicle_lines(models, ids, taken, counts)) + "\n",
        "vin.tsv": "\n".join(patterns.lines(vpic, names, ids)) + "\n",
    }
    for name, text in texts.items():
        (data / f"{name}.br").write_bytes(brotli(text.encode()))
    counts["patterns"] = sum(len(line.split("\t")[1].split()) for line in texts["vin.tsv"].splitlines() if line[0] in "mclfe")
    write_notice(data, month, database_hash, counts, years.agreement(models), (joined, len(left)))


def write_notice(data, month, database_hash, counts, agreed, join):
    hashes = [(sources.PACKAGE + " " + sources.DATABASE, database_hash)]
    hashes += [(f"assets/vehicles/{path.name}", sources.sha256(path.read_bytes())) for path in sorted(ASSETS.glob("*.csv.gz"))]
    hashes += [(f"crates/vehicles/data/{name}", sources.sha256((data / name).read_bytes())) for name in ("models.csv", "vehicles.csv.br", "vin.tsv.br")]
    notice = f"""The files of this folder were made by `make vehicles`, from works of the United States government, which are free of copyright
there (17 USC 105):

- the Product Information Catalog and Vehicle Listing (vPIC) of the National Highway Traffic Safety Administration (NHTSA), as of
  {month}, in the form of the npm package {sources.PACKAGE} (its code, which is ISC, is not used);
- the fuel economy data of the Environmental Protection Agency (EPA), 1984 to 2021.

Neither agency endorses this shop. makes.csv and aliases.csv were written by hand for it.

{counts['makes']} makes, {counts['models']} models, {counts['vehicles']} vehicles, {counts['engines']} engines, {counts['patterns']} VIN patterns.
Of {join[0] + join[1]} model-years of the EPA {join[0]} found a model. For the {agreed['models']} models that both have, of the years {years.EPA_YEARS[0]} to {years.EPA_YEARS[-1]}:
{agreed['both']} both, {agreed['vpic']} vPIC alone, {agreed['epa']} the EPA alone.

SHA-256:

"""
    (data / "NOTICE").write_text(notice + "".join(f"{digest}  {name}\n" for name, digest in hashes), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true", help="compare with the files that are there instead of replacing them")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the database and the EPA's model-years without a model")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if not options.check:
            return make(DATA, folder)
        copy = folder / "data"
        shutil.copytree(DATA, copy, dirs_exist_ok=True)
        make(copy, folder)
        changed = [path.name for path in sorted(copy.iterdir()) if path.read_bytes() != (DATA / path.name).read_bytes()]
        if changed:
            raise SystemExit(f"not what the sources make: {', '.join(changed)}")


main()
