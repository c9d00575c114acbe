import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { pictureSource } from '@/lib/pictures';
import { cx } from './cx';
import * as messages from './late-messages';

interface ProductPictureProps {
  img: string;
  /** Empty where the product's name stands beside it. */
  alt: string;
  /** As of the HTML attribute: how wide it is drawn at which screen. */
  sizes: string;
  /** For the one picture that is the first thing seen. */
  first?: boolean;
  className?: string;
}

/** A product's picture: always 4:3, always on the same backdrop, also while it loads and when it is missing. */
export function ProductPicture({ img, alt, sizes, first = false, className }: ProductPictureProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const frame = cx('aspect-4/3 w-full overflow-hidden bg-backdrop', className);
  if (img === broken || img === '') {
    return (
      <div className={cx(frame, 'grid place-content-center justify-items-center gap-2 text-muted')}>
        <ImageOff aria-hidden="true" className="size-8" />
        <span className="text-sm">{messages.noPicture}</span>
      </div>
    );
  }
  return (
    <div className={frame}>
      <img
        {...pictureSource(img)}
        alt={alt}
        sizes={sizes}
        width={640}
        height={480}
        loading={first ? 'eager' : 'lazy'}
        fetchPriority={first ? 'high' : 'auto'}
        decoding="async"
        className="size-full object-cover"
        onError={() => setBroken(img)}
      />
    </div>
  );
}
