import type { LucideIcon } from 'lucide-react';
import type { Recent } from '@/lib/recent';
import type { messages } from './messages';

/** Something that can be chosen: a place to go to, or an action. */
export type Item = {
  /** Unique among all that are shown. */
  id: string;
  label: string;
  detail?: string | undefined;
  /** A part's picture, in place of the icon. */
  img?: string;
  icon?: LucideIcon;
} & ({ to: string; run?: never } | { run: () => void; to?: never });

export interface Group {
  name: keyof typeof messages.groups;
  items: readonly Item[];
}

/** As it is kept for the next time; actions are not. */
export function recentOf({ to, label, detail, img }: Item): Recent | null {
  if (to === undefined) return null;
  return { to, label, ...(detail ? { detail } : {}), ...(img ? { img } : {}) };
}

/** Whether every word of the search begins a word of the text. */
export function matches(text: string, search: string): boolean {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((wanted) => words.some((word) => word.startsWith(wanted)));
}
