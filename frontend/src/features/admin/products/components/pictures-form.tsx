import { useRef, useState } from 'react';
import { problemOf } from '@/api/problem';
import type { Product } from '@/api/types';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { pictureSource } from '@/lib/pictures';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Field } from '@/ui/field';
import { notify } from '@/ui/notify';
import { useSetProductImagesMutation } from '../api';
import { messages } from '../messages';
import { IMAGE_MAX, IMAGE_TYPES } from '../schema';
import { useUpload } from '../use-upload';

const { pictures: text, image: imageText } = messages;

/** How many pictures a product may have. */
const MOST = 12;

interface PictureItemProps {
  img: string;
  place: number;
  last: number;
  onMove: (to: number) => void;
  onRemove: () => void;
}

function PictureItem({ img, place, last, onMove, onRemove }: PictureItemProps) {
  const which = <span className="sr-only">{text.picture(place + 1)}</span>;
  // A button at the end stays one, so that whoever moves a picture by it does not lose the focus on arrival.
  const mover = (by: number, label: string) => {
    const to = place + by;
    const ends = to < 0 || to > last;
    return (
      <Button
        variant="outline"
        aria-disabled={ends || undefined}
        className={ends ? 'opacity-60' : ''}
        onClick={() => !ends && onMove(to)}
      >
        {label} {which}
      </Button>
    );
  };
  return (
    <li className="grid content-start gap-2">
      <img
        {...pictureSource(img)}
        sizes="16rem"
        alt={text.picture(place + 1)}
        className="aspect-4/3 w-full rounded-field border border-base-300 bg-backdrop object-cover"
      />
      <div className="flex flex-wrap items-center gap-2">
        {mover(-1, text.left)}
        {mover(1, text.right)}
        {last > 0 && (
          <Button variant="ghost" onClick={onRemove}>
            {text.remove} {which}
          </Button>
        )}
        {place === 0 && <span className="text-sm text-muted">{text.first}</span>}
      </div>
    </li>
  );
}

/** Why a file is not sent at all. */
function unfit(file: File): string | null {
  if (!IMAGE_TYPES.includes(file.type)) return imageText.type;
  return file.size > IMAGE_MAX ? imageText.size : null;
}

interface AddPictureProps {
  images: readonly string[];
  onAdd: (img: string) => void;
  input: React.RefObject<HTMLInputElement | null>;
}

/** Uploads a picture as soon as it is chosen. */
function AddPicture({ images, onAdd, input }: AddPictureProps) {
  const { upload, progress } = useUpload();
  const [error, setError] = useState<string>();
  const full = images.length >= MOST;

  const add = async (file: File) => {
    const why = unfit(file);
    setError(why ?? undefined);
    if (why) return;
    const answer = await upload(file);
    if ('error' in answer) setError(answer.error.message);
    else if (images.includes(answer.url)) setError(text.twice);
    else onAdd(answer.url);
  };

  return (
    <>
      <Field label={text.add} error={error} hint={full ? text.full(MOST) : imageText.hint}>
        {(fieldProps) => (
          <input
            {...fieldProps}
            ref={input}
            type="file"
            accept={IMAGE_TYPES.join(',')}
            className="file-input"
            disabled={full}
            onChange={({ target }) => {
              const file = target.files?.[0];
              // The same file may be chosen again.
              target.value = '';
              if (file) void add(file);
            }}
          />
        )}
      </Field>
      {progress !== null && (
        <progress
          aria-label={imageText.uploading}
          max={1}
          value={progress}
          className="h-2 w-full overflow-hidden rounded-full accent-primary"
        />
      )}
    </>
  );
}

interface PicturesFormProps {
  product: Product;
  onSaved: (images: readonly string[]) => void;
}

/** All pictures of a product in their order, saved by themselves. */
export function PicturesForm({ product, onSaved }: PicturesFormProps) {
  const [images, setImages] = useState<readonly string[]>(product.images ?? [product.img]);
  const [said, setSaid] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [save, { isLoading }] = useSetProductImagesMutation();
  const keys = useIdempotencyKeys();
  const input = useRef<HTMLInputElement>(null);

  const move = (from: number, to: number) => {
    const rest = images.filter((_img, place) => place !== from);
    setImages([...rest.slice(0, to), ...images.slice(from, from + 1), ...rest.slice(to)]);
    setSaid(text.moved(to + 1, images.length));
  };
  const remove = (img: string) => {
    setImages(images.filter((each) => each !== img));
    setSaid(text.removed(images.length - 1));
    // The focus would be lost with the button.
    input.current?.focus();
  };
  const submit = async () => {
    setFailure(null);
    const request = { id: product._id, newImages: { images: [...images] } };
    const { error } = await save({ ...request, 'Idempotency-Key': keys.keyFor(request) });
    if (error) {
      setFailure(problemOf(error).message);
      return;
    }
    keys.finish();
    onSaved(images);
    notify.success(text.done);
  };

  return (
    <section aria-labelledby="pictures" className="mt-8">
      <h2 id="pictures" className="mb-2 text-3xl">
        {text.heading}
      </h2>
      <p className="mb-4 text-muted">{text.hint(MOST)}</p>
      <div className="card-surface grid gap-5 p-4 sm:p-8">
        <ul aria-label={text.list} className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {images.map((img, place) => (
            <PictureItem
              key={img}
              img={img}
              place={place}
              last={images.length - 1}
              onMove={(to) => move(place, to)}
              onRemove={() => remove(img)}
            />
          ))}
        </ul>
        <p role="status" className="sr-only">
          {said}
        </p>
        <AddPicture
          images={images}
          input={input}
          onAdd={(img) =>
            setImages((now) => [...now.filter((each) => each !== img), img].slice(0, MOST))
          }
        />
        {failure && <Alert tone="error">{failure}</Alert>}
        <Button busy={isLoading} onClick={() => void submit()} className="justify-self-start">
          {text.save}
        </Button>
      </div>
    </section>
  );
}
