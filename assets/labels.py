"""Pictures of sizes: a part's own render with a card that says the size, and the accent of its brand.

labels.py OUT [SLUG...]     labels what is named, or all, from the pictures in OUT
labels.py --of SLUG         names the pictures that are made from this one

A size is a few millimeters that no camera sees; the card tells neighbors apart, and costs no render.
"""

import os
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

# Hues of 256 that the orange of a render becomes: that of the shop's own brand stays.
ORANGE, RED, BLUE = None, 0, 150
# How far a picture's orange wanders, and how colorful it is at least.
HUES, COLORFUL = range(4, 30), 110

PAPER, INK, EDGE = (236, 231, 221, 255), (26, 27, 30, 255), {None: (217, 90, 22, 255), RED: (176, 34, 28, 255), BLUE: (38, 84, 140, 255)}
FACES = (
    "/usr/share/fonts/truetype/dejavu/DejaVuSansCondensed-Bold.ttf",
    "/usr/share/fonts/TTF/DejaVuSansCondensed-Bold.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSansCondensed-Bold.ttf",
)
# A shadow fainter than this, of 255, is none.
FAINT = 12
WIDTHS = ((480, 13_000), (320, 7_500))

# The picture, the one that it is made from, what the card says, the accent.
LABELS = {
    "brake-disc-256-260-mm": ("brake-disc-256", "260 mm", ORANGE),
    "brake-disc-280-266-mm": ("brake-disc-280", "266 mm", ORANGE),
    "brake-disc-280-276-mm": ("brake-disc-280", "276 mm", ORANGE),
    "brake-disc-280-288-mm": ("brake-disc-280", "288 mm", ORANGE),
    "brake-disc-345-296-mm": ("brake-disc-345", "296 mm", ORANGE),
    "brake-disc-345-302-mm": ("brake-disc-345", "302 mm", ORANGE),
    "brake-disc-300-rear-310-mm": ("brake-disc-300-rear", "310 mm", ORANGE),
    "brake-disc-345-320-mm": ("brake-disc-345", "320 mm", ORANGE),
    "brake-disc-304-van-328-mm": ("brake-disc-304-van", "328 mm", BLUE),
    "brake-disc-304-van-338-mm": ("brake-disc-304-van", "338 mm", BLUE),
    "brake-disc-304-van-350-mm": ("brake-disc-304-van", "350 mm", BLUE),
    "brake-disc-256-282-mm": ("brake-disc-256", "282 mm", ORANGE),
    "brake-disc-300-rear-294-mm": ("brake-disc-300-rear", "294 mm", ORANGE),
    "brake-disc-360-340-mm": ("brake-disc-360", "340 mm", RED),
    "brake-disc-330-355-mm": ("brake-disc-330", "355 mm", RED),
    "brake-pads-rear-123-56-mm": ("brake-pads-rear", "123 × 56 mm", ORANGE),
    "brake-pads-front-132-58-mm": ("brake-pads-front", "132 × 58 mm", ORANGE),
    "brake-pads-front-155-66-mm": ("brake-pads-front", "155 × 66 mm", ORANGE),
    "brake-pads-front-148-62-mm": ("brake-pads-front", "148 × 62 mm", ORANGE),
    "brake-pads-front-156-74-mm": ("brake-pads-front", "156 × 74 mm", ORANGE),
    "brake-pads-rear-124-59-mm": ("brake-pads-rear", "124 × 59 mm", ORANGE),
    "brake-pads-van-188-66-mm": ("brake-pads-van", "188 × 66 mm", BLUE),
    "brake-pads-van-190-72-mm": ("brake-pads-van", "190 × 72 mm", BLUE),
    "brake-pads-front-sport-168-mm": ("brake-pads-front", "SPORT 168 mm", RED),
    "brake-hose-450-mm": ("brake-hose-380-mm", "450 mm", ORANGE),
    "brake-hose-265-mm": ("brake-hose-380-mm", "265 mm", ORANGE),
    "brake-hose-520-mm": ("brake-hose-380-mm", "520 mm", BLUE),
    "brake-drum-203-mm": ("brake-drum-200-mm", "203 mm", ORANGE),
    "brake-drum-228-mm": ("brake-drum-200-mm", "228 mm", ORANGE),
    "brake-drum-254-mm": ("brake-drum-200-mm", "254 mm", BLUE),
    "brake-shoes-203-mm": ("brake-shoes-200-mm", "203 mm", ORANGE),
    "brake-shoes-228-mm": ("brake-shoes-200-mm", "228 mm", ORANGE),
    "brake-shoes-254-mm": ("brake-shoes-200-mm", "254 mm", BLUE),
    "brake-reservoir-74-mm": ("brake-reservoir-62-mm", "74 mm", ORANGE),
    "speed-sensor-1-120-mm": ("speed-sensor-950-mm", "1,120 mm", ORANGE),
    "speed-sensor-1-380-mm": ("speed-sensor-950-mm", "1,380 mm", ORANGE),
    "speed-sensor-640-mm": ("speed-sensor-950-mm", "640 mm", ORANGE),
    "struts-compact-168-mm": ("struts-compact", "168 mm", ORANGE),
    "struts-compact-175-mm": ("struts-compact", "175 mm", ORANGE),
    "struts-compact-192-mm": ("struts-compact", "192 mm", ORANGE),
    "struts-van-210-mm": ("struts-van", "210 mm", ORANGE),
    "struts-van-224-mm": ("struts-van", "224 mm", BLUE),
    "struts-compact-155-mm": ("struts-compact", "155 mm", RED),
    "coil-spring-345-mm": ("coil-spring-320-mm", "345 mm", ORANGE),
    "coil-spring-360-mm": ("coil-spring-320-mm", "360 mm", ORANGE),
    "coil-spring-black-410-mm": ("coil-spring-black-298-mm", "410 mm", BLUE),
    "coil-spring-285-mm": ("coil-spring-320-mm", "285 mm", RED),
    "control-arm-right": ("control-arm-left", "RIGHT", ORANGE),
    "control-arm-straight-rear": ("control-arm-straight-16-mm", "REAR", ORANGE),
    "control-arm-left-hd": ("control-arm-left", "LEFT HD", BLUE),
    "wheel-bearing-40-74-mm": ("wheel-bearing-39-72-mm", "40 × 74 mm", ORANGE),
    "wheel-bearing-45-84-mm": ("wheel-bearing-39-72-mm", "45 × 84 mm", ORANGE),
    "wheel-bearing-29-53-mm": ("wheel-bearing-39-72-mm", "29 × 53 mm", ORANGE),
    "hub-bearing-5-114-3": ("hub-bearing-5-112", "5 × 114.3", ORANGE),
    "hub-bearing-6-139-7": ("hub-bearing-5-112", "6 × 139.7", BLUE),
    "drive-shaft-612-mm": ("drive-shaft-580-mm", "612 mm", ORANGE),
    "drive-shaft-905-mm": ("drive-shaft-580-mm", "905 mm", ORANGE),
    "drive-shaft-948-mm": ("drive-shaft-580-mm", "948 mm", ORANGE),
    "drive-shaft-720-mm": ("drive-shaft-580-mm", "720 mm", BLUE),
    "engine-mount-left": ("engine-mount-right", "LEFT", ORANGE),
    "engine-mount-rear": ("engine-mount-right", "REAR", ORANGE),
    "engine-mount-diesel": ("engine-mount-right", "DIESEL", ORANGE),
    "stabilizer-link-135-mm": ("stabilizer-link-98-mm", "135 mm", ORANGE),
    "stabilizer-link-260-mm": ("stabilizer-link-98-mm", "260 mm", ORANGE),
    "stabilizer-link-285-mm": ("stabilizer-link-98-mm", "285 mm", ORANGE),
    "stabilizer-link-330-mm": ("stabilizer-link-98-mm", "330 mm", ORANGE),
    "tie-rod-right": ("tie-rod-left", "RIGHT", ORANGE),
    "tie-rod-m16-1-5": ("tie-rod-left", "M16 × 1.5", ORANGE),
    "tie-rod-m18-1-5": ("tie-rod-left", "M18 × 1.5", ORANGE),
    "ball-joint-20-mm": ("ball-joint-18-mm", "20 mm", ORANGE),
    "ball-joint-press-46-mm": ("ball-joint-press-41-mm", "46 mm", BLUE),
    "alternator-120-a": ("alternator-90-a", "120 A", ORANGE),
    "alternator-140-a": ("alternator-90-a", "140 A", ORANGE),
    "alternator-180-a": ("alternator-90-a", "180 A", ORANGE),
    "alternator-220-a": ("alternator-90-a", "220 A", BLUE),
    "starter-1-4-kw": ("starter-1-0-kw", "1.4 kW", ORANGE),
    "starter-2-0-kw": ("starter-1-0-kw", "2.0 kW", ORANGE),
    "starter-2-2-kw": ("starter-1-0-kw", "2.2 kW", ORANGE),
    "water-pump-7-vanes": ("water-pump-6-vanes", "7 VANES", ORANGE),
    "water-pump-8-vanes": ("water-pump-6-vanes", "8 VANES", ORANGE),
    "water-pump-electric": ("water-pump-6-vanes", "ELECTRIC", ORANGE),
    "radiator-650-415": ("radiator-520-398", "650 × 415", ORANGE),
    "radiator-710-470": ("radiator-520-398", "710 × 470", ORANGE),
    "radiator-780-520": ("radiator-520-398", "780 × 520", ORANGE),
    "thermostat-88-c": ("thermostat-82-c", "88 °C", ORANGE),
    "thermostat-92-c": ("thermostat-82-c", "92 °C", ORANGE),
    "thermostat-cover-105-c": ("thermostat-cover-87-c", "105 °C", ORANGE),
    "drive-belt-5pk970": ("drive-belt-4pk855", "5PK970", ORANGE),
    "drive-belt-6pk1050": ("drive-belt-4pk855", "6PK1050", ORANGE),
    "drive-belt-6pk1733": ("drive-belt-4pk855", "6PK1733", ORANGE),
    "drive-belt-6pk2100": ("drive-belt-4pk855", "6PK2100", ORANGE),
    "drive-belt-7pk2480": ("drive-belt-4pk855", "7PK2480", ORANGE),
    "tensioner-65-mm": ("tensioner-60-mm", "65 mm", ORANGE),
    "tensioner-70-mm": ("tensioner-60-mm", "70 mm", ORANGE),
    "oil-filter-68-85-mm": ("oil-filter-66-73-mm", "68 × 85 mm", ORANGE),
    "oil-filter-76-123-mm": ("oil-filter-66-73-mm", "76 × 123 mm", ORANGE),
    "oil-filter-93-142-mm": ("oil-filter-66-73-mm", "93 × 142 mm", BLUE),
    "oil-filter-blue-90-100-mm": ("oil-filter-blue-65-65-mm", "90 × 100 mm", ORANGE),
    "air-filter-280-207": ("air-filter-245-168", "280 × 207", ORANGE),
    "air-filter-312-198": ("air-filter-245-168", "312 × 198", ORANGE),
    "air-filter-345-136": ("air-filter-245-168", "345 × 136", ORANGE),
    "air-filter-round-215-360": ("air-filter-round-176-230", "215 × 360", ORANGE),
    "cabin-filter-235-205": ("cabin-filter-216-200", "235 × 205", ORANGE),
    "cabin-filter-280-206": ("cabin-filter-216-200", "280 × 206", ORANGE),
    "cabin-filter-carbon-280-206-c": ("cabin-filter-carbon-216-200-c", "280 × 206 C", ORANGE),
    "fuel-filter-80-mm": ("fuel-filter-55-mm", "80 mm", ORANGE),
    "fuel-filter-88-mm": ("fuel-filter-55-mm", "88 mm", ORANGE),
    "fuel-filter-74-mm": ("fuel-filter-55-mm", "74 mm", ORANGE),
    "spark-plug-platinum-1-0": ("spark-plug-nickel-0-7", "PLATINUM 1.0", ORANGE),
    "spark-plug-iridium-1-1": ("spark-plug-nickel-0-7", "IRIDIUM 1.1", ORANGE),
    "spark-plug-iridium-0-8": ("spark-plug-nickel-0-7", "IRIDIUM 0.8", ORANGE),
    "spark-plug-iridium-0-9": ("spark-plug-nickel-0-7", "IRIDIUM 0.9", RED),
    "glow-plug-134-mm": ("glow-plug-110-mm", "134 mm", ORANGE),
    "glow-plug-156-mm": ("glow-plug-110-mm", "156 mm", ORANGE),
    "ignition-coil-3-pins": ("ignition-coil-4-pins", "3 PINS", ORANGE),
    "ignition-coil-3-pins-2": ("ignition-coil-4-pins", "RAIL, 3 PINS", ORANGE),
    "ignition-coil-sport": ("ignition-coil-4-pins", "SPORT", RED),
    "oxygen-sensor-590-mm": ("oxygen-sensor-340-mm", "590 mm", ORANGE),
    "oxygen-sensor-980-mm": ("oxygen-sensor-340-mm", "980 mm", ORANGE),
    "oxygen-sensor-420-mm": ("oxygen-sensor-340-mm", "420 mm", ORANGE),
    "fuel-pump-4-0-bar": ("fuel-pump-3-0-bar", "4.0 BAR", ORANGE),
    "fuel-pump-6-0-bar": ("fuel-pump-3-0-bar", "6.0 BAR", ORANGE),
    "fuel-pump-0-5-bar": ("fuel-pump-3-0-bar", "0.5 BAR", ORANGE),
    "muffler-480-mm": ("muffler-420-mm", "480 mm", ORANGE),
    "muffler-510-mm": ("muffler-420-mm", "510 mm", RED),
    "catalyst-rear": ("catalyst-gasoline", "REAR", ORANGE),
    "catalyst-diesel": ("catalyst-gasoline", "DIESEL", ORANGE),
    "turbo-10-1-2": ("turbo-10", "1.2", ORANGE),
    "turbo-14-2-0": ("turbo-14", "2.0", ORANGE),
    "turbo-22-diesel-6-7": ("turbo-22-diesel", "6.7", BLUE),
    "clutch-200-220-mm": ("clutch-200", "220 mm", ORANGE),
    "clutch-240-228-mm": ("clutch-240", "228 mm", ORANGE),
    "clutch-240-280-mm": ("clutch-240", "280 mm", BLUE),
    "belt-kit-16-124-teeth": ("belt-kit-16", "124 TEETH", ORANGE),
    "belt-kit-16-153-teeth": ("belt-kit-16", "153 TEETH", ORANGE),
    "belt-kit-20-211-teeth": ("belt-kit-20", "211 TEETH", ORANGE),
    "wiper-18-in": ("wiper-16-in", "18 IN", ORANGE),
    "wiper-20-in": ("wiper-16-in", "20 IN", ORANGE),
    "wiper-22-in": ("wiper-16-in", "22 IN", ORANGE),
    "wiper-24-in": ("wiper-16-in", "24 IN", ORANGE),
    "wiper-26-in": ("wiper-16-in", "26 IN", ORANGE),
    "wiper-pair-26-18-in": ("wiper-pair-24-16-in", "26 + 18 IN", ORANGE),
    "tail-lamp-right": ("tail-lamp-left", "RIGHT", ORANGE),
    "tail-lamp-classic-right": ("tail-lamp-classic-left", "RIGHT", ORANGE),
    "bulb-60-55-w": ("bulb-55-w", "60/55 W", ORANGE),
    "bulb-long-life": ("bulb-55-w", "LONG LIFE", BLUE),
    "bulb-led-18-w": ("bulb-led-25-w", "18 W", RED),
    "tire-all-season-205-60-r16": ("tire-all-season-195-60-r15", "205/60 R16", ORANGE),
    "tire-all-season-215-55-r17": ("tire-all-season-195-60-r15", "215/55 R17", ORANGE),
    "tire-all-season-215-60-r16": ("tire-all-season-195-60-r15", "215/60 R16", ORANGE),
    "tire-all-season-225-50-r17": ("tire-all-season-195-60-r15", "225/50 R17", ORANGE),
    "tire-all-season-225-65-r17": ("tire-all-season-195-60-r15", "225/65 R17", ORANGE),
    "tire-all-season-235-45-r18": ("tire-all-season-195-60-r15", "235/45 R18", ORANGE),
    "tire-all-season-235-65-r17": ("tire-all-season-195-60-r15", "235/65 R17", ORANGE),
    "tire-all-season-255-50-r20": ("tire-all-season-195-60-r15", "255/50 R20", ORANGE),
    "tire-winter-205-55-r16": ("tire-winter-195-65-r15", "205/55 R16", ORANGE),
    "tire-winter-215-65-r16": ("tire-winter-195-65-r15", "215/65 R16", ORANGE),
    "tire-winter-225-45-r17": ("tire-winter-195-65-r15", "225/45 R17", ORANGE),
    "tire-winter-235-60-r18": ("tire-winter-195-65-r15", "235/60 R18", ORANGE),
    "tire-winter-245-45-r19": ("tire-winter-195-65-r15", "245/45 R19", ORANGE),
    "tire-light-truck-lt245-75-r17": ("tire-light-truck-lt225-75-r16", "LT245/75 R17", BLUE),
    "tire-light-truck-lt265-70-r17": ("tire-light-truck-lt225-75-r16", "LT265/70 R17", BLUE),
    "tire-light-truck-lt275-65-r18": ("tire-light-truck-lt225-75-r16", "LT275/65 R18", BLUE),
    "tire-light-truck-lt275-60-r20": ("tire-light-truck-lt225-75-r16", "LT275/60 R20", BLUE),
    "inner-tube-15-in": ("inner-tube-13-in", "15 IN", BLUE),
    "inner-tube-16-in": ("inner-tube-13-in", "16 IN", BLUE),
    "alloy-16-winter-4-100": ("alloy-16-winter", "4 × 100", ORANGE),
    "alloy-17-7j-16": ("alloy-17", "7J × 16", ORANGE),
    "alloy-18-8j-18": ("alloy-18", "8J × 18", ORANGE),
    "alloy-18-9j-20": ("alloy-18", "9J × 20", BLUE),
    "wheel-370-heated-365-mm": ("wheel-370-heated", "365 mm", ORANGE),
    "wheel-360-paddles-375-mm": ("wheel-360-paddles", "375 mm", ORANGE),
    "wheel-380-van-390-mm": ("wheel-380-van", "390 mm", BLUE),
    "steering-cover-38-cm": ("steering-cover-37-cm", "38 cm", ORANGE),
    "steering-cover-45-cm": ("steering-cover-37-cm", "45 cm", BLUE),
    "hub-adapter-40-splines": ("hub-adapter-36-splines", "40 SPLINES", ORANGE),
    "hub-adapter-48-splines": ("hub-adapter-36-splines", "48 SPLINES", ORANGE),
    "kit-gasoline-2-5": ("kit-gasoline-2-0", "2.5", ORANGE),
    "kit-gasoline-3-5-v6": ("kit-gasoline-2-0", "3.5 V6", ORANGE),
    "kit-gasoline-5-3-v8": ("kit-gasoline-2-0", "5.3 V8", BLUE),
    "kit-diesel-3-0-v6": ("kit-diesel-1-6", "3.0 V6", ORANGE),
    "battery-plain-55-ah": ("battery-plain-53-ah", "55 Ah", ORANGE),
    "battery-plain-62-ah": ("battery-plain-53-ah", "62 Ah", ORANGE),
    "battery-plain-85-ah": ("battery-plain-53-ah", "85 Ah", ORANGE),
    "battery-agm-80-ah": ("battery-agm-60-ah", "80 Ah", ORANGE),
    "battery-agm-105-ah": ("battery-agm-60-ah", "105 Ah", ORANGE),
    "battery-auxiliary-15-ah": ("battery-auxiliary-12-ah", "15 Ah", ORANGE),
    "battery-auxiliary-35-ah": ("battery-auxiliary-12-ah", "35 Ah", ORANGE),
    "charger-8-a": ("charger-4-a", "8 A", ORANGE),
    "charger-15-a": ("charger-4-a", "15 A", BLUE),
    "charger-25-a": ("charger-4-a", "25 A", BLUE),
    "terminal-12-7-mm": ("terminal-17-5-mm", "12.7 mm", ORANGE),
    "terminal-70-mm2": ("terminal-17-5-mm", "70 mm²", ORANGE),
    "oil-quart-5w-30": ("oil-quart-0w-20", "5W-30", ORANGE),
    "oil-quart-5w-40": ("oil-quart-0w-20", "5W-40", ORANGE),
    "oil-quart-0w-16": ("oil-quart-0w-20", "0W-16", ORANGE),
    "transmission-fluid-atf-8": ("transmission-fluid-atf-vi", "ATF 8", ORANGE),
    "transmission-fluid-cvt": ("transmission-fluid-atf-vi", "CVT", ORANGE),
    "transmission-fluid-75w-90": ("transmission-fluid-atf-vi", "75W-90", ORANGE),
    "transmission-fluid-dct": ("transmission-fluid-atf-vi", "DCT", ORANGE),
    "coolant-37-green": ("coolant-37", "GREEN", ORANGE),
    "coolant-37-blue": ("coolant-37", "BLUE", ORANGE),
    "coolant-concentrate-violet": ("coolant-concentrate", "VIOLET", ORANGE),
    "brake-fluid-dot-4": ("brake-fluid-dot-3", "DOT 4", ORANGE),
    "brake-fluid-dot-4-lv": ("brake-fluid-dot-3", "DOT 4 LV", ORANGE),
    "brake-fluid-dot-5-1": ("brake-fluid-dot-3", "DOT 5.1", RED),
    "washer-fluid-summer": ("washer-fluid-25-c", "SUMMER", ORANGE),
    "washer-fluid-1-2": ("washer-fluid-25-c", "1 : 2", ORANGE),
    "exhaust-fluid-5-l": ("exhaust-fluid-10-l", "5 L", ORANGE),
    "exhaust-fluid-20-l": ("exhaust-fluid-10-l", "20 L", ORANGE),
    "steering-fluid-red": ("steering-fluid-green", "RED", ORANGE),
    "first-aid-85-parts": ("first-aid-44-parts", "85 PARTS", ORANGE),
    "first-aid-31-parts": ("first-aid-44-parts", "31 PARTS", ORANGE),
    "triangle-400-mm": ("triangle-440-mm", "400 mm", ORANGE),
    "vest-size-xl": ("vest-size-l", "SIZE XL", ORANGE),
    "vest-size-3xl": ("vest-size-l", "SIZE 3XL", ORANGE),
    "extinguisher-2-kg": ("extinguisher-1-kg", "2 kg", ORANGE),
    "extinguisher-6-kg": ("extinguisher-1-kg", "6 kg", ORANGE),
    "tow-rope-5-t": ("tow-rope-3-t", "5 t", ORANGE),
    "tow-rope-10-t": ("tow-rope-3-t", "10 t", ORANGE),
    "snow-chains-group-90": ("snow-chains-group-70", "GROUP 90", ORANGE),
    "snow-chains-group-240": ("snow-chains-group-70", "GROUP 240", ORANGE),
}


