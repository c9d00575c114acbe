import { useState } from 'react';
import type { Person } from '@/api/types';
import { cx } from '@/ui/cx';

function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const initials = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return (
    initials
      .map((word) => Array.from(word ?? '')[0] ?? '')
      .join('')
      .toUpperCase() || '?'
  );
}

/** The account's photo; without one, or if it does not load, the initials. Decorative: put the name beside it. */
export function Avatar({ user, className = 'size-9' }: { user: Person; className?: string }) {
  const [broken, setBroken] = useState<string | null>(null);
  const photo = user.photoURL && user.photoURL !== broken ? user.photoURL : null;
  return (
    <span
      aria-hidden="true"
      className={cx(
        'relative grid shrink-0 place-content-center overflow-hidden rounded-full bg-primary font-display font-bold text-primary-content',
        className,
      )}
    >
      {photo ? (
        <img
          src={photo}
          alt=""
          referrerPolicy="no-referrer"
          className="absolute inset-0 size-full object-cover"
          onError={() => setBroken(photo)}
        />
      ) : (
        initials(user.displayName || user.email)
      )}
    </span>
  );
}
