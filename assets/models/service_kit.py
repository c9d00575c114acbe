"""What a petrol engine's yearly service needs: oil filter, air filter, four spark plugs, a ribbed belt."""

import math

from studio import *  # noqa: F403


def wrap(obj, r):
    """Bends flat lettering (XY, facing +Z) around an upright cylinder, facing the front."""
    obj.data.transform(obj.matrix_world)
    obj.matrix_world = Matrix.Identity(4)
    for v in obj.data.vertices:
        a = v.co.x / r
        d = r + v.co.z
        v.co = (d * math.sin(a), -d * math.cos(a), v.co.y)
    obj.data.update()
    return obj


def _band(r, z0, z1, a0, a1, mat, lift):
    """A label on the cylinder between two angles (degrees from the front)."""
    n = 60
    verts, faces = [], []
    for i in range(n + 1):
        a = math.radians(a0 + (a1 - a0) * i / n)
        for d, z in ((r - 0.004, z0), (r + lift, z0), (r + lift, z1), (r - 0.004, z1)):
            verts.append((d * math.sin(a), -d * math.cos(a), z))
    for i in range(n):
        for k in range(3):
            faces.append([i * 4 + k, i * 4 + 4 + k, i * 4 + 5 + k, i * 4 + 1 + k])
    return mesh("label", verts, faces, mat, angle=30)


def oil_filter(label="OF-1040", can=(0.036, 0.037, 0.040), band=ORANGE):
    before = set(subjects())
    white, dark, orange = card((0.82, 0.80, 0.76), 0.4), card((0.028, 0.028, 0.031), 0.4), paint(band)
    body = material("can", can, 0.30, coat=0.5, mottle=0.03)
    r, h = 0.46, 1.16
    # Flutes at the closed end give the wrench its hold.
    n = 14
    verts, faces, rings = [], [], [(0, 0.0, 0), (r * 0.72, 0.0, 0.0), (r * 0.92, 0.012, 0.4), (r, 0.05, 1.0), (r, 0.17, 1.0), (r, 0.21, 0.4), (r, 0.235, 0.0)]
    seg = n * 16
    for rr, z, depth in rings:
        for i in range(seg):
            a = TAU * i / seg
            f = max(0.0, math.cos(n * a)) ** 3
            d = rr - 0.030 * depth * f
            verts.append((d * math.cos(a), d * math.sin(a), z))
    for k in range(len(rings) - 1):
        for i in range(seg):
            j = (i + 1) % seg
            faces.append([k * seg + i, k * seg + j, (k + 1) * seg + j, (k + 1) * seg + i])
    end = mesh("flutes", verts, faces, body, angle=45)
    wall = lathe("can", [(r, 0.23), (r, h - 0.07), (r + 0.022, h - 0.06), (r + 0.026, h - 0.03), (r + 0.02, h - 0.005), (r - 0.01, h), (r - 0.05, h - 0.012), (0.16, h - 0.05)], body, 160, angle=45)
    # Standing on its closed end shows seal, holes and thread.
    lathe("seal", [(0.335, h - 0.03), (0.34, h + 0.022), (0.36, h + 0.034), (0.385, h + 0.022), (0.39, h - 0.03)], rubber(), 120, angle=60)
    lathe("base", [(0.40, h - 0.014), (0.13, h - 0.014), (0.12, h - 0.02), (0.12, h - 0.16)], steel(0.3), 120)
    for i in range(8):
        a = TAU * i / 8
        cylinder("inlet", 0.034, 0.012, (0.24 * math.cos(a), 0.24 * math.sin(a), h - 0.012), bevel=0.003, mat=plastic((0.008, 0.008, 0.008), 0.6), segments=28)
    _band(r, 0.36, 0.94, -180, 180, white, 0.002)
    _band(r, 0.36, 0.56, -180, 180, orange, 0.004)
    _band(r, 0.575, 0.595, -180, 180, dark, 0.004)
    for body_text, size, z, mat, extra in (("DRIVELINE", 0.150, 0.80, dark, {"shear": 0.12}), ("OIL FILTER", 0.098, 0.665, dark, {"spacing": 1.08}), (label, 0.125, 0.458, white, {"spacing": 1.04})):
        t = text(body_text, size, mat, 0.006, **extra)
        t.matrix_world = move(0, z, 0.004)
        wrap(t, r)
    return [o for o in subjects() if o not in before]


