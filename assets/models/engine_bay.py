"""What sits on and around an engine, and the lamps, beside the models that have a file of their own."""

import math

from models import service_kit, timing_belt
from models.chassis import ring
from studio import *  # noqa: F403


def build(part, **values):
    shot = globals()[part](**values) or {}
    drop(subjects())
    return {"azimuth": -24, "elevation": 16, "fill": (0.74, 0.78), "light": {"fill": 1.2, "front": 0.35}, **shot}


def oil_filter(tall=1.0, label="", can=(0.036, 0.037, 0.040), band=ORANGE, wide=1.0):
    transform(service_kit.oil_filter(label, can, band), Matrix.Diagonal((wide, wide, tall, 1)))
    return {"elevation": 21, "fill": (0.60, 0.80)}


def air_filter(w=2.25, h=1.42, color=ORANGE, foam=False, round_=False):
    transform(service_kit.round_filter(color) if round_ else service_kit.air_filter(w, h, color, foam), rot("Z", -8))
    return {"elevation": 14, "fill": (0.72, 0.78)}


def cabin_filter(w=2.0, h=1.5, color=(0.80, 0.80, 0.78), carbon=False):
    """A panel of pleats in a frame of the same fleece; charcoal turns it grey."""
    fleece = material("fleece", (0.10, 0.10, 0.105) if carbon else (0.84, 0.84, 0.82), 0.9, grain=0.2, grain_size=70, specular=0.1)
    frame = material("frame", color, 0.8, grain=0.1, specular=0.15)
    n = 26
    verts, faces = [], []
    for i in range(2 * n + 1):
        x = -w / 2 + w * i / (2 * n)
        z = 0.16 if i % 2 else -0.16
        verts += [(x, -h / 2, z), (x, h / 2, z)]
        if i:
            k = 2 * i
            faces.append([k - 2, k - 1, k + 1, k])
    mesh("pleats", verts, faces, fleece, smooth=False).modifiers.new("thick", "SOLIDIFY").thickness = 0.012
    for s in (-1, 1):
        box("side", (w + 0.04, 0.03, 0.42), (0, s * h / 2, 0), 0.006, frame)
        box("end", (0.03, h + 0.03, 0.42), (s * w / 2, 0, 0), 0.006, frame)
    transform(subjects(), rot("Z", -10) @ rot("X", 66))
    return {"elevation": 16, "fill": (0.74, 0.76)}


def fuel_filter(tall=1.0, metal=True, ports=2, band=ORANGE):
    body = aluminium(0.30) if metal else plastic((0.05, 0.05, 0.054), 0.35, coat=0.2)
    h = 1.3 * tall
    lathe("can", [(0, 0), (0.30, 0), (0.42, 0.03), (0.46, 0.10), (0.46, h - 0.12), (0.42, h - 0.04), (0.30, h), (0, h)], body, 140, 0.006, angle=40)
    for z in (0.14, h - 0.16):
        ring("bead", 0.458, 0.014, body, z)
    service_kit._band(0.46, h * 0.32, h * 0.68, -70, 70, paint(band), 0.004)
    t = text("DRIVELINE", 0.15, card((0.84, 0.82, 0.78)), 0.008, spacing=1.05)
    t.matrix_world = move(0, h * 0.50, 0.006)
    service_kit.wrap(t, 0.466)
    for x, z, s in ((0.0, h, 1), (0.0, 0.0, -1), (0.22, h, 1))[: ports + (ports > 2)]:
        nipple = lathe("nipple", [(0, 0), (0.10, 0), (0.10, 0.06), (0.062, 0.07), (0.062, 0.16), (0.078, 0.18), (0.062, 0.26), (0.050, 0.30), (0, 0.30)], steel(0.28), 60, 0.004)
        transform([nipple], move(x, 0, z) @ (Matrix.Identity(4) if s > 0 else rot("X", 180)))
    transform(subjects(), rot("Z", 14) @ rot("Y", 64))
    return {"elevation": 17, "fill": (0.74, 0.72)}


def spark_plugs(count=1, tint=ORANGE, slim=1.0):
    """One stands up, the others of the box lie before it."""
    first = service_kit.spark_plug(tint)
    transform(first, Matrix.Diagonal((slim, slim, 1, 1)))
    spare = copy(first, Matrix.Identity(4))
    for k in range(count):
        copy(spare, move(-0.40 + 0.34 * k, -0.34 - 0.05 * k, 0.115) @ rot("Z", 28 - 16 * k) @ rot("X", -90) @ rot("Z", 25 * k) @ move(0, 0, -0.5))
    for o in spare:
        bpy.data.objects.remove(o)
    return {"azimuth": -14, "elevation": 18, "fill": (0.66, 0.82)}


