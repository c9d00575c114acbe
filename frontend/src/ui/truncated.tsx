import { truncate } from '@/lib/truncate';

/** A text cut to length for the eye; the whole of it in the tooltip and for screen readers. */
export function Truncated({ text, length }: { text: string; length: number }) {
  const short = truncate(text, length);
  if (short === text) return <>{text}</>;
  return (
    <>
      <span aria-hidden="true" title={text}>
        {short}
      </span>
      <span className="sr-only">{text}</span>
    </>
  );
}
