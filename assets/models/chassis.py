"""What carries, steers and brakes, beside the models that have a file of their own."""

import math

from studio import *  # noqa: F403


def build(part, **values):
    shot = globals()[part](**values) or {}
    drop(subjects())
    return {"azimuth": -24, "elevation": 16, "fill": (0.74, 0.78), "light": {"fill": 1.2, "front": 0.35}, **shot}


def ring(name, r, wire, mat, z=0.0, segments=140):
    """A round bar bent to a circle around Z."""
    return lathe(name, [(r + wire * math.cos(TAU * i / 20), z + wire * math.sin(TAU * i / 20)) for i in range(20)], mat, segments, closed=True, angle=60)


def _boot(r, h, mat, folds=4, neck=0.45):
    """A bellows around Z, wide at the bottom."""
    profile = [(0, 0), (r, 0)]
    for i in range(folds):
        t0, t1 = i / folds, (i + 0.5) / folds
        profile += [(r * (1 - (1 - neck) * t0), h * t0 + 0.004), (r * (1 - (1 - neck) * t1) * 0.80, h * t1)]
    return lathe("boot", [*profile, (r * neck, h), (0, h)], mat, 80, angle=60)


def _stud(r, h, mat):
    """A threaded pin upwards from the origin, with its nut."""
    profile = [(0, 0), (r, 0), (r * 0.92, h * 0.3)]
    z = h * 0.3
    while z < h - 0.02:
        profile += [(r, z + 0.006), (r * 0.86, z + 0.014)]
        z += 0.020
    return [lathe("stud", [*profile, (r * 0.7, h), (0, h)], mat, 40, angle=20), hexagon("nut", r * 3.2, h * 0.26, (0, 0, h * 0.46), bevel=0.008, mat=mat)]


def _bush(r, width, at, turn=0):
    """A rubber bush in its sleeve, its axis along X."""
    parts = [
        lathe("sleeve", [(r, -width / 2), (r, width / 2), (r * 0.88, width / 2), (r * 0.88, -width / 2)], black_steel(), 80, 0.006, closed=True),
        lathe("bush", [(r * 0.88, -width * 0.44), (r * 0.60, -width * 0.30), (r * 0.45, -width * 0.52), (r * 0.45, width * 0.52), (r * 0.60, width * 0.30), (r * 0.88, width * 0.44)], rubber(), 80, closed=True, angle=50),
        lathe("tube", [(r * 0.45, -width * 0.58), (r * 0.45, width * 0.58), (r * 0.28, width * 0.58), (r * 0.28, -width * 0.58)], steel(0.26), 60, 0.005, closed=True),
    ]
    transform(parts, move(*at) @ rot("Z", turn) @ rot("Y", 90))
    return parts


def coil_spring(turns=5.5, wire=0.085, r=0.62, h=1.9, tint=ORANGE, waist=0.0):
    """`waist` draws the turns at both ends in."""
    n = round(turns * 28)
    points = []
    for i in range(n + 1):
        t = i / n
        # The ends are ground flat: there the wire hardly climbs.
        climb = (t - math.sin(TAU * t) / TAU * 0.55)
        k = r * (1 - waist * (2 * t - 1) ** 4)
        points.append((k * math.cos(TAU * turns * t), k * math.sin(TAU * turns * t), h * climb))
    tube("spring", points, wire, paint(tint, 0.34), smooth=False, sides=8)
    return {"elevation": 10, "fill": (0.6, 0.84)}