def glow_plugs(count=2, long=1.0):
    first = service_kit.glow_plug()
    transform(first, Matrix.Diagonal((1, 1, long, 1)) @ move(0, 0, 0.04))
    spare = copy(first, Matrix.Identity(4))
    for k in range(count):
        copy(spare, move(-0.34 + 0.30 * k, -0.32 - 0.05 * k, 0.095) @ rot("Z", 26 - 14 * k) @ rot("X", -90) @ move(0, 0, -0.5))
    for o in spare:
        bpy.data.objects.remove(o)
    return {"azimuth": -14, "elevation": 18, "fill": (0.66, 0.82)}


def ignition_coil(stem=1.0, head=1.0, tint=(0.03, 0.03, 0.033), mark=ORANGE):
    dark, rub = plastic(tint, 0.38), rubber()
    h = 1.2 * stem
    lathe("stem", [(0, 0), (0.12, 0), (0.13, 0.04), (0.11, 0.10), (0.13, 0.16), (0.105, 0.24), (0.10, h - 0.2), (0.16, h - 0.12), (0.17, h), (0, h)], rub, 80, angle=60)
    box("head", (0.74 * head, 0.44, 0.34), (0.10, 0, h + 0.16), 0.05, dark)
    box("cover", (0.50 * head, 0.30, 0.06), (0.08, 0, h + 0.35), 0.02, paint(mark))
    box("socket", (0.26, 0.26, 0.20), (0.10 + 0.46 * head, 0, h + 0.17), 0.03, dark)
    plate("ear", rounded_rect(0.44, 0.24, 0.11, 8), [circle(0.065, 30, -0.10)], 0.06, 0.01, dark).matrix_world = move(-0.42 * head, 0, h + 0.06)
    lathe("bush", [(0.045, 0), (0.075, 0), (0.075, 0.10), (0.045, 0.10)], steel(0.26), 40, 0.004, closed=True).location = (-0.42 * head - 0.10, 0, h + 0.02)
    transform(subjects(), rot("Z", 24) @ rot("Y", -52))
    return {"azimuth": -16, "elevation": 18, "fill": (0.70, 0.78)}


def alternator(pulley=6, r=1.0, tint=(0.03, 0.03, 0.033), clutch=False):
    alu, dark = cast_aluminium(), plastic((0.010, 0.010, 0.011), 0.6)
    for z0, z1 in ((0.0, 0.42), (0.62, 1.04)):
        lathe("bracket", [(0, z0), (0.72 * r, z0), (0.84 * r, z0 + 0.10), (0.86 * r, z1), (0, z1)], alu, 140, 0.02)
    lathe("stator", [(0, 0.42), (0.80 * r, 0.42), (0.80 * r, 0.62), (0, 0.62)], material("stator", (0.30, 0.30, 0.31), 0.4, 0.9, brushed="z"), 140)
    n = 18
    for i in range(n):
        a = 360 * i / n
        for z, k in ((1.005, 0.0), (0.86, 0.55)):
            slot = box("slot", (0.24 if not k else 0.02, 0.075, 0.06 if not k else 0.20), (0.58 * r if not k else 0.855 * r, 0, z), 0.02, dark)
            slot.matrix_world = rot("Z", a) @ slot.matrix_world
    lathe("boss", [(0, 1.03), (0.30, 1.03), (0.30, 1.10), (0, 1.10)], alu, 90, 0.01)
    groove = [(0, 1.10), (0.30, 1.10), (0.30, 1.14)]
    for i in range(pulley):
        z = 1.15 + i * 0.055
        groove += [(0.34, z), (0.27, z + 0.0275), (0.34, z + 0.055)]
    top = 1.15 + pulley * 0.055
    lathe("pulley", [*groove, (0.36, top + 0.03), (0.26, top + 0.03), (0.22, top - 0.05), (0, top - 0.05)], steel(0.28), 120, angle=25)
    hexagon("nut", 0.22, 0.12, (0, 0, top + 0.0), mat=steel(0.24))
    if clutch:
        cylinder("cap", 0.20, 0.06, (0, 0, top + 0.02), mat=paint())
    for a in (20, 200):
        ear = plate("ear", rounded_rect(0.46, 0.30, 0.14, 10, 0.12), [circle(0.085, 40, 0.22)], 0.20, 0.03, alu)
        ear.matrix_world = rot("Z", a) @ move(0.84 * r, 0, 0.90)
    box("plug", (0.34, 0.26, 0.24), (0.0, 0.80 * r, 0.16), 0.04, plastic(tint, 0.4))
    transform(subjects(), rot("Z", -24) @ rot("X", 76))
    return {"azimuth": -36, "elevation": 14, "fill": (0.70, 0.80)}


