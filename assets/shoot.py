"""Runs inside Blender: builds one model or scene and renders it, or turns it. Called by render.sh.

blender -b -t 1 --python shoot.py -- SLUG OUT.png WIDTH HEIGHT SAMPLES
blender -b -t 1 --python shoot.py -- turn-SLUG OUT.png WIDTH HEIGHT SAMPLES     (of one step)
"""

import importlib
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import studio  # noqa: E402
from variants import PICTURES, TURN_COLUMNS, TURN_ROWS  # noqa: E402


def main():
    slug, out, *numbers = sys.argv[sys.argv.index("--") + 1 :]
    width, height, samples = map(int, numbers)
    slug, turns = slug.removeprefix("turn-"), slug.startswith("turn-")
    studio.reset()
    name, values = PICTURES.get(slug, (slug, {}))
    model = importlib.import_module("models." + name.replace("-", "_"))
    shot = model.build(**values)
    exposure = getattr(model, "EXPOSURE", 0.35)
    if shot is not None:
        lights = shot.pop("light", {})
        objs = studio.subjects()
        middle, _ = studio.bounds(objs)
        if turns:
            # While it turns, a part fills its frame only now and then.
            shot.update(points=studio.swept(objs, middle), fill=(0.95, 0.88))
        studio.aim(objs, aspect=width / height, **shot)
        studio.daylight(objs, **lights)
    if turns:
        studio.turntable(out, objs, middle, TURN_COLUMNS, TURN_ROWS, width, height, samples, exposure)
    else:
        studio.render(out, width, height, samples, exposure, cutout=shot is not None)


try:
    main()
except Exception:
    # Blender itself would print the trace and still leave with 0.
    import traceback

    traceback.print_exc()
    sys.exit(1)
