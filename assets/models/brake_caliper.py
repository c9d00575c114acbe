"""A fixed six-piston brake caliper, made to sit over the edge of the disc of brake_disc.py."""

import math

from studio import *  # noqa: F403

SPAN = 34  # degrees to either side
PISTONS = ((-20.5, 0.098), (0, 0.108), (20.5, 0.098))  # where they lie along the arc, and their radii
SEAT = 0.80  # radius of the pistons' middles
GAP = 0.17  # half of the room for disc and pads
CROWN = 0.425  # how far the cylinders stand out


def _at(r, degrees, z=0.0):
    a = math.radians(degrees)
    return Vector((r * math.cos(a), r * math.sin(a), z))


def _ease(t):
    t = max(0.0, min(1.0, t))
    return t * t * (3 - 2 * t)


def _edges(degrees):
    """Inner and outer radius of the casting: scalloped around the pistons, drawn in at both ends."""
    t = max(0.0, (abs(degrees) - SPAN + 7) / 7)
    corner = 1 - math.sqrt(max(0.0, 1 - min(1.0, t) ** 2))
    near = min(abs(degrees - p) for p, _ in PISTONS)
    low = 0.655 + 0.036 * _ease(near / 10.25) ** 1.5
    return low + 0.15 * corner, 1.112 - 0.10 * corner


def _height(degrees, r):
    """How far the outer face stands out: cylinders that swell from the casting, and a flat band for the name."""
    low, high = _edges(degrees)
    z = 0.345
    for p, radius in PISTONS:
        d = (_at(r, degrees) - _at(SEAT, p)).length
        z = max(z, CROWN - (CROWN - 0.345) * (1 - _ease((radius + 0.034 - d) / 0.030)))
    z += max(0.0, 0.405 - z) * _ease((r - 0.930) / 0.022) * _ease((SPAN - abs(degrees)) / 3)
    # Rounded along every edge.
    edge = min((r - low) / 0.036, (high - r) / 0.034, (SPAN - abs(degrees)) / 2.2 + 0.10)
    return z - 0.050 * (1 - math.sqrt(max(0.0, 1 - (1 - min(1.0, max(0.0, edge))) ** 2)))


def _half(side, mat):
    """One half of the casting, skinned along the arc."""
    sections = []
    n, rows = 300, 92
    for i in range(n + 1):
        a = -SPAN + 2 * SPAN * i / n
        low, high = _edges(a)
        outer = [low + (high - low) * k / rows for k in range(rows + 1)]
        ring = [_at(r, a, side * _height(a, r)) for r in outer] + [_at(high, a, side * GAP), _at(low, a, side * GAP)]
        sections.append([tuple(p) for p in ring])
    return loft("half", sections, mat, 0.0, angle=48)


def _bridge(a0, a1, side, mat, depth=0.10, r=1.07):
    """A half's part of what joins them over the disc's edge, arched across it; where the halves meet there is a seam."""
    sections = []
    for k in range(13):
        z = side * (0.004 + 0.326 * k / 12)
        lift = 0.024 * (1 - (z / 0.33) ** 2)
        top, bottom = r + 0.030 + lift, r + 0.030 + lift - depth
        n = 10
        edge = [(a0 + (a1 - a0) * i / n, top - 0.030 * abs(2 * i / n - 1) ** 6) for i in range(n + 1)]
        edge += [(a1 + (a0 - a1) * i / n, bottom) for i in range(n + 1)]
        sections.append([tuple(_at(q, a, z)) for a, q in edge])
    return loft("bridge", sections, mat, 0.010, angle=50)


def _plug(degrees, radius, side, bare, dark):
    """What closes a cylinder's bore from outside: turned aluminium with a socket for the key."""
    m = Matrix.Translation(_at(SEAT, degrees, side * CROWN)) @ (Matrix.Identity(4) if side > 0 else rot("X", 180))
    rim = [(radius * 0.40, 0.004), (radius * 0.44, 0.012), (radius * 0.70, 0.012), (radius * 0.76, 0.006), (radius * 0.76, -0.010), (radius * 0.40, -0.010)]
    lathe("plug", rim, bare, 72, 0.002, closed=True, angle=30).matrix_world = m
    hexagon("socket", radius * 0.86, 0.004, (0, 0, 0.003), bevel=0.001, mat=dark).matrix_world = m @ move(0, 0, 0.003)


def _piston(degrees, radius, side, steel_mat, boot):
    """A cup in its dust boot, looking at the disc."""
    m = Matrix.Translation(_at(SEAT, degrees, side * GAP)) @ (rot("X", 180) if side > 0 else Matrix.Identity(4))
    lathe("boot", [(radius + 0.018, -0.01), (radius + 0.018, 0.012), (radius + 0.010, 0.020), (radius - 0.004, 0.026), (radius - 0.004, -0.01)], boot, 72, 0.002).matrix_world = m
    cup = [(radius - 0.004, 0.0), (radius - 0.004, 0.056), (radius - 0.012, 0.062), (radius * 0.66, 0.062), (radius * 0.62, 0.054), (radius * 0.60, 0.0), (0, -0.004)]
    lathe("piston", cup, steel_mat, 72, 0.002, angle=30).matrix_world = m