def brake_drum(bolts=4, tall=1.0, coat=(0.045, 0.047, 0.052), ribs=2):
    iron, coated = machined((0.44, 0.44, 0.45)), material("coat", coat, 0.42, 0.6, grain=0.08, mottle=0.08)
    h = 0.46 * tall
    lathe("drum", [(0.24, h + 0.16), (0.56, h + 0.16), (0.62, h + 0.12), (0.64, h), (0.94, h - 0.02), (1.0, h - 0.08), (1.0, 0.10), (1.06, 0.08), (1.06, 0.0), (0.92, 0.0)], coated, 180, 0.008, angle=40)
    lathe("face", [(0.92, 0.0), (0.90, h - 0.10), (0.60, h - 0.08), (0.24, h + 0.08), (0.24, h + 0.16)], iron, 180)
    for k in range(ribs):
        ring("rib", 1.005, 0.022, coated, 0.16 + 0.14 * k * tall, 180)
    for i in range(bolts):
        a = TAU * i / bolts + 0.4
        cylinder("hole", 0.060, 0.01, (0.40 * math.cos(a), 0.40 * math.sin(a), h + 0.160), bevel=0.002, mat=plastic((0.006, 0.006, 0.006), 0.8), segments=40)
    transform(subjects(), rot("X", 58))
    return {"fill": (0.72, 0.80)}


def brake_shoes(wide=1.0, tint=(0.050, 0.048, 0.044), springs=ORANGE):
    painted, facing, zinc = paint((0.03, 0.03, 0.033), 0.4, 0.2), lining(tint), steel(0.28)
    w = 0.19 * wide
    shoe = [
        lathe("table", [(0.93, -w), (0.97, -w), (0.97, w), (0.93, w)], painted, 60, 0.004, closed=True, start=math.radians(-58), sweep=math.radians(116)),
        lathe("lining", [(0.97, -w * 0.95), (1.06, -w * 0.95), (1.06, w * 0.95), (0.97, w * 0.95)], facing, 60, 0.008, closed=True, start=math.radians(-52), sweep=math.radians(104)),
        lathe("web", [(0.70, -0.02), (0.94, -0.02), (0.94, 0.02), (0.70, 0.02)], painted, 60, 0.004, closed=True, start=math.radians(-62), sweep=math.radians(124)),
    ]
    for a in (-30, 0, 30):
        shoe.append(cylinder("eye", 0.035, 0.05, (0.82 * math.cos(math.radians(a)), 0.82 * math.sin(math.radians(a)), 0), bevel=0.004, mat=zinc, segments=32))
    copy(shoe, move(-0.22, 0, 0) @ rot("Z", 180))
    for y in (-0.66, 0.62):
        points = [(-0.52 + i * 0.0066, y + 0.035 * math.sin(i * 1.1), 0.07 + 0.035 * math.cos(i * 1.1)) for i in range(150)]
        tube("spring", points, 0.012, paint(springs), smooth=False, sides=3)
    transform(subjects(), rot("X", 48) @ rot("Z", 12))
    return {"fill": (0.76, 0.78)}


def brake_hose(bend=1.0, sleeve=ORANGE, banjo=True, braided=False):
    zinc = steel(0.24)
    skin = material("braid", (0.55, 0.56, 0.57), 0.34, 0.9, cells=0.6, cell_size=60) if braided else rubber()
    path = [(-1.25, 0, 0), (-0.95, 0.0, 0.02), (-0.45, 0.10, 0.42 * bend), (0.05, 0, 0.62 * bend), (0.55, -0.10, 0.40 * bend), (0.95, 0, 0.02), (1.20, 0, 0)]
    tube("hose", path, 0.066, skin, resolution=18, sides=8)
    for x, s in ((-1.22, -1), (1.22, 1)):
        cylinder("ferrule", 0.088, 0.26, (x, 0, 0), "X", 0.015, zinc, 60)
        cylinder("sleeve", 0.075, 0.12, (x - s * 0.22, 0, 0.012), "X", 0.02, paint(sleeve), 60)
    hexagon("hex", 0.24, 0.13, (-1.40, 0, 0), "X", 0.01, zinc)
    cylinder("thread", 0.070, 0.20, (-1.55, 0, 0), "X", 0.01, zinc, 50)
    if banjo:
        lathe("banjo", [(0.075, -0.06), (0.16, -0.06), (0.16, 0.06), (0.075, 0.06)], zinc, 80, 0.012, closed=True).matrix_world = move(1.47, 0, 0) @ rot("X", 20)
    else:
        hexagon("hex", 0.22, 0.18, (1.42, 0, 0), "X", 0.01, zinc)
    return {"azimuth": -14, "elevation": 20, "fill": (0.82, 0.70)}


