import { useFormikContext } from 'formik';
import { useEffect, useState } from 'react';
import { DRAFTS, readStored, removeStored, store } from '@/lib/tab-storage';

/** What a draft can hold: a file, for one, it cannot. */
type Kept = Record<string, string | number>;

export interface FormDraft {
  name: string;
  /** The e-mail of who types: nobody else gets to see it. */
  owner: string;
  /** The fields with what they hold at first. */
  blank: object;
}

function isKept(value: unknown): value is { owner: string; values: Kept } {
  if (typeof value !== 'object' || value === null) return false;
  const { owner, values } = value as Record<string, unknown>;
  return typeof owner === 'string' && typeof values === 'object' && values !== null;
}

/** What was typed under this name before, over the blank fields, or null if nothing was. */
export function useFormDraft<Values extends object>(
  name: string,
  owner: string,
  blank: Values,
): Values | null {
  return useState(() => {
    const stored = readStored(DRAFTS + name);
    if (!isKept(stored) || stored.owner !== owner) return null;
    const known = Object.entries(stored.values).filter(([field]) => field in blank);
    return { ...blank, ...Object.fromEntries(known) } as Values;
  })[0];
}

/** Inside a form: keeps what is typed for as long as the tab lives. A form that is blank again has no draft. */
export function KeepDraft({ name, owner, blank }: FormDraft) {
  const { values } = useFormikContext<object>();
  useEffect(() => {
    const before = new Map(Object.entries(blank));
    const typed = Object.entries(values).filter(
      ([field, value]) =>
        value !== before.get(field) && (typeof value === 'string' || typeof value === 'number'),
    );
    if (typed.length === 0) removeStored(DRAFTS + name);
    else store(DRAFTS + name, { owner, values: Object.fromEntries(typed) });
  }, [values, name, owner, blank]);
  return null;
}
