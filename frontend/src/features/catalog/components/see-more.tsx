import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { homeMessages } from '../pages/messages';

/** SEE MORE, to the shop; `of` says for screen readers what there is more of. */
export function SeeMore({ of }: { of: string }) {
  return (
    <Link
      to={paths.shop}
      className="group inline-flex min-h-11 items-center gap-2 font-display text-xl font-bold tracking-wide text-accent"
    >
      {homeMessages.seeMore} <span className="sr-only">{of}</span>
      <ArrowRight
        aria-hidden="true"
        className="size-5 transition-transform group-hover:translate-x-1"
      />
    </Link>
  );
}