def sensor(kind="speed", bend=1.0, plug=(0.03, 0.03, 0.033), wires=2, grommet=ORANGE):
    """A probe, its cable and its connector: of wheel speed, or of the oxygen in the exhaust."""
    zinc, dark = steel(0.26), plastic((0.022, 0.022, 0.024), 0.45)
    before = set(subjects())
    if kind == "oxygen":
        lathe("shell", [(0, 0.62), (0.10, 0.62), (0.11, 0.60), (0.11, 0.30), (0.15, 0.26), (0.15, 0.22), (0, 0.22)], zinc, 80, 0.006)
        hexagon("hex", 0.36, 0.14, (0, 0, 0.16), bevel=0.012, mat=zinc)
        thread = [(0, 0.10)]
        z = 0.09
        while z > -0.10:
            thread += [(0.135, z), (0.120, z - 0.012)]
            z -= 0.024
        lathe("thread", [*thread, (0.09, -0.11), (0.09, -0.30), (0.07, -0.33), (0, -0.33)], steel(0.34), 64, angle=20)
        for i in range(6):
            a = TAU * i / 6
            cylinder("slot", 0.018, 0.01, (0.088 * math.cos(a), 0.088 * math.sin(a), -0.22), bevel=0.002, mat=dark, segments=16)
    else:
        lathe("head", [(0, 0.5), (0.12, 0.5), (0.13, 0.47), (0.13, 0.12), (0, 0.12)], dark, 80, 0.01)
        plate("ear", rounded_rect(0.62, 0.26, 0.12, 10, 0.14), [circle(0.075, 40, 0.33, 0)], 0.07, 0.01, dark).matrix_world = move(0, 0, 0.14)
        lathe("probe", [(0, 0.1), (0.105, 0.1), (0.105, -0.28), (0.095, -0.30), (0, -0.30)], dark, 80, 0.006)
        ring("o-ring", 0.106, 0.02, paint(grommet, 0.5, 0.0), 0.03, 80)
    head = [o for o in subjects() if o not in before]
    transform(head, move(-0.95, 0, 0.15) @ rot("Z", 14) @ rot("Y", 66))
    for k in range(wires):
        o = 0.028 * (k - (wires - 1) / 2)
        tube("cable", [(-0.62, 0.08 + o, 0.30), (-0.36, 0.16 + o, 0.42), (-0.14, 0.26 + o, 0.36), (0.15, 0.45 * bend + o, 0.16), (0.60, 0.52 * bend + o, 0.05), (0.92, 0.16 + o, 0.06), (0.80, -0.34 + o, 0.06), (0.44, -0.42 + o, 0.07)], 0.024, dark, resolution=14)
    cylinder("grommet", 0.085, 0.16, (0.66, 0.50 * bend, 0.06), "X", 0.03, paint(grommet, 0.5, 0.1), 50)
    body = box("plug", (0.42, 0.24, 0.20), (0.22, -0.46, 0.10), 0.03, plastic(plug, 0.4))
    body.rotation_euler = (0, 0, 0.14)
    box("latch", (0.20, 0.10, 0.05), (0.20, -0.47, 0.22), 0.015, plastic(plug, 0.4))
    return {"azimuth": -10, "elevation": 24, "fill": (0.78, 0.70)}


