"""A clutch kit: pressure plate with its diaphragm spring, friction disc with torsion springs, release bearing."""

import math

from studio import *  # noqa: F403


def _polar(r, a):
    return (r * math.cos(a), r * math.sin(a))


def _coil(name, radius, wire, length, turns, mat):
    """A coil spring along X, its ends ground flat enough to sit in a window."""
    n = int(turns * 14)
    pts = []
    for i in range(n + 1):
        t = i / n
        # The pitch closes towards both ends.
        x = length * (t - 0.5) + 0.10 * length / turns * math.sin(TAU * t)
        a = TAU * turns * t
        pts.append((x, radius * math.cos(a), radius * math.sin(a)))
    return tube(name, pts, wire, mat, smooth=False, sides=4)


def pressure_plate():
    """Around Z, the fingers towards +Z."""
    before = set(subjects())
    stamped = material("stamped steel", (0.085, 0.088, 0.095), 0.40, 0.7, grain=0.06, grain_size=80, mottle=0.1)
    iron = cast_iron()
    spring = material("spring steel", (0.22, 0.225, 0.235), 0.30, 1.0, mottle=0.12)
    zinc = steel(0.28)

    # Flange with its ears, each with a hole for bolt or dowel.
    outline = []
    for i in range(360):
        a = TAU * i / 360
        k = math.cos(6 * a)
        outline.append(_polar(1.0 + 0.075 * max(0.0, min(1.0, (k + 0.25) / 0.5)), a))
    holes = [circle(0.035, 28, *_polar(1.01, TAU * k / 6)) for k in range(6)]
    flange = plate("flange", outline, [circle(0.88, 160), *holes], 0.045, 0.012, stamped)
    flange.matrix_world = move(0, 0, 0.03)
    # The dome, open at three places where the straps lie.
    dome = [(0.950, 0.015), (0.905, 0.060), (0.880, 0.180), (0.850, 0.225), (0.800, 0.245), (0.800, 0.205), (0.835, 0.190), (0.850, 0.165), (0.870, 0.050), (0.885, 0.010)]
    for k in range(6):
        lathe("dome", dome, stamped, 44, 0.008, closed=True, start=TAU * k / 6 - 0.40, sweep=0.80, angle=40)
    lathe("crown", [(0.845, 0.222), (0.800, 0.250), (0.690, 0.262), (0.672, 0.255), (0.672, 0.222), (0.690, 0.220), (0.800, 0.205), (0.835, 0.190)], stamped, 180, 0.006, closed=True, angle=40)
    # The iron ring that presses.
    lathe("ring", [(0.860, -0.075), (0.860, 0.075), (0.820, 0.100), (0.590, 0.100), (0.560, 0.080), (0.560, -0.075)], iron, 180, 0.010, closed=True)
    # Straps, riveted: cover at one end, ring at the other.
    for k in range(3):
        m = rot("Z", 120 * k + 30)
        strap = plate("strap", rounded_rect(0.075, 0.50, 0.036, 8), (), 0.022, 0.004, spring)
        strap.matrix_world = m @ move(0.905, 0, 0.115)
        for y in (-0.205, 0.205):
            head = lathe("rivet", [(0.038, 0), (0.036, 0.016), (0.020, 0.028), (0, 0.030)], zinc, 32)
            head.matrix_world = m @ move(0.905, y, 0.125)

    # Diaphragm: a cone cut into eighteen fingers.
    count, lean = 18, 13.0
    half = math.pi / count
    lathe("belleville", [(0.800, 0.120), (0.800, 0.145), (0.640, 0.196), (0.640, 0.168)], spring, 180, 0.004, closed=True)
    finger = []
    gap = 0.013
    for r in (0.665, 0.60, 0.545, 0.505):
        # The slot's root is a round eye, so that it does not tear.
        eye = 0.030 * math.sqrt(max(0.0, 1 - ((r - 0.545) / 0.045) ** 2)) if abs(r - 0.545) < 0.045 else 0.0
        finger.append((r, r * math.tan(half) - max(gap, eye)))
    for r in (0.42, 0.32, 0.24, 0.205):
        finger.append((r, r * math.tan(half) - gap))
    side = [(r, max(w, 0.006)) for r, w in finger]
    tip = [(0.190, 0.010)]
    shape = side + tip + [(r, -w) for r, w in (side + tip)[::-1]]
    blade = plate("finger", shape, (), 0.026, 0.006, spring, segments=2)
    blade.matrix_world = move(0.655, 0, 0.180) @ rot("Y", lean) @ move(-0.655, 0, 0)
    around([blade], count)
    # The wire that the spring tilts on, and its nine hooks.
    wire = [(0.690 * math.cos(TAU * i / 120), 0.690 * math.sin(TAU * i / 120), 0.205) for i in range(120)]
    tube("pivot wire", wire, 0.020, zinc, closed=True, smooth=False, sides=5)
    for k in range(9):
        m = rot("Z", 40 * k + 10)
        hook = box("hook", (0.085, 0.052, 0.030), (0, 0, 0), 0.010, stamped)
        hook.matrix_world = m @ move(0.660, 0, 0.252) @ rot("Y", 6)
        lathe("hook rivet", [(0.034, 0), (0.030, 0.016), (0, 0.022)], zinc, 32).matrix_world = m @ move(0.750, 0, 0.255)
    return [o for o in subjects() if o not in before]


