"""The photo studio that all product pictures share.

Geometry helpers, materials, lights, backdrop and camera, so that a model file only says what the part is made of.
One unit is whatever suits the model: the camera fits the subject, and the lights scale with it. Z is up, the camera
looks along +Y.
"""

import math
import os
import random
import tempfile

import bmesh
import bpy
import numpy as np
from denoise import box_mean, denoise
from mathutils import Matrix, Vector
from mathutils.geometry import delaunay_2d_cdt

TAU = math.tau

FONT_CANDIDATES = (
    "/usr/share/fonts/truetype/dejavu/DejaVuSansCondensed-Bold.ttf",
    "/usr/share/fonts/TTF/DejaVuSansCondensed-Bold.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSansCondensed-Bold.ttf",
)

# Linear values of the brand's burnt orange. Filmic mutes saturated colours, so these are deeper than the web tokens.
ORANGE = (0.68, 0.075, 0.005)
GRAPHITE = (0.022, 0.023, 0.026)
PAPER = (0.80, 0.77, 0.71)

# A shadow fainter than this is none.
FAINT = 0.06


# ---------------------------------------------------------------- scene


def reset():
    """Empties Blender, so that a picture never depends on a start-up file."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    random.seed(7)


def _link(obj):
    bpy.context.scene.collection.objects.link(obj)
    return obj


def subjects():
    """Every mesh that is part of the product, not of the studio."""
    return [o for o in bpy.context.scene.objects if o.type == "MESH" and not o.get("studio")]


def transform(objs, matrix):
    """Moves a group of objects as one."""
    for o in objs:
        o.matrix_world = matrix @ o.matrix_world
    bpy.context.view_layer.update()


def rot(axis, degrees):
    return Matrix.Rotation(math.radians(degrees), 4, axis)


def move(x=0.0, y=0.0, z=0.0):
    return Matrix.Translation((x, y, z))


def scale(s):
    return Matrix.Scale(s, 4)


def world_points(objs):
    """Evaluated vertices (after modifiers) in world space."""
    bpy.context.view_layer.update()
    dg = bpy.context.evaluated_depsgraph_get()
    pts = []
    for o in objs:
        ev = o.evaluated_get(dg)
        me = ev.to_mesh()
        step = max(1, len(me.vertices) // 4000)
        mw = o.matrix_world
        pts.extend(mw @ me.vertices[i].co for i in range(0, len(me.vertices), step))
        ev.to_mesh_clear()
    return pts


def drop(objs, z=0.0):
    """Sets a group on the floor; returns the group."""
    low = min(p.z for p in world_points(objs))
    transform(objs, move(0, 0, z - low))
    return objs


def copy(objs, matrix):
    """Linked copies of a group, moved by `matrix`."""
    out = []
    for o in objs:
        c = o.copy()
        _link(c)
        c.matrix_world = matrix @ o.matrix_world
        out.append(c)
    bpy.context.view_layer.update()
    return out


# ---------------------------------------------------------------- geometry


def mesh(name, verts, faces, mat=None, bevel=0.0, segments=3, angle=35, smooth=True):
    """An object from vertices and faces; normals are made consistent."""
    me = bpy.data.meshes.new(name)
    me.from_pydata([tuple(v) for v in verts], [], faces)
    bm = bmesh.new()
    bm.from_mesh(me)
    bmesh.ops.remove_doubles(bm, verts=bm.verts, dist=1e-6)
    bmesh.ops.recalc_face_normals(bm, faces=bm.faces)
    bm.to_mesh(me)
    bm.free()
    return finish(_link(bpy.data.objects.new(name, me)), mat, bevel, segments, angle, smooth)


def finish(obj, mat=None, bevel=0.0, segments=3, angle=35, smooth=True):
    """Material, rounded edges and smooth shading, the same way for every object."""
    if mat is not None:
        obj.data.materials.clear()
        obj.data.materials.append(mat)
    if smooth:
        for p in obj.data.polygons:
            p.use_smooth = True
        obj.data.use_auto_smooth = True
        obj.data.auto_smooth_angle = math.radians(angle)
    if bevel > 0:
        m = obj.modifiers.new("bevel", "BEVEL")
        m.width = bevel
        m.segments = segments
        m.limit_method = "ANGLE"
        m.angle_limit = math.radians(angle)
        m.harden_normals = smooth
        m.use_clamp_overlap = True
    return obj


def lathe(name, profile, mat=None, segments=160, bevel=0.0, closed=False, angle=32, start=0.0, sweep=TAU):
    """Turns a profile of (radius, height) around Z. `closed` joins its last point to its first (a ring)."""
    full = abs(sweep - TAU) < 1e-6
    rows = segments if full else segments + 1
    verts, faces = [], []
    n = len(profile)
    for i in range(rows):
        a = start + sweep * i / segments
        c, s = math.cos(a), math.sin(a)
        verts.extend((r * c, r * s, z) for r, z in profile)
    for i in range(segments):
        j = (i + 1) % rows
        for k in range(n if closed else n - 1):
            m = (k + 1) % n
            face = [i * n + k, j * n + k, j * n + m, i * n + m]
            faces.append(face)
    if not full and closed:
        faces.append(list(range(n)))
        faces.append([(rows - 1) * n + k for k in range(n)])
    return mesh(name, verts, faces, mat, bevel, angle=angle)


def circle(r, n=96, x=0.0, y=0.0, phase=0.0):
    return [(x + r * math.cos(phase + TAU * i / n), y + r * math.sin(phase + TAU * i / n)) for i in range(n)]


def rounded_rect(w, h, r, n=8, x=0.0, y=0.0):
    pts = []
    for cx, cy, a0 in ((w / 2 - r, h / 2 - r, 0), (-w / 2 + r, h / 2 - r, 90), (-w / 2 + r, -h / 2 + r, 180), (w / 2 - r, -h / 2 + r, 270)):
        for i in range(n + 1):
            a = math.radians(a0 + 90 * i / n)
            pts.append((x + cx + r * math.cos(a), y + cy + r * math.sin(a)))
    return pts


def _area(pts):
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(pts, pts[1:] + pts[:1])) / 2


def _inset(pts, d):
    """Moves a closed outline by `d` to its left (inwards if it runs counter-clockwise), mitred."""
    out = []
    n = len(pts)
    for i in range(n):
        p, c, q = Vector(pts[i - 1]), Vector(pts[i]), Vector(pts[(i + 1) % n])
        u, v = (c - p).normalized(), (q - c).normalized()
        nu, nv = Vector((-u.y, u.x)), Vector((-v.y, v.x))
        m = nu + nv
        m = m.normalized() if m.length > 1e-6 else nu
        out.append(tuple(c + m * (d / max(0.45, m.dot(nu)))))
    return out


def _in_any(p, boxes):
    """Whether a point lies in one of the holes, each given with its bounds."""
    for x0, x1, y0, y1, pts in boxes:
        if x0 < p.x < x1 and y0 < p.y < y1:
            odd = False
            for a, b in zip(pts, pts[1:] + pts[:1]):
                if (a[1] > p.y) != (b[1] > p.y) and p.x < (b[0] - a[0]) * (p.y - a[1]) / (b[1] - a[1]) + a[0]:
                    odd = not odd
            if odd:
                return True
    return False


def plate(name, outer, holes=(), thickness=0.1, bevel=0.01, mat=None, segments=3, angle=32):
    """A flat part in XY with holes, rounded along every edge, centred on z = 0.

    Outlines may not cross. Triangulated with constraints, because the fill of a 2D curve closes some of many holes.
    """
    loops = []
    for k, pts in enumerate([outer, *holes]):
        pts = [tuple(p[:2]) for p in pts]
        loops.append(pts if (_area(pts) > 0) == (k == 0) else pts[::-1])
    h = thickness / 2
    # (inset, height) of each ring of the rounded edge, from the lower face to the upper one
    turns = [math.pi / 2 * j / segments for j in range(segments + 1)] if bevel else [0.0]
    rings = [(bevel * (1 - math.cos(t)), h - bevel + bevel * math.sin(t)) for t in turns]
    rings = [(i, -z) for i, z in reversed(rings)] + rings
    verts, faces = [], []
    top = []
    for pts in loops:
        n = len(pts)
        base = len(verts)
        for d, z in rings:
            verts.extend((x, y, z) for x, y in (_inset(pts, d) if d else pts))
        for r in range(len(rings) - 1):
            for i in range(n):
                j = (i + 1) % n
                faces.append([base + r * n + i, base + r * n + j, base + (r + 1) * n + j, base + (r + 1) * n + i])
        top.append(_inset(pts, rings[-1][0]) if rings[-1][0] else pts)
    flat, edges = [], []
    for pts in top:
        b = len(flat)
        flat.extend(Vector(p) for p in pts)
        edges.extend((b + i, b + (i + 1) % len(pts)) for i in range(len(pts)))
    cv, _, cf, *_ = delaunay_2d_cdt(flat, edges, [], 1, 1e-7)
    boxes = [(min(p[0] for p in t), max(p[0] for p in t), min(p[1] for p in t), max(p[1] for p in t), t) for t in top[1:]]
    cf = [f for f in cf if not _in_any(sum((cv[i] for i in f), Vector((0, 0))) / len(f), boxes)]
    for z in (-h, h):
        b = len(verts)
        verts.extend((p.x, p.y, z) for p in cv)
        faces.extend([[b + i for i in f] for f in cf])
    return mesh(name, verts, faces, mat, angle=angle)


def _bake(name, curve, mat, angle):
    tmp = _link(bpy.data.objects.new(name + ".curve", curve))
    bpy.context.view_layer.update()
    dg = bpy.context.evaluated_depsgraph_get()
    me = bpy.data.meshes.new_from_object(tmp.evaluated_get(dg))
    bpy.data.objects.remove(tmp)
    bpy.data.curves.remove(curve)
    bm = bmesh.new()
    bm.from_mesh(me)
    bmesh.ops.remove_doubles(bm, verts=bm.verts, dist=1e-5)
    bmesh.ops.recalc_face_normals(bm, faces=bm.faces)
    bm.to_mesh(me)
    bm.free()
    return finish(_link(bpy.data.objects.new(name, me)), mat, angle=angle)


def tube(name, points, radius, mat=None, closed=False, resolution=6, smooth=True, taper=None, sides=6):
    """A round tube through points. `smooth` runs a spline through them; `taper` gives a radius factor per point."""
    cu = bpy.data.curves.new(name, "CURVE")
    cu.dimensions = "3D"
    cu.bevel_depth = radius
    cu.bevel_resolution = sides
    cu.resolution_u = resolution
    cu.use_fill_caps = not closed
    if smooth:
        sp = cu.splines.new("BEZIER")
        sp.bezier_points.add(len(points) - 1)
        for i, (bp, p) in enumerate(zip(sp.bezier_points, points)):
            bp.co = p
            bp.handle_left_type = bp.handle_right_type = "AUTO"
            if taper:
                bp.radius = taper[i]
    else:
        sp = cu.splines.new("POLY")
        sp.points.add(len(points) - 1)
        for i, (pp, p) in enumerate(zip(sp.points, points)):
            pp.co = (*p, 1)
            if taper:
                pp.radius = taper[i]
    sp.use_cyclic_u = closed
    return _bake(name, cu, mat, 50)


def sweep(name, frames, section, mat=None, closed=False, angle=40, caps=True, bevel=0.0):
    """Carries a closed 2D section along frames of (origin, x axis, y axis, scale or (sx, sy))."""
    verts, faces = [], []
    n = len(section)
    for f in frames:
        o, ax, ay, s = f
        sx, sy = s if isinstance(s, tuple) else (s, s)
        o, ax, ay = Vector(o), Vector(ax), Vector(ay)
        verts.extend(o + ax * (px * sx) + ay * (py * sy) for px, py in section)
    m = len(frames)
    for i in range(m if closed else m - 1):
        j = (i + 1) % m
        for k in range(n):
            q = (k + 1) % n
            faces.append([i * n + k, j * n + k, j * n + q, i * n + q])
    if caps and not closed:
        faces.append(list(range(n)))
        faces.append([(m - 1) * n + k for k in range(n)])
    return mesh(name, verts, faces, mat, bevel, angle=angle)


def loft(name, sections, mat=None, bevel=0.0, angle=35, caps=True, segments=3):
    """Skins a list of closed 3D sections that all have the same number of points."""
    n = len(sections[0])
    verts = [p for s in sections for p in s]
    faces = []
    for i in range(len(sections) - 1):
        for k in range(n):
            q = (k + 1) % n
            faces.append([i * n + k, (i + 1) * n + k, (i + 1) * n + q, i * n + q])
    if caps:
        faces.append(list(range(n)))
        faces.append([(len(sections) - 1) * n + k for k in range(n)])
    return mesh(name, verts, faces, mat, bevel, angle=angle, segments=segments)


def box(name, size, at=(0, 0, 0), bevel=0.02, mat=None, segments=4):
    x, y, z = (s / 2 for s in size)
    verts = [(a, b, c) for a in (-x, x) for b in (-y, y) for c in (-z, z)]
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    o = mesh(name, verts, faces, mat, bevel, segments=segments)
    o.location = at
    bpy.context.view_layer.update()
    return o


def cylinder(name, r, h, at=(0, 0, 0), axis="Z", bevel=0.01, mat=None, segments=64, r2=None):
    r2 = r if r2 is None else r2
    o = lathe(name, [(0, -h / 2), (r, -h / 2), (r2, h / 2), (0, h / 2)], mat, segments, bevel)
    turn = {"Z": Matrix.Identity(4), "X": rot("Y", 90), "Y": rot("X", -90)}[axis]
    o.matrix_world = Matrix.Translation(at) @ turn
    bpy.context.view_layer.update()
    return o


def hexagon(name, across, h, at=(0, 0, 0), axis="Z", bevel=0.008, mat=None):
    """A nut or a bolt head; `across` is the width over the flats."""
    o = plate(name, circle(across / math.sqrt(3), 6), (), h, bevel, mat, segments=2, angle=25)
    turn = {"Z": Matrix.Identity(4), "X": rot("Y", 90), "Y": rot("X", -90)}[axis]
    o.matrix_world = Matrix.Translation(at) @ turn
    bpy.context.view_layer.update()
    return o


def bolt(r=0.05, at=(0, 0, 0), axis="Z", mat=None):
    """A flanged hexagon bolt head whose seat lies at `at`, facing along +axis."""
    parts = [
        lathe("bolt.flange", [(0, 0), (r * 1.35, 0), (r * 1.3, r * 0.22), (r, r * 0.3), (0, r * 0.3)], mat, 40, r * 0.05),
        hexagon("bolt.head", r * 1.75, r * 0.9, (0, 0, r * 0.7), bevel=r * 0.12, mat=mat),
    ]
    turn = {"Z": Matrix.Identity(4), "X": rot("Y", 90), "Y": rot("X", -90), "-Z": rot("X", 180), "-Y": rot("X", 90), "-X": rot("Y", -90)}[axis]
    transform(parts, Matrix.Translation(at) @ turn)
    return parts


def text(body, size, mat=None, depth=0.01, bevel=0.0, spacing=1.0, shear=0.0, align="CENTER", narrow=1.0):
    """Raised lettering in XY, centred on the origin, facing +Z."""
    cu = bpy.data.curves.new("text", "FONT")
    font = next((f for f in FONT_CANDIDATES if os.path.exists(f)), None)
    if font:
        cu.font = bpy.data.fonts.load(font, check_existing=True)
    cu.body = body
    cu.size = size
    cu.extrude = depth / 2
    cu.bevel_depth = bevel
    cu.offset = -bevel
    cu.space_character = spacing
    cu.shear = shear
    cu.align_x = align
    cu.align_y = "CENTER"
    cu.resolution_u = 5
    o = _bake("text." + body, cu, mat, 30)
    if narrow != 1.0:
        o.data.transform(Matrix.Diagonal((narrow, 1, 1, 1)))
    return o


def around(objs, count, axis="Z", skip_first=True):
    """Linked copies of a group, evenly around an axis through the origin."""
    out = [] if skip_first else list(objs)
    for i in range(1, count):
        out += copy(objs, rot(axis, 360 * i / count))
    return list(objs) + out if skip_first else out


def join(name, objs):
    """Makes one mesh of many (modifiers applied), which keeps heavy repeats cheap to handle."""
    bpy.context.view_layer.update()
    dg = bpy.context.evaluated_depsgraph_get()
    bm = bmesh.new()
    mats = []
    for o in objs:
        ev = o.evaluated_get(dg)
        me = bpy.data.meshes.new_from_object(ev)
        me.transform(o.matrix_world)
        base = len(mats)
        mats.extend(me.materials[:] or [None])
        for p in me.polygons:
            p.material_index += base
        bm.from_mesh(me)
        bpy.data.meshes.remove(me)
    out = bpy.data.meshes.new(name)
    bm.to_mesh(out)
    bm.free()
    for m in mats:
        out.materials.append(m)
    out.use_auto_smooth = True
    out.auto_smooth_angle = math.radians(35)
    for o in objs:
        bpy.data.objects.remove(o)
    return _link(bpy.data.objects.new(name, out))


# ---------------------------------------------------------------- materials


class _Nodes:
    def __init__(self, name):
        self.mat = bpy.data.materials.new(name)
        self.mat.use_nodes = True
        self.tree = self.mat.node_tree
        self.bsdf = self.tree.nodes["Principled BSDF"]

    def add(self, kind, **values):
        n = self.tree.nodes.new(kind)
        for k, v in values.items():
            if k in n.inputs:
                n.inputs[k].default_value = v
            else:
                setattr(n, k.lower(), v)
        return n

    def link(self, a, b):
        self.tree.links.new(a, b)

    def coords(self):
        return self.add("ShaderNodeTexCoord").outputs["Object"]

    def ramp(self, src, lo, hi):
        m = self.add("ShaderNodeMapRange")
        self.link(src, m.inputs["Value"])
        m.inputs["To Min"].default_value = lo
        m.inputs["To Max"].default_value = hi
        return m.outputs["Result"]


def material(name, color, rough=0.5, metal=0.0, coat=0.0, grain=0.0, grain_size=60.0, mottle=0.0, specular=0.5,
             aniso=0.0, brushed=None, sheen=0.0, cells=0.0, cell_size=40.0, emit=0.0, flecks=None, fleck_size=150.0):
    """A principled surface with honest unevenness.

    flecks   colour of the chips in a pressed lining

    grain    bump of fine noise (cast metal, moulded rubber); cells: bump of leather-like cells
    mottle   how far roughness wanders over the surface
    brushed  'radial' for a face turned on a lathe, 'x', 'y' or 'z' for one ground along that axis
    """
    n = _Nodes(name)
    b = n.bsdf.inputs
    b["Base Color"].default_value = (*color, 1)
    b["Metallic"].default_value = metal
    b["Roughness"].default_value = rough
    b["Specular"].default_value = specular
    b["Clearcoat"].default_value = coat
    b["Clearcoat Roughness"].default_value = 0.06
    b["Sheen"].default_value = sheen
    if emit:
        b["Emission"].default_value = (*color, 1)
        b["Emission Strength"].default_value = emit
    co = n.coords()
    height = None
    if aniso:
        b["Anisotropic"].default_value = aniso
        tan = n.add("ShaderNodeTangent", direction_type="RADIAL", axis="Z")
        n.link(tan.outputs[0], b["Tangent"])
    if mottle:
        t = n.add("ShaderNodeTexNoise", Scale=3.5, Detail=5.0, Roughness=0.65)
        n.link(co, t.inputs["Vector"])
        n.link(n.ramp(t.outputs["Fac"], max(0.02, rough - mottle), min(1, rough + mottle)), b["Roughness"])
    if flecks:
        t = n.add("ShaderNodeTexNoise", Scale=fleck_size, Detail=2.0, Roughness=0.5)
        n.link(co, t.inputs["Vector"])
        chip = n.ramp(t.outputs["Fac"], 0.0, 1.0)
        chip.node.inputs["From Min"].default_value = 0.60
        chip.node.inputs["From Max"].default_value = 0.70
        mix = n.add("ShaderNodeMixRGB", Color1=(*color, 1), Color2=(*flecks, 1))
        n.link(chip, mix.inputs["Fac"])
        n.link(mix.outputs["Color"], b["Base Color"])
    bumps = []
    if brushed:
        if brushed == "radial":
            sep = n.add("ShaderNodeSeparateXYZ")
            n.link(co, sep.inputs[0])
            flat = n.add("ShaderNodeCombineXYZ")
            n.link(sep.outputs[0], flat.inputs[0])
            n.link(sep.outputs[1], flat.inputs[1])
            ln = n.add("ShaderNodeVectorMath", operation="LENGTH")
            n.link(flat.outputs[0], ln.inputs[0])
            lines = n.add("ShaderNodeTexNoise", Scale=95.0, Detail=4.0, Roughness=0.7)
            lines.noise_dimensions = "1D"
            n.link(ln.outputs["Value"], lines.inputs["W"])
        else:
            k = "xyz".index(brushed)
            stretch = [140.0] * 3
            stretch[k] = 2.0
            mp = n.add("ShaderNodeMapping")
            mp.inputs["Scale"].default_value = stretch
            n.link(co, mp.inputs["Vector"])
            lines = n.add("ShaderNodeTexNoise", Scale=1.0, Detail=3.0, Roughness=0.6)
            n.link(mp.outputs[0], lines.inputs["Vector"])
        bumps.append((lines.outputs["Fac"], 0.06, 0.01))
    if grain:
        t = n.add("ShaderNodeTexNoise", Scale=grain_size, Detail=3.0, Roughness=0.6)
        n.link(co, t.inputs["Vector"])
        bumps.append((t.outputs["Fac"], grain, 0.02))
    if cells:
        t = n.add("ShaderNodeTexVoronoi", Scale=cell_size)
        t.feature = "SMOOTH_F1"
        n.link(co, t.inputs["Vector"])
        bumps.append((t.outputs["Distance"], cells, 0.02))
    for src, strength, dist in bumps:
        bp = n.add("ShaderNodeBump")
        bp.inputs["Strength"].default_value = strength
        bp.inputs["Distance"].default_value = dist
        n.link(src, bp.inputs["Height"])
        if height is not None:
            n.link(height, bp.inputs["Normal"])
        height = bp.outputs["Normal"]
    if height is not None:
        n.link(height, b["Normal"])
    return n.mat


def clear():
    """A thin clear cover: what lies behind it shows through, and the lamps glint on it. It casts no shadow."""
    n = _Nodes("clear")
    through = n.add("ShaderNodeBsdfTransparent", Color=(1, 1, 1, 1))
    glint = n.add("ShaderNodeBsdfGlossy", Roughness=0.0)
    edge = n.add("ShaderNodeFresnel", IOR=1.49)
    mix = n.add("ShaderNodeMixShader")
    n.link(edge.outputs[0], mix.inputs[0])
    n.link(through.outputs[0], mix.inputs[1])
    n.link(glint.outputs[0], mix.inputs[2])
    n.link(mix.outputs[0], n.tree.nodes["Material Output"].inputs["Surface"])
    return n.mat


def glass():
    """Solid glass that bends what lies behind it, for a lens that is thick."""
    n = _Nodes("glass")
    for name, value in (("Transmission", 1.0), ("Roughness", 0.0), ("IOR", 1.5)):
        n.bsdf.inputs[name].default_value = value
    n.bsdf.inputs["Base Color"].default_value = (0.96, 0.98, 1.0, 1)
    return n.mat


def lining(color=(0.055, 0.052, 0.048), flecks=(0.24, 0.19, 0.14)):
    """Pressed friction material: matt, rough to the touch, with chips of metal in it."""
    return material("lining", color, 0.78, grain=0.35, grain_size=70, specular=0.25, flecks=flecks)


def machined(color=(0.58, 0.58, 0.59)):
    return material("machined", color, 0.26, 1.0, aniso=0.8, brushed="radial", mottle=0.05)


def steel(rough=0.25):
    return material("steel", (0.56, 0.57, 0.59), rough, 1.0, mottle=0.06)


def aluminium(rough=0.34):
    return material("aluminium", (0.76, 0.77, 0.78), rough, 1.0, mottle=0.07)


def cast_aluminium():
    return material("cast aluminium", (0.50, 0.505, 0.515), 0.36, 1.0, grain=0.07, grain_size=95, mottle=0.08)


def cast_iron():
    return material("cast iron", (0.17, 0.155, 0.145), 0.55, 0.85, grain=0.24, grain_size=85, mottle=0.12)


def black_steel():
    return material("black steel", (0.05, 0.05, 0.054), 0.42, 0.75, mottle=0.1)


def rubber():
    return material("rubber", (0.021, 0.021, 0.022), 0.62, grain=0.12, grain_size=90, mottle=0.08, specular=0.45)


def leather():
    return material("leather", (0.024, 0.023, 0.023), 0.46, cells=0.16, cell_size=85, mottle=0.06, specular=0.5)


def plastic(color=GRAPHITE, rough=0.38, grain=0.0, coat=0.0):
    return material("plastic", color, rough, grain=grain, grain_size=150, coat=coat, mottle=0.04)


def paint(color=ORANGE, rough=0.30, coat=0.6):
    return material("paint", color, rough, coat=coat)


def card(color=PAPER, rough=0.55):
    return material("card", color, rough, specular=0.35)


# ---------------------------------------------------------------- light, backdrop, camera


def _area_light(name, at, target, size, power, color=(1, 1, 1)):
    li = bpy.data.lights.new(name, "AREA")
    li.shape = "RECTANGLE"
    li.size, li.size_y = size
    li.energy = power
    li.color = color
    o = _link(bpy.data.objects.new(name, li))
    o.location = at
    o.rotation_euler = (Vector(target) - Vector(at)).to_track_quat("-Z", "Y").to_euler()
    return o


def _world(color, strength):
    w = bpy.data.worlds.new("world")
    bpy.context.scene.world = w
    w.use_nodes = True
    bg = w.node_tree.nodes["Background"]
    bg.inputs[0].default_value = (*color, 1)
    bg.inputs[1].default_value = strength


def _cyclorama(color, size, back, rough=0.9):
    pts = [(-size * 1.6, 0.0), (back - size * 0.55, 0.0)]
    r = size * 0.55
    pts += [(back - r + r * math.sin(a), r - r * math.cos(a)) for a in (math.radians(5 * i) for i in range(1, 19))]
    pts.append((back, size * 3))
    verts, faces = [], []
    for y, z in pts:
        verts += [(-size * 4, y, z), (size * 4, y, z)]
    for i in range(len(pts) - 1):
        faces.append([2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2])
    o = mesh("backdrop", verts, faces, material("backdrop", color, rough, specular=0.2), angle=60)
    o["studio"] = True
    return o


def swept(objs, middle):
    """Points around all that a group touches while it turns once around the upright axis through `middle`."""
    reach = {}
    for p in world_points(objs):
        level = round(p.z, 2)
        reach[level] = max(reach.get(level, 0.0), math.hypot(p.x - middle.x, p.y - middle.y))
    return [Vector((middle.x + r * math.cos(TAU * i / 48), middle.y + r * math.sin(TAU * i / 48), z)) for z, r in reach.items() for i in range(48)]


def aim(objs, azimuth=-24.0, elevation=17.0, lens=85.0, fill=(0.74, 0.76), aspect=4 / 3, shift=(0.0, 0.0), points=None):
    """Points a camera so that the group fills `fill` of the frame's width or height, whichever binds.

    azimuth, elevation  degrees; 0, 0 looks along +Y from the front
    shift               where the group's middle lies, as a share of the frame from its centre
    points              what has to be in the frame, if that is more than the group as it stands
    Returns the camera object.
    """
    pts = points or world_points(objs)
    az, el = math.radians(azimuth), math.radians(elevation)
    back = Vector((math.sin(az) * math.cos(el), -math.cos(az) * math.cos(el), math.sin(el)))
    right = Vector((math.cos(az), math.sin(az), 0))
    up = back.cross(right)
    target = sum(pts, Vector()) / len(pts)
    dist = 8.0
    k = lens / 36.0
    for _ in range(40):
        xs, ys = [], []
        for p in pts:
            d = p - target
            z = dist - d.dot(back)
            xs.append(d.dot(right) / z * k)
            ys.append(d.dot(up) / z * k * aspect)
        cx, cy = (max(xs) + min(xs)) / 2 - shift[0], (max(ys) + min(ys)) / 2 - shift[1]
        target += right * (cx * dist / k) + up * (cy * dist / k / aspect)
        dist *= max((max(xs) - min(xs)) / fill[0], (max(ys) - min(ys)) / fill[1])
    cam = bpy.data.cameras.new("camera")
    cam.lens = lens
    cam.sensor_width = 36
    cam.clip_end = 1000
    o = _link(bpy.data.objects.new("camera", cam))
    o.location = target + back * dist
    o.rotation_euler = (-back).to_track_quat("-Z", "Y").to_euler()
    bpy.context.scene.camera = o
    return o


def focus(cam, point, fstop):
    cam.data.dof.use_dof = True
    cam.data.dof.focus_distance = (Vector(point) - cam.location).length
    cam.data.dof.aperture_fstop = fstop


def daylight(objs, key=1.0, fill=1.0, rim=1.0, front=0.0, backdrop=(0.47, 0.455, 0.435)):
    """The catalogue set: one neutral backdrop, overhead softbox, key from the left, strip from the right."""
    pts = world_points(objs)
    s = max(max(p[i] for p in pts) - min(p[i] for p in pts) for i in range(3)) / 2
    mid = Vector([(max(p[i] for p in pts) + min(p[i] for p in pts)) / 2 for i in range(3)])
    top = max(p.z for p in pts)
    _cyclorama(backdrop, 4.2 * s, mid.y + 5.0 * s)
    e = s * s
    _area_light("top", mid + Vector((0.2 * s, 0.6 * s, 3.6 * s)), mid, (3.4 * s, 2.6 * s), 150 * e * key)
    _area_light("key", mid + Vector((-3.6 * s, -2.4 * s, 2.3 * s)), mid, (2.2 * s, 2.8 * s), 165 * e * key, (1.0, 0.975, 0.94))
    _area_light("strip", mid + Vector((3.5 * s, -1.0 * s, 1.4 * s)), mid, (0.9 * s, 3.2 * s), 85 * e * fill, (0.93, 0.96, 1.0))
    _area_light("rim", mid + Vector((2.2 * s, 3.2 * s, 2.6 * s)), Vector((mid.x, mid.y, top * 0.7)), (1.2 * s, 2.4 * s), 95 * e * rim)
    if front:
        _area_light("front", mid + Vector((-0.8 * s, -4.6 * s, 1.0 * s)), mid, (1.4 * s, 1.4 * s), 60 * e * front)
    _world((0.9, 0.95, 1.0), 0.20)


def _spanner(length, mat):
    """A combination spanner, flat in XY, its ring at the top."""
    w = length * 0.055
    head = length * 0.13
    ring = plate("ring", circle(head, 40, 0, length / 2), [circle(head * 0.60, 24, 0, length / 2)], w, w * 0.25, mat)
    shaft = plate("shaft", rounded_rect(w * 1.5, length * 0.84, w * 0.5, 4), (), w * 0.7, w * 0.2, mat)
    jaw = [(head * 1.15 * math.sin(math.radians(28 + 304 * i / 24)), -length / 2 - head * 1.15 * math.cos(math.radians(28 + 304 * i / 24))) for i in range(25)]
    jaw += [(-head * 0.5, -length / 2 + head * 0.1), (head * 0.5, -length / 2 + head * 0.1)]
    fork = plate("jaw", jaw, (), w, w * 0.2, mat)
    return [ring, shaft, fork]


def workshop(mid, s, rim_side=1, key=1.0, rim=1.0, floor=0.0):
    """The night set for the banner: steel bench, panelled wall with tools, one orange light from behind.

    mid, s    middle and half size of the subject
    rim_side  1 for orange from the right, -1 from the left
    """
    before = set(bpy.context.scene.objects)
    bench = material("bench", (0.026, 0.027, 0.030), 0.46, 0.25, grain=0.05, grain_size=9 / s, mottle=0.14)
    top = mesh("bench", [(-30 * s, -12 * s, 0), (30 * s, -12 * s, 0), (30 * s, 6.0 * s, 0), (-30 * s, 6.0 * s, 0)], [[0, 1, 2, 3]], bench)
    top.location = (mid.x, mid.y, floor)
    panel = material("panel", (0.040, 0.042, 0.047), 0.48, 0.2, mottle=0.1)
    for i in range(-7, 8):
        box("panel", (1.72 * s, 0.2 * s, 7 * s), (mid.x + i * 1.76 * s, mid.y + 5.2 * s, floor + 3.2 * s), 0.04 * s, panel)
    rail = material("rail", (0.17, 0.17, 0.175), 0.40, 1.0)
    box("rail", (22 * s, 0.08 * s, 0.10 * s), (mid.x, mid.y + 5.02 * s, floor + 2.45 * s), 0.02 * s, rail)
    for i in range(9):
        length = (1.55 - 0.09 * i) * s
        tool = _spanner(length, rail)
        transform(tool, move(mid.x + (-5.3 + 0.50 * i) * s, mid.y + 4.98 * s, floor + 2.35 * s - length / 2) @ rot("X", 90))
    glow = material("lamp", (1.0, 0.20, 0.02), 0.5, emit=4.0)
    for x, w in ((-3.4, 2.6), (4.3, 2.2)):
        box("lamp", (w * s, 0.06 * s, 0.05 * s), (mid.x + x * s, mid.y + 4.9 * s, floor + 2.85 * s), 0.01 * s, glow)
    for o in bpy.context.scene.objects:
        if o not in before:
            o["studio"] = True
    e = s * s
    r = rim_side
    hot = (1.0, 0.17, 0.014)
    _area_light("rim", mid + Vector((r * 2.9 * s, 2.3 * s, 1.5 * s)), mid, (0.9 * s, 2.8 * s), 330 * e * rim, hot)
    _area_light("kick", mid + Vector((-r * 3.4 * s, 2.2 * s, 0.9 * s)), mid, (0.6 * s, 2.2 * s), 32 * e * rim, hot)
    _area_light("top", mid + Vector((-0.3 * s, 0.2 * s, 3.4 * s)), mid, (2.6 * s, 1.1 * s), 130 * e * key, (0.86, 0.93, 1.0))
    _area_light("key", mid + Vector((-r * 2.6 * s, -3.0 * s, 1.6 * s)), mid, (1.6 * s, 2.6 * s), 130 * e * key, (0.90, 0.95, 1.0))
    wall = mid + Vector((-3.0 * s, 5.0 * s, 0.6 * s))
    _area_light("wall wash", wall + Vector((0.4 * s, -1.2 * s, 3.4 * s)), wall, (4.0 * s, 0.4 * s), 42 * e, (1.0, 0.62, 0.36))
    _world((0.5, 0.6, 0.8), 0.012)


def bounds(objs):
    """Middle and half of the largest extent of a group."""
    pts = world_points(objs)
    lo = Vector([min(p[i] for p in pts) for i in range(3)])
    hi = Vector([max(p[i] for p in pts) for i in range(3)])
    return (lo + hi) / 2, max(hi - lo) / 2


def render(path, width, height, samples, exposure=0.0, cutout=False):
    """Renders one PNG."""
    picture, shadow = _picture(width, height, samples, exposure, cutout)
    _save(_over(picture, shadow) if cutout else picture, path)


def turntable(path, objs, middle, columns, rows, width, height, samples, exposure=0.0):
    """Renders a group once around, each step `width` by `height`, as one PNG that is read like a page.

    From one step to the next what is in front moves to the right. The shadows lie below all steps, in one row, so small
    that they are together as wide as the sheet: soft alpha is most of a file, and is as soft when it is enlarged.
    """
    count = columns * rows
    step = move(*middle) @ rot("Z", 360 / count) @ move(*-middle)
    w, h = width // rows, height // rows
    sheet = np.zeros((rows * height + h, columns * width, 4), np.float32)
    for k in range(count):
        # Blender's first row of pixels is the lowest.
        y, x = h + (rows - 1 - k // columns) * height, k % columns * width
        sheet[y : y + height, x : x + width], shadow = _picture(width, height, samples, exposure, True)
        sheet[:h, k * w : (k + 1) * w, 3] = shadow.reshape(h, rows, w, rows).mean((1, 3))
        transform(objs, step)
    _save(sheet, path)


def _picture(width, height, samples, exposure, cutout):
    """Renders with Cycles on one thread and takes out the grain that is left; returns the pixels and the shadow's alpha.

    The samples are spent on two renders with different seeds: their difference tells the denoiser what is grain.
    A cutout has no backdrop: only the product and, as black that lets light through, its shadow. The page puts its
    theme's own backdrop behind it. The set still lights the product and is mirrored in it.
    """
    sc = bpy.context.scene
    _settings(width, height, samples, exposure)
    sc.render.film_transparent = cutout
    sc.render.image_settings.color_mode = "RGBA" if cutout else "RGB"
    for o in sc.objects:
        if o.type == "MESH":
            o.visible_camera = not (cutout and o.get("studio"))
            o.is_shadow_catcher = False
    with tempfile.TemporaryDirectory() as work:
        _guides(work)
        halves = [_shot(work, seed) for seed in (1, 2)]
        albedo, normal = (_load(os.path.join(work, f"{n}0001.exr"))[:, :, :3] for n in ("albedo", "normal"))
        if not cutout:
            return denoise(halves[0][:, :, :3], halves[1][:, :, :3], albedo, normal), None
        return _clean_cutout(*halves, albedo, normal), _shadow(work, width, height)


def _settings(width, height, samples, exposure):
    sc = bpy.context.scene
    sc.render.engine = "CYCLES"
    c = sc.cycles
    c.device = "CPU"
    c.samples = max(4, samples // 2)
    c.use_adaptive_sampling = True
    c.adaptive_threshold = 0.012
    c.adaptive_min_samples = min(24, c.samples)
    c.use_denoising = False
    c.max_bounces = 6
    c.diffuse_bounces = 2
    c.glossy_bounces = 3
    c.transmission_bounces = 4
    c.sample_clamp_indirect = 3.0
    c.sample_clamp_direct = 12.0
    c.caustics_reflective = False
    c.caustics_refractive = False
    c.blur_glossy = 0.6
    sc.render.threads_mode = "FIXED"
    sc.render.threads = 1
    # The second half starts from the geometry of the first.
    sc.render.use_persistent_data = True
    sc.render.resolution_x, sc.render.resolution_y = width, height
    sc.render.resolution_percentage = 100
    sc.render.image_settings.file_format = "PNG"
    sc.render.image_settings.color_depth = "16"
    sc.render.image_settings.compression = 15
    sc.view_settings.view_transform = "Filmic"
    sc.view_settings.look = "Medium High Contrast"
    sc.view_settings.exposure = exposure


def _shot(folder, seed):
    sc = bpy.context.scene
    sc.cycles.seed = seed
    sc.render.filepath = os.path.join(folder, f"shot{seed}.png")
    bpy.ops.render.render(write_still=True)
    return _load(sc.render.filepath)


def _clean_cutout(first, second, albedo, normal):
    """Takes the grain out of the product alone; returns it with its alpha, colours not multiplied by it."""
    alpha = (first[:, :, 3] + second[:, :, 3]) / 2
    rows, columns = np.flatnonzero(alpha.any(1)), np.flatnonzero(alpha.any(0))
    box = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    halves = [half[box][:, :, :3] * half[box][:, :, 3:] for half in (first, second)]
    clean = denoise(*halves, albedo[box], normal[box])
    out = np.zeros_like(first)
    out[:, :, 3] = alpha
    out[box][:, :, :3] = clean / np.maximum(alpha[box], 1 / 255)[..., None]
    return out


def _shadow(folder, width, height):
    """How much of the floor's light the product takes, as the alpha of black. It is soft, so a sixth of the size will do."""
    sc = bpy.context.scene
    for o in sc.objects:
        if o.type == "MESH":
            o.visible_camera = bool(o.get("studio"))
            o.is_shadow_catcher = bool(o.get("studio"))
    sc.use_nodes = False
    sc.render.resolution_x, sc.render.resolution_y = width // 6, height // 6
    sc.cycles.samples = 32
    sc.cycles.max_bounces = 1
    shade = _soften(_stretch(_shot(folder, 3)[:, :, 3], width, height), max(1, width // 96))
    # The set itself is a little darker towards its edges: that is no shadow.
    shade = np.clip((shade - FAINT) / (1 - FAINT), 0, 1)
    x, y = np.linspace(-1, 1, width)[None, :], np.linspace(-1, 1, height)[:, None]
    return shade * (1 - np.clip((np.maximum(abs(x), abs(y)) - 0.8) / 0.2, 0, 1))


def _stretch(a, width, height):
    """Enlarges by linear interpolation."""
    for n, axis in ((height, 0), (width, 1)):
        at = np.clip((np.arange(n) + 0.5) * a.shape[axis] / n - 0.5, 0, a.shape[axis] - 1)
        low = np.minimum(at.astype(int), a.shape[axis] - 2)
        part = (at - low).reshape((-1, 1) if axis == 0 else (1, -1))
        a = np.take(a, low, axis) * (1 - part) + np.take(a, low + 1, axis) * part
    return a


def _soften(a, radius):
    """Three means over a square come close to a Gaussian."""
    for _ in range(3):
        a = box_mean(a, radius)
    return a


def _over(picture, shadow):
    """The product over its shadow, and that over nothing."""
    alpha = picture[:, :, 3]
    under = shadow * (1 - alpha)
    out = picture.copy()
    out[:, :, 3] = alpha + under
    out[:, :, :3] *= (alpha / np.maximum(out[:, :, 3], 1 / 255))[..., None]
    return out


def _guides(folder):
    """Makes the render leave its surface colours and normals in `folder`."""
    sc = bpy.context.scene
    bpy.context.view_layer.cycles.denoising_store_passes = True
    sc.use_nodes = True
    tree = sc.node_tree
    tree.nodes.clear()
    layers = tree.nodes.new("CompositorNodeRLayers")
    picture = tree.nodes.new("CompositorNodeComposite")
    tree.links.new(layers.outputs["Image"], picture.inputs["Image"])
    files = tree.nodes.new("CompositorNodeOutputFile")
    files.base_path = folder
    files.format.file_format = "OPEN_EXR"
    files.format.color_mode = "RGB"
    files.file_slots.clear()
    for name, socket in (("albedo", "Denoising Albedo"), ("normal", "Denoising Normal")):
        files.file_slots.new(name)
        tree.links.new(layers.outputs[socket], files.inputs[name])


def _load(path):
    img = bpy.data.images.load(path)
    img.colorspace_settings.name = "Non-Color"
    img.alpha_mode = "CHANNEL_PACKED"
    w, h = img.size
    flat = np.empty(w * h * img.channels, np.float32)
    img.pixels.foreach_get(flat)
    pixels = flat.reshape(h, w, img.channels)
    bpy.data.images.remove(img)
    return pixels


def _save(pixels, path):
    h, w, channels = pixels.shape
    img = bpy.data.images.new("picture", w, h, alpha=channels == 4)
    img.colorspace_settings.name = "Non-Color"
    img.alpha_mode = "CHANNEL_PACKED"
    rgba = np.ones((h, w, 4), np.float32)
    rgba[:, :, :channels] = np.clip(pixels, 0, 1)
    img.pixels.foreach_set(rgba.ravel())
    img.filepath_raw = path
    img.file_format = "PNG"
    img.save()