def round_filter(color=ORANGE):
    """A cylinder of pleats between two moulded ends, as vans and some older cars have it."""
    before = set(subjects())
    seal = material("seal", color, 0.55, grain=0.10, grain_size=60)
    paper = material("filter paper", (0.80, 0.74, 0.62), 0.8, specular=0.2, grain=0.08, grain_size=80)
    r, h, n = 0.66, 1.40, 80
    star = [((r - 0.05 * (i % 2)) * math.cos(TAU * i / (2 * n)), (r - 0.05 * (i % 2)) * math.sin(TAU * i / (2 * n))) for i in range(2 * n)]
    pleats = plate("pleats", star, (), h - 0.16, 0.0, paper)
    pleats.matrix_world = move(0, 0, h / 2)
    for z, wide in ((0.05, 0.045), (h - 0.05, 0.045)):
        lathe("end", [(0.30, z - 0.05), (r + wide - 0.02, z - 0.05), (r + wide, z - 0.02), (r + wide, z + 0.03), (r + wide - 0.02, z + 0.05), (0.30, z + 0.05)], seal, 140, 0.010, closed=True)
    for z in (0.47, 0.93):
        lathe("glue bead", [(r - 0.02, z - 0.014), (r + 0.010, z - 0.010), (r + 0.014, z), (r + 0.010, z + 0.010), (r - 0.02, z + 0.014)], seal, 140)
    lathe("mouth", [(0.30, h - 0.06), (0.30, h - 0.40), (0, h - 0.40)], plastic((0.012, 0.012, 0.013), 0.6), 90)
    return [o for o in subjects() if o not in before]


def air_filter(w=2.25, h=1.42, color=ORANGE, foam=False):
    """A panel filter standing on its long edge: moulded seal and paper pleats, or the foam that lies before them."""
    before = set(subjects())
    d = 0.26
    seal = material("seal", color, 0.55, grain=0.10, grain_size=60)
    paper = material("filter paper", (0.80, 0.74, 0.62), 0.8, specular=0.2, grain=0.08, grain_size=80)
    frame = plate("frame", rounded_rect(w, h, 0.13, 10), [rounded_rect(w - 0.26, h - 0.26, 0.05, 8)], d * 0.72, 0.035, seal, segments=5)
    lip = plate("lip", rounded_rect(w + 0.08, h + 0.08, 0.16, 10), [rounded_rect(w - 0.20, h - 0.20, 0.06, 8)], 0.07, 0.022, seal, segments=4)
    lip.location = (0, 0, 0.03)
    pw, ph = w - 0.24, h - 0.24
    n = round(17 * pw)
    verts, faces = [], []
    k = 0
    for i in range(2 * n + 1):
        x = -pw / 2 + pw * i / (2 * n)
        z = 0.055 if i % 2 else -0.10
        verts += [(x, -ph / 2, z), (x, ph / 2, z)]
        if i:
            faces.append([k - 2, k - 1, k + 1, k])
        k += 2
    pleats = mesh("pleats", verts, faces, paper, smooth=False)
    m = pleats.modifiers.new("thick", "SOLIDIFY")
    m.thickness = 0.008
    box("back", (pw, ph, 0.01), (0, 0, -0.11), 0.002, paper)
    if foam:
        pad = material("foam", (0.055, 0.056, 0.060), 0.85, cells=0.9, cell_size=34, specular=0.2)
        box("foam", (pw - 0.02, ph - 0.02, 0.10), (0, 0, 0.055), 0.03, pad)
    for y in () if foam else (-0.20, 0.20):
        tube("glue bead", [(-pw / 2, y, 0.060), (pw / 2, y, 0.060)], 0.014, seal, smooth=False)
    parts = [o for o in subjects() if o not in before]
    transform(parts, rot("X", 78))
    return drop(parts)


