import { useField } from 'formik';
import { ImageUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { pictureSource } from '@/lib/pictures';
import { Field } from '@/ui/field';
import { messages } from '../messages';
import { IMAGE_TYPES } from '../schema';

const { image: text } = messages;

/** The picture as a data: address, which the page's policy lets it show; blob: is not among what it allows. */
function usePreview(file: File | null, valid: boolean): string | null {
  const [preview, setPreview] = useState<string | null>(null);
  useEffect(() => {
    setPreview(null);
    if (!file || !valid) return;
    const reader = new FileReader();
    reader.onload = () => setPreview(typeof reader.result === 'string' ? reader.result : null);
    reader.readAsDataURL(file);
    return () => reader.abort();
  }, [file, valid]);
  return preview;
}

interface ImageFieldProps {
  /** The part of the upload that is done, 0 to 1; null while none is in flight. */
  progress: number | null;
  /** The picture that stays if none is chosen. */
  current?: string;
}

export function ImageField({ progress, current }: ImageFieldProps) {
  const [field, meta, { setValue, setTouched }] = useField<File | null>('image');
  const error = meta.touched ? meta.error : undefined;
  const input = useRef<HTMLInputElement>(null);
  const preview = usePreview(field.value, !meta.error);
  const shown = field.value ? preview : current;
  const [broken, setBroken] = useState<string | null>(null);

  // A file input keeps what was chosen for itself; when the form is reset it has to be cleared by hand.
  useEffect(() => {
    if (field.value === null && input.current) input.current.value = '';
  }, [field.value]);

  const percent = progress === null ? null : Math.round(progress * 100);

  return (
    <div className="grid items-start gap-5 sm:grid-cols-[12rem_minmax(0,1fr)]">
      <div className="grid aspect-4/3 place-content-center overflow-hidden rounded-field border border-base-300 bg-backdrop max-sm:max-w-64">
        {shown && shown !== broken ? (
          <img
            {...(field.value ? { src: shown } : pictureSource(shown))}
            sizes="12rem"
            alt={field.value ? text.preview(field.value.name) : text.current}
            className="size-full object-cover"
            onError={() => setBroken(shown)}
          />
        ) : (
          <span className="grid justify-items-center gap-2 text-muted">
            <ImageUp aria-hidden="true" className="size-8" />
            <span className="text-sm">{field.value || current ? text.noPreview : text.none}</span>
          </span>
        )}
      </div>
      <div className="grid gap-3">
        <Field label={text.label} error={error} hint={current ? text.hintKept : text.hint}>
          {(fieldProps) => (
            <input
              {...fieldProps}
              ref={input}
              type="file"
              name="image"
              accept={IMAGE_TYPES.join(',')}
              className="file-input"
              required={!current}
              onChange={(event) => {
                void setTouched(true, false);
                void setValue(event.target.files?.[0] ?? null);
              }}
            />
          )}
        </Field>
        {percent !== null && (
          <div className="grid gap-1.5">
            <progress
              aria-label={text.uploading}
              max={100}
              value={percent}
              className="h-2 w-full overflow-hidden rounded-full accent-primary"
            />
            <span className="text-sm text-muted">
              {percent < 100 ? text.progress(percent) : text.processing}
            </span>
          </div>
        )}
      </div>
    </div>
  );
}
