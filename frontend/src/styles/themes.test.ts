import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync('src/styles/themes.css', 'utf8');

function tokensOf(theme: string): Map<string, string> {
  const block = css.split('@plugin').find((part) => part.includes(`name: '${theme}'`)) ?? '';
  return new Map(
    [...block.matchAll(/--(?:color-)?([a-z0-9-]+):\s*(#[0-9a-f]{6});/g)].map((match) => [
      match[1] ?? '',
      match[2] ?? '',
    ]),
  );
}

/** WCAG 2.2 relative luminance of an sRGB colour written as #rrggbb. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [
    number,
    number,
  ];
  return (light + 0.05) / (dark + 0.05);
}

const backgrounds = ['base-100', 'base-200', 'surface', 'backdrop'];
const textColors = ['base-content', 'muted', 'accent', 'success', 'warning', 'error', 'info'];
const fills = ['primary', 'secondary', 'accent', 'neutral', 'info', 'success', 'warning', 'error'];

describe.each(['driveline-light', 'driveline-dark'])('%s', (theme) => {
  const tokens = tokensOf(theme);
  const ratio = (one: string, other: string) => {
    const [first, second] = [tokens.get(one), tokens.get(other)];
    if (!first || !second) throw new Error(`${theme} lacks ${one} or ${other}`);
    return contrast(first, second);
  };

  it.each(
    textColors.flatMap((textColor) => backgrounds.map((ground) => [textColor, ground] as const)),
  )('reads as small text: %s on %s (AA, 4.5)', (textColor, ground) => {
    expect(ratio(textColor, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it('does not glare behind pictures: their backdrop is hardly lighter or darker than a card', () => {
    expect(ratio('backdrop', 'surface')).toBeGreaterThan(1.1);
    expect(ratio('backdrop', 'surface')).toBeLessThan(1.5);
  });

  it.each(fills)('reads as small text on a filled %s (AA, 4.5)', (fill) => {
    expect(ratio(`${fill}-content`, fill)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(['base-100', 'surface'])('shows where a field ends on %s (AA, 3)', (ground) => {
    expect(ratio('edge', ground)).toBeGreaterThanOrEqual(3);
  });

  it.each(['base-100', 'base-200', 'surface'])('shows a filled button on %s (AA, 3)', (ground) => {
    expect(ratio('primary', ground)).toBeGreaterThanOrEqual(3);
  });
});

it('measures as WCAG does: black on white is 21, equal colours are 1', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.478, 2);
  expect(contrast('#b3410a', '#b3410a')).toBe(1);
});