def accented(picture, hue):
    """The picture with another accent."""
    if hue is None:
        return picture
    alpha = picture.getchannel("A")
    h, s, v = picture.convert("RGB").convert("HSV").split()
    orange = h.point(lambda one: 255 if one in HUES else 0)
    colorful = s.point(lambda one: 255 if one >= COLORFUL else 0)
    mask = Image.composite(orange, Image.new("L", h.size, 0), colorful)
    turned = Image.merge("HSV", (h.point(lambda _: hue), s, v))
    mixed = Image.composite(turned.convert("RGB"), picture.convert("RGB"), mask)
    mixed.putalpha(alpha)
    return mixed


def labelled(picture, words, hue):
    """The picture with a card in its lower right corner, over a shadow of its own."""
    width, height = picture.size
    k = width / 640
    face = next((path for path in FACES if os.path.exists(path)), None)
    font = ImageFont.truetype(face, round(27 * k)) if face else ImageFont.load_default(round(27 * k))
    wide = round(font.getlength(words) + 40 * k)
    box = (width - wide - round(20 * k), height - round(74 * k), width - round(20 * k), height - round(24 * k))
    shadow = Image.new("RGBA", picture.size, (0, 0, 0, 0))
    ImageDraw.Draw(shadow).rounded_rectangle((box[0], box[1] + 5 * k, box[2], box[3] + 5 * k), 6 * k, (0, 0, 0, 110))
    out = Image.alpha_composite(picture, shadow.filter(ImageFilter.GaussianBlur(6 * k)))
    card = Image.new("RGBA", picture.size, (0, 0, 0, 0))
    draw = ImageDraw.Draw(card)
    draw.rounded_rectangle(box, 6 * k, PAPER)
    draw.rounded_rectangle((box[0], box[1], box[0] + 9 * k, box[3]), 4 * k, EDGE[hue])
    draw.text(((box[0] + box[2]) / 2 + 5 * k, (box[1] + box[3]) / 2), words, INK, font, anchor="mm")
    return Image.alpha_composite(out, card)


