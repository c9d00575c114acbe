const OWN = /^(\/pictures\/.+)-640\.webp$/;

interface PictureSource {
  src: string;
  srcSet?: string;
}

/** Pictures of the shop itself exist in three widths; a picture from elsewhere only as it is. */
export function pictureSource(img: string): PictureSource {
  const base = OWN.exec(img)?.[1];
  if (!base) return { src: img };
  return {
    src: img,
    srcSet: [320, 640, 960].map((width) => `${base}-${width}.webp ${width}w`).join(', '),
  };
}
