/** Of before every product had a picture of its own. */
const SHARED = /^(\/pictures\/[^/]+)-640\.webp$/;
/** A picture that was uploaded is named by its content, one of the catalogue by its part, and either by its own width. */
const SIZED = /^(\/images\/[0-9a-f]{64}|\/pictures\/parts\/[a-z0-9-]+)-([1-9]\d{0,3})\.webp$/;
const widths = [320, 640, 960];

interface PictureSource {
  src: string;
  srcSet?: string;
}

/** The widths in which the shop has one of its own pictures, and what stands before them in its addresses. */
function own(img: string): { base: string; widths: number[] } | null {
  const shared = SHARED.exec(img)?.[1];
  if (shared) return { base: shared, widths };
  const [, base, width] = SIZED.exec(img) ?? [];
  if (!base) return null;
  // There is each of the widths that is narrower than the picture, and none that is wider.
  return { base, widths: [...widths.filter((each) => each < Number(width)), Number(width)] };
}

/** Pictures of the shop itself exist in several widths; a picture from elsewhere only as it is. */
export function pictureSource(img: string): PictureSource {
  const found = own(img);
  if (!found || found.widths.length === 1) return { src: img };
  return {
    src: img,
    srcSet: found.widths.map((width) => `${found.base}-${width}.webp ${width}w`).join(', '),
  };
}
