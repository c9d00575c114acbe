"""A five-litre jug of engine oil: moulded body with a grip, ribbed cap, raised label."""

import math

from studio import *  # noqa: F403


def _smooth(points, per=10):
    """A closed Catmull-Rom line through the points."""
    out = []
    n = len(points)
    for i in range(n):
        p0, p1, p2, p3 = (Vector(points[(i + k - 1) % n]) for k in range(4))
        for j in range(per):
            t = j / per
            out.append(tuple(0.5 * (2 * p1 + (p2 - p0) * t + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t * t + (3 * p1 - p0 - 3 * p2 + p3) * t**3)))
    return out


def build(grade="", note="CAR AND VAN", kind=("ENGINE", "OIL"), made="", jug_tint=(0.040, 0.041, 0.045), band_tint=ORANGE, cap_tint=ORANGE):
    """`grade` takes the place of the two words of `kind`, which then stand above the band."""
    body = material("jug", jug_tint, 0.30, grain=0.05, grain_size=110, mottle=0.05, coat=0.25)
    stripe, cap_coat = paint(band_tint, 0.34, 0.25), paint(cap_tint, 0.34, 0.25)
    white, dark = card((0.82, 0.80, 0.76)), card((0.025, 0.025, 0.028))

    depth = 0.92
    outline = [(-0.86, 0.16), (-0.80, 0.04), (-0.60, 0.0), (0, 0.0), (0.60, 0.0), (0.80, 0.04), (0.86, 0.16), (0.87, 0.7), (0.87, 1.3), (0.87, 1.75),
               (0.85, 2.02), (0.74, 2.20), (0.52, 2.27), (0.18, 2.28), (-0.06, 2.32), (-0.16, 2.46), (-0.24, 2.53), (-0.42, 2.545), (-0.60, 2.53),
               (-0.68, 2.44), (-0.74, 2.24), (-0.85, 2.00), (-0.87, 1.7), (-0.87, 1.2), (-0.87, 0.7)]
    grip = [(0.30, 1.66), (0.42, 1.62), (0.56, 1.66), (0.62, 1.76), (0.615, 1.92), (0.53, 2.01), (0.36, 2.025), (0.12, 2.02), (0.02, 1.95), (0.06, 1.83), (0.16, 1.74)]
    jug = plate("jug", _smooth(outline, 8), [_smooth(grip, 8)], depth, 0.13, body, segments=8, angle=50)
    jug.matrix_world = rot("X", 90)
    # A waist line around the foot and shoulder, as blow moulds leave.
    for z in (0.20, 1.52):
        band = plate("band", rounded_rect(1.755, depth + 0.012, 0.135, 10), (), 0.022, 0.008, body)
        band.matrix_world = move(0, 0, z)

    neck = [(0.0, 0), (0.235, 0), (0.235, 0.05), (0.27, 0.06), (0.27, 0.10), (0.235, 0.11), (0.0, 0.11)]
    lathe("neck", neck, body, 80, 0.01).location = (-0.42, 0, 2.53)
    cap = []
    for i in range(180):
        a = TAU * i / 180
        r = 0.30 + (0.012 if (i // 2) % 2 else 0.0)
        cap.append((r * math.cos(a), r * math.sin(a)))
    c = plate("cap", cap, (), 0.27, 0.03, cap_coat, segments=4, angle=40)
    c.location = (-0.42, 0, 2.77)
    cylinder("cap ring", 0.315, 0.045, (-0.42, 0, 2.655), bevel=0.012, mat=cap_coat, segments=96)
    cylinder("cap top", 0.235, 0.03, (-0.42, 0, 2.905), bevel=0.012, mat=cap_coat, segments=96)

    y = -depth / 2
    face = rot("X", 90)

    def panel(pw, ph, x, z, mat, lift, r=0.05):
        p = plate("panel", rounded_rect(pw, ph, r, 6), (), 0.014, 0.004, mat)
        p.matrix_world = move(x, y - lift, z) @ face

    def words(body_text, size, x, z, mat, lift, **kw):
        t = text(body_text, size, mat, 0.008, **kw)
        t.matrix_world = move(x, y - lift, z) @ face

    panel(1.44, 1.16, 0, 0.87, white, 0.002)
    panel(1.44, 0.50, 0, 0.54, stripe, 0.008)
    panel(1.44, 0.045, 0, 0.83, dark, 0.009, 0.004)
    words("DRIVELINE", 0.285, 0, 1.25, dark, 0.010, spacing=1.02, shear=0.12)
    if grade:
        words(" ".join(kind), 0.150, -0.62, 1.010, dark, 0.010, spacing=1.05, align="LEFT")
        words(note, 0.100, 0.64, 1.010, dark, 0.010, spacing=1.05, align="RIGHT")
        words(grade, 0.420, 0, 0.615, white, 0.017, spacing=1.02, narrow=min(1.0, 5.4 / len(grade)))
        words("5 L", 0.150, 0.62, 0.385, white, 0.017, align="RIGHT")
        words(made, 0.090, -0.62, 0.385, white, 0.017, spacing=1.08, align="LEFT")
    else:
        words(note, 0.110, 0, 1.00, dark, 0.010, spacing=1.12)
        for line, z in zip(kind, (0.650, 0.430)):
            words(line, 0.225, -0.60, z, white, 0.017, spacing=1.02, align="LEFT")
        words("5 L", 0.225, 0.47, 0.430, white, 0.017)
    # Level marks down the edge.
    for i in range(5):
        t = text(str(i + 1), 0.07, white, 0.006)
        t.matrix_world = move(0.785, y + 0.004, 0.40 + 0.24 * i) @ face
    return {"azimuth": -26, "elevation": 13, "fill": (0.66, 0.82)}
