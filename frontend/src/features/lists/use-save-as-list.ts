import { type CallError, problemOf } from '@/api/problem';
import { useAddListMutation, useEditListMutation, useListListsQuery } from './api';
import type { SavedList, SentList } from './wire';

type Lines = SentList['lines'];

/** Each part once, in the order in which it came, with all of its units. */
export function summed(lines: Lines): Lines {
  const units = new Map<string, number>();
  for (const { productId, quantity } of lines) {
    units.set(productId, (units.get(productId) ?? 0) + quantity);
  }
  return [...units].map(([productId, quantity]) => ({ productId, quantity }));
}

/** A list with these lines as well; of a part that it has already, the larger quantity. */
export function withLines({ lines }: Pick<SavedList, 'lines'>, added: Lines): Lines {
  const units = new Map(lines.map(({ productId, quantity }) => [productId, quantity]));
  for (const { productId, quantity } of summed(added)) {
    units.set(productId, Math.max(units.get(productId) ?? 0, quantity));
  }
  return [...units].map(([productId, quantity]) => ({ productId, quantity }));
}

/**
 * Keeps lines of anything (a basket, a quick order, a purchase) as a list. `saveAs` makes a new one, `addTo` adds to one that is
 * there; both answer what went wrong, if anything did. `lists` are those there are, once they are known.
 */
export function useSaveAsList() {
  const { data: lists } = useListListsQuery();
  const [add, adding] = useAddListMutation();
  const [edit, editing] = useEditListMutation();
  return {
    lists,
    isSaving: adding.isLoading || editing.isLoading,
    saveAs: async (name: string, lines: Lines, key?: string): Promise<CallError | undefined> => {
      const { error } = await add({
        name,
        lines: summed(lines),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      });
      return error;
    },
    addTo: async (list: SavedList, lines: Lines): Promise<CallError | undefined> => {
      const { error } = await edit({
        id: list._id,
        name: list.name,
        lines: withLines(list, lines),
      });
      return error;
    },
    messageOf: (error: CallError) => problemOf(error).message,
  };
}
