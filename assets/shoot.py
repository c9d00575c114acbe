"""Runs inside Blender: builds one model or scene and renders it. Called by render.sh.

blender -b -t 1 --python shoot.py -- SLUG OUT.png WIDTH HEIGHT SAMPLES
"""

import importlib
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import studio  # noqa: E402
from variants import PICTURES  # noqa: E402


def main():
    slug, out, width, height, samples = sys.argv[sys.argv.index("--") + 1 :]
    width, height = int(width), int(height)
    studio.reset()
    name, values = PICTURES.get(slug, (slug, {}))
    model = importlib.import_module("models." + name.replace("-", "_"))
    shot = model.build(**values)
    exposure = getattr(model, "EXPOSURE", 0.35)
    if shot is not None:
        lights = shot.pop("light", {})
        objs = studio.subjects()
        studio.aim(objs, aspect=width / height, **shot)
        studio.daylight(objs, **lights)
    studio.render(out, width, height, int(samples), exposure, cutout=shot is not None)


try:
    main()
except Exception:
    # Blender itself would print the trace and still leave with 0.
    import traceback

    traceback.print_exc()
    sys.exit(1)
