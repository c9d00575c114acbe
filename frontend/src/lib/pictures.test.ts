import { describe, expect, it } from 'vitest';
import { pictureSource } from './pictures';

const hash = '0123456789abcdef'.repeat(4);

describe('the widths of a picture', () => {
  it.each([
    [960, [320, 640, 960]],
    [640, [320, 640]],
  ])('end with its own for a picture of the catalogue of %i pixels', (width, widths) => {
    const base = '/pictures/parts/brake-disc-300-rear';
    expect(pictureSource(`${base}-${width}.webp`)).toEqual({
      src: `${base}-${width}.webp`,
      srcSet: widths.map((each) => `${base}-${each}.webp ${each}w`).join(', '),
    });
  });

  it('are three for the pictures of older demos', () => {
    expect(pictureSource('/pictures/tyre-640.webp')).toEqual({
      src: '/pictures/tyre-640.webp',
      srcSet:
        '/pictures/tyre-320.webp 320w, /pictures/tyre-640.webp 640w, /pictures/tyre-960.webp 960w',
    });
  });

  it.each([
    [1600, [320, 640, 960, 1600]],
    [961, [320, 640, 960, 961]],
    [960, [320, 640, 960]],
    [700, [320, 640, 700]],
    [321, [320, 321]],
  ])('are those that an upload of %i pixels was stored in', (width, widths) => {
    const img = `/images/${hash}-${width}.webp`;
    expect(pictureSource(img)).toEqual({
      src: img,
      srcSet: widths.map((each) => `/images/${hash}-${each}.webp ${each}w`).join(', '),
    });
  });

  it.each([
    ['a small upload', `/images/${hash}-320.webp`],
    ['an upload of before there were widths', `/images/${hash}.webp`],
    ['a name that the server does not give', `/images/${hash}-0640.webp`],
    ['another one', `/images/${hash.slice(1)}-640.webp`],
    ['a picture at an image host', `https://i.ibb.co/images/${hash}-1600.webp`],
    ['any other picture', 'https://pictures.example.com/pictures/tyre-640.webp'],
    ['none', ''],
  ])('are unknown for %s', (_what, img) => {
    expect(pictureSource(img)).toEqual({ src: img });
  });
});