def wheel_bearing(flange=0, wide=1.0, seal=(0.03, 0.03, 0.033), balls=16):
    """`flange` is the number of wheel studs of a bearing that comes with its hub."""
    race, dark = machined((0.60, 0.60, 0.61)), plastic(seal, 0.5)
    w = 0.34 * wide
    lathe("outer", [(0.80, -w), (1.0, -w), (1.0, w), (0.80, w), (0.74, w * 0.5), (0.80, 0.0)], race, 160, 0.014, closed=True)
    lathe("inner", [(0.42, -w), (0.56, -w), (0.62, -w * 0.4), (0.56, 0), (0.62, w * 0.4), (0.56, w), (0.42, w)], race, 140, 0.012, closed=True)
    lathe("seal", [(0.57, w * 0.72), (0.79, w * 0.78), (0.79, w * 0.66), (0.57, w * 0.60)], dark, 140, 0.004, closed=True)
    for i in range(balls):
        a = TAU * i / balls
        ball = lathe("ball", [(0.085 * math.cos(t), 0.085 * math.sin(t)) for t in (math.pi * (k / 16 - 0.5) for k in range(17))], steel(0.12), 32, angle=80)
        ball.location = (0.68 * math.cos(a), 0.68 * math.sin(a), w * 0.92)
    if flange:
        iron = cast_iron()
        lathe("hub", [(0.40, w), (0.52, w), (0.54, w + 0.16), (1.22, w + 0.18), (1.26, w + 0.24), (1.22, w + 0.30), (0.50, w + 0.31), (0.46, w + 0.50), (0.36, w + 0.50)], iron, 160, 0.012)
        for i in range(flange):
            a = TAU * i / flange
            transform(_stud(0.055, 0.42, steel(0.28)), move(0.92 * math.cos(a), 0.92 * math.sin(a), w + 0.26))
    transform(subjects(), rot("X", 62) @ rot("Z", 10))
    return {"fill": (0.70, 0.80)}


def control_arm(length=1.0, forked=True, coat=(0.028, 0.029, 0.032), cast=False):
    mat = cast_aluminium() if cast else paint(coat, 0.40, 0.25)
    x = 1.1 * length
    if forked:
        outline = [(-x, -0.62), (-x + 0.26, -0.70), (0.1, -0.28), (x, -0.16), (x + 0.1, 0), (x, 0.16), (0.1, 0.28), (-x + 0.26, 0.86), (-x, 0.80), (-x - 0.02, 0.62), (-0.35, 0.10), (-0.35, -0.12), (-x - 0.04, -0.44)]
        holes = [circle(0.13, 50, -0.02, 0.02), circle(0.09, 40, 0.52 * length, 0)]
        seats = ((-x - 0.02, -0.56, 0), (-x - 0.02, 0.72, 0))
    else:
        outline = [(-x, -0.16), (-0.3, -0.20), (0.3, -0.16), (x, -0.14), (x + 0.12, 0), (x, 0.14), (0.3, 0.14), (-0.3, 0.12), (-x, 0.16), (-x - 0.12, 0)]
        holes = [circle(0.075, 40, -0.35, -0.03), circle(0.075, 40, 0.15, -0.01)]
        seats = ((-x - 0.02, 0, 0),)
    plate("arm", outline, holes, 0.16, 0.05, mat, segments=5)
    for at in seats:
        transform(_bush(0.22, 0.36, (0, 0, 0), 20 if forked else 90), move(*at))
    cylinder("seat", 0.20, 0.20, (x, 0, 0.02), bevel=0.03, mat=mat)
    before = set(subjects())
    _boot(0.17, 0.20, rubber())
    transform(_stud(0.065, 0.34, steel(0.26)), move(0, 0, 0.19))
    transform([o for o in subjects() if o not in before], move(x, 0, 0.11))
    transform(subjects(), rot("Z", 16))
    return {"azimuth": -12, "elevation": 26, "fill": (0.80, 0.74)}


def _ball(stud=0.36, mat=None):
    """A joint on its side: housing, boot and stud upwards."""
    before = set(subjects())
    lathe("housing", [(0, -0.18), (0.12, -0.18), (0.20, -0.12), (0.22, 0.0), (0.20, 0.10), (0, 0.10)], mat or black_steel(), 80, 0.012)
    boot = _boot(0.18, 0.20, rubber())
    transform([boot], move(0, 0, 0.10))
    transform(_stud(0.065, stud, steel(0.26)), move(0, 0, 0.29))
    return [o for o in subjects() if o not in before]


