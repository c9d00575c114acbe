"""A headlamp for the left side: clear cover over two projectors, a light guide for the day, an amber indicator."""

import math

from studio import *  # noqa: F403

LEFT, RIGHT = -1.35, 1.35
TOP = ((0.0, 0.80), (0.25, 0.96), (0.55, 1.10), (0.80, 1.18), (1.0, 1.20))
BOTTOM = ((0.0, 0.36), (0.12, 0.12), (0.32, 0.03), (0.58, 0.06), (0.80, 0.24), (1.0, 0.70))


def _curve(table, u):
    """A smooth line through the table's points."""
    k = next((i for i in range(len(table) - 1) if u <= table[i + 1][0]), len(table) - 2)
    pts = [table[max(0, min(len(table) - 1, k + d))] for d in (-1, 0, 1, 2)]
    (u1, b), (u2, c) = pts[1], pts[2]
    t = (u - u1) / (u2 - u1)
    m1 = (c - pts[0][1]) / (u2 - pts[0][0]) * (u2 - u1)
    m2 = (pts[3][1] - b) / (pts[3][0] - u1) * (u2 - u1)
    return (2 * t**3 - 3 * t**2 + 1) * b + (t**3 - 2 * t**2 + t) * m1 + (3 * t**2 - 2 * t**3) * c + (t**3 - t**2) * m2


def _back(u):
    """How far the wing draws the lamp back at a share of its width."""
    return 0.05 * u + 0.80 * u**2.4


def _at(u, v, depth=0.0, bulge=0.15, margin=0.0):
    """A point of the cover, or of a surface `depth` behind it; v runs from the lower edge to the upper one."""
    # Both ends are rounded, the blunt one at the wing more.
    t = max(0.0, 1 - u / 0.05, 1 - (1 - u) / 0.07)
    corner = 0.13 * (1 - math.sqrt(1 - t * t))
    lo, hi = _curve(BOTTOM, u) + margin + corner, _curve(TOP, u) - margin - corner
    x = LEFT + margin * 0.9 + (RIGHT - LEFT - 1.8 * margin) * u + 0.10 * (v - 0.5) * (1 - u)
    round_off = (4 * v * (1 - v)) ** 0.75 * min(1.0, (u / 0.10) ** 0.6, ((1 - u) / 0.10) ** 0.6)
    return Vector((x, _back(u) - bulge * round_off + depth, lo + (hi - lo) * v))


def _share(x, z):
    """The shares of width and height where a point in front view lies."""
    u = (x - LEFT) / (RIGHT - LEFT)
    return u, (z - _curve(BOTTOM, u)) / (_curve(TOP, u) - _curve(BOTTOM, u))


def _sheet(name, columns, rows, point, mat, keep=lambda c: True):
    verts = [tuple(point(i / columns, j / rows)) for i in range(columns + 1) for j in range(rows + 1)]
    faces = []
    for i in range(columns):
        for j in range(rows):
            a = i * (rows + 1) + j
            face = [a, a + rows + 1, a + rows + 2, a + 1]
            if keep(sum((Vector(verts[k]) for k in face), Vector()) / 4):
                faces.append(face)
    return mesh(name, verts, faces, mat, angle=60)


def _outline(n, point):
    """Points around the edge, counter-clockwise from the front."""
    edge = [point(i / n, 0.0) for i in range(n)] + [point(1.0, i / 14) for i in range(14)]
    return edge + [point(1 - i / n, 1.0) for i in range(n)] + [point(0.0, 1 - i / 14) for i in range(14)]


def _facing(obj, x, y, z):
    """Turns what was made around Z so that it looks out of the lamp."""
    obj.matrix_world = move(x, y, z) @ rot("X", 90)
    return obj


def _projector(x, z, r, chrome, dark, optic, led):
    """A lens in its bright bowl. Returns where its front ring lies."""
    u, v = _share(x, z)
    y = _at(u, v, 0.13).y
    # Depth runs against +Z here: the front ring lies at 0.
    for o in (
        lathe("ring", [(r + 0.020, -0.10), (r + 0.020, -0.010), (r + 0.008, 0.004), (r - 0.010, 0.004), (r - 0.018, -0.008)], chrome, 120, 0.002, angle=40),
        lathe("bowl", [(r - 0.014, -0.004), (r * 0.90, -0.05), (r * 0.82, -0.09), (r * 0.80, -0.10), (r * 0.76, -0.10), (r * 0.70, -0.16), (r * 0.66, -0.17)], chrome, 120, angle=25),
        lathe("holder", [(r * 0.72, -0.14), (r * 0.70, -0.055), (r * 0.655, -0.048), (r * 0.64, -0.060), (r * 0.64, -0.30), (0, -0.30)], dark, 110, 0.002, angle=35),
    ):
        _facing(o, x, y, z)
    cap = [(r * 0.645 * math.sin(a), -0.062 + 0.105 * (math.cos(a) - math.cos(math.radians(64))) / (1 - math.cos(math.radians(64)))) for a in (math.radians(64 * k / 18) for k in range(19))]
    cap = [(p / math.sin(math.radians(64)), q) for p, q in cap]
    _facing(lathe("lens", [*cap, (r * 0.645, -0.085), (0, -0.085)], optic, 110, angle=40), x, y, z)
    _facing(box("shutter", (r * 0.95, r * 0.10, 0.02), (0, 0, 0), 0.004, dark), x, y + 0.20, z - r * 0.06)
    _facing(box("led", (r * 0.62, r * 0.30, 0.02), (0, 0, 0), 0.004, led), x, y + 0.24, z + r * 0.16)
    return y


