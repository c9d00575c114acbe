import { useField } from 'formik';
import { Ban, Star } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { cx } from '@/ui/cx';
import { ratingMessages as messages } from '../messages';

const RATINGS = [0, 1, 2, 3, 4, 5];

/**
 * 0 to 5 stars as six radio buttons under their pictures, so that a click, Tab and the arrow keys all work as they do
 * for any radio button. The stars up to the one under the pointer light up as a preview.
 */
export function RatingField({ name, label }: { name: string; label: string }) {
  const id = useId();
  const first = useRef<HTMLInputElement>(null);
  const [field, meta, { setValue }] = useField<number | null>(name);
  const [pointed, setPointed] = useState<number | null>(null);
  const error = meta.touched ? meta.error : undefined;
  const lit = pointed ?? field.value ?? 0;
  const hint = field.value === null ? messages.choose : messages.chosen(field.value);

  return (
    <div className="grid gap-1.5">
      <span id={`${id}-label`} className="font-semibold">
        {label}
      </span>
      {/* Takes the focus only from the form, after a refused submit, and hands it on to the choice itself. */}
      <div
        role="radiogroup"
        tabIndex={-1}
        aria-labelledby={`${id}-label`}
        aria-describedby={error ? `${id}-hint ${id}-error` : `${id}-hint`}
        aria-invalid={error ? true : undefined}
        aria-required="true"
        className="-ml-2.5 flex w-fit items-center"
        onFocus={(event) => {
          if (event.target === event.currentTarget) first.current?.focus();
        }}
        onPointerLeave={() => setPointed(null)}
      >
        {RATINGS.map((rating) => {
          const chosen = field.value === rating;
          const Icon = rating === 0 ? Ban : Star;
          return (
            <label
              key={rating}
              title={messages.stars(rating)}
              onPointerEnter={(event) => event.pointerType === 'mouse' && setPointed(rating)}
              className="relative grid size-11 cursor-pointer place-content-center rounded-field has-focus-visible:outline-3 has-focus-visible:outline-accent"
            >
              <input
                ref={rating === 0 ? first : undefined}
                type="radio"
                name={name}
                value={rating}
                checked={chosen}
                onChange={() => void setValue(rating)}
                onBlur={field.onBlur}
                aria-label={messages.stars(rating)}
                className="absolute inset-0 cursor-pointer opacity-0"
              />
              <Icon
                aria-hidden="true"
                className={cx(
                  rating === 0 ? 'size-6' : 'size-8',
                  rating === 0
                    ? chosen
                      ? 'text-accent'
                      : 'text-edge'
                    : rating <= lit
                      ? 'fill-current text-accent'
                      : 'text-edge',
                )}
              />
            </label>
          );
        })}
      </div>
      <p id={`${id}-hint`} className="text-sm text-muted">
        {hint}
      </p>
      {error && (
        <p id={`${id}-error`} className="text-sm font-semibold text-error">
          {error}
        </p>
      )}
    </div>
  );
}
