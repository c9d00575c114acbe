"""A 12 V starter battery: ribbed case, lid, posts, carrying strap, raised label."""

import math

from studio import *  # noqa: F403

UNIT = 2.1 / 278  # of a millimetre: the commonest case is 278 mm long and 190 high
DARK = (0.030, 0.031, 0.034)


def build(size=(278, 175, 190), rating="12V", line="START POWER", notes=("MAINTENANCE", "FREE"), shell=DARK, lid=(0.060, 0.062, 0.066), stripe=ORANGE, thin=False):
    """`notes` are the two small lines beside the rating, `thin` posts those of Japanese cars."""
    case = material("case", shell, 0.42, grain=0.10, grain_size=70, mottle=0.05)
    lid_mat = material("lid", lid, 0.36, grain=0.06, grain_size=90, mottle=0.05)
    lead = material("lead", (0.50, 0.50, 0.51), 0.38, 1.0, grain=0.12, grain_size=40, mottle=0.1)
    band, white, dark = paint(stripe), card((0.82, 0.80, 0.76)), card((0.03, 0.03, 0.034))
    red, black = plastic((0.62, 0.03, 0.02), 0.35), plastic((0.02, 0.02, 0.022), 0.35)

    w, d, h = size[0] * UNIT, 1.25 * size[1] / 175, 1.22 + (size[2] - 190) * UNIT
    half, front = w / 2, (d - 1.25) / 2
    box("case", (w, d, h), (0, 0, h / 2), 0.05, case)
    # The ledge that the car's clamp holds on to.
    box("ledge", (w + 0.09, d + 0.09, 0.13), (0, 0, 0.065), 0.025, case)
    for side in (-1, 1):
        for i in range(9):
            x = -w / 2 + 0.16 + i * (w - 0.32) / 8
            box("rib", (0.05, 0.05, 0.14), (x, side * (d / 2 + 0.012), 0.20), 0.012, case)
        for i in range(5):
            y = -d / 2 + 0.18 + i * (d - 0.36) / 4
            box("rib", (0.05, 0.05, h - 0.30), (side * (w / 2 + 0.008), y, h / 2 + 0.02), 0.014, case)

    box("lid rim", (w + 0.07, d + 0.07, 0.15), (0, 0, h + 0.05), 0.035, lid_mat)
    box("lid", (w - 0.05, d - 0.06, 0.12), (0, 0, h + 0.15), 0.035, lid_mat)
    # A raised middle, cut away at the front corners where the posts stand.
    step = rounded_rect(w - 0.10, 0.62, 0.06, 6, 0, 0.24 + front)
    deck = plate("deck", step, (), 0.13, 0.03, lid_mat)
    deck.matrix_world = move(0, 0, h + 0.255)
    bridge = plate("bridge", rounded_rect(w - 1.04, 0.50, 0.07, 6, 0, -0.27 - front), (), 0.13, 0.03, lid_mat)
    bridge.matrix_world = move(0, 0, h + 0.232)
    top = h + 0.32
    for i in range(6):
        x = (i - 2.5) * (w - 0.5) / 5
        cylinder("vent", 0.105, 0.03, (x, 0.27 + front, top + 0.008), bevel=0.01, mat=case)
        box("slot", (0.14, 0.022, 0.014), (x, 0.27 + front, top + 0.026), 0.004, lid_mat)

    slim = 0.72 if thin else 1.0
    for x, mat, sign in ((0.27 - half, red, "+"), (half - 0.27, black, "-")):
        lathe("collar", [(0, 0), (0.185, 0), (0.175, 0.05), (0.135, 0.06), (0, 0.06)], mat, 64, 0.012).location = (x, -0.30 - front, h + 0.205)
        lathe("post", [(0, 0), (0.112 * slim, 0), (0.098 * slim, 0.20), (0.085 * slim, 0.215), (0, 0.215)], lead, 64, 0.012).location = (x, -0.30 - front, h + 0.255)
        s = text(sign, 0.26, white, 0.012)
        s.matrix_world = move(math.copysign(half - 0.68, x), -0.28 - front, top - 0.019)

    end = half - 0.19
    strap = [(-end, 0.27, top - 0.03), (0.02 - end, 0.10, top + 0.16), (0.26 - end, -0.02, top + 0.30), (0, -0.05, top + 0.34),
             (end - 0.26, -0.02, top + 0.30), (end - 0.02, 0.10, top + 0.16), (end, 0.27, top - 0.03)]
    tube("strap", strap, 0.042, plastic((0.035, 0.035, 0.038), 0.45), resolution=14)
    cylinder("grip", 0.062, w * 0.34, (0, -0.048, top + 0.337), "X", 0.02, plastic((0.028, 0.028, 0.03), 0.5, 0.3))
    for x in (-end, end):
        cylinder("eye", 0.075, 0.07, (x, 0.27, top), bevel=0.02, mat=lid_mat)

    y = -d / 2
    face = rot("X", 90)

    def panel(pw, ph, x, z, mat, lift, r=0.03):
        p = plate("panel", rounded_rect(pw, ph, r, 5), (), 0.012, 0.003, mat)
        p.matrix_world = move(x, y - lift, z) @ face

    def words(body, size, x, z, mat, lift, **kw):
        t = text(body, size, mat, 0.008, **kw)
        t.matrix_world = move(x, y - lift, z) @ face

    # The label keeps its height; a short case has a narrower one.
    wide = w - 0.24
    k = min(1.0, wide / 1.86)
    z = h * 0.5
    panel(wide, 0.76, 0, z + 0.13, dark, 0.004)
    panel(wide, 0.30, 0, z - 0.08, band, 0.010, 0.02)
    panel(0.40 * k, 0.035, 0.28 - wide / 2, z + 0.145, band, 0.011, 0.01)
    words("DRIVELINE", 0.36 * k, 0, z + 0.32, white, 0.012, spacing=1.06, shear=0.12)
    words(line, 0.125 * k, 0.20 * k, z + 0.145, white, 0.012, spacing=1.20)
    words(rating, 0.27, 0.10 - wide / 2, z - 0.08, white, 0.019, align="LEFT")
    for note, up in zip(notes, (0.070, -0.070)):
        words(note, 0.115, wide / 2 - 0.09, z - 0.08 + up, white, 0.019, spacing=1.06, align="RIGHT")
    return {"azimuth": -30, "elevation": 21, "fill": (0.74, 0.76)}
