"""A road tyre with real tread blocks, mounted on an alloy wheel. Size, tread and spokes differ by the picture."""

import math

from studio import *  # noqa: F403

HALF = 0.33  # half the tread's width; the tyre's radius is 1


def _crown(v):
    """Radius of the tread's surface at `v` across the tyre: nearly flat, falling off at the shoulders."""
    t = abs(v) / HALF
    return 1.0 - 0.008 * t**2 - 0.05 * max(0.0, t - 0.62) ** 2 / 0.1444


def _block(verts, faces, outline, u0, top=0.0, depth=0.038):
    """One tread block: an outline of (arc, across) on the tyre's surface, drawn in towards its top by a draft."""
    n = len(outline)
    cu = sum(p[0] for p in outline) / n
    cv = sum(p[1] for p in outline) / n
    base = len(verts)
    for h, shrink in ((-depth, 1.0), (top - 0.005, 0.985), (top, 0.955)):
        for u, v in outline:
            a = u0 + cu + (u - cu) * shrink
            w = cv + (v - cv) * shrink
            r = _crown(w) + h
            verts.append((r * math.cos(a), r * math.sin(a), w))
    for r in range(2):
        for i in range(n):
            j = (i + 1) % n
            faces.append([base + r * n + i, base + r * n + j, base + (r + 1) * n + j, base + (r + 1) * n + i])
    faces.append([base + 2 * n + i for i in range(n)])


# Of each tread: blocks around the tyre, how far they lean, whether the middle rib is cut, and between which shares of
# a pitch the inner and the shoulder blocks lie.
TREADS = {
    "all-season": (60, 0.75, True, ((0.06, 0.47), (0.51, 0.92)), ((0.06, 0.475), (0.505, 0.94))),
    "summer": (46, 1.10, False, ((0.05, 0.93),), ((0.05, 0.94),)),
    "winter": (56, 1.30, True, ((0.08, 0.33), (0.37, 0.62), (0.66, 0.91)), ((0.08, 0.33), (0.37, 0.62), (0.66, 0.91))),
    "van": (52, 0.10, True, ((0.05, 0.94),), ((0.0, 0.49), (0.51, 1.0))),
    "touring": (72, 0.55, False, ((0.06, 0.92),), ((0.05, 0.48), (0.52, 0.95))),
    "sport": (30, 1.80, False, ((0.0, 0.985),), ((0.03, 0.955),)),
}


def tread(mat, kind="all-season"):
    """A directional pattern: a centre rib with notches, slanted blocks beside it, sipes, shoulder blocks."""
    verts, faces = [], []
    count, slant, cut, inner, shoulder = TREADS[kind]
    p = TAU / count
    for i in range(count):
        u = i * p
        # Centre rib, cut once per pitch.
        end = 0.90 if cut else 1.0
        tip = end + (0.08 if cut else 0.0)
        _block(verts, faces, [(0, -0.042), (p * end, -0.042), (p * tip, 0.0), (p * end, 0.042), (0, 0.042), (p * (tip - end), 0.0)], u)
        for s in (-1, 1):
            def lean(v):
                return slant * p * (abs(v) / HALF) ** 0.8

            def quad(v0, v1, a, b):
                k = 5
                left = [(a * p + lean(v0 + (v1 - v0) * t / k), s * (v0 + (v1 - v0) * t / k)) for t in range(k + 1)]
                right = [(b * p + lean(v0 + (v1 - v0) * t / k), s * (v0 + (v1 - v0) * t / k)) for t in range(k + 1)]
                return left + right[::-1]

            shift = 0.5 if s > 0 else 0.0
            # Fine sipes split the blocks.
            for a, b in inner:
                _block(verts, faces, quad(0.072, 0.178, a + shift, b + shift), u)
            for a, b in shoulder:
                _block(verts, faces, quad(0.206, 0.333, a + shift, b + shift), u)
    o = mesh("tread", verts, faces, mat, angle=28)
    return o


