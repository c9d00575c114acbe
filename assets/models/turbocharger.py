"""A turbocharger: compressor with its wheel, bearing housing with oil lines, turbine, wastegate actuator.

Built with the shaft along Z and the compressor's inlet facing +Z, then turned towards the camera.
"""

import math

from studio import *  # noqa: F403


def _scroll(name, mat, inner, rho0, rho1, end, turns, clockwise, height, straight, wall=0.84, flat=1.0):
    """A volute: a tube that grows around the shaft and leaves along a tangent, open at its end.

    inner       radius that the tube's inside always touches
    rho0, rho1  tube radius at the tongue and at the outlet
    end         angle in degrees where the outlet begins
    Returns the object, the outlet's position and its direction.
    """
    section = [(math.cos(TAU * i / 56), math.sin(TAU * i / 56)) for i in range(56)]
    sgn = -1 if clockwise else 1
    a1 = math.radians(end)
    a0 = a1 - sgn * math.radians(turns)
    frames = []
    n = 110
    for i in range(n + 1):
        t = i / n
        a = a0 + (a1 - a0) * t
        rho = rho0 + (rho1 - rho0) * t
        r = inner + rho
        rad = Vector((math.cos(a), math.sin(a), 0))
        frames.append((rad * r + Vector((0, 0, height)), rad, Vector((0, 0, 1)), (rho, rho * flat)))
    o, rad, up, s = frames[-1]
    along = Vector((-rad.y, rad.x, 0)) * sgn
    for k in range(1, 9):
        frames.append((o + along * straight * k / 8, rad, up, rho1))
    tip = o + along * straight
    frames += [(tip + along * 0.005, rad, up, rho1 * 0.985), (tip + along * 0.005, rad, up, rho1 * wall), (tip - along * 0.02, rad, up, rho1 * (wall - 0.02)), (tip - along * straight * 0.9, rad, up, rho1 * (wall - 0.04))]
    obj = sweep(name, frames, section, mat, angle=45)
    return obj, tip, along, rad


def _pipe_bead(tip, along, rad, rho, mat, back=0.06):
    """The raised bead that keeps a hose on its pipe."""
    b = lathe("bead", [(rho * 0.97, -0.03), (rho * 1.04, -0.018), (rho * 1.05, 0), (rho * 1.04, 0.018), (rho * 0.97, 0.03)], mat, 80)
    m = Matrix((rad, along.cross(rad), along)).transposed().to_4x4()
    b.matrix_world = Matrix.Translation(tip - along * back) @ m
    return b


def compressor_wheel(mat):
    """Six full blades and six splitters on a curved hub."""
    parts = []

    def hub(s):
        return 0.075 + 0.215 * s**2.2, -0.30 * s

    def shroud(s):
        return 0.288 + 0.03 * s**3, -0.235 * s

    def blade(start):
        rows, cols = 14, 8
        verts, faces = [], []
        for i in range(rows + 1):
            s = start + (1 - start) * i / rows
            rh, zh = hub(s)
            rs, zs = shroud(s)
            for j in range(cols + 1):
                t = j / cols
                r, z = rh + (rs - rh) * t, zh + (zs - zh) * t
                # The leading edge leans into the turn, more so at its tip; the exit is swept back.
                phi = (0.62 + 0.42 * t) * (1 - s) ** 1.7 - 0.42 * s**2.2
                verts.append((r * math.cos(phi), r * math.sin(phi), z))
        for i in range(rows):
            for j in range(cols):
                a = i * (cols + 1) + j
                faces.append([a, a + 1, a + cols + 2, a + cols + 1])
        o = mesh("blade", verts, faces, mat, angle=70)
        m = o.modifiers.new("thick", "SOLIDIFY")
        m.thickness = 0.011
        m.offset = 0
        return o

    full = [blade(0.0)]
    split = [blade(0.32)]
    split[0].matrix_world = rot("Z", 30)
    for group in (full, split):
        around(group, 6)
    prof = [(0, 0.03), (0.045, 0.03)] + [(hub(s / 12)[0] * 0.99, hub(s / 12)[1]) for s in range(13)] + [(0.29, -0.33), (0, -0.33)]
    lathe("hub", prof, mat, 96, angle=50)
    hexagon("nut", 0.085, 0.07, (0, 0, 0.06), bevel=0.008, mat=steel(0.2))
    cylinder("shaft end", 0.026, 0.05, (0, 0, 0.10), bevel=0.006, mat=steel(0.25), segments=32)


