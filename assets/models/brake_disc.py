"""A ventilated brake disc with a coated hat: drilled and grooved, or with plain faces; one or a pair."""

import math

from studio import *  # noqa: F403


def _slot(angle, r0=0.66, r1=0.95, lean=24, width=0.024):
    """Outline of one curved groove, from the inner to the outer edge of the swept face."""
    left, right = [], []
    for i in range(9):
        t = i / 8
        r = r0 + (r1 - r0) * t
        a = math.radians(angle + lean * t * (0.6 + 0.4 * t))
        x, y = r * math.cos(a), r * math.sin(a)
        # Across the groove, which leans about 50 degrees from the radius.
        nx, ny = math.cos(a + 2.44), math.sin(a + 2.44)
        left.append((x + nx * width / 2, y + ny * width / 2))
        right.append((x - nx * width / 2, y - ny * width / 2))
    return left + right[::-1]


def disc(holes=40, slots=10, bolts=5, hat=1.0, tall=1.0, thick=1.0, vanes=44, inner=0.60, coat=(0.045, 0.047, 0.052), ring=None, tint=None):
    """A ventilated disc of radius 1 around Z, its hat towards +Z.

    hat, tall   the hat's radius and height, as shares of the usual one
    thick       of both rings and the vanes between them, as a share of the usual
    inner       where the swept face begins
    ring        colour of what is coated beside the swept faces; None leaves it bare
    tint        the swept faces' own colour, if not that of fresh iron
    """
    face = machined(tint) if tint else machined()
    iron = material("vane iron", ring or (0.30, 0.29, 0.28), 0.5, 0.35 if ring else 0.9, grain=0.3, grain_size=60, mottle=0.1)
    coated = material("hat coat", coat, 0.40, 0.55, grain=0.10, grain_size=80, mottle=0.06)
    zinc = steel(0.3)

    drilled = []
    for g in range(holes // 4):
        for k, r in enumerate((0.69, 0.77, 0.85, 0.925)):
            a = math.radians(1440 / holes * g + 7.5 * k + 15)
            drilled.append(circle(0.021, 20, r * math.cos(a), r * math.sin(a)))
    grooves = [_slot(360 / slots * g - 7) for g in range(slots)]

    parts = []
    outer, bore = circle(1.0, 200), circle(inner, 160)
    for side in (1, -1):
        # A coated disc keeps a rim that the pads do not reach.
        o = plate("plate", outer, [bore, *drilled], 0.052, 0.004, iron if ring else face)
        o.matrix_world = move(0, 0, side * (0.068 * thick + 0.026))
        parts.append(o)
        # The grooves are cut into a thin skin of the same metal: shallow, as on a real disc.
        edge = 0.965 if ring else 0.985
        skin = plate("skin", circle(edge, 200), [circle(inner + 0.015, 160), *drilled, *grooves], 0.016, 0.0, face)
        skin.matrix_world = move(0, 0, side * (0.068 * thick + 0.0585))
        parts.append(skin)

    half = 0.07 * thick
    for i in range(vanes):
        frames = []
        for k in range(8):
            r = inner + 0.01 + (0.975 - inner) * k / 7
            a = TAU * i / vanes + 0.26 * (k / 7) ** 1.3
            rad = (math.cos(a - 0.45), math.sin(a - 0.45), 0)
            tan = (-rad[1], rad[0], 0)
            frames.append(((r * math.cos(a), r * math.sin(a), 0), tan, (0, 0, 1), 1.0))
        parts.append(sweep("vane", frames, [(-0.011, -half), (0.011, -half), (0.011, half), (-0.011, half)], iron))

    parts += _hat(bolts, hat, tall, inner, 0.068 * (thick - 1), coated, zinc)
    return parts


def _hat(bolts, wide, tall, inner, lift, coated, zinc):
    """The bell in the middle, whose face takes the hub and its bolts."""
    wall = [(inner + 0.03, 0.115), (inner + 0.03, 0.075), (0.535 * wide, 0.075), (0.515 * wide, 0.115), (0.495 * wide, 0.30 * tall), (0.475 * wide, 0.335 * tall),
            (0.40 * wide, 0.335 * tall), (0.40 * wide, 0.335 * tall - 0.045), (0.45 * wide, 0.335 * tall - 0.055), (0.455 * wide, 0.06), (inner + 0.03, 0.05)]
    bell = lathe("hat wall", wall, coated, bevel=0.008)
    pitch = 0.325 * min(1.0, wide)
    studs = [circle(0.044, 40, pitch * math.cos(TAU * i / bolts + 0.3), pitch * math.sin(TAU * i / bolts + 0.3)) for i in range(bolts)]
    mid = TAU * 0.5 / bolts + 0.3
    locator = circle(0.024, 28, pitch * math.cos(mid), pitch * math.sin(mid))
    top = 0.335 * tall - 0.019
    face = plate("hat face", circle(0.450 * wide, 160), [circle(0.195, 120), *studs, locator], 0.06, 0.009, coated)
    face.matrix_world = move(0, 0, top)
    ring = lathe("bore", [(0.205, top - 0.016), (0.205, top + 0.036), (0.225, top + 0.036), (0.225, top - 0.016)], zinc, bevel=0.004, closed=True)
    transform([bell, face, ring], move(0, 0, lift))
    return [bell, face, ring]


def build(pair=False, azimuth=-30, turn=0, **values):
    front = disc(**values)
    shapes = copy(front, Matrix.Identity(4)) if pair else []
    transform(front, rot("X", 84) @ rot("Z", turn))
    drop(front)
    if pair:
        # The other one leans behind it, turned so that its vanes show.
        transform(shapes, move(1.45, 0.70, 0) @ rot("Z", 4) @ rot("X", 84) @ rot("Z", 50))
        drop(shapes)
    return {"azimuth": azimuth, "elevation": 12, "fill": (0.78 if pair else 0.70, 0.80)}