def starter(length=1.0, teeth=10, tint=(0.028, 0.029, 0.032)):
    alu, dark, zinc = cast_aluminium(), paint(tint, 0.36, 0.3), steel(0.25)
    x = 1.1 * length
    cylinder("motor", 0.44, x, (-x / 2, 0, 0), "X", 0.04, dark, 120)
    cylinder("end", 0.40, 0.16, (-x - 0.06, 0, 0), "X", 0.04, alu, 120)
    nose = lathe("nose", [(0, 0), (0.46, 0), (0.52, 0.06), (0.50, 0.26), (0.34, 0.46), (0.30, 0.62), (0, 0.62)], alu, 120, 0.012)
    transform([nose], rot("Y", 90))
    plate("flange", rounded_rect(0.52, 1.50, 0.24, 10), [circle(0.09, 40, 0, 0.58), circle(0.09, 40, 0, -0.58)], 0.12, 0.02, alu).matrix_world = move(0.12, 0, 0) @ rot("Y", 90)
    gear = [((0.20 if (i // 2) % 2 else 0.145) * math.cos(TAU * i / (teeth * 4)), (0.20 if (i // 2) % 2 else 0.145) * math.sin(TAU * i / (teeth * 4))) for i in range(teeth * 4)]
    plate("pinion", gear, (), 0.22, 0.01, zinc).matrix_world = move(0.78, 0, 0) @ rot("Y", 90)
    cylinder("solenoid", 0.26, 0.78, (-0.42, 0, 0.64), "X", 0.03, zinc, 100)
    cylinder("cap", 0.25, 0.18, (-0.88, 0, 0.64), "X", 0.03, plastic((0.03, 0.03, 0.033)), 100)
    for y in (-0.1, 0.1):
        cylinder("terminal", 0.035, 0.16, (-1.02, y, 0.66), "X", 0.005, material("copper", (0.70, 0.33, 0.16), 0.25, 1.0), 30)
    transform(subjects(), rot("Z", -22))
    return {"azimuth": -10, "elevation": 16, "fill": (0.74, 0.76)}


def water_pump(vanes=7, pulley=True, housing=1.0, seal=ORANGE):
    alu, zinc = cast_aluminium(), steel(0.26)
    pts = []
    for i in range(36):
        a = TAU * i / 36
        pts.append(((0.84 + 0.16 * max(0, math.cos(3 * a)) ** 3) * housing * math.cos(a), (0.84 + 0.16 * max(0, math.cos(3 * a)) ** 3) * housing * math.sin(a)))
    plate("flange", pts, [circle(0.07, 30, 0.86 * housing * math.cos(TAU * k / 3), 0.86 * housing * math.sin(TAU * k / 3)) for k in range(3)], 0.16, 0.02, alu)
    ring("seal", 0.66 * housing, 0.035, paint(seal, 0.5, 0.0), 0.085)
    lathe("hub", [(0, 0.06), (0.34, 0.06), (0.30, 0.22), (0.16, 0.26), (0.16, 0.40), (0, 0.40)], alu, 90, 0.01)
    lathe("disc", [(0, 0.34), (0.52, 0.34), (0.53, 0.37), (0, 0.38)], zinc, 100, 0.004)
    for i in range(vanes):
        vane = plate("vane", [(0.16, -0.02), (0.34, 0.02), (0.50, 0.12), (0.50, 0.16), (0.33, 0.06), (0.16, 0.03)], (), 0.20, 0.006, zinc)
        vane.matrix_world = rot("Z", 360 * i / vanes) @ move(0, 0, 0.47)
    if pulley:
        lathe("pulley", [(0, -0.42), (0.50, -0.42), (0.54, -0.40), (0.54, -0.14), (0.50, -0.12), (0, -0.12)], steel(0.30), 120, 0.01)
    transform(subjects(), rot("Z", 12) @ rot("X", 62))
    return {"azimuth": -30, "elevation": 16, "fill": (0.68, 0.80)}


def radiator(w=2.4, h=1.5, rows=26, tank=(0.03, 0.03, 0.033)):
    alu, dark = aluminium(0.32), plastic(tank, 0.42, 0.1)
    for i in range(rows):
        box("tube", (w, 0.10, 0.020), (0, 0, -h / 2 + h * (i + 0.5) / rows), 0.004, alu, 1)
    fins = material("fins", (0.46, 0.47, 0.48), 0.42, 0.9, cells=0.8, cell_size=46)
    box("fins", (w - 0.02, 0.07, h), (0, 0, 0), 0.004, fins, 1)
    for z in (-1, 1):
        box("rail", (w + 0.04, 0.14, 0.05), (0, 0, z * (h / 2 + 0.025)), 0.01, alu)
    for s in (-1, 1):
        box("tank", (0.24, 0.26, h + 0.14), (s * (w / 2 + 0.10), 0, 0), 0.06, dark)
        cylinder("port", 0.095, 0.30, (s * (w / 2 + 0.10), -0.22, s * h * 0.32), "Y", 0.02, dark, 60)
        for k in range(7):
            box("rib", (0.26, 0.27, 0.022), (s * (w / 2 + 0.10), 0, -h / 2 + h * (k + 0.5) / 7), 0.006, dark, 1)
    cylinder("cap", 0.13, 0.10, (-w / 2 - 0.10, 0, h / 2 + 0.12), bevel=0.02, mat=paint(), segments=60)
    transform(subjects(), rot("Z", -6))
    return {"azimuth": -26, "elevation": 12, "fill": (0.78, 0.74)}


def thermostat(cover=False, spring=1.0, seal=ORANGE):
    brass, zinc = material("brass", (0.62, 0.42, 0.16), 0.28, 1.0, mottle=0.05), steel(0.28)
    if cover:
        alu = cast_aluminium()
        plate("flange", rounded_rect(1.5, 0.86, 0.34, 12), [circle(0.07, 30, -0.58), circle(0.07, 30, 0.58)], 0.14, 0.02, alu)
        tube("neck", [(0, 0, 0.05), (0, 0, 0.34), (0.12, 0, 0.62), (0.52, 0, 0.80), (0.90, 0, 0.82)], 0.26, alu, resolution=14, sides=8)
        ring("bead", 0.255, 0.03, alu, 0).matrix_world = move(0.82, 0, 0.82) @ rot("Y", 90)
    else:
        lathe("flange", [(0.40, 0), (0.74, 0), (0.76, 0.02), (0.74, 0.05), (0.40, 0.06)], zinc, 120, 0.006, closed=True)
        ring("seal", 0.72, 0.045, paint(seal, 0.5, 0.0), 0.02)
        lathe("valve", [(0, 0.10), (0.38, 0.08), (0.40, 0.04), (0, 0.02)], brass, 100, 0.004)
        tube("bridge", [(-0.44, 0, 0.04), (-0.36, 0, 0.34), (0, 0, 0.50), (0.36, 0, 0.34), (0.44, 0, 0.04)], 0.045, zinc, resolution=10)
        cylinder("pin", 0.05, 0.40, (0, 0, 0.28), mat=brass, segments=40)
    lathe("wax", [(0, -0.02), (0.20, -0.02), (0.20, -0.46), (0.15, -0.56), (0, -0.56)], brass, 80, 0.01)
    points = [((0.34 - 0.05 * i / 120) * math.cos(i * 0.26), (0.34 - 0.05 * i / 120) * math.sin(i * 0.26), -0.04 - 0.50 * spring * i / 120) for i in range(121)]
    tube("spring", points, 0.024, zinc, smooth=False, sides=4)
    transform(subjects(), rot("X", 26) @ rot("Y", 12))
    return {"elevation": 14, "fill": (0.66, 0.78)}


def drive_belt(wide=1.0, long=1.0, green=False):
    loop = service_kit.belt()
    transform(loop, Matrix.Diagonal((long, 1 / long ** 0.3, wide, 1)))
    transform(loop, rot("X", 26) @ rot("Z", -8))
    if green:
        for o in loop:
            o.data.materials[0] = material("belt", (0.030, 0.036, 0.032), 0.6, grain=0.12, grain_size=110)
    return {"elevation": 22, "fill": (0.80, 0.70)}


def tensioner(arm=ORANGE, turn=-16):
    t = timing_belt.tensioner(arm)
    transform(t, rot("Z", turn) @ rot("X", 76))
    return {"azimuth": -20, "elevation": 14, "fill": (0.66, 0.80)}


def fuel_pump(tall=1.0, float_=True, ring_tint=ORANGE):
    dark, pale, zinc = plastic((0.03, 0.03, 0.033), 0.42), plastic((0.62, 0.62, 0.58), 0.4), steel(0.26)
    h = 1.3 * tall
    lathe("flange", [(0, h), (0.66, h), (0.68, h + 0.03), (0.66, h + 0.08), (0.40, h + 0.10), (0.36, h + 0.16), (0, h + 0.16)], dark, 120, 0.01)
    ring("seal", 0.64, 0.035, paint(ring_tint, 0.5, 0.0), h - 0.02)
    for x, y in ((-0.40, 0.2), (0.40, 0.2), (0, -0.42)):
        cylinder("rod", 0.028, h * 0.6, (x, y, h * 0.72), mat=zinc, segments=24)
    lathe("pot", [(0, 0), (0.50, 0), (0.54, 0.04), (0.54, h * 0.48), (0.50, h * 0.50), (0.46, h * 0.50), (0.44, 0.10), (0, 0.08)], pale, 120, 0.01)
    cylinder("motor", 0.24, h * 0.74, (0.05, 0.02, h * 0.46), bevel=0.03, mat=zinc, segments=90)
    tube("line", [(0.05, 0.02, h * 0.82), (0.2, 0.05, h * 0.92), (0.22, 0.1, h)], 0.045, dark, resolution=10)
    for x, s in ((-0.12, 1), (0.20, 1)):
        cylinder("port", 0.06, 0.26, (x, 0, h + 0.26), bevel=0.01, mat=dark, segments=50)
    box("socket", (0.30, 0.20, 0.18), (0.0, -0.32, h + 0.18), 0.03, dark)
    if float_:
        tube("arm", [(-0.50, -0.1, h * 0.45), (-0.75, -0.2, h * 0.36), (-0.95, -0.25, h * 0.16)], 0.016, zinc, resolution=8)
        box("float", (0.16, 0.34, 0.20), (-0.98, -0.26, h * 0.12), 0.04, dark)
    return {"elevation": 13, "fill": (0.64, 0.84)}


def muffler(length=1.0, tips=1, flat=0.62):
    shell, pipe = material("shell", (0.52, 0.53, 0.54), 0.30, 1.0, brushed="x", mottle=0.08), steel(0.24)
    x = 1.05 * length
    frames = [(Vector((d, 0, 0)), Vector((0, 1, 0)), Vector((0, 0, 1)), s) for d, s in ((-x, 0.90), (-x + 0.02, 1.0), (-x + 0.05, 1.0), (-x + 0.06, 0.965), (x - 0.06, 0.965), (x - 0.05, 1.0), (x - 0.02, 1.0), (x, 0.90))]
    sweep("body", frames, [(0.66 * math.cos(TAU * i / 80), 0.66 * flat * math.sin(TAU * i / 80)) for i in range(80)], shell, angle=30)
    tube("inlet", [(-x, -0.15, 0), (-x - 0.30, -0.15, 0), (-x - 0.62, -0.18, 0.16), (-x - 0.92, -0.18, 0.22)], 0.15, pipe, resolution=14, sides=8)
    for k in range(tips):
        y = 0.22 - 0.36 * k
        tube("outlet", [(x, y, 0), (x + 0.20, y, 0), (x + 0.44, y, -0.02)], 0.13, pipe, resolution=10, sides=8)
        lathe("tip", [(0.17, -0.16), (0.18, 0.14), (0.15, 0.16), (0.14, 0.0), (0, 0.0)], material("chrome", (0.78, 0.78, 0.79), 0.08, 1.0), 80, 0.006).matrix_world = move(x + 0.50, y, -0.02) @ rot("Y", 90)
    for d in (-0.5, 0.5):
        tube("hanger", [(d * x, 0.30, 0.34), (d * x, 0.42, 0.60), (d * x, 0.72, 0.62)], 0.032, steel(0.3), resolution=8)
    transform(subjects(), rot("Z", 24))
    return {"azimuth": -14, "elevation": 18, "fill": (0.82, 0.72)}


def catalyst(length=1.0, shield=True, flange=2):
    shell, pipe = material("shell", (0.50, 0.49, 0.47), 0.32, 1.0, mottle=0.10), steel(0.28)
    x = 0.55 * length
    body = lathe("body", [(0.16, -x - 0.62), (0.16, -x - 0.34), (0.46, -x), (0.50, -x + 0.04), (0.50, x - 0.04), (0.46, x), (0.16, x + 0.34), (0.16, x + 0.62)], shell, 140, 0.008, angle=40)
    parts = [body]
    if shield:
        parts.append(lathe("shield", [(0.54, -x + 0.10), (0.56, -x + 0.12), (0.56, x - 0.12), (0.54, x - 0.10)], aluminium(0.40), 80, start=0.2, sweep=math.pi * 0.9))
    for s in (-1, 1)[:flange]:
        f = plate("flange", [(0.40, 0), (0.14, 0.26), (-0.14, 0.26), (-0.40, 0), (-0.14, -0.26), (0.14, -0.26)], [circle(0.13, 60), circle(0.05, 30, 0.28), circle(0.05, 30, -0.28)], 0.09, 0.02, pipe)
        f.matrix_world = move(0, 0, s * (x + 0.62)) @ rot("Z", 20)
        parts.append(f)
    probe = lathe("boss", [(0, 0), (0.11, 0), (0.11, 0.10), (0.07, 0.10), (0.07, 0.02), (0, 0.02)], pipe, 60, 0.006)
    probe.matrix_world = move(0, -0.30, x + 0.14) @ rot("X", 120)
    transform(subjects(), rot("Z", 26) @ rot("Y", 82))
    return {"azimuth": -12, "elevation": 18, "fill": (0.80, 0.72)}


def wiper(pair=False, frame=False, spoiler=ORANGE):
    """A flat blade, or one with the bridges of older cars; two lie as a set."""
    rub, dark = rubber(), plastic((0.026, 0.026, 0.028), 0.40)

    def blade(length):
        before = set(subjects())
        n = 24
        path = [(length * (2 * i / n - 1), 0, 0.14 * (1 - (2 * i / n - 1) ** 2)) for i in range(n + 1)]
        frames = [(Vector(p), Vector((0, 1, 0)), Vector((0, 0, 1)), 1.0) for p in path]
        sweep("lip", frames, [(-0.012, -0.13), (0.012, -0.13), (0.018, -0.06), (0.05, -0.05), (0.05, 0.0), (-0.05, 0.0), (-0.05, -0.05), (-0.018, -0.06)], rub, angle=30)
        if frame:
            for x0, x1 in ((-0.92, -0.25), (0.25, 0.92), (-0.62, 0.62)):
                tube("bridge", [(x0 * length, 0, 0.05 + 0.10 * (1 - x0 * x0)), ((x0 + x1) / 2 * length, 0, 0.26), (x1 * length, 0, 0.05 + 0.10 * (1 - x1 * x1))], 0.034, dark, resolution=10)
        else:
            sweep("spoiler", frames, [(-0.075, 0.0), (0.085, 0.0), (0.060, 0.04), (0.0, 0.09), (-0.035, 0.13), (-0.055, 0.09)], dark, angle=40)
            for s in (-1, 1):
                box("end", (0.10, 0.17, 0.12), (s * length, 0, 0.03), 0.03, dark)
        box("joint", (0.42, 0.15, 0.15), (0, 0, 0.22), 0.04, dark)
        box("button", (0.16, 0.10, 0.03), (0.04, 0, 0.305), 0.012, paint(spoiler))
        return [o for o in subjects() if o not in before]

    transform(blade(1.6), rot("Z", 12))
    if pair:
        transform(blade(1.25), move(0.1, -0.52, 0) @ rot("Z", 8))
    return {"azimuth": -16, "elevation": 30, "fill": (0.84, 0.60)}


def tail_lamp(wide=1.0, led=True, dark=False):
    red = material("red", (0.30, 0.006, 0.006) if dark else (0.56, 0.010, 0.008), 0.10, coat=0.8, specular=0.6)
    shell, white = plastic((0.03, 0.03, 0.033), 0.45), material("white", (0.80, 0.81, 0.82), 0.12, coat=0.6)
    amber = material("amber", (0.80, 0.24, 0.006), 0.14, coat=0.6)
    w = 1.3 * wide
    outline = [(-w, -0.42), (-w + 0.06, -0.50), (w * 0.55, -0.56), (w * 0.92, -0.40), (w, -0.05), (w * 0.97, 0.30), (w * 0.86, 0.48), (-w * 0.2, 0.52), (-w + 0.05, 0.44), (-w, 0.34)]
    plate("shell", outline, (), 0.36, 0.06, shell, segments=4).matrix_world = rot("X", 90)
    plate("lens", _inset_line(outline, 0.93), (), 0.14, 0.06, red, segments=5).matrix_world = move(0, -0.20, 0) @ rot("X", 90)
    if led:
        glow = material("glow", (1.0, 0.03, 0.02), 0.3, emit=1.6)
        for k in (0.72, 0.50):
            pts = [(x * k, y * k) for x, y in outline]
            hole = [(x * (k - 0.05), y * (k - 0.09)) for x, y in outline]
            plate("guide", pts, [hole], 0.02, 0.004, glow).matrix_world = move(0.06, -0.275, 0) @ rot("X", 90)
    else:
        for x, mat in ((-0.55 * w, white), (0.0, amber)):
            plate("chamber", rounded_rect(0.52 * wide, 0.62, 0.08, 8, x, -0.02), (), 0.05, 0.02, mat).matrix_world = move(0, -0.27, 0) @ rot("X", 90)
    return {"azimuth": -20, "elevation": 10, "fill": (0.78, 0.72)}


def _inset_line(outline, k):
    return [(x * k, y * k) for x, y in outline]


def bulb(kind="single", tint=ORANGE, count=2):
    """Two lamps of a box: with a clear glass, a blue tip, or chips of light and a heat sink."""
    zinc, dark = steel(0.26), plastic((0.03, 0.03, 0.033), 0.4)
    before = set(subjects())
    lathe("base", [(0, 0), (0.24, 0), (0.26, 0.03), (0.26, 0.20), (0.22, 0.24), (0, 0.24)], dark, 80, 0.008)
    lathe("collar", [(0, 0.22), (0.42, 0.22), (0.43, 0.25), (0.42, 0.28), (0.22, 0.30), (0.20, 0.46), (0, 0.46)], zinc, 90, 0.006)
    for x in (-0.12, 0.0, 0.12):
        box("pin", (0.06, 0.02, 0.26), (x, 0, -0.10), 0.004, material("brass", (0.66, 0.46, 0.18), 0.25, 1.0))
    if kind == "led":
        for z in range(7):
            cylinder("fin", 0.34, 0.03, (0, 0, -0.12 - 0.07 * z), bevel=0.006, mat=aluminium(), segments=70)
        box("blade", (0.16, 0.07, 0.76), (0, 0, 0.82), 0.015, aluminium())
        for z in (0.72, 0.86, 1.0):
            box("chip", (0.10, 0.02, 0.09), (0, -0.04, z), 0.004, material("chip", (0.95, 0.78, 0.10), 0.3, emit=0.5))
    else:
        lathe("glass", [(0, 1.26), (0.06, 1.26), (0.13, 1.20), (0.15, 1.08), (0.15, 0.46), (0, 0.44)], clear(), 80, angle=60)
        tip = (0.02, 0.06, 0.26) if kind == "blue" else (0.30, 0.30, 0.31)
        lathe("tip", [(0, 1.262), (0.062, 1.262), (0.133, 1.20), (0.150, 1.12), (0.150, 1.10)], material("tip", tip, 0.16, 0.6, coat=0.5), 80, angle=60)
        for x in (-0.05, 0.05):
            tube("wire", [(x, 0, 0.44), (x, 0, 0.72)], 0.012, zinc, smooth=False)
        tube("filament", [(-0.05 + 0.1 * i / 40, 0.02 * math.sin(i * 1.2), 0.72 + 0.02 * math.cos(i * 1.2)) for i in range(41)], 0.008, material("filament", (1.0, 0.62, 0.2), 0.4, emit=1.0), smooth=False, sides=2)
    ring("mark", 0.262, 0.014, paint(tint), 0.11)
    parts = [o for o in subjects() if o not in before]
    if count > 1:
        copy(parts, move(0.85, -0.35, 0.1) @ rot("Z", 30) @ rot("Y", 90) @ move(0, 0, -0.3))
    return {"azimuth": -18, "elevation": 14, "fill": (0.66, 0.80)}
