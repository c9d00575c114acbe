"""Banner: a drilled disc and its calliper, close up, at night."""

from models.brake_calliper import calliper
from models.brake_disc import disc
from studio import *  # noqa: F403

EXPOSURE = 0.3


def build():
    objs = disc()
    grip = calliper()
    transform(grip, rot("Z", 28))
    objs += grip
    transform(objs, rot("X", 87))
    drop(objs)
    mid, s = bounds(objs)
    cam = aim(objs, azimuth=-33, elevation=7, lens=62, fill=(0.80, 1.06), aspect=16 / 9, shift=(0.18, 0.02))
    workshop(mid, s, rim_side=1, key=1.2)
    focus(cam, mid + Vector((0.1 * s, -0.3 * s, 0.2 * s)), 2.0 / s)
