"""Offer: a stack of tyres and one complete wheel, in the workshop at night."""

from models.tyre import tyre, wheel
from studio import *  # noqa: F403

EXPOSURE = 0.6


def build():
    first = tyre()
    stack = []
    for k, (x, y, turn) in enumerate(((0.03, 0.0, 70), (-0.02, 0.02, 10), (0.02, -0.02, 130))):
        stack += copy(first, move(-0.42 + x, 0.62 + y, 0.376 * (2 * k + 1)) @ rot("Z", turn))
    front = first + wheel()
    transform(front, move(0.62, -0.95, 0) @ rot("Z", -6) @ rot("X", 86) @ rot("Z", 20))
    drop(front)
    objs = front + stack
    mid, s = bounds(objs)
    cam = aim(objs, azimuth=-24, elevation=10, lens=70, fill=(0.77, 0.82))
    workshop(mid, s, rim_side=-1, key=1.7, rim=0.9)
    focus(cam, mid + Vector((0, -0.5 * s, 0)), 1.4)
