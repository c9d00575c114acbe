"""The same ventilated disc with plain faces, as most cars have it."""

from models.brake_disc import disc
from studio import *  # noqa: F403


def build():
    front = disc(drilled=False)
    transform(front, rot("X", 84))
    drop(front)
    return {"azimuth": -30, "elevation": 12, "fill": (0.70, 0.80)}