def _mean(values, radius):
    """The mean over a square."""
    side = 2 * radius + 1
    for axis in (0, 1):
        count = values.shape[axis]
        padded = np.pad(values, [(radius, radius) if axis == each else (0, 0) for each in (0, 1)], mode="edge")
        sums = np.cumsum(np.insert(padded, 0, 0, axis=axis), axis=axis)
        values = (np.take(sums, range(side, side + count), axis=axis) - np.take(sums, range(count), axis=axis)) / side
    return values


def settled(picture):
    """The picture with a shadow that is smooth and ends: the grain of a short render is most of a small file."""
    pixels = np.asarray(picture).astype(float)
    alpha, bright = pixels[..., 3], pixels[..., :3].max(-1)
    part = Image.fromarray((((alpha >= 235) | ((bright >= 16) & (alpha > 24))) * 255).astype("uint8"))
    part = np.asarray(part.filter(ImageFilter.MaxFilter(3))) > 0
    radius = max(2, picture.width // 80)
    shadow, there = alpha * ~part, (~part).astype(float)
    for _ in range(2):
        shadow, there = _mean(shadow, radius), _mean(there, radius)
    shadow = np.maximum(shadow / np.maximum(there, 1e-6) - FAINT, 0) * 255 / (255 - FAINT)
    pixels[..., 3] = np.where(part, alpha, np.round(shadow / 2) * 2)
    pixels[..., :3] *= part[..., None]
    return Image.fromarray(pixels.clip(0, 255).astype("uint8"), "RGBA")


def encode(picture, width, limit, target):
    """Writes the picture in a width, at a quality at which it is small, but no worse than it may be."""
    with tempfile.NamedTemporaryFile(suffix=".png") as png:
        settled(picture.resize((width, width * 3 // 4), Image.LANCZOS)).save(png.name)
        for quality in (64, 58, 52):
            how = ["-m", "4", "-sharp_yuv", "-q", str(quality), "-alpha_q", "80"]
            subprocess.run(["cwebp", "-quiet", *how, png.name, "-o", target], check=True)
            if os.path.getsize(target) <= limit:
                return


def main():
    folder, *slugs = sys.argv[1:]
    if folder == "--of":
        print(*(slug for slug, (base, _, _) in LABELS.items() if base in slugs))
        return
    for slug in slugs or LABELS:
        base, words, hue = LABELS[slug]
        picture = Image.open(os.path.join(folder, "parts", f"{base}-640.webp")).convert("RGBA")
        picture = labelled(accented(picture, hue), words, hue)
        for width, limit in WIDTHS:
            encode(picture, width, limit, os.path.join(folder, "parts", f"{slug}-{width}.webp"))


if __name__ == "__main__":
    main()