def _reshape(parts, width, rim):
    """Gives what was built at a rim of 0.64 another one, and another width; the tread keeps its radius."""
    k = (0.96 - rim) / (0.96 - 0.64)
    for o in parts:
        o.data.transform(o.matrix_world)
        o.matrix_world = Matrix.Identity(4)
        for v in o.data.vertices:
            r = math.hypot(v.co.x, v.co.y)
            f = (0.96 - (0.96 - r) * k) / r if 0 < r < 0.96 else 1.0
            v.co = (v.co.x * f, v.co.y * f, v.co.z * width)
        o.data.update()
    return parts


def tyre(size="", kind="all-season", width=1.0, rim=0.64):
    """`rim` is the wheel's radius, where the tyre's is 1; `width` is a share of the usual one."""
    rub = rubber()
    side = material("sidewall", (0.024, 0.024, 0.025), 0.50, grain=0.05, grain_size=120, mottle=0.06)
    letters = material("lettering", (0.24, 0.24, 0.235) if size else (0.13, 0.13, 0.13), 0.5)
    base = 0.962
    half = [(base, 0.0), (base - 0.001, 0.10), (base - 0.004, 0.20), (base - 0.018, 0.28), (base - 0.040, 0.325), (0.905, 0.352), (0.890, 0.350), (0.882, 0.362),
            (0.855, 0.372), (0.800, 0.378), (0.745, 0.371), (0.705, 0.352), (0.690, 0.345), (0.684, 0.338), (0.668, 0.330), (0.655, 0.322), (0.640, 0.300), (0.640, 0.25)]
    profile = [(r, -z) for r, z in half[::-1]] + half[1:]
    parts = [lathe("carcass", profile, side, 220, angle=50), tread(rub, kind)]
    for s in (-1, 1):
        for r, z, w in ((0.888, 0.3585, 0.006), (0.722, 0.3625, 0.007)):
            parts.append(lathe("ring", [(r + w, s * (z - 0.006)), (r + w * 0.5, s * (z + 0.004)), (r - w * 0.5, s * (z + 0.005)), (r - w, s * (z - 0.004))], side, 200))
    # Shoulder flutes: the ends of the grooves that run down to the sidewall.
    for s in (-1, 1):
        flute = box("flute", (0.045, 0.030, 0.010), (0.918, 0, s * 0.346), 0.004, side, 2)
        flute.matrix_world = move(0.921, 0, s * 0.343) @ rot("Y", s * 52)
        group = around([flute], 120)
        parts.append(join("flutes", group))
    word = "DRIVELINE"
    extra = "RADIAL  TUBELESS"

    def ring_text(body, size, start, r, step):
        for i, ch in enumerate(body):
            if ch == " ":
                continue
            t = text(ch, size, letters, 0.010)
            a = start - i * step
            # The sidewall leans a little where the letters stand.
            t.matrix_world = rot("Z", a) @ move(0, r, 0.3755) @ rot("X", -3)
            parts.append(t)

    ring_text(word, 0.125, 36, 0.806, 9.0)
    if size:
        ring_text(size, 0.125, 180 + 3.1 * (len(size) - 1), 0.806, 6.2)
    else:
        ring_text(word, 0.125, 36 + 180, 0.806, 9.0)
        ring_text(extra, 0.066, -62, 0.806, 4.4)
        ring_text(extra, 0.066, -62 + 180, 0.806, 4.4)
    return _reshape(parts, width, rim)