def link(length=1.0, rod=0.055, tint=(0.03, 0.03, 0.033), bent=0.0):
    """A stabilizer link: a rod between two joints that look to opposite sides."""
    x = 1.15 * length
    mat = paint(tint, 0.38, 0.25)
    tube("rod", [(-x, 0, 0), (-x * 0.4, 0, bent), (x * 0.4, 0, bent), (x, 0, 0)], rod, mat, resolution=12, sides=8)
    transform(_ball(mat=mat), move(-x, 0, 0) @ rot("X", 62))
    transform(_ball(mat=mat), move(x, 0, 0) @ rot("X", -118 + 180))
    transform(subjects(), rot("Y", -14) @ rot("Z", 8))
    return {"azimuth": -16, "elevation": 18, "fill": (0.80, 0.66)}


def tie_rod(length=1.0, thread=True, bend=0.12):
    mat, zinc = black_steel(), steel(0.26)
    x = 0.95 * length
    tube("shank", [(-x, 0, 0), (-x * 0.3, 0, bend), (0.1, 0, bend), (0.55, 0, 0)], 0.085, mat, resolution=12, sides=8, taper=[1, 1, 1.2, 1.5])
    if thread:
        profile = [(0, 0), (0.08, 0)]
        z = 0.0
        while z < 0.62:
            profile += [(0.085, z), (0.072, z + 0.012)]
            z += 0.024
        screw = lathe("thread", [*profile, (0.06, 0.64), (0, 0.64)], zinc, 50, angle=20)
        transform([screw], move(-x, 0, 0) @ rot("Y", -90))
        hexagon("nut", 0.26, 0.12, (-x - 0.10, 0, 0), "X", 0.012, zinc)
    transform(_ball(0.40), move(0.66, 0, 0) @ rot("X", 34))
    transform(subjects(), rot("Z", -14))
    return {"azimuth": -18, "elevation": 18, "fill": (0.80, 0.70)}


def ball_joint(holes=3, press=False):
    mat = cast_iron() if press else paint((0.03, 0.03, 0.033), 0.4, 0.25)
    if press:
        lathe("body", [(0, -0.34), (0.26, -0.34), (0.30, -0.30), (0.30, -0.02), (0.36, 0.0), (0.36, 0.08), (0, 0.08)], mat, 90, 0.012)
        for i in range(24):
            a = TAU * i / 24
            box("knurl", (0.03, 0.03, 0.20), (0.305 * math.cos(a), 0.305 * math.sin(a), -0.16), 0.008, mat)
    else:
        r = 0.62
        pts = []
        for i in range(holes):
            a = TAU * i / holes + 0.5
            pts += [(0.30 * math.cos(a - 0.6), 0.30 * math.sin(a - 0.6)), (r * math.cos(a - 0.20), r * math.sin(a - 0.20)), (r * math.cos(a + 0.20), r * math.sin(a + 0.20)), (0.30 * math.cos(a + 0.6), 0.30 * math.sin(a + 0.6))]
        plate("flange", pts, [circle(0.065, 30, 0.50 * math.cos(TAU * i / holes + 0.5), 0.50 * math.sin(TAU * i / holes + 0.5)) for i in range(holes)], 0.12, 0.025, mat)
        lathe("cup", [(0, -0.24), (0.16, -0.24), (0.25, -0.14), (0.27, 0.0), (0.27, 0.10), (0, 0.10)], mat, 90, 0.012)
    boot = _boot(0.22, 0.24, rubber(), 5)
    transform([boot], move(0, 0, 0.08))
    transform(_stud(0.085, 0.46, steel(0.26)), move(0, 0, 0.30))
    transform(subjects(), rot("X", 24))
    return {"elevation": 18, "fill": (0.62, 0.80)}


