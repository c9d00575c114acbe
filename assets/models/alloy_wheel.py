"""A bare alloy wheel: forked or single spokes, turned faces over painted flanks, lug seats, valve, centre cap."""

import math

from studio import *  # noqa: F403

LUGS = 5
CIRCLE = 0.235  # of the lug holes' middles; the rim's radius is 1


def _front(r):
    """Height of the spokes' face at a radius: a shallow dish that rises to the rim."""
    t = (r - 0.20) / 0.72
    return 0.075 - 0.060 * math.sin(math.pi * min(1.0, max(0.0, t)) * 0.62) + 0.180 * max(0.0, t) ** 2.6


def _spoke(stations, flank, face):
    """A spoke along (radius, angle in degrees, half width, depth), painted, with a turned skin on its face."""
    sections, skin = [], []
    n = len(stations)
    for k, (r, deg, w, depth) in enumerate(stations):
        (r0, d0, *_), (r1, d1, *_) = stations[max(0, k - 1)], stations[min(n - 1, k + 1)]
        here, before, after = (Vector((q * math.cos(math.radians(d)), q * math.sin(math.radians(d)), 0)) for q, d in ((r, deg), (r0, d0), (r1, d1)))
        t = (after - before).normalized()
        side = Vector((-t.y, t.x, 0))
        up = Vector((0, 0, _front(r)))
        o = here + up
        down = Vector((0, 0, -1))
        sections.append([tuple(o + side * w), tuple(o + side * (w * 1.10) + down * 0.035), tuple(o + side * (w * 0.80) + down * depth),
                         tuple(o - side * (w * 0.80) + down * depth), tuple(o - side * (w * 1.10) + down * 0.035), tuple(o - side * w)])
        lift = Vector((0, 0, 0.004))
        skin.append([tuple(o + side * (w - 0.010) + lift), tuple(o + side * (w - 0.010) - lift), tuple(o - side * (w - 0.010) - lift), tuple(o - side * (w - 0.010) + lift)])
    return [loft("spoke", sections, flank, 0.010, angle=28), loft("face", skin, face, 0.0, angle=40)]


def rim(spokes=5, forked=True, wide=1.0, turned=True, coat=(0.050, 0.052, 0.057)):
    """The wheel around Z, its face along +Z, the rim's radius 1. One that is not `turned` is painted all over."""
    before = set(subjects())
    paint_dark = material("flank paint", coat, 0.30, 0.55, coat=0.5, mottle=0.04)
    face = material("turned face", (0.66, 0.665, 0.675), 0.24, 1.0, aniso=0.5, brushed="radial", mottle=0.05) if turned else paint_dark
    inner = material("barrel paint", (0.085, 0.087, 0.092), 0.40, 0.7, mottle=0.06)
    dark = plastic((0.018, 0.018, 0.020), 0.28, coat=0.5)

    # One closed ring: front flange, bead seats, drop centre, back flange, and the inside that one sees past the spokes.
    ring = [(0.925, 0.215), (0.955, 0.232), (0.990, 0.238), (1.000, 0.225), (1.000, 0.205), (0.985, 0.185), (0.950, 0.165), (0.945, 0.060), (0.930, 0.040),
            (0.860, -0.010), (0.835, -0.070), (0.835, -0.190), (0.870, -0.260), (0.925, -0.330), (0.940, -0.350), (0.942, -0.560), (0.950, -0.585), (0.985, -0.600), (1.000, -0.620),
            (1.000, -0.645), (0.985, -0.655), (0.955, -0.640), (0.915, -0.580), (0.905, -0.370), (0.845, -0.270), (0.808, -0.195), (0.808, -0.060), (0.850, 0.030), (0.895, 0.080), (0.905, 0.150)]
    lathe("barrel", ring, inner, 220, closed=True, angle=42)
    # The turned lip lies over the flange's face.
    lathe("lip", [(0.903, 0.120), (0.912, 0.180), (0.928, 0.219), (0.957, 0.237), (0.990, 0.242), (1.004, 0.228), (1.004, 0.206), (0.990, 0.190)], face, 220, angle=50)

    for k in range(spokes):
        mid = 90 + 360 / spokes * k
        for s in (-1, 1) if forked else (0,):
            stations = []
            for i in range(13):
                t = i / 12
                r = 0.17 + 0.755 * t
                # Together at the hub, apart from a third of the way on.
                apart = s * (2.6 + 13.2 * max(0.0, t - 0.16) ** 0.92)
                if t < 0.16:
                    apart = s * (5.2 - 2.6 * t / 0.16)
                stations.append((r, mid + apart * 5 / spokes, (0.068 - 0.030 * t + 0.026 * max(0.0, t - 0.82) / 0.18) * wide, 0.155 - 0.05 * t))
            _spoke(stations, paint_dark, face)

    holes = [circle(0.052, 44, CIRCLE * math.cos(math.radians(54 + 72 * k)), CIRCLE * math.sin(math.radians(54 + 72 * k))) for k in range(LUGS)]
    pad = plate("hub", circle(0.325, 140), [*holes, circle(0.112, 80)], 0.16, 0.014, paint_dark)
    pad.matrix_world = move(0, 0, 0.010)
    top = plate("hub face", circle(0.306, 140), [*[circle(0.062, 44, CIRCLE * math.cos(math.radians(54 + 72 * k)), CIRCLE * math.sin(math.radians(54 + 72 * k))) for k in range(LUGS)], circle(0.150, 80)], 0.008, 0.003, face)
    top.matrix_world = move(0, 0, 0.092)
    for k in range(LUGS):
        a = math.radians(54 + 72 * k)
        seat = lathe("seat", [(0.061, 0.098), (0.050, 0.060), (0.034, 0.028), (0.034, -0.06)], face, 48, angle=25)
        seat.matrix_world = move(CIRCLE * math.cos(a), CIRCLE * math.sin(a), 0)
    lathe("well", [(0.34, -0.075), (0.115, -0.075), (0.112, -0.20), (0.145, -0.20), (0.36, -0.16)], inner, 120, angle=30)
    lathe("cap ring", [(0.112, 0.07), (0.146, 0.07), (0.146, 0.104), (0.138, 0.114), (0.120, 0.114), (0.112, 0.106)], paint(), 100, 0.003, closed=True)
    lathe("cap", [(0, 0.116), (0.06, 0.114), (0.114, 0.104), (0.114, 0.06), (0, 0.06)], dark, 100, angle=40)
    mono = text("D", 0.155, card((0.85, 0.83, 0.80), 0.35), 0.008, shear=0.12)
    mono.matrix_world = move(0, 0, 0.118)
    # Valve, on the barrel beside a spoke.
    valve = [lathe("valve", [(0.034, 0), (0.034, 0.02), (0.022, 0.035), (0.020, 0.085), (0.016, 0.09), (0, 0.09)], rubber(), 40, 0.003),
             lathe("valve cap", [(0.019, 0.085), (0.021, 0.09), (0.021, 0.135), (0.016, 0.145), (0, 0.146)], plastic((0.02, 0.02, 0.022)), 40, 0.002)]
    transform(valve, rot("Z", 54) @ move(0.868, 0, 0.050) @ rot("Y", -32))
    return [o for o in subjects() if o not in before]


def build(turn=8, **values):
    objs = rim(**values)
    transform(objs, rot("X", 90) @ rot("Z", turn))
    drop(objs)
    return {"azimuth": -30, "elevation": 11, "fill": (0.70, 0.83), "light": {"fill": 1.5, "rim": 1.4, "key": 1.05, "front": 0.3}}