def wheel(spokes=5, paired=True, slim=1.0, tint=(0.50, 0.51, 0.53), width=1.0, rim=0.64):
    """The alloy wheel: barrel, spokes or pairs of them, hub with studs, a coloured centre ring."""
    alloy = material("alloy", tint, 0.27, 1.0 if tint[0] > 0.1 else 0.6, mottle=0.06)
    lipmat = material("rim lip", (0.70, 0.71, 0.72), 0.20, 1.0)
    dark = black_steel()
    barrel = material("barrel", (0.10, 0.10, 0.105), 0.45, 0.8)
    parts = [
        lathe("lip", [(0.600, 0.24), (0.622, 0.300), (0.652, 0.312), (0.672, 0.336), (0.668, 0.352), (0.655, 0.356), (0.640, 0.345), (0.618, 0.326), (0.600, 0.312), (0.585, 0.27), (0.578, 0.20)], lipmat, 200, angle=40),
        lathe("barrel", [(0.585, 0.24), (0.560, 0.05), (0.575, -0.20), (0.630, -0.30), (0.660, -0.33), (0.640, -0.30), (0.59, -0.19), (0.58, 0.05), (0.60, 0.24)], barrel, 160),
        # What one sees between the spokes: hub carrier and brake.
        lathe("brake", [(0, -0.02), (0.47, -0.02), (0.47, -0.06), (0, -0.06)], material("brake", (0.42, 0.42, 0.43), 0.36, 1.0, aniso=0.7, brushed="radial"), 120, 0.01),
        lathe("brake hat", [(0, 0.04), (0.24, 0.04), (0.26, -0.02), (0, -0.02)], dark, 96, 0.01),
        lathe("backing", [(0, -0.16), (0.575, -0.16)], dark, 96),
    ]
    for pair in range(spokes):
        for s in (-1, 1) if paired else (0,):
            a0 = math.radians(360 / spokes * pair + 90)
            sections = []
            for k in range(12):
                t = k / 11
                r = 0.12 + (0.605 - 0.12) * t
                # The two spokes of a pair run closer together towards the rim.
                a = a0 + s * (0.30 - 0.135 * t + 0.04 * min(1.0, t / 0.35)) * 5 / spokes
                w = (0.066 - 0.026 * t + 0.022 * max(0, t - 0.8) / 0.2) * slim
                front = 0.232 - 0.055 * math.sin(math.pi * (1 - t) * 0.5) + 0.055 * t**3
                back = front - 0.125 + 0.03 * t
                c, sn = math.cos(a), math.sin(a)
                tan = Vector((-sn, c, 0))
                o = Vector((r * c, r * sn, 0))
                sections.append([tuple(o + tan * (w * 0.62) + Vector((0, 0, front))), tuple(o + tan * w + Vector((0, 0, front - 0.028))), tuple(o + tan * w * 0.75 + Vector((0, 0, back))),
                                 tuple(o - tan * w * 0.75 + Vector((0, 0, back))), tuple(o - tan * w + Vector((0, 0, front - 0.028))), tuple(o - tan * (w * 0.62) + Vector((0, 0, front)))])
            parts.append(loft("spoke", sections, alloy, 0.009, angle=30))
    parts.append(lathe("hub", [(0, 0.20), (0.075, 0.20), (0.085, 0.188), (0.185, 0.186), (0.205, 0.170), (0.215, 0.06), (0, 0.06)], alloy, 96, 0.010))
    parts.append(lathe("cap ring", [(0.058, 0.19), (0.082, 0.19), (0.082, 0.212), (0.076, 0.218), (0.062, 0.218), (0.058, 0.212)], paint(), 96, 0.003, closed=True))
    parts.append(lathe("cap", [(0, 0.214), (0.04, 0.212), (0.060, 0.206), (0.060, 0.18), (0, 0.18)], plastic((0.02, 0.02, 0.022), 0.25, coat=0.5), 96))
    for i in range(5):
        a = math.radians(72 * i + 54)
        x, y = 0.137 * math.cos(a), 0.137 * math.sin(a)
        parts.append(lathe("seat", [(0.034, 0.176), (0.034, 0.192), (0.027, 0.192), (0.024, 0.176)], dark, 40, closed=True))
        parts[-1].matrix_world = move(x, y, 0)
        parts.append(hexagon("nut", 0.040, 0.05, (x, y, 0.205), bevel=0.006, mat=steel(0.2)))
    transform(parts, Matrix.Diagonal((rim / 0.64, rim / 0.64, width, 1)))
    return parts


def build(size="", kind="all-season", width=1.0, rim=0.64, turn=14, **spokes):
    objs = tyre(size, kind, width, rim) + wheel(width=width, rim=rim, **spokes)
    transform(objs, rot("X", 90) @ rot("Z", turn))
    drop(objs, 0.0)
    return {"azimuth": -36, "elevation": 11, "fill": (0.70, 0.83), "light": {"fill": 1.5, "rim": 1.6, "key": 1.05}}
