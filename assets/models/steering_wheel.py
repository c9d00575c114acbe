"""A three-spoke steering wheel: rim with stitching, flat at its foot or round, satin spokes, horn pad."""

import math

from studio import *  # noqa: F403


def _rim_point(a, flat):
    """Centre line of the rim: a circle of radius 1, its foot flattened at height `flat`. `a` in radians, 0 to the right."""
    x, z = math.cos(a), math.sin(a)
    if z < flat + 0.10:
        # Blends into the flat instead of cutting a corner.
        k = (flat + 0.10 - z) / 0.24
        z = flat + 0.10 - 0.24 * (k / (1 + 1.4 * k))
    return Vector((x, 0, z))


def _frames(a0, a1, n, flat, closed=False):
    out = []
    for i in range(n if closed else n + 1):
        a = a0 + (a1 - a0) * i / n
        p = _rim_point(a, flat)
        t = (_rim_point(a + 0.004, flat) - _rim_point(a - 0.004, flat)).normalized()
        outward = Vector((t.z, 0, -t.x))
        deg = math.degrees(a) % 360
        thumb = sum(math.exp(-(((deg - c + 180) % 360 - 180) / 11) ** 2) for c in (35, 145))
        out.append((p, outward, Vector((0, 1, 0)), (1 + 0.16 * thumb, 1 + 0.20 * thumb)))
    return out


