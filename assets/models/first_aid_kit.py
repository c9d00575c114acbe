"""A first-aid case with its cross, and a folding warning triangle standing behind it."""

import math

from studio import *  # noqa: F403


def _triangle(r, round_off, n=6, phase=90):
    """An equilateral triangle with rounded corners; `r` is the distance from centre to the corner arcs' centres."""
    pts = []
    for k in range(3):
        a = math.radians(phase + 120 * k)
        cx, cy = r * math.cos(a), r * math.sin(a)
        for i in range(n + 1):
            b = a + math.radians(-60 + 120 * i / n)
            pts.append((cx + round_off * math.cos(b), cy + round_off * math.sin(b)))
    return pts


def case(tint=ORANGE, plate_tint=(0.03, 0.03, 0.033), lines=("FIRST", "AID"), number=""):
    shell = material("shell", tint, 0.40, grain=0.10, grain_size=90, mottle=0.05)
    white = plastic((0.84, 0.83, 0.80), 0.4)
    dark, ground = plastic((0.03, 0.03, 0.033), 0.42), plastic(plate_tint, 0.42)
    ink = dark if tint[0] > 0.5 and tint[1] > 0.5 else white
    w, d, h = 1.9, 0.66, 1.30
    for side, y in ((-1, -d / 4 - 0.008), (1, d / 4 + 0.008)):
        p = plate("half", rounded_rect(w, h, 0.16, 10), (), d / 2 - 0.012, 0.07, shell, segments=6, angle=50)
        p.matrix_world = move(0, y, h / 2) @ rot("X", 90)
    seam = plate("seam", rounded_rect(w - 0.03, h - 0.03, 0.15, 10), (), 0.05, 0.004, dark)
    seam.matrix_world = move(0, 0, h / 2) @ rot("X", 90)
    lip = plate("lip", rounded_rect(w + 0.035, h + 0.035, 0.17, 10), [rounded_rect(w - 0.06, h - 0.06, 0.13, 10)], 0.07, 0.014, shell)
    lip.matrix_world = move(0, -0.055, h / 2) @ rot("X", 90)
    frame = plate("frame", rounded_rect(w - 0.24, h - 0.24, 0.11, 10), [rounded_rect(w - 0.31, h - 0.31, 0.085, 10)], 0.03, 0.01, shell)
    frame.matrix_world = move(0, -d / 2 - 0.003, h / 2) @ rot("X", 90)
    round_plate = plate("round", circle(0.385, 96), (), 0.03, 0.01, ground)
    round_plate.matrix_world = move(-0.34, -d / 2 - 0.008, h / 2) @ rot("X", 90)
    # White on dark: a red cross on white is a protected emblem.
    a, b = 0.088, 0.275
    cross = [(a, a), (a, b), (-a, b), (-a, a), (-b, a), (-b, -a), (-a, -a), (-a, -b), (a, -b), (a, -a), (b, -a), (b, a)]
    c = plate("cross", cross, (), 0.03, 0.006, white)
    c.matrix_world = move(-0.34, -d / 2 - 0.026, h / 2) @ rot("X", 90)
    for body, z in zip(lines, (0.775, 0.555)):
        t = text(body, 0.225 if len(body) < 6 else 0.185, ink, 0.02, 0.003, align="LEFT", spacing=1.04)
        t.matrix_world = move(0.14, -d / 2 - 0.006, z) @ rot("X", 90)
    t = text("DRIVELINE", 0.088, ink, 0.014, align="LEFT", spacing=1.1, shear=0.12)
    t.matrix_world = move(0.145, -d / 2 - 0.004, 0.385) @ rot("X", 90)
    if number:
        sign = plate("number", rounded_rect(0.62, 0.19, 0.03, 5), (), 0.024, 0.006, white)
        sign.matrix_world = move(0.43, -d / 2 - 0.008, 0.215) @ rot("X", 90)
        t = text(number, 0.125, dark, 0.012, spacing=1.08)
        t.matrix_world = move(0.43, -d / 2 - 0.024, 0.215) @ rot("X", 90)
    for x in (-0.55, 0.55):
        latch = plate("latch", rounded_rect(0.20, 0.24, 0.03, 5), (), 0.05, 0.014, dark)
        latch.matrix_world = move(x, -0.075, h + 0.018)
        box("hook", (0.14, 0.05, 0.045), (x, -0.165, h + 0.035), 0.014, dark)
    path = [(-0.30, 0, h - 0.02), (-0.29, 0, h + 0.12), (-0.20, 0, h + 0.20), (0, 0, h + 0.215), (0.20, 0, h + 0.20), (0.29, 0, h + 0.12), (0.30, 0, h - 0.02)]
    tube("handle", path, 0.048, dark, resolution=12)
    for x in (-0.30, 0.30):
        cylinder("ferrule", 0.07, 0.06, (x, 0, h + 0.015), bevel=0.015, mat=dark, segments=48)