def drive_shaft(length=1.0, boot=1.0, damper=False):
    """A shaft with its two joints and bellows, along X."""
    x = 1.25 * length
    iron, zinc = black_steel(), machined()
    cylinder("shaft", 0.075, 2 * x, (0, 0, 0), "X", 0.01, iron, 60)
    for s in (-1, 1):
        before = set(subjects())
        _boot(0.30 * boot, 0.56, rubber(), 6, 0.36)
        lathe("bell", [(0, -0.42), (0.26, -0.42), (0.34 * boot, -0.34), (0.34 * boot, -0.02), (0.30 * boot, 0.02), (0, 0.02)], zinc, 100, 0.012)
        for z, r in ((0.03, 0.31 * boot), (0.53, 0.115)):
            ring("clamp", r, 0.018, steel(0.22), z, 90)
        spline = [(0.13 * (1.0 if i % 2 else 0.90) * math.cos(TAU * i / 56), 0.13 * (1.0 if i % 2 else 0.90) * math.sin(TAU * i / 56)) for i in range(56)]
        plate("spline", spline, (), 0.46, 0.006, zinc).matrix_world = move(0, 0, -0.62)
        transform([o for o in subjects() if o not in before], move(s * x * 0.72, 0, 0) @ rot("Y", -90 * s))
    if damper:
        cylinder("damper", 0.17, 0.30, (0.05, 0, 0), "X", 0.03, rubber(), 80)
    transform(subjects(), rot("Z", 22))
    return {"azimuth": -20, "elevation": 18, "fill": (0.84, 0.66)}


def engine_mount(ears=2, fluid=True, tint=ORANGE):
    alu, rub, zinc = cast_aluminium(), rubber(), steel(0.26)
    lathe("can", [(0, 0), (0.62, 0), (0.66, 0.04), (0.66, 0.40), (0.58, 0.46), (0, 0.46)], black_steel(), 120, 0.012)
    lathe("rubber", [(0.58, 0.45), (0.54, 0.56), (0.40, 0.66), (0.34, 0.80), (0.0, 0.80)], rub, 120, angle=60)
    lathe("cap", [(0, 0.78), (0.30, 0.78), (0.32, 0.82), (0.32, 0.94), (0.28, 0.98), (0, 0.98)], alu, 100, 0.012)
    plate("foot", rounded_rect(1.9, 0.62, 0.24, 10), [circle(0.09, 40, -0.72), circle(0.09, 40, 0.72)], 0.10, 0.02, alu).matrix_world = move(0, 0, 0.05) @ rot("Z", 0 if ears == 2 else 40)
    if ears == 3:
        plate("foot", rounded_rect(1.9, 0.56, 0.24, 10), [circle(0.09, 40, -0.72), circle(0.09, 40, 0.72)], 0.10, 0.02, alu).matrix_world = move(0, 0, 0.05) @ rot("Z", -40)
    if fluid:
        ring("band", 0.665, 0.022, paint(tint), 0.22)
    transform(_stud(0.09, 0.42, zinc), move(0, 0, 0.97))
    return {"elevation": 20, "fill": (0.70, 0.80)}


def steering_cover(tint=(0.024, 0.023, 0.023), yarn=ORANGE, thick=1.0):
    hide = material("hide", tint, 0.5, cells=0.16, cell_size=85, mottle=0.06)
    ring("cover", 1.0, 0.13 * thick, hide, 0, 180)
    thread = paint(yarn, 0.6, 0.0)
    for i in range(72):
        a = TAU * i / 72
        b = a + 0.030
        r = 1.0 - 0.128 * thick
        tube("stitch", [(r * math.cos(a), r * math.sin(a), 0.03), ((r - 0.006) * math.cos(b), (r - 0.006) * math.sin(b), -0.03)], 0.011, thread, smooth=False, sides=2)
    transform(subjects(), rot("X", 76))
    return {"azimuth": -28, "elevation": 12, "fill": (0.70, 0.82)}


