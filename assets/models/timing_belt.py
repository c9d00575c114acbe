"""A timing belt kit: toothed belt, tensioner, idler and their bolts."""

import math

from models.oil_bottle import _smooth
from studio import *  # noqa: F403

WIDTH = 0.40
PITCH = 0.098


def _even(points, count):
    """`count` points at equal distances along a closed line."""
    pts = [Vector(p) for p in points]
    lengths = [0.0]
    for a, b in zip(pts, pts[1:] + pts[:1]):
        lengths.append(lengths[-1] + (b - a).length)
    out, k = [], 0
    for i in range(count):
        d = lengths[-1] * i / count
        while lengths[k + 1] < d:
            k += 1
        t = (d - lengths[k]) / (lengths[k + 1] - lengths[k])
        out.append(pts[k].lerp(pts[(k + 1) % len(pts)], t))
    return out


def belt(wide=1.0, tint=(0.028, 0.028, 0.030)):
    """Standing on its back in the shape that it springs into, its width along Y; the teeth are inside."""
    mat = material("belt", tint, 0.50, grain=0.10, grain_size=110, mottle=0.05)
    facing = material("tooth facing", tuple(c + 0.032 for c in tint), 0.62, grain=0.18, grain_size=160)
    line = _smooth([(-1.30, 0.58), (-1.16, 0.18), (-0.80, 0.015), (-0.30, 0.0), (0.30, 0.0), (0.80, 0.015), (1.16, 0.18), (1.30, 0.58), (1.22, 1.06), (0.92, 1.44),
                    (0.48, 1.62), (0.0, 1.64), (-0.48, 1.62), (-0.92, 1.44), (-1.22, 1.06)], 24)
    length = sum((Vector(a) - Vector(b)).length for a, b in zip(line, line[1:] + line[:1]))
    per = 12
    teeth = round(length / PITCH)
    path = _even(line, teeth * per)
    n = len(path)
    # How far a tooth stands out over one pitch: a rounded trapezoid.
    shape = [0.0, 0.0, 0.0, 0.010, 0.036, 0.046, 0.048, 0.048, 0.046, 0.036, 0.010, 0.0]
    back, inner = 0.020, 0.016
    verts, faces = [], []
    for i, p in enumerate(path):
        t = (path[(i + 1) % n] - path[i - 1]).normalized()
        out = Vector((t.y, -t.x))
        o, q = p + out * back, p - out * (inner + shape[i % per])
        verts += [(o.x, o.y, 0.0), (o.x, o.y, WIDTH * wide), (q.x, q.y, WIDTH * wide), (q.x, q.y, 0.0)]
    for i in range(n):
        j = (i + 1) % n
        for k in range(4):
            m = (k + 1) % 4
            faces.append([i * 4 + k, i * 4 + m, j * 4 + m, j * 4 + k])
    loop = mesh("belt", verts, faces, mat, angle=30)
    # The fabric on the teeth is a shade lighter than the back.
    loop.data.materials.append(facing)
    for i, f in enumerate(loop.data.polygons):
        if i % 4 == 2:
            f.material_index = 1
    loop.modifiers.new("edge", "BEVEL").width = 0.004
    transform([loop], rot("X", 90))
    return drop([loop])


def _roller(r, width, shell, race, dark):
    """A pulley with its bearing, around Z, its face towards +Z."""
    h = width / 2
    edge = 0.030  # the flanges that keep the belt on its track
    profile = [(r - 0.075, -h), (r + edge, -h), (r + edge, -h + 0.022), (r, -h + 0.030), (r, h - 0.030), (r + edge, h - 0.022), (r + edge, h), (r - 0.055, h), (r - 0.075, h - 0.02)]
    parts = [lathe("shell", profile, shell, 140, 0.004, closed=True, angle=30)]
    inner = r * 0.47
    parts.append(lathe("outer race", [(r - 0.075, h - 0.05), (r - 0.085, h - 0.035), (inner + 0.16, h - 0.035), (inner + 0.155, h - 0.045), (inner + 0.155, -h + 0.04), (r - 0.075, -h + 0.04)], race, 120, 0.003, closed=True))
    parts.append(lathe("shield", [(inner + 0.155, h - 0.050), (inner + 0.055, h - 0.056), (inner + 0.055, h - 0.070), (inner + 0.155, h - 0.070)], dark, 120, 0.002, closed=True))
    parts.append(lathe("inner race", [(inner + 0.055, h - 0.052), (inner + 0.048, h - 0.030), (inner, h - 0.030), (inner, -h + 0.03), (inner + 0.055, -h + 0.03)], race, 96, 0.003, closed=True))
    return parts


