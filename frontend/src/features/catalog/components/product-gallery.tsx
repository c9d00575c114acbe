import { type ComponentType, type KeyboardEvent, useRef, useState } from 'react';
import { pictureSource } from '@/lib/pictures';
import { cx } from '@/ui/cx';
import { notify } from '@/ui/notify';
import { productMessages as messages } from '../pages/messages';
import type PictureZoomComponent from './picture-zoom';
import { TravelingPicture } from './traveling-picture';
import { TurnablePicture } from './turnable-picture';
import { ZoomTarget } from './zoom-target';

type PictureZoom = ComponentType<React.ComponentProps<typeof PictureZoomComponent>>;

interface ThumbnailsProps {
  images: readonly string[];
  /** Which one is shown. */
  at: number;
  onChoose: (place: number) => void;
}

/** All pictures, small. */
function Thumbnails({ images, at, onChoose }: ThumbnailsProps) {
  const list = useRef<HTMLUListElement>(null);
  const last = images.length - 1;
  const onKeyDown = (event: KeyboardEvent) => {
    const places: Record<string, number> = {
      ArrowRight: Math.min(at + 1, last),
      ArrowLeft: Math.max(at - 1, 0),
      Home: 0,
      End: last,
    };
    const next = places[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next);
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <ul
      ref={list}
      aria-label={messages.pictures}
      className="mt-3 flex flex-wrap gap-2"
      onKeyDown={onKeyDown}
    >
      {images.map((img, place) => (
        <li key={img}>
          <button
            type="button"
            aria-current={place === at || undefined}
            aria-label={messages.place(place + 1, images.length)}
            onClick={() => onChoose(place)}
            className={cx(
              'block aspect-4/3 w-20 cursor-pointer overflow-hidden rounded-field border-2 bg-backdrop',
              place === at ? 'border-primary' : 'border-base-300',
            )}
          >
            <img
              {...pictureSource(img)}
              sizes="5rem"
              alt=""
              loading="lazy"
              className="size-full object-cover"
            />
          </button>
        </li>
      ))}
    </ul>
  );
}

interface ProductGalleryProps {
  id: string;
  name: string;
  /** At least one; the first one is that of lists. */
  images: readonly string[];
}

/** The picture that is looked at, and below it all of them. What enlarges it is loaded when somebody wants to look closely. */
export function ProductGallery({ id, name, images }: ProductGalleryProps) {
  const [chosen, setChosen] = useState(0);
  const [Zoom, setZoom] = useState<PictureZoom | null>(null);
  // There may be fewer by now.
  const at = Math.min(chosen, images.length - 1);
  const img = images[at] ?? '';
  const step = (by: number) => setChosen((at + by + images.length) % images.length);

  const zoom = async () => {
    try {
      const loaded = await import(/* webpackChunkName: "close-up" */ './picture-zoom');
      setZoom(() => loaded.default);
    } catch {
      notify.error(messages.zoomFailed);
    }
  };

  return (
    <>
      <TravelingPicture id={id}>
        <TurnablePicture img={img} name={name} alt={messages.picture(name, at + 1, images.length)}>
          <ZoomTarget onZoom={() => void zoom()} onSwipe={step} />
        </TurnablePicture>
      </TravelingPicture>
      {images.length > 1 && <Thumbnails images={images} at={at} onChoose={setChosen} />}
      {Zoom && (
        <Zoom images={images} at={at} name={name} onStep={step} onClose={() => setZoom(null)} />
      )}
    </>
  );
}
