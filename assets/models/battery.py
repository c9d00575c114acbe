"""A 12 V starter battery: ribbed case, lid, posts, carrying strap, raised label."""

from studio import *  # noqa: F403


def build():
    case = material("case", (0.030, 0.031, 0.034), 0.42, grain=0.10, grain_size=70, mottle=0.05)
    lid_mat = material("lid", (0.060, 0.062, 0.066), 0.36, grain=0.06, grain_size=90, mottle=0.05)
    lead = material("lead", (0.50, 0.50, 0.51), 0.38, 1.0, grain=0.12, grain_size=40, mottle=0.1)
    orange, white, dark = paint(), card((0.82, 0.80, 0.76)), card((0.03, 0.03, 0.034))
    red, black = plastic((0.62, 0.03, 0.02), 0.35), plastic((0.02, 0.02, 0.022), 0.35)

    w, d, h = 2.1, 1.25, 1.22
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
    step = rounded_rect(w - 0.10, 0.62, 0.06, 6, 0, 0.24)
    deck = plate("deck", step, (), 0.13, 0.03, lid_mat)
    deck.matrix_world = move(0, 0, h + 0.255)
    bridge = plate("bridge", rounded_rect(1.06, 0.50, 0.07, 6, 0, -0.27), (), 0.13, 0.03, lid_mat)
    bridge.matrix_world = move(0, 0, h + 0.232)
    top = h + 0.32
    for i in range(6):
        x = -0.80 + i * 0.32
        cylinder("vent", 0.105, 0.03, (x, 0.27, top + 0.008), bevel=0.01, mat=case)
        box("slot", (0.14, 0.022, 0.014), (x, 0.27, top + 0.026), 0.004, lid_mat)

    for x, mat, sign in ((-0.78, red, "+"), (0.78, black, "-")):
        lathe("collar", [(0, 0), (0.185, 0), (0.175, 0.05), (0.135, 0.06), (0, 0.06)], mat, 64, 0.012).location = (x, -0.30, h + 0.205)
        lathe("post", [(0, 0), (0.112, 0), (0.098, 0.20), (0.085, 0.215), (0, 0.215)], lead, 64, 0.012).location = (x, -0.30, h + 0.255)
        s = text(sign, 0.26, white, 0.012)
        s.matrix_world = move(x * 0.47, -0.28, top - 0.019)

    strap = [(-0.86, 0.27, top - 0.03), (-0.84, 0.10, top + 0.16), (-0.60, -0.02, top + 0.30), (0, -0.05, top + 0.34),
             (0.60, -0.02, top + 0.30), (0.84, 0.10, top + 0.16), (0.86, 0.27, top - 0.03)]
    tube("strap", strap, 0.042, plastic((0.035, 0.035, 0.038), 0.45), resolution=14)
    cylinder("grip", 0.062, 0.72, (0, -0.048, top + 0.337), "X", 0.02, plastic((0.028, 0.028, 0.03), 0.5, 0.3))
    for x in (-0.86, 0.86):
        cylinder("eye", 0.075, 0.07, (x, 0.27, top), bevel=0.02, mat=lid_mat)

    y = -d / 2
    face = rot("X", 90)

    def panel(pw, ph, x, z, mat, lift, r=0.03):
        p = plate("panel", rounded_rect(pw, ph, r, 5), (), 0.012, 0.003, mat)
        p.matrix_world = move(x, y - lift, z) @ face

    def words(body, size, x, z, mat, lift, **kw):
        t = text(body, size, mat, 0.008, **kw)
        t.matrix_world = move(x, y - lift, z) @ face

    panel(1.86, 0.76, 0, 0.74, dark, 0.004)
    panel(1.86, 0.30, 0, 0.53, orange, 0.010, 0.02)
    panel(0.46, 0.035, -0.63, 0.755, orange, 0.011, 0.01)
    words("DRIVELINE", 0.36, 0, 0.93, white, 0.012, spacing=1.06, shear=0.12)
    words("START POWER", 0.125, 0.20, 0.755, white, 0.012, spacing=1.25)
    # One picture stands for every size, so the label names none.
    words("12V", 0.27, -0.60, 0.53, white, 0.019)
    words("MAINTENANCE", 0.125, -0.16, 0.600, white, 0.019, spacing=1.10, align="LEFT")
    words("FREE", 0.125, -0.16, 0.460, white, 0.019, spacing=1.10, align="LEFT")
    return {"azimuth": -30, "elevation": 21, "fill": (0.74, 0.76)}