def build(flat=-0.86, hides=None, yarn=ORANGE, marker=ORANGE, thick=1.0, trim=(0.56, 0.57, 0.58), paddles=1.0, paddle_tint=None, warm=False):
    """`hides` is the colour of a suede rim, `paddles` their size, `warm` adds the switch and mark of a heated rim."""
    hide = material("suede", hides, 0.92, cells=0.10, cell_size=140, sheen=0.6, specular=0.1) if hides else leather()
    smooth = hide if hides else material("smooth leather", (0.030, 0.029, 0.029), 0.40, cells=0.09, cell_size=110, mottle=0.05)
    satin = material("satin", trim, 0.30, 1.0 if trim[0] > 0.1 else 0.4, brushed="x", mottle=0.05)
    dark = plastic((0.032, 0.032, 0.035), 0.42, 0.10)
    gloss = plastic((0.012, 0.012, 0.013), 0.16, coat=0.6)
    thread, badge_paint = paint(yarn, 0.55, 0.0), paint(rough=0.55, coat=0.0)

    section = [(0.098 * thick * math.cos(TAU * i / 36), 0.112 * thick * math.sin(TAU * i / 36)) for i in range(36)]
    d = math.radians
    for a0, a1, m in ((14, 84, smooth), (96, 166, smooth), (166, 374, hide)):
        sweep("rim", _frames(d(a0), d(a1), int(abs(a1 - a0) * 0.9), flat), section, m, angle=60)
    top = material("marker", marker, 0.42, cells=0.15, cell_size=60) if marker else smooth
    sweep("marker", _frames(d(84.0), d(96.0), 12, flat), section, top, angle=60)
    # Seams where one hide meets the next.
    for a in (14, 166, 84.3, 95.7) if marker else (14, 166):
        o, x, y, s = _frames(d(a), d(a) + 0.01, 1, flat)[0]
        ring = [tuple(o + x * (0.099 * thick * s[0] * math.cos(TAU * k / 40)) + y * (0.113 * thick * s[1] * math.sin(TAU * k / 40))) for k in range(40)]
        tube("seam", ring, 0.0042, dark, closed=True, smooth=False, sides=3)

    # Cross-stitching along the inside of the rim: one short thread per step.
    stitches = []
    n = 150
    for i in range(n):
        a = TAU * i / n
        deg = math.degrees(a)
        if abs(deg - 90) < 7 or min(abs((deg - c + 180) % 360 - 180) for c in (0, 180)) < 9 or abs(deg - 270) < 11:
            continue
        (o, x, y, s), (o2, x2, y2, s2) = _frames(a - 0.012, a + 0.012, 1, flat)
        ang = math.pi + 0.62
        ang2 = math.pi + 0.40
        p = o + x * (0.101 * thick * s[0] * math.cos(ang)) - y * (0.115 * thick * s[1] * abs(math.sin(ang)))
        q = o2 + x2 * (0.102 * thick * s2[0] * math.cos(ang2)) - y2 * (0.116 * thick * s2[1] * abs(math.sin(ang2)))
        stitches.append(tube("stitch", [tuple(p), tuple(q)], 0.0075, thread, smooth=False, sides=3))
    join("stitching", stitches)

    def spoke(points, mat, depth, lift):
        """A spoke along (x, z, half width) stations, with rounded edges."""
        sections = []
        for k, (x, z, w, y) in enumerate(points):
            a, b = points[max(0, k - 1)], points[min(len(points) - 1, k + 1)]
            t = Vector((b[0] - a[0], 0, b[1] - a[1])).normalized()
            nrm = Vector((-t.z, 0, t.x))
            o = Vector((x, y - lift, z))
            dy = Vector((0, depth / 2, 0))
            sections.append([tuple(o + nrm * w - dy), tuple(o + nrm * w + dy), tuple(o - nrm * w + dy), tuple(o - nrm * w - dy)])
        return loft("spoke", sections, mat, 0.016, angle=40, segments=4)

    for s in (-1, 1):
        spoke([(s * 0.24, -0.02, 0.19, 0.02), (s * 0.45, -0.02, 0.155, 0.01), (s * 0.62, -0.02, 0.125, 0.0), (s * 0.78, -0.015, 0.115, 0.0), (s * 0.93, -0.01, 0.13, 0.0)], dark, 0.085, 0.0)
        spoke([(s * 0.52, -0.145, 0.020, 0.01), (s * 0.66, -0.125, 0.020, 0.0), (s * 0.80, -0.115, 0.022, 0.0), (s * 0.915, -0.118, 0.024, 0.0)], satin, 0.10, 0.006)
        # Switches on each spoke.
        pod = plate("pod", rounded_rect(0.22, 0.165, 0.05, 8), (), 0.05, 0.014, gloss)
        pod.matrix_world = move(s * 0.605, -0.040, 0.012) @ rot("X", 90)
        for dx, dz in ((-0.055, 0.038), (0.055, 0.038), (-0.055, -0.034), (0.055, -0.034)):
            b = plate("button", rounded_rect(0.082, 0.05, 0.016, 5), (), 0.02, 0.005, dark)
            b.matrix_world = move(s * 0.605 + dx, -0.066, 0.012 + dz) @ rot("X", 90)
            mark = plate("mark", rounded_rect(0.030, 0.008, 0.003, 3), (), 0.004, 0.0, card((0.75, 0.75, 0.75)))
            mark.matrix_world = move(s * 0.605 + dx, -0.077, 0.012 + dz) @ rot("X", 90)
    spoke([(0, -0.24, 0.16, 0.02), (0, -0.45, 0.125, 0.01), (0, -0.62, 0.115, 0.0), (0, max(flat, -1) + 0.06, 0.13, 0.0)], dark, 0.08, 0.0)
    for s in (-1, 1):
        spoke([(s * 0.118, -0.36, 0.017, 0.01), (s * 0.098, -0.50, 0.017, 0.0), (s * 0.092, -0.64, 0.018, 0.0), (s * 0.104, -0.785, 0.020, 0.0)], satin, 0.10, 0.004)

    # The horn pad: a cushioned shield in front of a deeper housing.
    shield = [(-0.36, 0.19), (-0.30, 0.245), (-0.15, 0.275), (0, 0.282), (0.15, 0.275), (0.30, 0.245), (0.36, 0.19), (0.372, 0.05), (0.345, -0.12), (0.27, -0.27), (0.16, -0.345), (0, -0.365), (-0.16, -0.345), (-0.27, -0.27), (-0.345, -0.12), (-0.372, 0.05)]
    from models.oil_bottle import _smooth

    line = _smooth(shield, 6)
    housing = plate("housing", [(x * 1.06, z * 1.06) for x, z in line], (), 0.20, 0.04, dark, segments=5, angle=60)
    housing.matrix_world = move(0, 0.05, 0) @ rot("X", 90)
    pad = plate("pad", line, (), 0.17, 0.075, smooth, segments=8, angle=70)
    pad.matrix_world = move(0, -0.045, 0) @ rot("X", 90)
    ring = lathe("badge ring", [(0.082, 0), (0.095, 0), (0.093, 0.014), (0.084, 0.014)], satin, 80, 0.002, closed=True)
    ring.matrix_world = move(0, -0.128, 0.03) @ rot("X", 90)
    badge = lathe("badge", [(0, 0.008), (0.083, 0.008), (0.083, 0), (0, 0)], gloss, 80)
    badge.matrix_world = move(0, -0.128, 0.03) @ rot("X", 90)
    mono = text("D", 0.115, badge_paint, 0.008, shear=0.12)
    mono.matrix_world = move(0, -0.138, 0.03) @ rot("X", 90)
    name = text("DRIVELINE", 0.055, satin, 0.006, spacing=1.15, shear=0.12)
    name.matrix_world = move(0, -0.131, -0.135) @ rot("X", 90)

    # Shift paddles and the column's sleeve behind.
    blade = paint(paddle_tint, 0.3, 0.5) if paddle_tint else satin
    for s in (-1, 1) if paddles else ():
        spoke([(s * 0.36, 0.12, 0.05, 0.11), (s * 0.52, 0.20, 0.075 * paddles, 0.10), (s * (0.52 + 0.12 * paddles), 0.20 + 0.06 * paddles, 0.055 * paddles, 0.09)], blade, 0.024, 0.0)
    if warm:
        # A rocker of its own under the switches, with the three waves that stand for heat.
        rocker = plate("rocker", rounded_rect(0.20, 0.085, 0.03, 6), (), 0.04, 0.010, gloss)
        rocker.matrix_world = move(0.0, -0.02, -0.455) @ rot("X", 90)
        for dx in (-0.045, 0, 0.045):
            wave = [(dx + 0.010 * math.sin(TAU * k / 8), -0.046, -0.480 + 0.050 * k / 8) for k in range(9)]
            tube("wave", wave, 0.005, material("wave", ORANGE, 0.4, emit=1.2), sides=3)
    cylinder("column", 0.20, 0.34, (0, 0.26, -0.02), "Y", 0.02, dark, 80)
    objs = subjects()
    transform(objs, rot("X", -12))
    drop(objs)
    return {"azimuth": -22, "elevation": 9, "fill": (0.72, 0.82), "light": {"fill": 1.5, "rim": 1.6, "key": 1.05}}