def _canister(dark, lid_coat, zinc):
    """The membrane box that moves the rod by pressure, around Z."""
    can = [(0, 0.17), (0.05, 0.17), (0.06, 0.15), (0.175, 0.135), (0.20, 0.11), (0.205, 0.02), (0.232, 0.012), (0.232, -0.018), (0.205, -0.026), (0.195, -0.12), (0.16, -0.16), (0.05, -0.175), (0, -0.175)]
    lid = [(0, 0.172), (0.05, 0.172), (0.062, 0.154), (0.172, 0.139), (0.196, 0.114), (0.206, 0.060), (0.209, 0.028), (0.19, 0.028), (0, 0.02)]
    return [lathe("actuator", can, dark, 96, angle=35, bevel=0.006), lathe("actuator lid", lid, lid_coat, 96, angle=35, bevel=0.005),
            cylinder("nipple", 0.026, 0.15, (0, 0, 0.24), "Z", 0.006, zinc, 32)]


def _servo(dark, lid_coat, zinc):
    """The electric motor that moves the rod instead, with its plug."""
    body = plate("servo", rounded_rect(0.50, 0.40, 0.09, 8), (), 0.30, 0.030, dark)
    top = plate("servo lid", rounded_rect(0.52, 0.42, 0.10, 8), (), 0.05, 0.014, lid_coat)
    top.matrix_world = move(0, 0, 0.16)
    drum = cylinder("motor", 0.15, 0.20, (-0.06, 0, 0.23), "Z", 0.03, lid_coat, 72)
    parts = [body, top, drum]
    parts += [box("fin", (0.024, 0.41, 0.20), (x, 0, -0.02), 0.008, dark) for x in (-0.20, -0.12, -0.04, 0.04, 0.12, 0.20)]
    parts.append(box("plug", (0.20, 0.15, 0.13), (0.32, -0.06, 0.05), 0.025, plastic((0.016, 0.016, 0.018), 0.4)))
    for x, y in ((-0.21, 0.16), (0.21, 0.16), (0.21, -0.16), (-0.21, -0.16)):
        parts += bolt(0.022, (x, y, 0.185), "Z", zinc)
    return parts


def _manifold(inlet, runners, iron):
    """The exhaust manifold that is cast in one piece with the turbine: a log on its runners, flanges on the floor."""
    width = 0.62 * (runners - 1)
    mid = inlet + Vector((-0.10, -0.16, 0.04))
    tube("log", [tuple(mid + Vector((width * t, 0, 0))) for t in (-0.5, -0.2, 0.2, 0.5)], 0.185, iron, sides=8)
    for end in (-0.5, 0.5):
        ball = lathe("end", [(0.185 * math.cos(a), 0.185 * math.sin(a)) for a in (math.pi * (k / 16 - 0.5) for k in range(17))], iron, 64, angle=60)
        ball.matrix_world = Matrix.Translation(mid + Vector((width * end, 0, 0)))
    for k in range(runners):
        at = mid + Vector((width * (k / (runners - 1) - 0.5), 0, 0))
        tube("runner", [tuple(at), tuple(at + Vector((0, -0.16, 0))), tuple(at + Vector((0, -0.33, 0)))], 0.150, iron, sides=8)
        foot = plate("foot", rounded_rect(0.46, 0.40, 0.10, 8), [circle(0.036, 24, x, z) for x in (-0.175, 0.175) for z in (-0.14, 0.14)], 0.07, 0.010, iron)
        foot.matrix_world = Matrix.Translation(at + Vector((0, -0.34, 0))) @ rot("X", 90)


