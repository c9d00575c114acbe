import { cx } from './cx';
import * as messages from './messages';

/** Turns in place; decorative, the words beside it say what is awaited. */
export function Spinner({ small = false }: { small?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'inline-block animate-spin rounded-full border-current border-r-transparent',
        small ? 'size-5 border-2' : 'size-10 border-4 text-accent',
      )}
    />
  );
}

/** Fills the room it is given, or the whole screen where the spec names that. */
export function SpinnerPage({
  label = messages.loading,
  fullScreen = false,
}: {
  label?: string;
  fullScreen?: boolean;
}) {
  return (
    <div
      role="status"
      className={cx(
        'grid place-content-center justify-items-center gap-4',
        fullScreen ? 'min-h-[calc(100dvh-4rem)]' : 'min-h-80 py-16',
      )}
    >
      <Spinner />
      <span className="text-muted">{label}…</span>
    </div>
  );
}