def hub_adapter(bolts=6, tall=1.0, tint=(0.03, 0.03, 0.033)):
    alu, rub = aluminium(0.30), material("collar", tint, 0.55, grain=0.1)
    h = 0.62 * tall
    lathe("cone", [(0, 0), (0.62, 0), (0.64, 0.03), (0.56, h * 0.3), (0.50, h * 0.35), (0.54, h * 0.45), (0.48, h * 0.55), (0.52, h * 0.65), (0.50, h * 0.9), (0, h * 0.9)], rub, 140, 0.008, angle=60)
    lathe("flange", [(0.16, h * 0.88), (0.66, h * 0.88), (0.68, h * 0.92), (0.68, h + 0.06), (0.66, h + 0.09), (0.16, h + 0.09)], alu, 150, 0.008, closed=True)
    for i in range(bolts):
        a = TAU * i / bolts
        bolt(0.055, (0.50 * math.cos(a), 0.50 * math.sin(a), h + 0.09), "Z", steel(0.24))
    spline = [((0.17 if i % 2 else 0.15) * math.cos(TAU * i / 48), (0.17 if i % 2 else 0.15) * math.sin(TAU * i / 48)) for i in range(48)]
    plate("bore", spline, (), 0.02, 0.0, plastic((0.008, 0.008, 0.008), 0.8)).matrix_world = move(0, 0, h + 0.085)
    transform(subjects(), rot("X", 40))
    return {"elevation": 16, "fill": (0.66, 0.78)}


def inner_tube(thick=0.30, valve=1.0):
    rub = rubber()
    ring("tube", 0.78, thick, rub, 0, 160)
    ring("seam", 0.78 + thick, 0.010, rub, 0, 160)
    lathe("patch", [(0, 0), (0.12, 0), (0.10, 0.03), (0.05, 0.06), (0.045, 0.30 * valve), (0, 0.30 * valve)], rub, 60, 0.006).matrix_world = move(0.02, 0.80 - thick, 0.02) @ rot("X", 68)
    lathe("valve", [(0, 0), (0.032, 0), (0.032, 0.16), (0, 0.16)], material("brass", (0.62, 0.42, 0.14), 0.25, 1.0), 40, 0.004).matrix_world = move(0.02, 0.80 - thick, 0.02) @ rot("X", 68) @ move(0, 0, 0.28 * valve)
    transform(subjects(), rot("X", 66))
    return {"azimuth": -26, "elevation": 14, "fill": (0.70, 0.80)}


def snow_chains(links=44, cross=10, tint=ORANGE):
    """A chain laid out as it lies on its tire, with the coloured cable that closes it."""
    zinc = steel(0.30)

    def chain(points, size):
        base = lathe("link", [(0.5 + 0.16 * math.cos(TAU * i / 12), 0.16 * math.sin(TAU * i / 12)) for i in range(12)], zinc, 24, closed=True, angle=70)
        base.data.transform(Matrix.Diagonal((1.5 * size, size, size, 1)))
        for i, (p, q) in enumerate(zip(points, points[1:])):
            p, q = Vector(p), Vector(q)
            turn = (q - p).to_track_quat("X", "Z").to_matrix().to_4x4()
            copy([base], Matrix.Translation((p + q) / 2) @ turn @ rot("X", 90 * (i % 2)))
        bpy.data.objects.remove(base)

    for z, r in ((-0.32, 0.88), (0.32, 0.88)):
        chain([(r * math.cos(TAU * i / links), r * math.sin(TAU * i / links), z) for i in range(links + 1)], 0.070)
    for k in range(cross):
        a = TAU * k / cross
        chain([((0.88 + 0.16 * math.sin(math.pi * i / 7)) * math.cos(a + 0.10 * (i / 7 - 0.5)), (0.88 + 0.16 * math.sin(math.pi * i / 7)) * math.sin(a + 0.10 * (i / 7 - 0.5)), -0.32 + 0.64 * i / 7) for i in range(8)], 0.062)
    ring("cable", 0.80, 0.026, paint(tint, 0.45, 0.2), 0.36)
    transform(subjects(), rot("X", 70))
    return {"azimuth": -30, "elevation": 14, "fill": (0.70, 0.80)}
