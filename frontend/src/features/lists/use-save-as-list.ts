import type { CallError } from '@/api/problem';
import { useAddListMutation, useEditListMutation, useLazyGetListQuery } from './api';
import type { SavedList, SentList } from './wire';

/** Lines of anything; each part may come several times. */
export type Lines = readonly SentList['lines'][number][];

/** Each part once, in the order in which it came, with all of its units. */
export function summed(lines: Lines): SentList['lines'] {
  const units = new Map<string, number>();
  for (const { productId, quantity } of lines) {
    units.set(productId, (units.get(productId) ?? 0) + quantity);
  }
  return [...units].map(([productId, quantity]) => ({ productId, quantity }));
}

/** A list with these lines as well; of a part that it has already, the larger quantity. */
export function withLines({ lines }: Pick<SavedList, 'lines'>, added: Lines): SentList['lines'] {
  const units = new Map(lines.map(({ productId, quantity }) => [productId, quantity]));
  for (const { productId, quantity } of summed(added)) {
    units.set(productId, Math.max(units.get(productId) ?? 0, quantity));
  }
  return [...units].map(([productId, quantity]) => ({ productId, quantity }));
}

/** Keeps lines of anything (a basket, a quick order, a purchase) as a list. Both ways answer what went wrong, if anything did. */
export function useSaveAsList() {
  const [add] = useAddListMutation();
  const [edit] = useEditListMutation();
  const [read] = useLazyGetListQuery();
  return {
    /** As a new list. */
    saveAs: async (name: string, lines: Lines, key: string): Promise<CallError | undefined> => {
      const { error } = await add({ name, lines: summed(lines), 'Idempotency-Key': key });
      return error;
    },
    /** In one that is there, as it is now. */
    addTo: async (id: string, lines: Lines): Promise<CallError | undefined> => {
      const { data: list, error } = await read(id);
      if (!list) return error;
      const edited = await edit({ id, name: list.name, lines: withLines(list, lines) });
      return edited.error;
    },
  };
}