def tensioner(arm=ORANGE):
    """The pulley on its eccentric, with the arm that the spring turns and the mark that is set against the notch."""
    before = set(subjects())
    shell, race, dark = steel(0.22), machined(), plastic((0.022, 0.022, 0.024), 0.35)
    alu, zinc, orange = cast_aluminium(), steel(0.28), paint(arm)
    _roller(0.50, WIDTH, shell, race, dark)
    h = WIDTH / 2
    lathe("eccentric", [(0.0, h - 0.02), (0.24, h - 0.02), (0.24, h + 0.040), (0.225, h + 0.052), (0.0, h + 0.052)], alu, 96, 0.003)
    hub = plate("key", circle(0.205, 80), [circle(0.078, 6, 0.085, 0.0, 0.26), circle(0.058, 40, -0.075, 0.0)], 0.034, 0.006, alu)
    hub.matrix_world = move(0, 0, h + 0.066)
    for x, r, n in ((0.085, 0.074, 6), (-0.075, 0.054, 40)):
        floor = plate("well", circle(r, n, x, 0.0, 0.26 if n == 6 else 0.0), (), 0.004, 0.0, dark)
        floor.matrix_world = move(0, 0, h + 0.056)
    pointer = plate("pointer", [(-0.060, 0.18), (0.060, 0.18), (0.044, 0.42), (0.020, 0.60), (-0.020, 0.60), (-0.044, 0.42)], (), 0.030, 0.007, orange)
    pointer.matrix_world = rot("Z", 34) @ move(0, 0, h + 0.045)
    # Base plate behind, with the fork that sits on its stud and the notch for the pointer.
    base = plate("base", [(-0.30, -0.42), (0.30, -0.42), (0.42, 0.10), (0.34, 0.52), (0.12, 0.70), (0.05, 0.70), (0.05, 0.63), (-0.05, 0.63), (-0.05, 0.70), (-0.12, 0.70), (-0.34, 0.52), (-0.42, 0.10)], (), 0.05, 0.012, zinc)
    base.matrix_world = rot("Z", 20) @ move(0, 0, -h - 0.045)
    coil = [(0.36 * math.cos(TAU * i / 30), 0.36 * math.sin(TAU * i / 30), -h - 0.02 + 0.012 * math.sin(TAU * i / 30)) for i in range(31)]
    tube("spring", coil, 0.016, zinc, smooth=False)
    return [o for o in subjects() if o not in before]


def idler(metal=False):
    before = set(subjects())
    _roller(0.40, WIDTH, steel(0.24) if metal else plastic((0.026, 0.026, 0.028), 0.34, coat=0.2), machined(), plastic((0.05, 0.05, 0.053), 0.4))
    h = WIDTH / 2
    lathe("bush", [(0.085, -h), (0.20, -h), (0.20, h - 0.01), (0.085, h - 0.01)], steel(0.26), 80, 0.005, closed=True)
    return [o for o in subjects() if o not in before]


def screw(length):
    """A flanged bolt along Z, its head up."""
    before = set(subjects())
    zinc = steel(0.26)
    bolt(0.070, (0, 0, 0), "Z", zinc)
    thread = [(0, 0.02), (0.050, 0.02), (0.050, -length * 0.45)]
    z = -length * 0.45
    while z > -length:
        thread += [(0.056, z), (0.046, z - 0.009)]
        z -= 0.018
    lathe("shank", [*thread, (0.038, -length - 0.02), (0, -length - 0.02)], zinc, 40, angle=20)
    return [o for o in subjects() if o not in before]


def build(idlers=1, wide=1.0, tint=(0.028, 0.028, 0.030), arm=ORANGE, metal=False, bolts=2):
    loop = belt(wide, tint)
    transform(loop, move(0.0, 0.42, 0) @ rot("Z", 4))
    t = tensioner(arm)
    transform(t, move(-0.44, -0.40, 0) @ rot("Z", -16) @ rot("X", 76) @ scale(0.80))
    drop(t)
    for k, (x, y, size) in enumerate(((0.44, -0.46, 0.80), (1.10, -0.02, 0.66))[:idlers]):
        i = idler(metal)
        transform(i, move(x, y, 0) @ rot("Z", -2 + 14 * k) @ rot("X", 72) @ scale(size))
        drop(i)
    for x, y, turn, length in ((0.02, -0.92, 58, 0.36), (0.92, -0.72, 112, 0.30), (0.52, -1.06, 84, 0.33), (-0.42, -1.02, 36, 0.30))[:bolts]:
        s = screw(length)
        transform(s, rot("Z", turn) @ rot("X", 90))
        drop(s)
        transform(s, move(x, y, 0))
    return {"azimuth": -20, "elevation": 16, "fill": (0.78, 0.78), "light": {"fill": 1.3, "front": 0.5}}
