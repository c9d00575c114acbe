"""Pictures of parts from other sides: single steps of their turntables, with their shadows.

    python3 assets/views.py frontend/public/pictures

Needs dwebp and cwebp. A turntable has its steps in six columns, and below them all shadows in one row, at a quarter of their
size; see TURNTABLES in variants.py and docs/decisions/0075-turning-a-part.md.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from variants import TURN_COLUMNS, TURN_ROWS, TURNTABLES

WIDTH, HEIGHT = 480, 360
STEPS = TURN_COLUMNS * TURN_ROWS
# A step is 15 degrees.
VIEWS = {"right": 5, "back": 11, "left": 19}
WIDTHS = (320, 480)
QUALITY = 82


def decoded(sheet, x, y, width, height, scale):
    """Red, green, blue and alpha of a part of a picture, perhaps enlarged."""
    crop = ["-crop", str(x), str(y), str(width), str(height)]
    size = ["-scale", str(width * scale), str(height * scale)] if scale > 1 else []
    pam = subprocess.run(["dwebp", "-quiet", sheet, "-pam", *crop, *size, "-o", "-"], check=True, capture_output=True).stdout
    return pam[pam.index(b"ENDHDR\n") + 7 :]


def over(front, back):
    """One picture over another, neither with its alpha multiplied in."""
    out = bytearray(len(front))
    for at in range(0, len(front), 4):
        above, below = front[at + 3], back[at + 3]
        if above == 255 or below == 0:
            out[at : at + 4] = front[at : at + 4]
            continue
        rest = below * (255 - above) / 255
        alpha = above + rest
        for channel in range(3):
            out[at + channel] = round((front[at + channel] * above + back[at + channel] * rest) / alpha)
        out[at + 3] = round(alpha)
    return bytes(out)


def view(sheet, step):
    """A step with its shadow, as PAM."""
    x, y = step % TURN_COLUMNS * WIDTH, step // TURN_COLUMNS * HEIGHT
    part = decoded(sheet, x, y, WIDTH, HEIGHT, 1)
    small = (WIDTH // TURN_ROWS, HEIGHT // TURN_ROWS)
    shadow = decoded(sheet, step * small[0], TURN_ROWS * HEIGHT, *small, TURN_ROWS)
    head = f"P7\nWIDTH {WIDTH}\nHEIGHT {HEIGHT}\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
    return head.encode() + over(part, shadow)


def main(pictures):
    with tempfile.TemporaryDirectory() as folder:
        for name in TURNTABLES:
            for side, step in VIEWS.items():
                raw = Path(folder, "view.pam")
                raw.write_bytes(view(str(pictures / "turns" / f"{name}.webp"), step))
                for width in WIDTHS:
                    out = pictures / "parts" / f"{name}-{side}-{width}.webp"
                    command = ["cwebp", "-quiet", "-m", "6", "-q", str(QUALITY), "-resize", str(width), "0"]
                    subprocess.run([*command, str(raw), "-o", str(out)], check=True)
                    print(out, out.stat().st_size)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