def _bleeder(place, zinc, cap):
    """The nipple that lets air out, under its cap."""
    parts = [hexagon("bleeder hex", 0.062, 0.040, (0, 0, 0.020), bevel=0.005, mat=zinc), lathe("bleeder", [(0.024, 0.03), (0.024, 0.075), (0.017, 0.085), (0.017, 0.11), (0, 0.11)], zinc, 32),
             lathe("bleeder cap", [(0.028, 0.070), (0.030, 0.076), (0.030, 0.104), (0.024, 0.150), (0.016, 0.160), (0, 0.161)], cap, 36, angle=50)]
    transform(parts, place)


def caliper(color=ORANGE, name="DRIVELINE", mark=""):
    """The caliper around a disc in the XY plane whose radius is 1, centred on the X axis; its face looks along +Z."""
    before = set(subjects())
    coat = material("caliper coat", color, 0.34, grain=0.050, grain_size=110, coat=0.45)
    bare = material("turned plug", (0.66, 0.665, 0.675), 0.28, 1.0, brushed="radial", mottle=0.04)
    zinc, dark, soft = steel(0.25), black_steel(), rubber()
    white = card((0.85, 0.83, 0.80), 0.4)
    for side in (1, -1):
        _half(side, coat)
        for degrees, radius in PISTONS:
            _piston(degrees, radius, side, steel(0.22), soft)
            _plug(degrees, radius, side, bare, dark)
        for a0, a1 in ((-SPAN + 1.5, -19.5), (-3.4, 3.4), (19.5, SPAN - 1.5)):
            _bridge(a0, a1, side, coat)
        # The screws that hold the halves together.
        for a in (-SPAN + 5, SPAN - 5):
            bolt(0.038, _at(1.035, a, side * 0.405), "Z" if side > 0 else "-Z", zinc)
        _bleeder(Matrix.Translation(_at(1.075, SPAN - 7.5, side * 0.275)) @ rot("Z", SPAN - 7.5) @ rot("Y", 90) @ rot("X", -24 * side), zinc, soft)
    # Two pins that hold the pads, and the leaf spring between them that keeps the pads quiet.
    for a in (-11.5, 11.5):
        cylinder("pad pin", 0.024, 0.72, _at(1.035, a), "Z", 0.004, zinc, 40)
    for side in (1, -1):
        strip = [(_at(1.062 - 0.030 * math.cos(math.radians(9 * a)) , a, side * 0.075), _at(1, a), (0, 0, 1), 1.0) for a in [-15 + 30 * i / 30 for i in range(31)]]
        sweep("spring", strip, rounded_rect(0.008, 0.075, 0.003, 2), steel(0.2), angle=60)
    for i, ch in enumerate(name):
        t = text(ch, 0.118, white, 0.014, 0.001, shear=0.10)
        t.matrix_world = rot("Z", (len(name) - 1) * 2.3 - i * 4.6) @ move(1.006, 0, 0.4075) @ rot("Z", -90)
    if mark:
        t = text(mark, 0.100, white, 0.010, 0.001)
        t.matrix_world = move(1.119, 0, 0.17) @ rot("Y", 90) @ rot("Z", -90)
    # The lugs that the upright's bolts go through, at both ends of the inner half.
    for a in (-1, 1):
        m = rot("Z", a * (SPAN + 2.2))
        lug = plate("lug", rounded_rect(0.25, 0.24, 0.105, 10), [circle(0.056, 40)], 0.19, 0.026, coat, segments=5)
        lug.matrix_world = m @ move(0.875, 0, -0.305)
        web = plate("web", rounded_rect(0.28, 0.20, 0.06, 6), (), 0.13, 0.030, coat, segments=5)
        web.matrix_world = rot("Z", a * (SPAN - 8)) @ move(0.90, 0, -0.295)
        lathe("bush", [(0.054, -0.102), (0.074, -0.102), (0.074, 0.102), (0.054, 0.102)], zinc, 48, 0.004, closed=True).matrix_world = lug.matrix_world
    # The pipe that carries the pressure from one half to the other, around the lower end.
    pipe = [(0.93, 0.335), (0.985, 0.375), (1.075, 0.345), (1.135, 0.20), (1.150, 0.0), (1.135, -0.20), (1.075, -0.345), (0.985, -0.375), (0.93, -0.335)]
    crossing = [tube("pipe", [(x, 0, z) for x, z in pipe[1:-1]], 0.020, zinc, resolution=12)]
    for s in (1, -1):
        nut = hexagon("union", 0.070, 0.075, (0, 0, 0), "Z", 0.006, zinc)
        nut.matrix_world = move(0.970, 0, s * 0.372) @ rot("Y", 64 * s)
        crossing.append(nut)
    transform(crossing, rot("Z", -SPAN + 3.2))
    # Where the hose comes in.
    port = lathe("port", [(0.070, 0), (0.066, 0.030), (0.030, 0.034), (0.030, 0.0)], coat, 48, 0.006, closed=True)
    port.matrix_world = Matrix.Translation(_at(0.90, 11, -0.385)) @ rot("X", 180)
    return [o for o in subjects() if o not in before]


def build(turn=0, azimuth=-30, roll=90, **values):
    """`roll` is how far it is turned in the plane of its disc: at 90 its back is up, at 0 it stands on its end."""
    parts = caliper(**values)
    transform(parts, move(-0.9, 0, 0))
    transform(parts, rot("Z", turn) @ rot("X", 90) @ rot("Z", roll))
    drop(parts)
    return {"azimuth": azimuth, "elevation": 19, "fill": (0.74, 0.74), "light": {"front": 0.4, "rim": 1.2}}
