"""Banner: a turbocharger and all that comes in its box: gaskets, bolts, washers, the oil line's fittings."""

import math

from models.timing_belt import screw
from models.turbocharger import turbo
from studio import *  # noqa: F403

EXPOSURE = 0.6


def _gasket(outer, holes, mat, place):
    g = plate("gasket", outer, holes, 0.016, 0.004, mat)
    transform([g], place)
    return drop([g])


def build():
    unit = turbo()
    transform(unit, rot("X", 90))
    drop(unit)
    ply = material("gasket ply", (0.30, 0.305, 0.31), 0.34, 1.0, mottle=0.10)
    copper = material("copper", (0.78, 0.34, 0.20), 0.26, 1.0, mottle=0.08)
    kit = _gasket(rounded_rect(0.78, 0.66, 0.09, 8), [circle(0.215, 64)] + [circle(0.048, 28, x * 0.305, y * 0.245) for x in (-1, 1) for y in (-1, 1)], ply, move(-0.52, -1.55, 0) @ rot("Z", 24))
    kit += _gasket(circle(0.40, 120), [circle(0.25, 90)] + [circle(0.032, 24, 0.335 * math.cos(TAU * i / 5), 0.335 * math.sin(TAU * i / 5)) for i in range(5)], ply, move(0.42, -1.50, 0))
    kit += _gasket(rounded_rect(0.40, 0.22, 0.08, 8), [circle(0.080, 48), circle(0.026, 24, -0.145, 0), circle(0.026, 24, 0.145, 0)], ply, move(-0.06, -1.92, 0) @ rot("Z", -18))
    for x, y in ((0.92, -1.62), (1.06, -1.50), (1.02, -1.74)):
        washer = [lathe("washer", [(0.052, 0), (0.088, 0), (0.088, 0.018), (0.052, 0.018)], copper, 48, 0.004, closed=True)]
        transform(washer, move(x, y, 0))
        kit += washer
    for k in range(4):
        s = screw(0.34)
        transform(s, rot("Z", 78 + 9 * k) @ rot("X", 90))
        drop(s)
        transform(s, move(0.52 + 0.19 * k, -2.06 + 0.03 * k, 0))
        kit += s
    transform(kit, move(0.55, -1.12, 0) @ rot("Z", 24) @ move(-0.42, 1.62, 0))
    objs = unit + kit
    mid, s = bounds(unit)
    cam = aim(objs, azimuth=24, elevation=17, lens=62, fill=(0.50, 0.76), aspect=16 / 9, shift=(0.21, 0.0))
    workshop(mid, s, rim_side=1, key=1.5, rim=0.8)
    focus(cam, mid + Vector((-0.1 * s, -0.75 * s, 0)), 0.9)
