import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { problemOf } from '@/api/problem';
import { useGetPricesMutation } from '@/features/basket/api';
import type { Quote } from '@/features/basket/wire';
import { notify } from '@/ui/notify';
import { useCheckListMutation } from './api';
import { type Kept, keep, readKept } from './kept';
import { messages } from './messages';
import { faultOf } from './read-file';
import { inRange, type Row, rowsOf, withChoice, withQuantity, withQuote } from './rows';
import type { CheckedRow, Choice } from './wire';

type Change =
  | { what: 'type'; text: string }
  | { what: 'check'; rows: CheckedRow[] }
  | { what: 'clear' }
  | { what: 'quantity'; key: number; quantity: number }
  | { what: 'choose'; key: number; choice: Choice }
  | { what: 'replace'; key: number; rows: CheckedRow[] }
  | { what: 'remove'; keys: readonly number[] }
  | { what: 'restore'; gone: readonly (readonly [place: number, row: Row])[] }
  | { what: 'price'; quotes: ReadonlyMap<number, Quote | null> };

const edited = (rows: Row[] | null, key: number, edit: (row: Row) => Row) =>
  rows?.map((row) => (row.key === key ? edit(row) : row)) ?? null;

function changed(list: Kept, change: Change): Kept {
  const { rows } = list;
  switch (change.what) {
    case 'type':
      return { ...list, text: change.text };
    case 'check':
      return { text: list.text, rows: rowsOf(change.rows) };
    case 'clear':
      return { text: '', rows: null };
    case 'quantity':
      return {
        ...list,
        rows: edited(rows, change.key, (row) => withQuantity(row, change.quantity)),
      };
    case 'choose':
      return { ...list, rows: edited(rows, change.key, (row) => withChoice(row, change.choice)) };
    case 'replace': {
      const fresh = rowsOf(change.rows);
      const place = (row: Row) =>
        row.key === change.key ? fresh.map((each) => ({ ...each, line: row.line })) : [row];
      return { ...list, rows: rows?.flatMap(place) ?? null };
    }
    case 'remove':
      return { ...list, rows: rows?.filter(({ key }) => !change.keys.includes(key)) ?? null };
    case 'restore': {
      const all = [...(rows ?? [])];
      for (const [place, row] of change.gone) all.splice(place, 0, row);
      return { ...list, rows: all };
    }
    case 'price': {
      const { quotes } = change;
      const priced = (row: Row) =>
        quotes.has(row.key) ? inRange(withQuote(row, quotes.get(row.key) ?? null)) : row;
      return { ...list, rows: rows?.map(priced) ?? null };
    }
  }
}

/** Milliseconds after the last change before prices are asked for, and before the list is kept. */
const PAUSE = 300;

/** Asks what edited lines cost, all of them at once. */
function usePrices(rows: Row[] | null, apply: (quotes: Map<number, Quote | null>) => void) {
  const [ask] = useGetPricesMutation();
  const pending = useMemo(
    () => rows?.filter((row) => row.pending && row.productId && row.quantity > 0) ?? [],
    [rows],
  );
  useEffect(() => {
    if (pending.length === 0) return;
    let over = false;
    const timer = setTimeout(async () => {
      const items = pending.map(({ productId, quantity }) => ({
        productId: productId ?? '',
        quantity,
      }));
      const { data, error } = await ask(items);
      if (over) return;
      if (error) notify.error(messages.notPriced(problemOf(error).message));
      else apply(new Map(pending.map(({ key }, place) => [key, data[place] ?? null])));
    }, PAUSE);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [pending, ask, apply]);
}

/** Keeps the list past a reload, a moment after each change. */
function useKeeping(owner: string, list: Kept): void {
  const latest = useRef(list);
  useEffect(() => {
    latest.current = list;
    const timer = setTimeout(() => keep(owner, list), PAUSE);
    return () => clearTimeout(timer);
  }, [owner, list]);
  useEffect(() => {
    const now = () => keep(owner, latest.current);
    addEventListener('pagehide', now);
    return () => {
      removeEventListener('pagehide', now);
      now();
    };
  }, [owner]);
}

/** A list of part numbers: typed, checked, and edited line by line. */
export function useQuickOrder(owner: string) {
  const [list, dispatch] = useReducer(
    changed,
    owner,
    (of): Kept => readKept(of) ?? { text: '', rows: null },
  );
  const [failure, setFailure] = useState<string | null>(null);
  const [check, { isLoading }] = useCheckListMutation();
  const [checkLine] = useCheckListMutation();
  useKeeping(owner, list);
  usePrices(
    list.rows,
    useCallback((quotes) => dispatch({ what: 'price', quotes }), []),
  );

  /** Checks the whole list; answers whether it was. */
  const checkAll = async (text: string): Promise<boolean> => {
    const fault = faultOf(text);
    setFailure(fault);
    if (fault) return false;
    const { data, error } = await check(text);
    if (data) dispatch({ what: 'check', rows: data.rows });
    else setFailure(problemOf(error).message);
    return data !== undefined;
  };

  const latest = useRef(list.rows);
  useEffect(() => {
    latest.current = list.rows;
  }, [list.rows]);
  // The same for as long as the list lasts: of a thousand rows only the edited one is drawn anew.
  const edits = useMemo(
    () => ({
      remove: (keys: readonly number[], said: string) => {
        const gone = (latest.current ?? []).flatMap((row, place) =>
          keys.includes(row.key) ? [[place, row] as const] : [],
        );
        dispatch({ what: 'remove', keys });
        notify.undoable(said, () => dispatch({ what: 'restore', gone }));
      },
      setQuantity: (key: number, quantity: number) => dispatch({ what: 'quantity', key, quantity }),
      choose: (key: number, choice: Choice) => dispatch({ what: 'choose', key, choice }),
      /** Reads one line anew. */
      recheck: async (key: number, text: string) => {
        const { data, error } = await checkLine(text);
        if (data) dispatch({ what: 'replace', key, rows: data.rows });
        else notify.error(problemOf(error).message);
      },
    }),
    [checkLine],
  );

  return {
    ...list,
    failure,
    checking: isLoading,
    setFailure,
    type: (text: string) => dispatch({ what: 'type', text }),
    checkAll,
    clear: () => dispatch({ what: 'clear' }),
    edits,
    drop: (keys: readonly number[]) => dispatch({ what: 'remove', keys }),
  };
}

export type QuickOrder = ReturnType<typeof useQuickOrder>;