def turbo(actuator="canister", accent=(0.66, 0.080, 0.006), cover=None, clock=202, hose=True, water=True, runners=0, shield=False):
    """Builds the whole assembly around the shaft; returns its objects.

    actuator  "canister" or "servo"
    cover     colour of a compressor that is painted, not bare
    clock     degrees where the compressor's outlet leaves
    runners   of a manifold cast with the turbine; 0 leaves the plain flange
    shield    a sheet of metal around the turbine that keeps its heat from the engine bay
    """
    before = set(subjects())
    alu = material("painted cover", cover, 0.34, 0.5, grain=0.07, grain_size=95, coat=0.3) if cover else cast_aluminium()
    bright = material("machined aluminium", (0.72, 0.725, 0.73), 0.24, 1.0, brushed="radial", mottle=0.04)
    iron = cast_iron()
    bearing = material("bearing iron", (0.20, 0.195, 0.19), 0.48, 0.9, grain=0.30, grain_size=45, mottle=0.1)
    zinc = steel(0.24)
    dark = black_steel()
    orange = material("anodised", accent, 0.28, 0.55, coat=0.4)

    # Compressor -------------------------------------------------------
    _, tip, along, rad = _scroll("volute", alu, 0.47, 0.115, 0.275, clock, 352, True, 0.20, 0.52)
    _pipe_bead(tip, along, rad, 0.275, alu)
    lathe("cover", [(0.60, 0.36), (0.55, 0.40), (0.47, 0.435), (0.425, 0.47), (0.405, 0.53), (0.400, 0.74), (0.412, 0.755), (0.418, 0.78), (0.412, 0.805), (0.400, 0.815)], alu, 160, angle=50)
    lathe("inlet", [(0.402, 0.800), (0.402, 0.832), (0.395, 0.838), (0.352, 0.838), (0.342, 0.826), (0.330, 0.79), (0.312, 0.74), (0.305, 0.70), (0.305, 0.36), (0.34, 0.34)], bright, 160, angle=40)
    lathe("seat", [(0.30, 0.35), (0.60, 0.35), (0.68, 0.10), (0.68, -0.03), (0.30, -0.03)], alu, 160)
    wheel_before = set(subjects())
    compressor_wheel(material("wheel", (0.80, 0.805, 0.81), 0.30, 1.0, mottle=0.04))
    transform([o for o in subjects() if o not in wheel_before], move(0, 0, 0.715))
    lathe("backplate", [(0.30, -0.02), (0.705, -0.02), (0.715, -0.035), (0.715, -0.085), (0.705, -0.10), (0.25, -0.10)], bright, 160, angle=40)
    for i in range(8):
        a = math.radians(45 * i + 18)
        x, y = 0.655 * math.cos(a), 0.655 * math.sin(a)
        bolt(0.036, (x, y, -0.10), "-Z", zinc)

    # Maker's name, cast into the cover around the inlet.
    for i, ch in enumerate("DRIVELINE"):
        t = text(ch, 0.105, orange, 0.034, 0.003)
        t.matrix_world = rot("Z", 4 - i * 12.5) @ move(0, 0.512, 0.430) @ rot("X", -24)

    # Bearing housing ----------------------------------------------------
    lathe("bearing", [(0.25, -0.09), (0.42, -0.10), (0.40, -0.16), (0.31, -0.20), (0.29, -0.30), (0.29, -0.44), (0.33, -0.50), (0.44, -0.53), (0.46, -0.58), (0.30, -0.60)], bearing, 120, bevel=0.012)
    box("oil boss", (0.26, 0.20, 0.20), (0, 0.31, -0.34), 0.03, bearing)
    box("drain boss", (0.32, 0.24, 0.24), (0, -0.33, -0.34), 0.03, bearing)
    plate_o = plate("oil flange", rounded_rect(0.34, 0.20, 0.07, 8), (), 0.05, 0.01, bright)
    plate_o.matrix_world = move(0, 0.43, -0.34) @ rot("X", -90)
    for x in (-0.12, 0.12):
        bolt(0.028, (x, 0.455, -0.34), "Y", zinc)
    plate_d = plate("drain flange", rounded_rect(0.40, 0.22, 0.08, 8), (), 0.05, 0.01, bright)
    plate_d.matrix_world = move(0, -0.47, -0.34) @ rot("X", -90)
    cylinder("drain", 0.085, 0.30, (0, -0.63, -0.34), "Y", 0.01, zinc, 48)
    for s in (-1, 1):
        cylinder("water port", 0.085, 0.16, (s * 0.33, 0.02, -0.34), "X", 0.012, bearing, 48)
        hexagon("water bolt", 0.135, 0.07, (s * 0.43, 0.02, -0.34), "X", 0.01, zinc)

    # Oil feed: fitting, hose, fitting. The hose is braided, so it is a bundle of ridges rather than a smooth pipe.
    hexagon("fitting", 0.13, 0.07, (0, 0.49, -0.34), "Y", 0.01, orange)
    cylinder("fitting neck", 0.042, 0.08, (0, 0.55, -0.34), "Y", 0.006, zinc, 40)
    hexagon("fitting nut", 0.125, 0.10, (0, 0.62, -0.34), "Y", 0.012, orange)
    cylinder("ferrule", 0.052, 0.12, (0, 0.71, -0.34), "Y", 0.01, orange, 48)
    if hose:
        line = [(0, 0.74, -0.34), (-0.02, 0.92, -0.37), (-0.08, 1.06, -0.54), (-0.20, 1.07, -0.84), (-0.32, 0.96, -1.14), (-0.40, 0.72, -1.40)]
        braid = material("braid", (0.24, 0.245, 0.25), 0.42, 1.0, cells=0.4, cell_size=120)
        tube("hose", line, 0.045, braid, resolution=20, sides=8)
    # Water line in copper-free steel, hugging the side.
    if water:
        line = [(0.46, 0.02, -0.34), (0.58, 0.03, -0.34), (0.68, 0.10, -0.36), (0.72, 0.28, -0.40), (0.70, 0.52, -0.44), (0.74, 0.70, -0.52)]
        tube("water line", line, 0.040, zinc, resolution=18, sides=8)

    # Turbine --------------------------------------------------------------
    _, ttip, talong, trad = _scroll("turbine volute", iron, 0.36, 0.12, 0.255, 0, 345, True, -0.88, 0.913, flat=1.08)
    lathe("turbine core", [(0.30, -0.58), (0.47, -0.59), (0.49, -0.62), (0.49, -0.66), (0.56, -0.72), (0.56, -1.04), (0.46, -1.12), (0.38, -1.20), (0.36, -1.34), (0.30, -1.34), (0.29, -1.0)], iron, 140, bevel=0.015)
    if runners:
        _manifold(ttip, runners, iron)
    else:
        flange = plate("turbine flange", rounded_rect(0.78, 0.66, 0.09, 8), [circle(0.20, 48)] + [circle(0.045, 28, sx * 0.305, sy * 0.245) for sx in (-1, 1) for sy in (-1, 1)], 0.09, 0.012, iron)
        flange.matrix_world = Matrix.Translation(ttip) @ rot("X", 90)
    outlet = plate("outlet flange", circle(0.50, 120), [circle(0.30, 80)] + [circle(0.036, 24, 0.425 * math.cos(TAU * i / 5), 0.425 * math.sin(TAU * i / 5)) for i in range(5)], 0.075, 0.012, iron)
    outlet.matrix_world = move(0, 0, -1.35)
    # V-band clamp that holds the turbine to the bearing housing.
    lathe("v-band", [(0.47, -0.535), (0.505, -0.545), (0.515, -0.57), (0.515, -0.60), (0.505, -0.625), (0.47, -0.635)], zinc, 140, bevel=0.006, closed=True)
    box("clamp lug", (0.07, 0.09, 0.10), (-0.30, 0.47, -0.585), 0.015, zinc)
    box("clamp lug", (0.07, 0.09, 0.10), (-0.41, 0.38, -0.585), 0.015, zinc)
    screw = cylinder("clamp screw", 0.020, 0.30, (0, 0, 0), "X", 0.004, dark, 24)
    screw.matrix_world = move(-0.355, 0.43, -0.585) @ rot("Z", 39) @ rot("Y", 90)

    if shield:
        foil = material("foil", (0.62, 0.62, 0.63), 0.22, 1.0, cells=0.5, cell_size=16)
        lathe("shield", [(0.66, -0.62), (0.90, -0.66), (0.93, -0.72), (0.93, -1.08), (0.88, -1.16), (0.60, -1.24), (0.60, -1.22), (0.87, -1.14), (0.915, -1.07), (0.915, -0.73), (0.89, -0.68), (0.66, -0.64)], foil, 120, 0.004, closed=True, start=math.radians(20), sweep=math.radians(205), angle=40)

    # Actuator: canister or servo beside the compressor, rod back to the turbine's lever --------
    drive = (_servo if actuator == "servo" else _canister)(dark, orange, zinc)
    rod = cylinder("rod", 0.022, 0.78, (0, 0, -0.55), "Z", 0.004, zinc, 32)
    lock = hexagon("lock nut", 0.07, 0.05, (0, 0, -0.74), bevel=0.006, mat=zinc)
    eye = cylinder("rod eye", 0.05, 0.05, (0, 0, -0.95), "Y", 0.012, zinc, 40)
    place = move(0.80, 0.60, 0.02)
    transform([*drive, rod, lock, eye], place)
    lever = box("lever", (0.30, 0.06, 0.08), (0.68, 0.56, -0.94), 0.02, dark)
    lever.matrix_world = move(0.70, 0.53, -0.94) @ rot("Z", 35)
    bracket = plate("bracket", [(0.42, 0.36), (0.60, 0.36), (1.00, 0.50), (1.00, 0.72), (0.80, 0.80), (0.62, 0.72), (0.40, 0.54)], (), 0.028, 0.006, dark)
    bracket.matrix_world = move(0, 0, -0.135)
    cylinder("pivot", 0.06, 0.20, (0.58, 0.45, -0.94), "Z", 0.015, iron, 40)
    if actuator == "canister":
        # Signal hose from the compressor's outlet to the actuator.
        sig = [(0.80, 0.60, 0.33), (0.80, 0.62, 0.44), (0.72, 0.74, 0.54), (0.50, 0.84, 0.50), (0.26, 0.86, 0.36), (0.16, 0.80, 0.28)]
        tube("signal hose", sig, 0.034, rubber(), resolution=16, sides=7)
    return [o for o in subjects() if o not in before]


def build(azimuth=36, **values):
    objs = turbo(**values)
    transform(objs, rot("X", 90))
    drop(objs)
    return {"azimuth": azimuth, "elevation": 15, "fill": (0.76, 0.80), "light": {"fill": 1.3, "rim": 1.3, "front": 0.5, "key": 0.9}}
