"""Banner: tyre and alloy wheel, low and close, at night."""

from models.tyre import tyre, wheel
from studio import *  # noqa: F403

EXPOSURE = 0.4


def build():
    objs = tyre() + wheel()
    transform(objs, rot("X", 90) @ rot("Z", 14))
    drop(objs)
    mid, s = bounds(objs)
    cam = aim(objs, azimuth=-42, elevation=6, lens=60, fill=(0.80, 1.02), aspect=16 / 9, shift=(0.18, 0.0))
    workshop(mid, s, rim_side=-1, key=1.4, rim=0.8)
    focus(cam, mid + Vector((-0.2 * s, -0.4 * s, 0)), 0.55)