def friction_disc(springs=6, tint=(0.135, 0.105, 0.080), chips=(0.36, 0.25, 0.12), coil=ORANGE, slots=24):
    """Around Z, the longer end of the hub towards +Z."""
    before = set(subjects())
    facing = lining(tint, chips)
    core = material("core", (0.30, 0.305, 0.315), 0.34, 1.0, mottle=0.12)
    cover = material("cover", (0.115, 0.117, 0.122), 0.36, 0.9, mottle=0.1)
    brass = material("brass", (0.62, 0.42, 0.14), 0.30, 1.0)
    spring = paint(coil, 0.34, 0.3)
    hub = steel(0.3)

    rivets = [_polar(0.915 if k % 2 else 0.755, TAU * (k + 0.5) / 24) for k in range(24)]
    grooves = []
    for k in range(slots):
        # Grooves let wear dust out; they lean a little.
        pts = []
        for r, da, w in ((0.675, -0.02, 0.011), (0.83, 0.005, 0.011), (0.988, 0.03, 0.011)):
            a = TAU * k / slots + da
            t = (-math.sin(a), math.cos(a))
            x, y = _polar(r, a)
            pts.append(((x + t[0] * w, y + t[1] * w), (x - t[0] * w, y - t[1] * w)))
        grooves.append([p for p, _ in pts] + [q for _, q in pts[::-1]])
    wells = [circle(0.030, 22, x, y) for x, y in rivets]
    for s in (1, -1):
        under = plate("under", circle(0.995, 200), [circle(0.665, 160)], 0.030, 0.003, facing)
        under.matrix_world = move(0, 0, s * 0.040)
        skin = plate("facing", circle(0.995, 200), [circle(0.665, 160), *wells, *grooves], 0.026, 0.003, facing, segments=2)
        skin.matrix_world = move(0, 0, s * 0.067)
        for x, y in rivets:
            lathe("rivet", [(0.021, 0.0), (0.021, 0.007), (0.012, 0.010), (0.009, 0.004), (0, 0.004)], brass, 24).matrix_world = move(x, y, s * 0.055) @ (rot("X", 180) if s < 0 else Matrix.Identity(4))
    # The wavy carrier between the facings, seen as spokes inside them.
    gaps = [[_polar(r, TAU * (k + d) / 12) for r, d in ((0.655, -0.06), (0.655, 0.06), (0.60, 0.06), (0.60, -0.06))] for k in range(12)]
    plate("carrier", circle(0.70, 160), [circle(0.30, 96), *gaps], 0.028, 0.004, core)

    # Hub plates with windows for six springs, and the rivets that hold them together.
    windows = []
    for k in range(springs):
        a = TAU * k / springs
        c, s = math.cos(a), math.sin(a)
        windows.append([(0.405 * c - y * s + x * c, 0.405 * s + y * c + x * s) for x, y in rounded_rect(0.135, 0.285, 0.050, 6)])
    for s in (1, -1):
        p = plate("hub plate", circle(0.560, 160), [circle(0.205, 96), *windows], 0.034, 0.008, cover)
        p.matrix_world = move(0, 0, s * 0.062)
        for k in range(springs):
            frame = plate("lip", [(x, y) for x, y in rounded_rect(0.165, 0.315, 0.060, 6)], [rounded_rect(0.128, 0.280, 0.046, 6)], 0.040, 0.008, cover)
            frame.matrix_world = rot("Z", 360 / springs * k) @ move(0.405, 0, s * 0.088)
    for k in range(springs):
        x, y = _polar(0.475, TAU * (k + 0.5) / springs)
        lathe("stop", [(0.042, 0.080), (0.040, 0.100), (0.024, 0.110), (0, 0.112)], hub, 32).matrix_world = move(x, y, 0)
    for k in range(springs):
        c = _coil("spring", 0.062, 0.0155, 0.265, 6.5, spring)
        c.matrix_world = rot("Z", 360 / springs * k) @ move(0.405, 0, 0.022) @ rot("Z", 90)
    # Splined hub.
    teeth = 22
    bore = []
    for i in range(teeth):
        for f, r in ((0.0, 0.112), (0.40, 0.112), (0.52, 0.136), (0.88, 0.136)):
            bore.append(_polar(r, TAU * (i + f) / teeth))
    sleeve = plate("hub", circle(0.185, 96), [bore], 0.40, 0.010, hub, segments=2)
    sleeve.matrix_world = move(0, 0, 0.08)
    plate("hub flange", circle(0.29, 120), [circle(0.15, 64)], 0.165, 0.014, hub)
    return [o for o in subjects() if o not in before]


