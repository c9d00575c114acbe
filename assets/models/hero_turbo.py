"""Banner: the turbocharger on a bench at night."""

from models.turbocharger import turbo
from studio import *  # noqa: F403

EXPOSURE = 0.3


def build():
    objs = turbo()
    transform(objs, rot("X", 90))
    drop(objs)
    mid, s = bounds(objs)
    cam = aim(objs, azimuth=33, elevation=9, lens=62, fill=(0.60, 0.80), aspect=16 / 9, shift=(0.17, -0.02))
    workshop(mid, s, rim_side=1, key=1.2)
    focus(cam, mid + Vector((-0.25 * s, -0.75 * s, 0)), 0.55)
