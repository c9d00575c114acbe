import type { ReactNode } from 'react';

/** A section's heading with its mark, and what leads on from it at the other end. */
export function SectionHeading({
  id,
  children,
  aside,
}: {
  id: string;
  children: ReactNode;
  aside?: ReactNode;
}) {
  return (
    <div className="mb-8 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <h2 id={id} className="heading-mark text-4xl sm:text-5xl">
        {children}
      </h2>
      {aside}
    </div>
  );
}