def release_bearing():
    """Around Z, its pressing face towards +Z."""
    before = set(subjects())
    shell, race, dark = steel(0.22), machined(), plastic((0.026, 0.026, 0.028), 0.45, 0.1)
    lathe("shell", [(0.200, 0.00), (0.350, 0.00), (0.362, 0.012), (0.362, 0.150), (0.345, 0.168), (0.300, 0.172), (0.300, 0.150), (0.200, 0.140)], shell, 120, 0.005, closed=True)
    lathe("seal", [(0.302, 0.150), (0.302, 0.163), (0.262, 0.163), (0.262, 0.150)], dark, 100, closed=True)
    lathe("race", [(0.262, 0.08), (0.262, 0.190), (0.250, 0.205), (0.205, 0.212), (0.188, 0.204), (0.180, 0.190), (0.180, 0.08)], race, 120, 0.004, closed=True, angle=30)
    lathe("sleeve", [(0.165, -0.26), (0.215, -0.26), (0.215, -0.02), (0.300, -0.01), (0.300, 0.012), (0.165, 0.012)], dark, 100, 0.008, closed=True)
    for a in (0, 180):
        ear = box("ear", (0.16, 0.20, 0.075), (0, 0, 0), 0.018, dark)
        ear.matrix_world = rot("Z", a) @ move(0.325, 0, -0.055)
    return [o for o in subjects() if o not in before]


def centring_tool():
    """The mandrel that holds the friction disc in the middle while the cover is bolted on, lying along X."""
    before = set(subjects())
    body = plastic(ORANGE, 0.4, 0.05)
    profile = [(0, -0.62), (0.050, -0.62), (0.060, -0.60), (0.060, -0.34), (0.105, -0.30), (0.105, 0.06), (0.130, 0.08), (0.130, 0.13), (0.070, 0.15), (0.070, 0.44), (0.100, 0.46), (0.100, 0.58), (0.085, 0.60), (0, 0.60)]
    lathe("mandrel", profile, body, 72, 0.004, angle=25)
    parts = [o for o in subjects() if o not in before]
    transform(parts, rot("Y", 90))
    return drop(parts)


def build(size=1.0, tool=False, **values):
    """`size` of plate and disc beside the bearing, which is much the same in all kits."""
    back = pressure_plate()
    transform(back, move(-0.62, 0.42, 0) @ rot("Z", -6) @ rot("X", 76) @ rot("Z", 12) @ scale(size))
    drop(back)
    disc = friction_disc(**values)
    transform(disc, move(0.78 * size, 0.02, 0) @ rot("Z", 12) @ rot("X", 72) @ rot("Z", 8) @ scale(size))
    drop(disc)
    bearing = release_bearing()
    transform(bearing, move(-0.22, -0.86, 0) @ rot("Z", -14) @ rot("X", 38))
    drop(bearing)
    if tool:
        rod = centring_tool()
        transform(rod, move(0.62, -0.92, 0) @ rot("Z", 12))
    return {"azimuth": -14, "elevation": 17, "fill": (0.82, 0.76), "light": {"fill": 1.2, "front": 0.3}}
