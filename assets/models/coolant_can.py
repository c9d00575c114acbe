"""A five-litre can of coolant: square moulded body, carrying grip, screw cap, a strip that shows the level."""

import math

from models.oil_bottle import _smooth
from studio import *  # noqa: F403

DEPTH = 1.00


def build(line="ANTIFREEZE", mark="", can_tint=(0.74, 0.74, 0.72), panel_tint=(0.020, 0.021, 0.024)):
    """`mark` stands in the place of the snow crystal's neighbour, before the five litres."""
    body = material("can", can_tint, 0.36, grain=0.05, grain_size=110, mottle=0.05, coat=0.15)
    liquid = material("liquid", (0.62, 0.035, 0.13), 0.22, coat=0.5)
    orange, cap_coat = paint(rough=0.34, coat=0.25), plastic((0.028, 0.029, 0.032), 0.36)
    white, dark = card((0.84, 0.83, 0.80)), card(panel_tint)

    outline = [(-0.92, 0.16), (-0.87, 0.04), (-0.66, 0.0), (0, 0.0), (0.66, 0.0), (0.87, 0.04), (0.92, 0.16), (0.93, 0.7), (0.93, 1.2), (0.93, 1.55),
               (0.91, 1.74), (0.84, 1.84), (0.70, 1.875), (0.52, 1.88), (0.40, 1.90), (0.33, 2.00), (0.30, 2.14), (0.22, 2.25), (0.06, 2.285), (-0.25, 2.29), (-0.60, 2.285),
               (-0.82, 2.25), (-0.91, 2.12), (-0.93, 1.90), (-0.93, 1.55), (-0.93, 1.2), (-0.93, 0.7)]
    grip = [(-0.66, 1.86), (-0.52, 1.80), (-0.30, 1.79), (-0.08, 1.80), (0.05, 1.86), (0.08, 1.95), (0.03, 2.05), (-0.12, 2.085), (-0.34, 2.09), (-0.56, 2.085), (-0.68, 2.04), (-0.71, 1.95)]
    can = plate("can", _smooth(outline, 8), [_smooth(grip, 8)], DEPTH, 0.12, body, segments=8, angle=50)
    can.matrix_world = rot("X", 90)
    for z in (0.17, 1.66):
        band = plate("band", rounded_rect(1.872, DEPTH + 0.012, 0.125, 10), (), 0.022, 0.008, body)
        band.matrix_world = move(0, 0, z)

    x = 0.64
    lathe("neck", [(0, 0), (0.225, 0), (0.225, 0.05), (0.262, 0.06), (0.262, 0.10), (0.225, 0.11), (0, 0.11)], body, 80, 0.01).location = (x, 0, 1.865)
    ribs = []
    for i in range(180):
        a = TAU * i / 180
        r = 0.275 + (0.011 if (i // 2) % 2 else 0.0)
        ribs.append((r * math.cos(a), r * math.sin(a)))
    plate("cap", ribs, (), 0.25, 0.028, cap_coat, segments=4, angle=40).location = (x, 0, 2.105)
    cylinder("cap ring", 0.290, 0.045, (x, 0, 1.992), bevel=0.012, mat=cap_coat, segments=96)
    cylinder("cap top", 0.215, 0.03, (x, 0, 2.230), bevel=0.012, mat=orange, segments=96)

    y = -DEPTH / 2
    face = rot("X", 90)

    def panel(pw, ph, px, z, mat, lift, r=0.05):
        p = plate("panel", rounded_rect(pw, ph, r, 6), (), 0.014, 0.004, mat)
        p.matrix_world = move(px, y - lift, z) @ face

    def words(line, size, px, z, mat, lift, **kw):
        t = text(line, size, mat, 0.008, **kw)
        t.matrix_world = move(px, y - lift, z) @ face

    panel(1.28, 1.20, -0.10, 0.92, dark, 0.002)
    panel(1.28, 0.40, -0.10, 0.52, orange, 0.008)
    words("DRIVELINE", 0.225, -0.10, 1.345, white, 0.010, spacing=1.02, shear=0.12)
    words("COOLANT", 0.290, -0.10, 1.075, white, 0.010, spacing=1.0)
    words(line, 0.132, -0.10, 0.845, white, 0.010, spacing=1.30)
    if mark:
        words(mark, 0.205, -0.02, 0.520, white, 0.017)
    words("5 L", 0.160 if mark else 0.235, 0.38 if mark else 0.32, 0.520, white, 0.017)
    # A snow crystal: six arms with two twigs each.
    flake = []
    for k in range(6):
        arm = [plate("arm", rounded_rect(0.022, 0.150, 0.010, 3, 0.0, 0.080), (), 0.012, 0.003, white)]
        for s in (-1, 1):
            twig = plate("twig", rounded_rect(0.018, 0.062, 0.008, 3, 0.0, 0.031), (), 0.012, 0.003, white)
            twig.matrix_world = move(0, 0.085, 0) @ rot("Z", 50 * s)
            arm.append(twig)
        transform(arm, move(-0.50, y - 0.017, 0.52) @ face @ rot("Z", 60 * k))
        flake += arm
    # The strip in the wall that shows how much is left, with its marks.
    panel(0.115, 1.16, 0.735, 0.92, body, 0.004, 0.05)
    panel(0.085, 0.98, 0.735, 0.845, liquid, 0.009, 0.04)
    for i in range(5):
        t = text(str(i + 1), 0.072, dark, 0.006)
        t.matrix_world = move(0.846, y + 0.002, 0.46 + 0.21 * i) @ face
        panel(0.050, 0.010, 0.752, 0.46 + 0.21 * i, white, 0.018, 0.003)
    return {"azimuth": -26, "elevation": 13, "fill": (0.66, 0.80)}
