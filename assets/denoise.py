"""Takes the grain out of a render without a trained network: non-local means, guided by surface colour and normal.

Debian's Blender has no denoiser, and clean soft light would cost ten times the samples. A pixel is averaged with
those neighbours whose small surroundings look alike *and* that lie on the same material with the same slope, so
lettering, edges and bumps stay. numpy comes with Blender.
"""

import numpy as np


def box_mean(a, r):
    """Mean over a (2r+1) square, edges repeated."""
    p = np.pad(a, ((r + 1, r), (r + 1, r)), mode="edge")
    c = p.cumsum(0, dtype=np.float64).cumsum(1)
    n = 2 * r + 1
    return ((c[n:, n:] - c[:-n, n:] - c[n:, :-n] + c[:-n, :-n]) / (n * n)).astype(np.float32)


def denoise(first, second, albedo, normal, strength=1.0, radius=6):
    """Returns the cleaned picture.

    first, second   the same picture rendered with two seeds, height x width x 3, display values from 0 to 1; where
                    they differ there is grain, and only there is anything smoothed
    albedo, normal  the render's guides, same shape
    strength        how much difference counts as grain
    """
    rgb = (first + second) * 0.5
    var = box_mean(((first - second) ** 2).mean(2) * 0.25, 3) * (strength * strength) + 1e-7
    guide = np.concatenate([np.clip(albedo, 0, 1.5) * 14.0, np.clip(normal, -1, 1) * 7.0], axis=2).astype(np.float32)
    h, w, _ = rgb.shape
    total = rgb.copy()
    weight = np.ones((h, w), np.float32)
    for dy in range(0, radius + 1):
        for dx in range(-radius, radius + 1):
            if (dy == 0 and dx <= 0) or dy * dy + dx * dx > (radius + 0.5) ** 2:
                continue
            a = (slice(0, h - dy), slice(max(0, -dx), min(w, w - dx)))
            b = (slice(dy, h), slice(max(0, dx), min(w, w + dx)))
            both = var[a] + var[b]
            d = ((rgb[a] - rgb[b]) ** 2).mean(2)
            d = box_mean((d - both) / (0.35 * both), 1)
            g = ((guide[a] - guide[b]) ** 2).sum(2)
            k = np.exp(-np.maximum(d, 0) - g)
            total[a] += rgb[b] * k[..., None]
            total[b] += rgb[a] * k[..., None]
            weight[a] += k
            weight[b] += k
    return total / weight[..., None]
