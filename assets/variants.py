"""Which model each picture of the catalogue shows, and with which values.

A model's own defaults are a part of no particular size: those are the pictures that are named like their model.
"""

ORANGE = (0.68, 0.075, 0.005)
SILVER = (0.34, 0.345, 0.35)
GREY = (0.13, 0.135, 0.14)
CREAM = (0.62, 0.60, 0.55)
RED = (0.42, 0.016, 0.012)
BLUE = (0.014, 0.070, 0.200)
GREEN = (0.018, 0.140, 0.060)
AMBER = (0.70, 0.26, 0.008)
BLACK = (0.020, 0.021, 0.024)

# What else is rendered once around, as a sheet of steps; render.sh reads this line too.
TURNTABLES = ("turbo-20-diesel", "brake-disc-312", "alloy-17")
TURN_COLUMNS, TURN_ROWS = 6, 4

# One picture a line: render.sh reads the names.
PICTURES = {
    "battery-74ah": ("battery", {"rating": "74 Ah", "notes": ("12 V", "680 A")}),
    "battery-60ah": ("battery", {"size": (242, 175, 190), "rating": "60 Ah", "notes": ("12 V", "540 A"), "shell": GREY, "lid": GREY}),
    "battery-45ah": ("battery", {"size": (238, 129, 227), "rating": "45 Ah", "notes": ("12 V", "330 A"), "line": "ASIA CASE", "shell": CREAM, "lid": GREY, "thin": True}),
    "battery-70ah-agm": ("battery", {"rating": "70 Ah", "notes": ("12 V", "760 A"), "line": "AGM START-STOP", "lid": ORANGE, "stripe": GREY}),
    "battery-95ah-agm": ("battery", {"size": (353, 175, 190), "rating": "95 Ah AGM", "notes": ("12 V", "850 A"), "line": "AGM START-STOP", "lid": ORANGE, "shell": GREY, "stripe": GREY}),
    "battery-80ah-efb": ("battery", {"size": (315, 175, 190), "rating": "80 Ah EFB", "notes": ("12 V", "800 A"), "line": "START-STOP", "stripe": GREEN}),
    "battery-100ah": ("battery", {"size": (353, 175, 190), "rating": "100 Ah", "notes": ("12 V", "LEISURE"), "line": "DEEP CYCLE", "shell": SILVER, "lid": BLUE, "stripe": BLUE}),
    "oil-5w30-c3": ("oil-bottle", {"grade": "5W-30", "note": "ACEA C3", "made": "FULL SYNTHETIC"}),
    "oil-0w20": ("oil-bottle", {"grade": "0W-20", "note": "API SP", "made": "FULL SYNTHETIC", "jug_tint": SILVER}),
    "oil-5w40": ("oil-bottle", {"grade": "5W-40", "note": "A3/B4", "made": "FULL SYNTHETIC", "band_tint": RED, "cap_tint": RED}),
    "oil-10w40": ("oil-bottle", {"grade": "10W-40", "note": "A3/B3", "made": "PART SYNTHETIC", "jug_tint": BLUE, "band_tint": BLUE}),
    "oil-0w30-c2": ("oil-bottle", {"grade": "0W-30", "note": "ACEA C2", "made": "FULL SYNTHETIC", "jug_tint": SILVER, "band_tint": GREEN, "cap_tint": GREEN}),
    "oil-15w40": ("oil-bottle", {"grade": "15W-40", "note": "ACEA E2", "made": "MINERAL", "jug_tint": CREAM, "band_tint": BLACK, "cap_tint": BLACK}),
    "oil-5w30-a5": ("oil-bottle", {"grade": "5W-30", "note": "A5/B5", "made": "FULL SYNTHETIC", "band_tint": AMBER, "cap_tint": AMBER}),
    "oil-5w20": ("oil-bottle", {"grade": "5W-20", "note": "API SP", "made": "FULL SYNTHETIC", "jug_tint": SILVER, "band_tint": BLUE, "cap_tint": BLUE}),
    "coolant-37": ("coolant-can", {"line": "READY MIXED", "mark": "-37 °C"}),
    "coolant-concentrate": ("coolant-can", {"line": "CONCENTRATE", "can_tint": (0.66, 0.20, 0.27)}),
    "brake-disc-312": ("brake-disc", {"pair": True}),
    "brake-disc-280": ("brake-disc", {"holes": 0, "slots": 0}),
    "brake-disc-345": ("brake-disc", {"holes": 0, "slots": 0, "coat": (0.36, 0.365, 0.37), "ring": (0.36, 0.365, 0.37), "hat": 0.92, "thick": 1.15, "turn": 20}),
    "brake-disc-300-rear": ("brake-disc", {"holes": 0, "slots": 0, "hat": 1.13, "tall": 1.35, "inner": 0.66, "thick": 0.8, "turn": 36}),
    "brake-disc-330": ("brake-disc", {"holes": 48, "slots": 6, "hat": 0.95, "inner": 0.57, "coat": ORANGE, "turn": 12}),
    "brake-disc-256": ("brake-disc", {"holes": 0, "slots": 0, "bolts": 4, "hat": 1.05, "thick": 0.75, "vanes": 36, "coat": (0.30, 0.29, 0.275), "tint": (0.46, 0.45, 0.43)}),
    "brake-disc-304-van": ("brake-disc", {"holes": 0, "slots": 0, "bolts": 6, "tall": 1.6, "thick": 1.5, "vanes": 32, "azimuth": -38, "turn": 8}),
    "brake-disc-360": ("brake-disc", {"holes": 0, "slots": 12, "hat": 0.86, "tall": 0.85, "thick": 1.35, "vanes": 60, "inner": 0.55, "tint": (0.44, 0.445, 0.46)}),
    "brake-caliper-left": ("brake-caliper", {"mark": "L"}),
    "brake-caliper-right": ("brake-caliper", {"mark": "R", "azimuth": 32}),
    "brake-pads-front": ("brake-pads", {}),
    "brake-pads-rear": ("brake-pads", {"sensors": 0, "shape": (0.84, 0.80, 0.9), "color": GREY, "tint": (0.150, 0.135, 0.115), "squealer": False}),
    "brake-pads-van": ("brake-pads", {"sensors": 2, "shape": (1.10, 1.02, 1.5), "color": BLACK, "tint": (0.050, 0.050, 0.052)}),
    "kit-14-16": ("service-kit", {"label": "1.4 - 1.6"}),
    "kit-20-diesel": ("service-kit", {"diesel": True, "label": "2.0 DIESEL", "can": CREAM}),
    "kit-15-diesel": ("service-kit", {"diesel": True, "label": "1.5 DIESEL", "air": {"w": 1.75, "h": 1.55, "color": BLACK}}),
    "kit-12": ("service-kit", {"label": "1.2 TURBO", "plugs": 4, "can": BLUE, "band": BLUE, "air": {"w": 1.70, "h": 1.15}}),
    "kit-18-hybrid": ("service-kit", {"label": "1.8 HYBRID", "can": CREAM, "band": GREEN, "ring": GREEN, "air": {"w": 2.0, "h": 1.5, "color": GREEN}}),
    "kit-22-van": ("service-kit", {"diesel": True, "label": "2.2 DIESEL", "can": ORANGE, "air": {"foam": True, "color": BLACK}}),
    "kit-10": ("service-kit", {"label": "1.0", "plugs": 3, "can": CREAM, "air": {"round": ORANGE}}),
    "tire-205-55-r16": ("tyre", {"size": "205/55 R16 91V"}),
    "tire-195-65-r15": ("tyre", {"size": "195/65 R15 91H", "kind": "summer", "width": 0.95, "rim": 0.601, "spokes": 8, "paired": False, "slim": 1.15}),
    "tire-225-45-r17": ("tyre", {"size": "225/45 R17 94W", "kind": "summer", "width": 1.09, "rim": 0.681, "spokes": 10, "paired": False, "tint": (0.060, 0.062, 0.067)}),
    "tire-215-65-r16c": ("tyre", {"size": "215/65 R16C 109T", "kind": "van", "width": 0.97, "rim": 0.592, "spokes": 6, "paired": False, "slim": 1.7, "tint": (0.40, 0.41, 0.42)}),
    "tire-235-55-r18": ("tyre", {"size": "235/55 R18 100V", "kind": "touring", "width": 1.01, "rim": 0.639, "spokes": 5, "paired": False, "slim": 2.1, "tint": (0.34, 0.35, 0.37)}),
    "tire-185-65-r15": ("tyre", {"size": "185/65 R15 88T", "kind": "winter", "width": 0.92, "rim": 0.613, "spokes": 7, "paired": False, "slim": 1.3, "tint": (0.62, 0.63, 0.65)}),
    "tire-245-35-r19": ("tyre", {"size": "245/35 R19 93Y", "kind": "sport", "width": 1.16, "rim": 0.738, "spokes": 7, "paired": True, "slim": 0.7, "tint": (0.030, 0.031, 0.034)}),
    "alloy-17": ("alloy-wheel", {}),
    "alloy-16-winter": ("alloy-wheel", {"turned": False, "coat": (0.40, 0.41, 0.43), "spokes": 6, "wide": 0.85, "turn": 20}),
    "alloy-18": ("alloy-wheel", {"spokes": 10, "forked": False, "wide": 0.80, "turn": 0}),
    "wheel-350-sport": ("steering-wheel", {}),
    "wheel-370-heated": ("steering-wheel", {"flat": -2, "yarn": GREY, "marker": None, "paddles": 0, "warm": True}),
    "wheel-360-paddles": ("steering-wheel", {"flat": -2, "yarn": BLACK, "marker": None, "paddles": 1.35, "paddle_tint": ORANGE, "trim": (0.03, 0.03, 0.033)}),
    "wheel-355-suede": ("steering-wheel", {"hides": (0.075, 0.077, 0.083), "yarn": CREAM, "marker": CREAM, "paddles": 0, "trim": (0.03, 0.03, 0.033)}),
    "wheel-380-van": ("steering-wheel", {"flat": -2, "yarn": BLACK, "marker": None, "thick": 1.18, "paddles": 0.9}),
    "wheel-345": ("steering-wheel", {"flat": -0.80, "yarn": RED, "marker": RED, "thick": 1.06, "paddles": 1.1, "paddle_tint": BLACK}),
    "belt-kit-16": ("timing-belt", {}),
    "belt-kit-20": ("timing-belt", {"idlers": 2, "wide": 1.15, "arm": GREEN, "metal": True, "bolts": 4, "tint": (0.060, 0.030, 0.018)}),
    "turbo-20-diesel": ("turbocharger", {}),
    "turbo-16-diesel": ("turbocharger", {"actuator": "servo", "accent": BLACK, "water": False, "hose": False, "clock": 230}),
    "turbo-14": ("turbocharger", {"runners": 4, "hose": False, "clock": 170}),
    "turbo-30-v6": ("turbocharger", {"actuator": "servo", "accent": BLUE, "shield": True, "azimuth": 26}),
    "turbo-18": ("turbocharger", {"cover": (0.030, 0.031, 0.034), "water": False, "clock": 250, "azimuth": 44}),
    "turbo-22-diesel": ("turbocharger", {"actuator": "servo", "cover": (0.10, 0.105, 0.11), "shield": True, "clock": 185}),
    "turbo-10": ("turbocharger", {"actuator": "servo", "accent": (0.66, 0.080, 0.006), "runners": 3, "hose": False, "water": False, "clock": 215, "azimuth": 28}),
    "clutch-240": ("clutch", {}),
    "clutch-200": ("clutch", {"size": 0.86, "springs": 4, "tint": (0.075, 0.072, 0.066), "chips": (0.30, 0.24, 0.15), "coil": BLUE, "slots": 16, "tool": True}),
    "struts-compact": ("shock-absorber", {}),
    "struts-van": ("shock-absorber", {"coil": BLACK, "wire": 0.058, "turns": 5.0, "wide": 1.14, "shell": (0.40, 0.41, 0.42)}),
    "headlight-left": ("headlamp", {}),
    "headlight-cornering": ("headlamp", {"cornering": True}),
    "safety-set": ("first-aid-kit", {}),
    "safety-set-fleet": ("first-aid-kit", {"tint": (0.030, 0.031, 0.034), "plate_tint": ORANGE, "number": "No. 0147"}),
    "safety-set-van": ("first-aid-kit", {"tint": CREAM, "plate_tint": ORANGE, "shape": (1.12, 1.5, 1.08), "lines": ("VAN", "FIRST AID"), "screws": True}),
    "safety-set-rv": ("first-aid-kit", {"tint": GREEN, "lines": ("TRAVEL", "AID"), "triangle": "leaning"}),
    "safety-set-compact": ("first-aid-kit", {"shape": (0.82, 0.8, 0.72), "triangle": "folded"}),
    "safety-set-loaner": ("first-aid-kit", {"tint": BLUE, "seals": 5}),
}
