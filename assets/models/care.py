"""Bottles and cans, what is kept in the trunk, and what a battery needs."""

import math

from models import first_aid_kit
from models.chassis import ring
from models.service_kit import _band, wrap
from studio import *  # noqa: F403


def build(part, **values):
    shot = globals()[part](**values) or {}
    drop(subjects())
    return {"azimuth": -18, "elevation": 13, "fill": (0.66, 0.82), "light": {"fill": 1.2, "front": 0.35}, **shot}


def _words(lines, y, mat, face):
    """Lines of lettering as (text, size, x, height)."""
    for body, size, x, z in lines:
        t = text(body, size, mat, 0.010, spacing=1.05)
        t.matrix_world = move(x, y, z) @ face


def bottle(title="DOT 4", kind="BRAKE FLUID", amount="1 L", tint=(0.05, 0.05, 0.054), band=ORANGE, tall=1.0, wide=1.0):
    """A round bottle with its label around it."""
    r, h = 0.52 * wide, 1.7 * tall
    body = material("bottle", tint, 0.32, grain=0.04, coat=0.2)
    lathe("bottle", [(0, 0), (r - 0.06, 0), (r, 0.06), (r, h - 0.42), (r * 0.92, h - 0.24), (r * 0.50, h - 0.08), (0.20, h), (0.20, h + 0.10), (0, h + 0.10)], body, 140, 0.01, angle=50)
    ribs = [((0.25 + 0.010 * ((i // 2) % 2)) * math.cos(TAU * i / 96), (0.25 + 0.010 * ((i // 2) % 2)) * math.sin(TAU * i / 96)) for i in range(96)]
    plate("cap", ribs, (), 0.24, 0.03, paint(band, 0.4, 0.1), angle=40).location = (0, 0, h + 0.17)
    dark, white = card((0.025, 0.025, 0.028)), card((0.84, 0.82, 0.78))
    _band(r, 0.20, h - 0.50, -96, 96, dark, 0.004)
    _band(r, h * 0.30, h * 0.50, -96, 96, paint(band), 0.009)
    for body_, size, z, lift in (("DRIVELINE", 0.17, h * 0.62, 0.006), (title, 0.22, h * 0.40, 0.012), (kind, 0.10, h * 0.23, 0.006), (amount, 0.10, h * 0.155, 0.006)):
        t = text(body_, size, white, 0.010, spacing=1.04)
        widest = 1.15 * wide
        if t.dimensions.x > widest:
            t.data.transform(Matrix.Diagonal((widest / t.dimensions.x, 1, 1, 1)))
        t.matrix_world = move(0, z, lift)
        wrap(t, r)


def canister(title="ATF VI", kind="TRANSMISSION FLUID", amount="5 L", tint=(0.05, 0.05, 0.054), band=ORANGE, cap=ORANGE, wide=1.0):
    """A flat can with a grip through its shoulder."""
    body = material("can", tint, 0.34, grain=0.05, grain_size=110, coat=0.2)
    w = 1.62 * wide
    outline = rounded_rect(w, 2.2, 0.16, 10, 0, 1.1)
    plate("can", outline, [rounded_rect(w * 0.42, 0.26, 0.12, 8, -w * 0.16, 1.92)], 0.84, 0.11, body, segments=7, angle=50).matrix_world = rot("X", 90)
    lathe("neck", [(0, 0), (0.21, 0), (0.21, 0.10), (0, 0.10)], body, 80, 0.01).location = (w * 0.28, 0, 2.18)
    ribs = [((0.25 + 0.010 * ((i // 2) % 2)) * math.cos(TAU * i / 120), (0.25 + 0.010 * ((i // 2) % 2)) * math.sin(TAU * i / 120)) for i in range(120)]
    plate("cap", ribs, (), 0.22, 0.03, paint(cap, 0.4, 0.1), angle=40).location = (w * 0.28, 0, 2.38)
    dark, white, face = card((0.022, 0.022, 0.025)), card((0.84, 0.82, 0.78)), rot("X", 90)
    for pw, ph, z, mat, lift in ((w * 0.82, 1.30, 0.90, dark, 0.002), (w * 0.82, 0.42, 0.84, paint(band), 0.010)):
        plate("panel", rounded_rect(pw, ph, 0.05, 6), (), 0.014, 0.004, mat).matrix_world = move(0, -0.42 - lift, z) @ face
    for body_, size, z in (("DRIVELINE", 0.24, 1.36), (title, 0.32, 0.84), (kind, 0.115, 0.49), (amount, 0.115, 0.34)):
        t = text(body_, size, white, 0.010, spacing=1.04)
        widest = w * 0.74
        if t.dimensions.x > widest:
            t.data.transform(Matrix.Diagonal((widest / t.dimensions.x, 1, 1, 1)))
        t.matrix_world = move(0, -0.442, z) @ face
    return {"azimuth": -26, "elevation": 12}


def first_aid(lines=("FIRST", "AID"), tint=ORANGE, plate_tint=(0.03, 0.03, 0.033), shape=(1, 1, 1)):
    first_aid_kit.case(tint=tint, plate_tint=plate_tint, lines=lines)
    transform(subjects(), rot("Z", 6) @ Matrix.Diagonal((*shape, 1)))
    return {"fill": (0.72, 0.76)}


def triangle(packed=False):
    if packed:
        transform(first_aid_kit.folded_triangle(), rot("Z", 12))
        return {"elevation": 24, "fill": (0.78, 0.66)}
    first_aid_kit.warning_triangle()
    return {"fill": (0.70, 0.80)}


def vest(tint=(0.62, 0.80, 0.02), size="L", pouch=False):
    """Folded as it comes out of its bag: cloth, two bands that shine, the size at its collar."""
    cloth = material("cloth", tint, 0.85, grain=0.3, grain_size=60, sheen=0.4, emit=0.06)
    shine, white = material("band", (0.62, 0.63, 0.64), 0.28, 0.7, cells=0.3, cell_size=120), card((0.84, 0.82, 0.78))
    for k in range(3):
        box("fold", (1.70 - 0.03 * k, 1.25 - 0.02 * k, 0.085), (0.012 * k, 0, 0.05 + 0.085 * k), 0.04, cloth, 6)
    for y in (-0.30, 0.18):
        box("band", (1.655, 0.20, 0.012), (0.024, y, 0.312), 0.004, shine)
    for x in (-0.52, 0.56):
        box("band", (0.20, 1.21, 0.012), (x, 0, 0.308), 0.004, shine)
    tag = box("tag", (0.42, 0.26, 0.012), (0.0, 0.46, 0.312), 0.004, card((0.03, 0.03, 0.033)))
    t = text(size, 0.20, white, 0.010)
    t.matrix_world = move(0.0, 0.46, 0.322)
    del tag
    if pouch:
        box("pouch", (0.90, 0.36, 0.34), (0.30, -0.98, 0.17), 0.12, plastic((0.03, 0.03, 0.033), 0.6, 0.3), 6)
        label = text("VEST", 0.15, paint(tint, 0.5, 0.0), 0.010)
        label.matrix_world = move(0.30, -1.165, 0.17) @ rot("X", 90)
    transform(subjects(), rot("Z", -14))
    return {"elevation": 34, "fill": (0.76, 0.72)}


def extinguisher(tall=1.0, kg="1 kg", wide=1.0, foam=False):
    red, dark, zinc = paint((0.55, 0.010, 0.008), 0.22, 0.8), plastic((0.02, 0.02, 0.022), 0.45), steel(0.24)
    r, h = 0.40 * wide, 1.7 * tall
    lathe("bottle", [(0, 0.06), (r * 0.7, 0.0), (r * 0.96, 0.03), (r, 0.10), (r, h - 0.26), (r * 0.86, h - 0.10), (r * 0.4, h - 0.01), (0, h)], red, 140, angle=60)
    lathe("foot", [(r * 1.02, 0.0), (r * 1.04, 0.02), (r * 1.04, 0.14), (r * 1.01, 0.16)], dark, 120)
    cylinder("valve", 0.11, 0.26, (0, 0, h + 0.10), bevel=0.02, mat=material("brass", (0.62, 0.42, 0.16), 0.28, 1.0), segments=60)
    for z, a in ((h + 0.24, 0), (h + 0.36, 10)):
        lever = box("lever", (0.70, 0.12, 0.045), (0.22, 0, 0), 0.018, dark)
        lever.matrix_world = move(0, 0, z) @ rot("Y", -a) @ lever.matrix_world
    gauge = cylinder("gauge", 0.10, 0.05, (0, -0.13, h + 0.10), "Y", 0.01, zinc, 60)
    del gauge
    cylinder("dial", 0.08, 0.012, (0, -0.160, h + 0.10), "Y", 0.002, material("dial", (0.04, 0.40, 0.08), 0.4), 50)
    tube("hose", [(-0.10, 0, h + 0.10), (-0.34, 0, h + 0.08), (-r - 0.16, 0, h - 0.34), (-r - 0.10, 0, h * 0.42), (-r - 0.06, 0, h * 0.28)], 0.050, dark, resolution=14)
    lathe("ring", [(r + 0.006, h * 0.62), (r + 0.012, h * 0.62), (r + 0.012, h * 0.66), (r + 0.006, h * 0.66)], paint() if not foam else paint((0.014, 0.070, 0.200)), 120, closed=True)
    _band(r, h * 0.20, h * 0.58, -62, 62, card((0.84, 0.82, 0.78)), 0.006)
    for body, size, z in (("FOAM" if foam else "POWDER", 0.13, h * 0.47), (kg, 0.18, h * 0.33)):
        t = text(body, size, card((0.03, 0.03, 0.033)), 0.010)
        t.matrix_world = move(0, z, 0.010)
        wrap(t, r)
    return {"elevation": 10, "fill": (0.56, 0.86)}


def tow_rope(coils=5, tint=ORANGE, tons="5 t", hooks=True, flat=False):
    rope = material("rope", tint, 0.75, cells=0.7, cell_size=26, sheen=0.3)
    zinc = steel(0.26)
    for k in range(coils):
        o = ring("coil", 0.62 + 0.02 * math.sin(k * 2.1), 0.10 if not flat else 0.085, rope, 0.10 + 0.15 * k, 120)
        o.matrix_world = move(0.02 * math.sin(k * 1.7), 0.02 * math.cos(k * 2.3), 0) @ rot("X", 3 * math.sin(k)) @ o.matrix_world
    if hooks:
        for x, a in ((-0.55, 20), (0.50, -30)):
            hook = tube("hook", [(0, 0, 0.0), (0.20, 0, 0.02), (0.44, 0, 0.02), (0.58, 0.14, 0.02), (0.50, 0.30, 0.02), (0.30, 0.28, 0.02)], 0.050, zinc, resolution=12, sides=6)
            hook.matrix_world = move(x, -0.98, 0.05) @ rot("Z", a)
            tube("end", [(x + 0.02, -0.62, 0.12), (x + 0.01, -0.80, 0.08), (x + 0.02, -0.98, 0.06)], 0.085, rope, resolution=8)
    box("tag", (0.56, 0.02, 0.26), (0, -0.76, 0.40), 0.006, card((0.03, 0.03, 0.033)))
    t = text(tons, 0.17, card((0.84, 0.82, 0.78)), 0.010)
    t.matrix_world = move(0, -0.775, 0.40) @ rot("X", 90)
    return {"elevation": 24, "fill": (0.68, 0.78)}


def charger(amps="8 A", size=1.0, tint=ORANGE, boost=False):
    dark, white = plastic((0.03, 0.03, 0.033), 0.40, 0.1), card((0.84, 0.82, 0.78))
    w = 1.5 * size
    box("case", (w, 0.86, 0.46), (0, 0, 0.23), 0.10, dark, 6)
    box("face", (w * 0.80, 0.62, 0.02), (0, 0, 0.465), 0.008, paint(tint))
    screen = box("screen", (0.40, 0.26, 0.02), (-w * 0.20, 0.06, 0.480), 0.006, material("screen", (0.04, 0.10, 0.07), 0.15, coat=0.6, emit=0.2))
    del screen
    for body, sz, x, y in ((amps, 0.26, w * 0.18, 0.10), ("12 V", 0.12, w * 0.18, -0.14)):
        t = text(body, sz, white, 0.010)
        t.matrix_world = move(x, y, 0.482)
    cylinder("button", 0.07, 0.03, (-w * 0.20, -0.20, 0.485), bevel=0.01, mat=dark, segments=50)
    for s, tone in ((-1, (0.50, 0.012, 0.010)), (1, (0.02, 0.02, 0.022))):
        mat = plastic(tone, 0.4)
        tube("cable", [(s * 0.14, -0.42, 0.20), (s * 0.30, -0.75, 0.06), (s * 0.62, -0.92, 0.05), (s * 0.80, -0.80, 0.10)], 0.045 if not boost else 0.065, mat, resolution=12)
        for k in (-1, 1):
            jaw = box("jaw", (0.50, 0.09, 0.13), (0, 0, 0), 0.04, mat)
            jaw.matrix_world = move(s * 1.0, -0.74 + 0.07 * k, 0.12) @ rot("Z", 14 * k * s + 10 * s)
    transform(subjects(), rot("Z", -8))
    return {"elevation": 32, "fill": (0.76, 0.72)}


def terminal(red=True, quick=False, pair=True):
    brass, zinc = material("tin", (0.60, 0.59, 0.56), 0.30, 1.0, mottle=0.08), steel(0.24)

    def clamp(tone):
        before = set(subjects())
        lathe("collar", [(0.22, 0), (0.34, 0), (0.36, 0.03), (0.35, 0.30), (0.33, 0.33), (0.20, 0.33)], brass, 90, 0.01, closed=True, start=0.16, sweep=TAU - 0.32)
        for s in (-1, 1):
            box("jaw", (0.26, 0.10, 0.30), (0.44, s * 0.10, 0.165), 0.02, brass)
        box("shank", (0.52, 0.34, 0.16), (-0.56, 0, 0.12), 0.04, brass)
        for y in (-0.10, 0.10):
            bolt(0.055, (-0.62, y, 0.20), "Z", zinc)
        if quick:
            lever = box("lever", (0.56, 0.16, 0.06), (0.30, 0.0, 0.38), 0.025, plastic(tone, 0.4))
            lever.matrix_world = rot("Z", 8) @ lever.matrix_world
        else:
            cylinder("bolt", 0.045, 0.52, (0.47, 0, 0.17), "Y", 0.006, zinc, 40)
            hexagon("nut", 0.16, 0.09, (0.47, -0.24, 0.17), "Y", 0.008, zinc)
        cylinder("cap", 0.13, 0.10, (-0.86, 0, 0.12), "X", 0.02, plastic(tone, 0.45), 50)
        return [o for o in subjects() if o not in before]

    first = clamp((0.50, 0.012, 0.010) if red else (0.02, 0.02, 0.022))
    if pair:
        transform(first, move(-0.40, 0.25, 0))
        transform(clamp((0.02, 0.02, 0.022)), move(0.45, -0.50, 0) @ rot("Z", 24))
    return {"elevation": 28, "fill": (0.72, 0.74)}


def reservoir(tint=(0.74, 0.72, 0.64), cap=(0.03, 0.03, 0.033), wide=1.0):
    body = material("tank", tint, 0.30, coat=0.3, grain=0.03)
    box("tank", (1.3 * wide, 0.76, 0.62), (0, 0, 0.42), 0.12, body, 6)
    box("step", (0.62 * wide, 0.66, 0.30), (-0.26 * wide, 0, 0.82), 0.10, body, 6)
    for x in (-0.34, 0.30):
        cylinder("foot", 0.13, 0.24, (x * wide, 0, 0.08), bevel=0.03, mat=body, segments=60)
    ribs = [((0.30 + 0.012 * ((i // 2) % 2)) * math.cos(TAU * i / 96), (0.30 + 0.012 * ((i // 2) % 2)) * math.sin(TAU * i / 96)) for i in range(96)]
    plate("cap", ribs, (), 0.22, 0.04, plastic(cap, 0.4), angle=40).location = (-0.26 * wide, 0, 1.08)
    cylinder("mark", 0.20, 0.02, (-0.26 * wide, 0, 1.20), bevel=0.006, mat=paint(), segments=60)
    box("spout", (0.30, 0.16, 0.16), (0.74 * wide, 0, 0.40), 0.04, body)
    for k, word in enumerate(("MAX", "MIN")):
        t = text(word, 0.12, card((0.03, 0.03, 0.033)), 0.008)
        t.matrix_world = move(0.30 * wide, -0.384, 0.58 - 0.26 * k) @ rot("X", 90)
    return {"fill": (0.70, 0.78)}