def warning_triangle(number=""):
    red = material("reflector", (0.60, 0.012, 0.010), 0.22, cells=0.55, cell_size=42, coat=0.6)
    glow = material("fluorescent", (0.95, 0.16, 0.012), 0.55, emit=0.10)
    dark = plastic((0.03, 0.03, 0.033), 0.45)
    before = set(subjects())
    outer = plate("triangle", _triangle(1.00, 0.10), [_triangle(0.615, 0.035)], 0.05, 0.012, dark)
    band = plate("band", _triangle(0.995, 0.075), [_triangle(0.80, 0.05)], 0.03, 0.006, red)
    band.matrix_world = move(0, 0, 0.028)
    inner = plate("inner", _triangle(0.775, 0.045), [_triangle(0.635, 0.035)], 0.03, 0.006, glow)
    inner.matrix_world = move(0, 0, 0.028)
    if number:
        t = text(number, 0.115, card((0.82, 0.80, 0.76)), 0.012, spacing=1.05)
        t.matrix_world = move(0.0, -0.375, 0.052)
    parts = [o for o in subjects() if o not in before]
    transform(parts, rot("X", 84))
    drop(parts, 0.12)
    feet = []
    for x in (-0.62, 0.62):
        for s in (-1, 1):
            feet.append(tube("leg", [(x, 0.0, 0.17), (x + 0.05 * s, 0.22 * s, 0.03), (x + 0.06 * s, 0.38 * s, 0.018)], 0.018, dark, resolution=6))
    feet.append(box("foot", (1.5, 0.09, 0.06), (0, 0.03, 0.16), 0.015, dark))
    return parts + feet


def folded_triangle():
    """The triangle's three sides, folded onto each other, lying along X."""
    before = set(subjects())
    red = material("reflector", (0.60, 0.012, 0.010), 0.22, cells=0.55, cell_size=42, coat=0.6)
    dark = plastic((0.03, 0.03, 0.033), 0.45)
    for k in range(3):
        z = 0.05 + 0.075 * k
        bar = plate("side", rounded_rect(1.30, 0.20, 0.09, 8), (), 0.065, 0.012, dark)
        bar.matrix_world = move(0.03 * k, 0, z) @ rot("Z", 2.5 * (k - 1))
        strip = plate("strip", rounded_rect(1.12, 0.13, 0.03, 5), (), 0.012, 0.003, red)
        strip.matrix_world = move(0.03 * k, 0, z + 0.036) @ rot("Z", 2.5 * (k - 1))
        for y in (-1, 1):
            edge = plate("edge", rounded_rect(1.10, 0.045, 0.01, 3), (), 0.012, 0.003, red)
            edge.matrix_world = move(0.03 * k, y * 0.096, z) @ rot("Z", 2.5 * (k - 1)) @ rot("X", 90)
    cylinder("pivot", 0.045, 0.25, (-0.57, 0, 0.13), bevel=0.008, mat=steel(0.3), segments=40)
    return [o for o in subjects() if o not in before]


def seal(number):
    """A numbered seal, flat in XY: a tag and the loop that has to be cut."""
    before = set(subjects())
    tag = plastic((0.70, 0.26, 0.008), 0.4)
    plate("tag", rounded_rect(0.30, 0.15, 0.03, 5), (), 0.030, 0.008, tag)
    t = text(number, 0.10, plastic((0.02, 0.02, 0.022)), 0.008)
    t.matrix_world = move(0, 0, 0.017)
    tube("loop", [(0.14, 0.03, 0), (0.26, 0.08, 0.0), (0.32, 0.0, 0), (0.26, -0.08, 0.0), (0.14, -0.03, 0)], 0.012, tag)
    return [o for o in subjects() if o not in before]


def build(shape=(1, 1, 1), triangle="standing", seals=0, screws=False, **values):
    """`shape` stretches the case; the triangle stands, leans beside it or is folded; `seals` lie before it."""
    case(**values)
    if screws:
        zinc = steel(0.28)
        for x in (-0.82, 0.82):
            for z in (0.20, 1.10):
                ear = plate("ear", rounded_rect(0.34, 0.20, 0.08, 8), [circle(0.045, 30, math.copysign(0.09, x), 0)], 0.035, 0.008, zinc)
                ear.matrix_world = move(x * 1.27, 0.27, z) @ rot("X", 90)
    first = set(subjects())
    transform(list(first), move(-0.42, -0.15, 0) @ rot("Z", 6) @ Matrix.Diagonal((*shape, 1)))
    if triangle == "folded":
        transform(folded_triangle(), move(0.30, -0.98, 0) @ rot("Z", 10))
    elif triangle == "leaning":
        # Packed flat, its side against the floor.
        tri = warning_triangle()
        transform(tri, move(0.62, 0.34, 0.02) @ rot("Z", 8) @ rot("X", -9) @ scale(0.92))
        drop(tri)
    else:
        tri = warning_triangle(values.get("number", ""))
        transform(tri, move(0.80, 0.72, 0) @ scale(1.06) @ rot("Z", -10))
    for k in range(seals):
        tag = seal(f"{417 + k:04}")
        transform(tag, move(-0.95 + 0.36 * k, -0.92 - 0.10 * (k % 2), 0.016) @ rot("Z", 20 - 23 * k))
    return {"azimuth": -16, "elevation": 15, "fill": (0.80, 0.74)}
