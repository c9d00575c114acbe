"""Banner: a drilled disc and its caliper, close up, at night."""

import math

from models.brake_caliper import caliper
from models.brake_disc import disc
from studio import *  # noqa: F403

EXPOSURE = 0.3


def _hub():
    """The nose and studs of the hub that carries the disc."""
    zinc, dark = steel(0.3), black_steel()
    parts = [
        lathe("nose", [(0, 0.46), (0.05, 0.46), (0.07, 0.44), (0.155, 0.44), (0.175, 0.42), (0.190, 0.38), (0.190, 0.10), (0, 0.10)], dark, 96, 0.008),
        lathe("flange", [(0, 0.27), (0.44, 0.27), (0.44, 0.20), (0, 0.20)], dark, 96, 0.008),
    ]
    for i in range(5):
        a = TAU * i / 5 + 0.3
        parts.append(cylinder("stud", 0.034, 0.40, (0.325 * math.cos(a), 0.325 * math.sin(a), 0.42), "Z", 0.010, zinc, 40))
    return parts


def build():
    objs = disc()
    grip = caliper()
    transform(grip, rot("Z", 14))
    objs += grip + _hub()
    transform(objs, rot("X", 87))
    drop(objs)
    mid, s = bounds(objs)
    cam = aim(objs, azimuth=-33, elevation=7, lens=62, fill=(0.80, 1.0), aspect=16 / 9, shift=(0.17, 0.0))
    workshop(mid, s, rim_side=-1, key=1.3)
    focus(cam, mid + Vector((0.1 * s, -0.3 * s, 0.2 * s)), 0.55)
