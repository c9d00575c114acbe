"""A fixed six-piston brake calliper, made to sit over the edge of the disc of brake_disc.py."""

import math

from studio import *  # noqa: F403

SPAN = 33  # degrees to either side


def _arc(r, a0, a1, n=28):
    return [(r * math.cos(math.radians(a0 + (a1 - a0) * i / n)), r * math.sin(math.radians(a0 + (a1 - a0) * i / n))) for i in range(n + 1)]


def calliper(color=ORANGE):
    """The calliper around a disc in the XY plane whose radius is 1, centred on the X axis; its face looks along +Z."""
    before = set(subjects())
    coat = material("calliper coat", color, 0.30, grain=0.06, grain_size=45, coat=0.7)
    zinc, dark = steel(0.25), black_steel()
    white = card((0.85, 0.83, 0.80), 0.4)
    cap = material("cap", (0.10, 0.10, 0.105), 0.34, 0.9, aniso=0.6, brushed="radial")
    hole = material("hole", (0.006, 0.006, 0.006), 0.8)
    friction = lining()

    outline = _arc(1.10, -SPAN, SPAN) + _arc(1.03, SPAN + 3.5, SPAN + 3.5, 1)[:1] + [(0.80 * math.cos(math.radians(SPAN + 4)), 0.80 * math.sin(math.radians(SPAN + 4)))]
    outline += _arc(0.665, SPAN - 2, -SPAN + 2) + [(0.80 * math.cos(math.radians(-SPAN - 4)), 0.80 * math.sin(math.radians(-SPAN - 4)))] + _arc(1.03, -SPAN - 3.5, -SPAN - 3.5, 1)[:1]
    for side in (1, -1):
        body = plate("body", outline, (), 0.24, 0.034, coat, segments=5, angle=50)
        body.matrix_world = move(0, 0, side * 0.315)
        for a in (-21, 0, 21):
            r = 0.125 if a else 0.135
            x, y = 0.80 * math.cos(math.radians(a)), 0.80 * math.sin(math.radians(a))
            seat = move(x, y, side * 0.425) @ (rot("X", 180) if side < 0 else Matrix.Identity(4))
            # A turned collar of the casting, and in it the screwed cap with its two holes for a pin wrench.
            lathe("cylinder", [(r + 0.036, 0.0), (r + 0.022, 0.026), (r + 0.012, 0.062), (r + 0.004, 0.070), (r - 0.008, 0.070), (r - 0.014, 0.058), (r - 0.014, 0.0)], coat, 96, angle=40).matrix_world = seat
            lathe("cap", [(r - 0.016, 0.03), (r - 0.016, 0.058), (r - 0.024, 0.064), (r - 0.052, 0.064), (r - 0.058, 0.054), (0, 0.054)], cap, 96, angle=30).matrix_world = seat
            for k in (-1, 1):
                pin = plate("pin hole", circle(0.015, 28), (), 0.004, 0.001, hole)
                pin.matrix_world = seat @ rot("Z", 28 + a) @ move(k * 0.046, 0, 0.055)
        backing = plate("backing", _arc(1.02, -27, 27) + _arc(0.66, 27, -27), (), 0.03, 0.005, dark)
        backing.matrix_world = move(0, 0, side * 0.185)
        pad = plate("pad", _arc(0.98, -25, 25) + _arc(0.67, 25, -25), (), 0.036, 0.004, friction)
        pad.matrix_world = move(0, 0, side * 0.153)
    for a0, a1 in ((-SPAN - 1, -21), (-6, 6), (21, SPAN + 1)):
        n = 12
        frames = []
        for i in range(n + 1):
            a = math.radians(a0 + (a1 - a0) * i / n)
            rad = Vector((math.cos(a), math.sin(a), 0))
            frames.append((rad * 1.085, rad, (0, 0, 1), 1.0))
        sweep("bridge", frames, rounded_rect(0.13, 0.78, 0.05, 6), coat, angle=50, bevel=0.012)
    for a in (-13.5, 13.5):
        x, y = 1.065 * math.cos(math.radians(a)), 1.065 * math.sin(math.radians(a))
        cylinder("pad pin", 0.022, 0.56, (x, y, 0), "Z", 0.004, zinc, 32)
    for a in (-29, 29):
        x, y = 0.985 * math.cos(math.radians(a)), 0.985 * math.sin(math.radians(a))
        bolt(0.036, (x, y, 0.433), "Z", zinc)
    for i, ch in enumerate("DRIVELINE"):
        t = text(ch, 0.128, white, 0.012, shear=0.10)
        a = 19.2 - i * 4.8
        t.matrix_world = rot("Z", a) @ move(1.002, 0, 0.4375) @ rot("Z", -90)
    lathe("bleeder", [(0, 0.16), (0.018, 0.16), (0.022, 0.13), (0.016, 0.11), (0.016, 0.07), (0.035, 0.065), (0.035, 0.0), (0, 0)], zinc, 32, 0.003).matrix_world = rot("Z", SPAN - 4) @ move(1.085, 0, 0.28) @ rot("Y", 62)
    # The lugs that the upright's bolts go through, at both ends of the inner half.
    for a in (-1, 1):
        lug = plate("lug", rounded_rect(0.23, 0.25, 0.09, 8), [circle(0.052, 40)], 0.17, 0.02, coat, segments=4)
        lug.matrix_world = rot("Z", a * (SPAN + 4.5)) @ move(0.90, 0, -0.33)
        lathe("bush", [(0.050, -0.098), (0.068, -0.098), (0.068, 0.098), (0.050, 0.098)], zinc, 48, 0.004, closed=True).matrix_world = lug.matrix_world
    # The pipe that carries the pressure from one half to the other.
    pipe = [(1.02, 0.415), (1.07, 0.375), (1.10, 0.22), (1.105, 0.0), (1.10, -0.22), (1.07, -0.375), (1.02, -0.415)]
    crossing = [tube("pipe", [(x, 0, z) for x, z in pipe], 0.019, zinc, resolution=12)]
    for x, z in (pipe[0], pipe[-1]):
        crossing.append(hexagon("union", 0.062, 0.05, (x - 0.01, 0, z * 0.985), "Z", 0.006, zinc))
    transform(crossing, rot("Z", -SPAN + 1.5))
    return [o for o in subjects() if o not in before]


def build():
    parts = calliper()
    transform(parts, move(-0.9, 0, 0))
    transform(parts, rot("X", 90) @ rot("Z", 90))
    drop(parts)
    return {"azimuth": -30, "elevation": 21, "fill": (0.76, 0.74)}