def build(cornering=False):
    """`cornering` puts a third projector in place of the ribs towards the wing."""
    cover = clear()
    gloss = plastic((0.012, 0.012, 0.013), 0.10, coat=0.8)
    satin = plastic((0.022, 0.022, 0.024), 0.34, grain=0.05)
    shell = plastic((0.030, 0.031, 0.034), 0.46, grain=0.10)
    chrome = material("reflector", (0.86, 0.865, 0.87), 0.16, 1.0)
    guide = material("light guide", (0.95, 0.97, 1.0), 0.2, emit=2.6)
    amber = material("amber", (0.85, 0.17, 0.004), 0.25, coat=0.5, emit=0.35)
    led = material("led", (1.0, 0.98, 0.92), 0.4, emit=11.0)
    optic = glass()

    lamps = [(-0.56, 0.51, 0.290), (0.17, 0.585, 0.275)] + [(0.745, 0.690, 0.185)] * cornering
    _sheet("cover", 90, 40, lambda u, v: _at(u, v), cover)
    # The dark liner behind it, stepped, and open where the projectors look out.
    def clear_of(c):
        return all(math.hypot(c.x - x, c.z - z) > r + 0.004 for x, z, r in lamps)

    _sheet("liner", 300, 130, lambda u, v: _at(u, v, 0.16 + 0.05 * (abs(v - 0.5) < 0.36), 0.11, 0.02), gloss, clear_of)
    for x, z, r in lamps:
        y = _projector(x, z, r, chrome, satin, optic, led)
        _facing(lathe("collar", [(r + 0.085, -0.11), (r + 0.055, -0.012), (r + 0.022, -0.006), (r + 0.018, -0.12)], satin, 120, 0.003, angle=40), x, y + 0.005, z)
    # Ribs of the third chamber, towards the wing.
    for k in range(0 if cornering else 5):
        z = 0.46 + 0.105 * k
        pts = []
        for i in range(18):
            x = 0.56 + 0.022 * k + 0.025 * i
            u, v = _share(min(x, 1.15), z + 0.010 * i)
            pts.append(_at(u, max(0.12, min(0.86, v)), 0.135))
        frames = [(p, (0, 1, 0), (0, 0, 1), 1.0) for p in pts]
        sweep("rib", frames, rounded_rect(0.09, 0.020, 0.007, 3), satin, angle=50)

    # By day: a guide along the lower edge that turns up into the wing.
    line = [_at(0.045 + 0.855 * i / 40, 0.115 + 0.02 * i / 40, 0.060) for i in range(41)]
    line += [_at(0.900 + 0.045 * math.sin(math.pi / 2 * k / 8), 0.135 + 0.60 * (1 - math.cos(math.pi / 2 * k / 8)), 0.060) for k in range(1, 9)]
    tube("guide", [tuple(p) for p in line], 0.022, guide, smooth=False, sides=6)
    bed = [(p + Vector((0, 0.045, 0)), (0, 1, 0), (0, 0, 1), 1.0) for p in line]
    sweep("guide bed", bed, rounded_rect(0.05, 0.085, 0.015, 3), chrome, angle=50)
    # The indicator under the upper edge: amber cells side by side.
    for k in range(11):
        cell = []
        for i in range(5):
            u = 0.30 + 0.052 * k + 0.044 * i / 4
            cell.append((_at(u, 0.895, 0.085), (0, 1, 0), (0, 0, 1), 1.0))
        sweep("cell", cell, rounded_rect(0.05, 0.048, 0.010, 3), amber, angle=50, bevel=0.004)

    # Seam, housing, tabs.
    rim = _outline(48, lambda u, v: _at(u, v, 0.012))
    tube("seam", [tuple(p) for p in rim], 0.026, gloss, closed=True, smooth=False, sides=5)
    middle = sum(rim, Vector()) / len(rim)
    rear = 1.15

    def ring(share, y):
        out = []
        for p in rim:
            q = middle + (p - middle) * share
            out.append((q.x, p.y + (rear - p.y) * y, q.z))
        return out

    loft("housing", [ring(0.995, 0.0), ring(1.0, 0.14), ring(0.985, 0.18), ring(0.93, 0.55), ring(0.80, 0.88), ring(0.72, 1.0)], shell, 0.0, angle=35)
    for u, w in ((0.16, 0.30), (0.62, 0.34)):
        p = _at(u, 1.0, 0.22)
        tab = plate("tab", rounded_rect(w, 0.36, 0.06, 6), [circle(0.052, 36, 0.0, 0.075)], 0.045, 0.010, shell)
        tab.matrix_world = move(p.x, p.y + 0.10, p.z + 0.030) @ rot("Y", -4)
        eye = lathe("eye", [(0.050, -0.034), (0.082, -0.034), (0.082, 0.034), (0.050, 0.034)], shell, 40, 0.005, closed=True)
        eye.matrix_world = tab.matrix_world @ move(0.0, 0.075, 0)
        for s in (-1, 1):
            box("gusset", (0.026, 0.22, 0.10), (p.x + s * w * 0.36, p.y + 0.14, p.z - 0.03), 0.008, shell)
    p = _at(0.0, 0.5, 0.20)
    ear = plate("ear", rounded_rect(0.30, 0.22, 0.06, 6), [circle(0.048, 36, -0.075, 0.0)], 0.045, 0.010, shell)
    ear.matrix_world = move(p.x - 0.09, p.y + 0.08, p.z) @ rot("X", 90)
    drop(subjects())
    return {"azimuth": 18, "elevation": 15, "fill": (0.82, 0.74), "light": {"fill": 1.4, "front": 1.1}}
