"""A ventilated brake disc with a coated hat, drilled and grooved or with plain faces."""

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


def disc(drilled=True):
    face = machined()
    iron = material("vane iron", (0.30, 0.29, 0.28), 0.5, 0.9, grain=0.3, grain_size=60, mottle=0.1)
    coat = material("hat coat", (0.045, 0.047, 0.052), 0.40, 0.55, grain=0.10, grain_size=80, mottle=0.06)
    zinc = steel(0.3)

    holes = []
    for g in range(10):
        for k, r in enumerate((0.69, 0.77, 0.85, 0.925)):
            a = math.radians(36 * g + 7.5 * k + 15)
            holes.append(circle(0.021, 20, r * math.cos(a), r * math.sin(a)))
    slots = [_slot(36 * g - 7) for g in range(10)]
    if not drilled:
        holes, slots = [], []

    parts = []
    outer, inner = circle(1.0, 200), circle(0.60, 160)
    for side in (1, -1):
        o = plate("plate", outer, [inner, *holes], 0.052, 0.004, face)
        o.matrix_world = move(0, 0, side * 0.094)
        parts.append(o)
        # The grooves are cut into a thin skin of the same metal: shallow, as on a real disc.
        skin = plate("skin", circle(0.985, 200), [circle(0.615, 160), *holes, *slots], 0.016, 0.0, face)
        skin.matrix_world = move(0, 0, side * 0.1265)
        parts.append(skin)

    for i in range(44):
        frames = []
        for k in range(8):
            r = 0.61 + 0.375 * k / 7
            a = TAU * i / 44 + 0.26 * (k / 7) ** 1.3
            rad = (math.cos(a - 0.45), math.sin(a - 0.45), 0)
            tan = (-rad[1], rad[0], 0)
            frames.append(((r * math.cos(a), r * math.sin(a), 0), tan, (0, 0, 1), 1.0))
        parts.append(sweep("vane", frames, [(-0.011, -0.07), (0.011, -0.07), (0.011, 0.07), (-0.011, 0.07)], iron))

    parts.append(lathe("hat wall", [(0.63, 0.115), (0.63, 0.075), (0.535, 0.075), (0.515, 0.115), (0.495, 0.30), (0.47, 0.335),
                                    (0.40, 0.335), (0.40, 0.29), (0.45, 0.28), (0.455, 0.06), (0.63, 0.05)], coat, bevel=0.008))
    studs = [circle(0.044, 40, 0.325 * math.cos(TAU * i / 5 + 0.3), 0.325 * math.sin(TAU * i / 5 + 0.3)) for i in range(5)]
    locator = circle(0.024, 28, 0.325 * math.cos(TAU * 0.5 / 5 + 0.3), 0.325 * math.sin(TAU * 0.5 / 5 + 0.3))
    hat = plate("hat face", circle(0.445, 160), [circle(0.195, 120), *studs, locator], 0.06, 0.009, coat)
    hat.matrix_world = move(0, 0, 0.316)
    parts.append(hat)
    parts.append(lathe("bore", [(0.205, 0.30), (0.205, 0.352), (0.225, 0.352), (0.225, 0.30)], zinc, bevel=0.004, closed=True))
    return parts


def build():
    front = disc()
    transform(front, rot("X", 84))
    drop(front)
    return {"azimuth": -30, "elevation": 12, "fill": (0.70, 0.80)}