def spark_plug(tint=ORANGE):
    before = set(subjects())
    ceramic = material("ceramic", (0.86, 0.85, 0.82), 0.14, coat=0.5)
    nickel = material("nickel", (0.66, 0.65, 0.62), 0.24, 1.0, mottle=0.04)
    zinc = steel(0.26)
    orange = paint(tint)
    lathe("terminal", [(0, 0.995), (0.028, 0.99), (0.045, 0.97), (0.045, 0.935), (0.030, 0.925), (0.030, 0.905), (0.046, 0.895), (0.046, 0.865), (0, 0.865)], nickel, 48, 0.004)
    prof = [(0.060, 0.87), (0.068, 0.86)]
    for i in range(4):
        z = 0.85 - i * 0.036
        prof += [(0.070, z), (0.080, z - 0.009), (0.080, z - 0.018), (0.070, z - 0.027)]
    prof += [(0.072, 0.68), (0.078, 0.52)]
    lathe("insulator", [(0, 0.87)] + prof, ceramic, 64, angle=50)
    lathe("mark", [(0.0725, 0.655), (0.0775, 0.655), (0.0790, 0.60), (0.0760, 0.60)], orange, 64)
    lathe("shoulder", [(0.078, 0.535), (0.105, 0.53), (0.122, 0.51), (0.122, 0.485), (0, 0.485)], nickel, 64, 0.005)
    hexagon("hex", 0.245, 0.14, (0, 0, 0.415), bevel=0.012, mat=nickel)
    lathe("collar", [(0, 0.345), (0.118, 0.345), (0.124, 0.335), (0.124, 0.305), (0.112, 0.295), (0, 0.295)], nickel, 64, 0.004)
    lathe("gasket", [(0.09, 0.297), (0.128, 0.295), (0.134, 0.282), (0.128, 0.270), (0.09, 0.268)], zinc, 64, angle=60)
    thread = [(0, 0.27)]
    z = 0.27
    while z > 0.075:
        thread += [(0.078, z), (0.089, z - 0.005), (0.089, z - 0.007), (0.078, z - 0.012)]
        z -= 0.0125
    thread += [(0.078, 0.062), (0.070, 0.055), (0.052, 0.055), (0.050, 0.08), (0, 0.08)]
    lathe("thread", thread, zinc, 64, angle=20)
    lathe("nose", [(0, 0.035), (0.020, 0.036), (0.034, 0.06), (0.036, 0.09)], ceramic, 40, angle=60)
    cylinder("centre electrode", 0.015, 0.035, (0, 0, 0.025), bevel=0.003, mat=zinc, segments=24)
    tube("ground electrode", [(0.066, 0, 0.058), (0.066, 0, 0.022), (0.052, 0, -0.008), (0.02, 0, -0.016), (-0.018, 0, -0.016)], 0.014, zinc, resolution=10)
    return [o for o in subjects() if o not in before]


def belt():
    """A ribbed belt lying on its edge in a slack loop, ribs inwards."""
    before = set(subjects())
    mat = material("belt", (0.026, 0.026, 0.028), 0.55, grain=0.12, grain_size=110, mottle=0.05)
    from models.oil_bottle import _smooth

    path = _smooth([(-1.25, 0.0), (-1.12, -0.36), (-0.62, -0.46), (0.0, -0.36), (0.62, -0.44), (1.10, -0.34), (1.24, 0.02), (1.08, 0.36), (0.55, 0.46), (0.0, 0.40), (-0.6, 0.47), (-1.12, 0.36)], 16)
    width, ribs = 0.30, 6
    sec = [(0.0, -width / 2), (0.035, -width / 2), (0.035, width / 2), (0.0, width / 2)]
    step = width / ribs
    for i in range(ribs):
        top = width / 2 - i * step
        sec += [(-0.004, top - step * 0.06), (-0.042, top - step * 0.32), (-0.042, top - step * 0.68), (-0.004, top - step * 0.94)]
    frames = []
    n = len(path)
    for i in range(n):
        p, q = Vector(path[i - 1]), Vector(path[(i + 1) % n])
        t = (q - p).normalized()
        out = Vector((t.y, -t.x, 0))
        frames.append((Vector((*path[i], width / 2)), out, Vector((0, 0, 1)), 1.0))
    sweep("belt", frames, sec, mat, closed=True, angle=25, bevel=0.0)
    parts = [o for o in subjects() if o not in before]
    return drop(parts)


