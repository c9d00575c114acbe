"""What a diesel's yearly service needs: oil filter, air filter, four glow plugs, a ribbed belt."""

from models.service_kit import glow_plug, lay_out


def build():
    return lay_out(glow_plug(), 0.108)
