"""Offer: everything that stops a car, laid out on the bench at night."""

from models.brake_caliper import caliper
from models.brake_disc import disc
from models.brake_pads import pad
from studio import *  # noqa: F403

EXPOSURE = 0.5


def build():
    back = disc()
    transform(back, move(0.10, 0.30, 0) @ rot("Z", -6) @ rot("X", 80) @ rot("Z", 20))
    drop(back)
    grip = caliper()
    transform(grip, move(0.62, -0.62, 0) @ rot("Z", -20) @ rot("X", 90) @ rot("Z", 90) @ move(-0.9, 0, 0))
    drop(grip)
    pads = []
    for x, y, turn, lean in ((-0.66, -0.62, 16, 62), (-0.30, -1.06, 8, 22)):
        one = pad()
        transform(one, move(x, y, 0) @ rot("Z", turn) @ rot("X", lean))
        pads += drop(one)
    objs = back + grip + pads
    mid, s = bounds(objs)
    cam = aim(objs, azimuth=-22, elevation=12, lens=70, fill=(0.78, 0.84))
    workshop(mid, s, rim_side=-1, key=1.6, rim=0.9)
    focus(cam, mid + Vector((0, -0.4 * s, 0)), 1.4)