def glow_plug():
    """What a diesel has instead: slender, with its heating rod at the lower end."""
    before = set(subjects())
    nickel = material("nickel", (0.66, 0.65, 0.62), 0.24, 1.0, mottle=0.04)
    dark, zinc, orange = black_steel(), steel(0.26), paint()
    lathe("terminal", [(0, 1.080), (0.024, 1.076), (0.036, 1.055), (0.036, 0.985), (0.024, 0.975), (0.024, 0.940), (0, 0.940)], nickel, 48, 0.004)
    lathe("insulator", [(0, 0.945), (0.046, 0.945), (0.052, 0.935), (0.052, 0.905), (0, 0.905)], orange, 48, 0.003)
    lathe("neck", [(0, 0.91), (0.066, 0.91), (0.070, 0.90), (0.070, 0.845), (0, 0.845)], nickel, 64, 0.004)
    hexagon("hex", 0.185, 0.115, (0, 0, 0.800), bevel=0.010, mat=nickel)
    body = [(0, 0.745), (0.064, 0.745), (0.064, 0.700)]
    z = 0.695
    while z > 0.545:
        body += [(0.066, z), (0.074, z - 0.005), (0.074, z - 0.007), (0.066, z - 0.012)]
        z -= 0.0125
    lathe("body", [*body, (0.064, 0.53), (0.064, 0.335), (0.050, 0.305), (0, 0.305)], zinc, 64, angle=20)
    lathe("cone", [(0, 0.31), (0.052, 0.31), (0.040, 0.280), (0, 0.280)], nickel, 48)
    lathe("rod", [(0, 0.285), (0.034, 0.285), (0.034, -0.010), (0.026, -0.032), (0, -0.040)], dark, 48, angle=50)
    return [o for o in subjects() if o not in before]


def lay_out(plug, hold, filter_values, air, plugs=4):
    """The kit as it comes out of its box; `hold` is how high the axis of a plug lies that rests on the floor."""
    flt = round_filter(air["round"]) if "round" in air else air_filter(**air)
    transform(flt, move(0.42, 0.98, 0) if "round" in air else move(0.10, 0.62, 0) @ rot("Z", -4))
    can = oil_filter(**filter_values)
    transform(can, move(-0.92, -0.22, 0) @ rot("Z", -16))
    b = belt()
    transform(b, move(0.62, -0.28, 0) @ rot("Z", -6) @ Matrix.Diagonal((0.74, 0.80, 1, 1)))
    places = ((-0.62, -1.06, 64, 0), (-0.20, -1.10, 76, 25), (0.24, -1.12, 88, 10), (0.68, -1.14, 100, 40))[:plugs]
    if plugs == 3:
        places = ((-0.46, -1.06, 66, 0), (0.06, -1.12, 82, 25), (0.56, -1.12, 98, 10))
    for i, (x, y, turn, roll) in enumerate(places):
        m = move(x, y, hold) @ rot("Z", turn - 90) @ rot("X", -90) @ rot("Z", roll) @ move(0, 0, -0.45)
        if i:
            copy(plug_base, m)
        else:
            plug_base = copy(plug, Matrix.Identity(4))
            transform(plug, m)
    for o in plug_base:
        bpy.data.objects.remove(o)
    return {"azimuth": -14, "elevation": 20, "fill": (0.78, 0.76)}


def build(diesel=False, label="OF-1040", can=(0.036, 0.037, 0.040), band=ORANGE, air=None, plugs=4, ring=ORANGE):
    """`air` says what the air filter is like: values of `air_filter`, or the colour of a round one's ends."""
    plug = glow_plug() if diesel else spark_plug(ring)
    return lay_out(plug, 0.108 if diesel else 0.1415, {"label": label, "can": can, "band": band}, air or {}, plugs)
