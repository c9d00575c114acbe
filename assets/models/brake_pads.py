"""An axle set of brake pads: backing plates, chamfered and slotted linings, wear indicators, one sensor cable."""

import math

from studio import *  # noqa: F403

EDGE = 25.0  # degrees to either side that the backing plate covers, seen from the disc's middle
FOOT = 0.64  # inner radius, where the disc's is 1
DROP = 0.60  # how far the pad's foot lies from the disc's middle: parts are moved down by this


def _arc(r, a0, a1, n=20):
    """Points on a circle around the disc's middle; degrees from straight up, to the right."""
    return [(r * math.sin(math.radians(a0 + (a1 - a0) * i / n)), r * math.cos(math.radians(a0 + (a1 - a0) * i / n)) - DROP) for i in range(n + 1)]


def _edge(side, stations):
    """Points beside the straight end of a pad: (radius, how far out)."""
    a = math.radians(EDGE) * side
    out = Vector((math.cos(a), -math.sin(a))) * side
    along = Vector((math.sin(a), math.cos(a)))
    return [tuple(along * r + out * d - Vector((0, DROP))) for r, d in stations]


def _block(side, mat):
    """Half of a lining, with the slot on its inner end and a chamfer on its outer one."""
    sections = []
    for z, end, grow in ((0.0, 22.6, 0.0), (0.058, 22.6, 0.0), (0.098, 18.2, 0.004)):
        lo, hi = FOOT + 0.035 + grow, 0.982 - grow
        inner = [(side * 0.013, lo - DROP), (side * 0.013, hi - DROP)]
        outline = [*inner, *_arc(hi, side * 2.0, side * end, 12), *_arc(lo, side * end, side * 2.0, 12)]
        sections.append([(x, y, z + 0.048) for x, y in outline])
    return loft("lining", sections, mat, 0.004, angle=30, segments=2)


def _squealer(spring):
    """A spring riveted to the plate's end, bent so that it meets the disc when the lining is worn."""
    section = rounded_rect(0.012, 0.075, 0.003, 2)
    path = [(0.0, -0.034), (0.085, -0.034), (0.100, -0.026), (0.106, -0.005), (0.106, 0.062), (0.098, 0.084), (0.074, 0.090)]
    frames = []
    for i, (x, z) in enumerate(path):
        p, q = path[max(0, i - 1)], path[min(len(path) - 1, i + 1)]
        t = Vector((q[0] - p[0], 0, q[1] - p[1])).normalized()
        frames.append(((x, 0, z), Vector((-t.z, 0, t.x)), (0, 1, 0), 1.0))
    strip = sweep("squealer", frames, section, spring, angle=50, bevel=0.001)
    strip.matrix_world = move(0.357, 0.865 - DROP, 0.018) @ rot("Z", -EDGE)


def pad(sensor=False, tint=(0.085, 0.080, 0.074), chips=(0.34, 0.27, 0.19), squealer=True):
    """One pad flat in XY, its lining up, its foot at y = 0."""
    before = set(subjects())
    plate_coat = material("pad coat", (0.036, 0.037, 0.040), 0.42, 0.3, grain=0.07, grain_size=90, mottle=0.08)
    friction = lining(tint, chips)
    spring = steel(0.3)
    ear = [(0.925, 0.0), (0.925, 0.030), (0.900, 0.072), (0.800, 0.072), (0.785, 0.058), (0.785, 0.014), (0.770, 0.0)]
    outline = _arc(1.0, -EDGE, EDGE)[1:-1] + _edge(1, ear) + _arc(FOOT, EDGE - 1.5, -EDGE + 1.5) + _edge(-1, ear)[::-1]
    back = plate("backing", outline, (), 0.052, 0.008, plate_coat)
    back.matrix_world = move(0, 0, 0.012)
    bed = plate("bed", _arc(0.985, -23, 23) + _arc(FOOT + 0.03, 23, -23), (), 0.016, 0.003, friction)
    bed.matrix_world = move(0, 0, 0.044)
    for side in (-1, 1):
        _block(side, friction)
    if squealer:
        _squealer(spring)
    if sensor:
        cable, plug = plastic((0.02, 0.02, 0.022), 0.5), plastic((0.035, 0.035, 0.038), 0.4)
        box("sensor", (0.10, 0.05, 0.06), (-0.05, 1.0 - DROP, 0.075), 0.012, plug)
        tube("cable", [(-0.09, 1.0 - DROP, 0.08), (-0.22, 1.04 - DROP, 0.06), (-0.42, 0.98 - DROP, 0.0), (-0.55, 0.78 - DROP, -0.02), (-0.57, 0.52 - DROP, -0.005)], 0.016, cable, resolution=14)
        end = box("plug", (0.085, 0.14, 0.07), (0, 0, 0), 0.014, plug)
        end.matrix_world = move(-0.572, 0.46 - DROP, 0.0)
    return [o for o in subjects() if o not in before]


def shim(objs, color=ORANGE):
    """What one sees from behind: the damping shim with the name on it, and the rivets' heads."""
    before = set(subjects())
    orange, zinc = paint(color, 0.42, 0.2), steel(0.3)
    white = card((0.85, 0.83, 0.80), 0.4)
    face = plate("shim", _arc(0.975, -22.5, 22.5) + _arc(FOOT + 0.025, 22.5, -22.5), (), 0.012, 0.003, orange)
    face.matrix_world = move(0, 0, -0.018)
    for i, ch in enumerate("DRIVELINE"):
        t = text(ch, 0.115, white, 0.008, shear=0.1)
        a = 3.8 * i - 15.2
        # Read from behind, so the word runs the other way round the disc's middle.
        t.matrix_world = move(0, -DROP, -0.026) @ rot("Z", a) @ move(0, 0.80, 0) @ rot("Y", 180)
    for side in (-1, 1):
        rivet = lathe("rivet", [(0.028, 0), (0.026, 0.010), (0.015, 0.016), (0, 0.017)], zinc, 32)
        x, y = _edge(side, [(0.86, 0.036)])[0]
        rivet.matrix_world = move(x, y, -0.014) @ rot("X", 180)
    return objs + [o for o in subjects() if o not in before]


def build(sensors=1, shape=(1, 1, 1), color=ORANGE, **values):
    """`shape` stretches every pad along its length, height and depth; `color` is the shim's."""
    stretch = Matrix.Diagonal((*shape, 1))

    def one(backed=False, cable=False):
        objs = pad(sensor=cable, **values)
        return shim(objs, color) if backed else objs

    # Two stand at the back, lining and shim to the camera; two lie in front.
    first = one()
    transform(first, move(-0.46, 0.44, 0) @ rot("Z", -6) @ rot("X", 78) @ stretch)
    drop(first)
    second = one(backed=True)
    transform(second, move(0.44, 0.62, 0) @ rot("Z", 5) @ rot("X", 102) @ rot("Y", 180) @ stretch)
    drop(second)
    third = one(cable=sensors > 0)
    transform(third, move(-0.30, -0.42, 0) @ rot("Z", 12) @ rot("X", 17) @ stretch)
    drop(third)
    fourth = one(cable=sensors > 1)
    if sensors > 1:
        transform(fourth, Matrix.Diagonal((-1, 1, 1, 1)))
    transform(fourth, move(0.47, -0.50, 0) @ rot("Z", -14) @ rot("X", 14) @ rot("Y", 11) @ stretch)
    drop(fourth, 0.004)
    return {"azimuth": -16, "elevation": 21, "fill": (0.82, 0.74)}
