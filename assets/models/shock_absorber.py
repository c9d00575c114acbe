"""A pair of suspension struts: knuckle clamp, damper tube, spring seat, coil spring, bellows, rod, top mount."""

import math

from models.service_kit import wrap
from studio import *  # noqa: F403


def _helix(r0, r1, z0, z1, turns, wire, mat):
    """A coil spring whose dead coils lie flat at both ends and whose outer coils are drawn in."""
    n = int(turns * 36)
    pts = []
    for i in range(n + 1):
        t = i / n
        turn = turns * t
        # The first and last three quarters of a turn hardly climb.
        ease = 0.75 / turns
        if t < ease:
            z = 0.16 * (t / ease) ** 2 * ease
        elif t > 1 - ease:
            z = 1 - 0.16 * ((1 - t) / ease) ** 2 * ease
        else:
            z = 0.16 * ease + (1 - 0.32 * ease) * (t - ease) / (1 - 2 * ease)
        r = r1 + (r0 - r1) * min(1.0, min(turn, turns - turn) / 0.9)
        a = TAU * turn
        pts.append((r * math.cos(a), r * math.sin(a), z0 + (z1 - z0) * z))
    return tube("spring", pts, wire, mat, smooth=False, sides=6)


def strut(coil=ORANGE, wire=0.044, turns=5.6, wide=1.0, shell=(0.034, 0.035, 0.038)):
    """Upright, its clamp at the foot; the knuckle's bolts run along X, the clamp opens towards -Y."""
    before = set(subjects())
    tube_coat = material("tube coat", shell, 0.36, 0.5, grain=0.04, grain_size=90, coat=0.3, mottle=0.06)
    spring_coat = material("spring coat", coil, 0.34, coat=0.5, grain=0.03, grain_size=80)
    chrome = material("chrome", (0.78, 0.78, 0.79), 0.09, 1.0)
    zinc, black = steel(0.28), rubber()
    pressed = material("pressed steel", (0.055, 0.057, 0.062), 0.40, 0.6, grain=0.05, grain_size=80, mottle=0.08)
    white = card((0.85, 0.83, 0.80), 0.4)

    # Damper tube with its closed foot.
    lathe("tube", [(0, 0.0), (0.13, 0.0), (0.165, 0.03), (0.165, 0.56), (0.165 * wide, 0.60), (0.165 * wide, 1.66), (0.150, 1.70), (0.060, 1.705), (0.050, 1.69)], tube_coat, 96, angle=40)
    # The clamp: two cheeks, each with two bolt holes, joined by the band around the tube.
    lathe("band", [(0.166, 0.10), (0.190, 0.10), (0.190, 0.56), (0.166, 0.56)], pressed, 96, 0.006, closed=True)
    for x in (-0.115, 0.115):
        cheek = [(-0.16, 0.02), (0.26, 0.02), (0.34, 0.10), (0.34, 0.52), (0.27, 0.60), (-0.16, 0.60)]
        o = plate("cheek", cheek, [circle(0.050, 36, 0.235, 0.15), circle(0.050, 36, 0.235, 0.46)], 0.045, 0.010, pressed)
        # In the plate's own plane x runs away from the tube and y upwards.
        o.matrix_world = Matrix(((0, 0, 1, x), (-1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0, 1)))
        for z in (0.15, 0.46):
            ring = lathe("boss", [(0.050, -0.028), (0.082, -0.028), (0.082, 0.028), (0.050, 0.028)], pressed, 40, 0.004, closed=True)
            ring.matrix_world = move(x, -0.235, z) @ rot("Y", 90)
    # Brackets for the brake hose and the stabiliser's link.
    tab = plate("link tab", [(0.0, -0.10), (0.22, -0.065), (0.27, 0.0), (0.22, 0.065), (0.0, 0.10)], [circle(0.036, 30, 0.195, 0.0)], 0.030, 0.007, pressed)
    tab.matrix_world = move(0.155, 0.0, 0.86) @ rot("X", 90)
    hose = plate("hose tab", rounded_rect(0.15, 0.11, 0.030, 5, 0.05, 0.0), [circle(0.026, 24, 0.075, 0.0)], 0.024, 0.005, pressed)
    hose.matrix_world = move(-0.165, 0.0, 0.74) @ rot("Z", 180) @ rot("X", 90)

    # Lower seat: a dish with a turned-up rim, the spring's end against a step.
    lathe("seat", [(0.168, 0.98), (0.200, 1.045), (0.330, 1.065), (0.420, 1.060), (0.440, 1.085), (0.452, 1.125), (0.464, 1.125), (0.456, 1.075), (0.432, 1.035), (0.330, 1.040), (0.215, 1.015), (0.185, 0.94), (0.168, 0.93)], pressed, 140, closed=True, angle=45)
    lathe("pad", [(0.270, 1.068), (0.415, 1.066), (0.420, 1.092), (0.275, 1.094)], black, 120, 0.006, closed=True)
    _helix(0.395, 0.345, 1.135, 2.40, turns, wire, spring_coat)

    # Rod, bump stop and bellows inside the spring.
    cylinder("rod", 0.046, 1.05, (0, 0, 2.10), bevel=0.004, mat=chrome, segments=56)
    bellows = [(0.060, 1.735)]
    folds = 9
    for i in range(folds):
        z = 1.74 + 0.60 * i / folds
        step = 0.60 / folds
        bellows += [(0.135, z + step * 0.10), (0.182, z + step * 0.38), (0.186, z + step * 0.52), (0.182, z + step * 0.66), (0.135, z + step * 0.94)]
    bellows += [(0.150, 2.345), (0.165, 2.385), (0.080, 2.395)]
    lathe("bellows", bellows, black, 110, angle=30)
    lathe("sleeve", [(0.172, 1.62), (0.188, 1.62), (0.188, 1.745), (0.130, 1.765), (0.130, 1.74)], black, 96, 0.006)

    # Upper seat and mount: dish, bearing, rubber, three studs, the rod's nut.
    lathe("upper pad", [(0.270, 2.435), (0.415, 2.435), (0.415, 2.462), (0.270, 2.462)], black, 120, 0.008, closed=True)
    lathe("upper seat", [(0.150, 2.485), (0.300, 2.470), (0.425, 2.466), (0.446, 2.440), (0.456, 2.440), (0.452, 2.480), (0.430, 2.498), (0.310, 2.510), (0.240, 2.535), (0.150, 2.540)], pressed, 140, closed=True, angle=45)
    lathe("bearing", [(0.10, 2.535), (0.275, 2.535), (0.285, 2.548), (0.285, 2.582), (0.272, 2.595), (0.10, 2.595)], plastic((0.03, 0.03, 0.033), 0.42), 120, 0.004)
    tri = []
    for k in range(120):
        a = TAU * k / 120
        tri.append(((0.325 + 0.060 * math.cos(3 * a)) * math.cos(a), (0.325 + 0.060 * math.cos(3 * a)) * math.sin(a)))
    mount = plate("mount", tri, [circle(0.135, 72)], 0.042, 0.012, pressed)
    mount.matrix_world = move(0, 0, 2.618)
    lathe("mount cup", [(0.235, 2.630), (0.225, 2.690), (0.200, 2.712), (0.150, 2.715), (0.150, 2.640)], pressed, 110, 0.006)
    lathe("mount rubber", [(0.150, 2.712), (0.140, 2.730), (0.085, 2.736), (0.072, 2.722), (0.072, 2.60)], black, 96, 0.004)
    for k in range(3):
        a = math.radians(120 * k)
        x, y = 0.322 * math.cos(a), 0.322 * math.sin(a)
        cylinder("stud", 0.027, 0.18, (x, y, 2.715), bevel=0.006, mat=zinc, segments=32)
        lathe("stud collar", [(0.046, 2.636), (0.044, 2.652), (0.027, 2.656)], zinc, 32).location = (x, y, 0)
    thread = [(0, 2.885), (0.036, 2.885)]
    z = 2.878
    while z > 2.80:
        thread += [(0.042, z), (0.036, z - 0.006)]
        z -= 0.012
    lathe("rod end", [*thread, (0.042, 2.70), (0, 2.70)], zinc, 40, angle=20)
    lathe("washer", [(0.04, 2.735), (0.098, 2.735), (0.098, 2.752), (0.04, 2.752)], zinc, 64, 0.004)
    hexagon("nut", 0.120, 0.065, (0, 0, 2.786), bevel=0.008, mat=zinc)

    # Maker's name along the tube.
    name = text("DRIVELINE", 0.066, white, 0.003, spacing=1.05, shear=0.12)
    name.matrix_world = rot("Z", 90)
    wrap(name, 0.165 * wide + 0.0015)
    name.matrix_world = rot("Z", 10) @ move(0, 0, 0.775)
    return [o for o in subjects() if o not in before]


def build(**values):
    one = strut(**values)
    other = copy(one, Matrix.Identity(4))
    transform(one, move(-0.50, -0.20, 0) @ rot("Z", -28))
    transform(other, move(0.52, 0.34, 0) @ rot("Z", 40))
    return {"azimuth": -18, "elevation": 11, "fill": (0.70, 0.86), "light": {"fill": 1.3, "front": 0.4}}
