import { useCallback, useEffect, useMemo } from 'react';
import { useDispatch } from 'react-redux';
import { type CallError, problemOf } from '@/api/problem';
import { useSession } from '@/features/accounts/session/use-session';
import {
  type BasketItem,
  readBasket,
  shownFor,
  useVisitorBasket,
  withAdded,
  writeBasket,
} from '@/lib/basket';
import { totalOf } from '@/lib/money';
import { useHydrated } from '@/lib/use-hydrated';
import { notify } from '@/ui/notify';
import { useGetCartQuery, useMergeCartMutation } from './api';
import { basketMessages as messages } from './messages';
import { type CartDispatch, changeCart, dropBought, type Saved } from './saving';
import type { CartLine, LineStatus } from './wire';

/** A line as it is shown. */
export type BasketLine = CartLine;

const ofVisitor = (item: BasketItem): BasketLine => ({
  ...item,
  total: shownFor(item),
  status: 'ok',
  message: null,
});

/** A line as it is shown until the shop has answered. */
const asAdded = (item: BasketItem): BasketLine => ({
  ...ofVisitor(item),
  price: null,
});

/** The basket of whoever is here, and what can be done with it. */
interface Basket {
  /** Undefined until it is known. */
  lines: readonly BasketLine[] | undefined;
  error: CallError | undefined;
  retry: () => void;
  signedIn: boolean;
}

/** What is in the basket: the account's for whoever is signed in, else this browser's. */
export function useBasket(): Basket {
  const session = useSession();
  const hydrated = useHydrated();
  const signedIn = session.phase === 'in';
  const inBrowser = useVisitorBasket();
  const { currentData, error, isError, isFetching, refetch } = useGetCartQuery(undefined, {
    skip: !signedIn,
  });
  const ofBrowser = useMemo(() => inBrowser.map(ofVisitor), [inBrowser]);
  const known = hydrated && session.phase !== 'unknown';
  return {
    lines: signedIn ? currentData?.lines : known ? ofBrowser : undefined,
    error: isError && !isFetching && !currentData ? error : undefined,
    retry: () => void refetch(),
    signedIn,
  };
}

/** The lines of an account, changed; says what came of it, if that is not what was wanted. */
async function changeAccount(
  dispatch: CartDispatch,
  change: (lines: BasketLine[]) => BasketLine[],
): Promise<Saved> {
  const saved = await changeCart(dispatch, change);
  if (saved.conflict) notify.info(messages.conflict);
  if (saved.error) notify.error(messages.notSaved(problemOf(saved.error).message));
  return saved;
}

/** The ways to change a basket. Each shows at once, and answers whether it was kept. */
export function useBasketChanges() {
  const dispatch = useDispatch<CartDispatch>();
  const signedIn = useSession().phase === 'in';

  return useMemo(() => {
    const change = async (
      ofAccount: (lines: BasketLine[]) => BasketLine[],
      inBrowser: (items: BasketItem[]) => BasketItem[],
    ): Promise<boolean> => {
      if (!signedIn) {
        writeBasket(inBrowser(readBasket()));
        return true;
      }
      const { error, conflict } = await changeAccount(dispatch, ofAccount);
      return !error && !conflict;
    };
    const without = <Line extends { productId: string }>(ids: readonly string[], lines: Line[]) =>
      lines.filter(({ productId }) => !ids.includes(productId));

    return {
      add: (items: readonly BasketItem[]) =>
        change(
          (lines) => withAdded(lines, items.map(asAdded)),
          (kept) => withAdded(kept, items),
        ),
      setQuantity: (id: string, quantity: number) =>
        change(
          (lines) =>
            lines.map((line) =>
              line.productId === id
                ? {
                    ...line,
                    quantity,
                    // What the shop said of the other quantity.
                    price: null,
                    status: 'ok',
                    message: null,
                    total: line.unit === null ? null : totalOf(line.unit, quantity),
                  }
                : line,
            ),
          (items) => items.map((item) => (item.productId === id ? { ...item, quantity } : item)),
        ),
      /** Takes the price as it is now: dollars for all of its units. */
      acceptPrice: (id: string, price: number) =>
        change(
          (lines) =>
            lines.map((line) =>
              line.productId === id
                ? { ...line, price, total: price, status: 'ok', message: null }
                : line,
            ),
          (items) => items,
        ),
      /** One part in place of another, as many of it. */
      replace: (id: string, by: string) =>
        change(
          (lines) =>
            lines.map((line) =>
              line.productId === id
                ? { ...line, productId: by, price: null, status: 'ok', message: null }
                : line,
            ),
          (items) => items,
        ),
      remove: (ids: readonly string[]) =>
        change(
          (lines) => without(ids, lines),
          (items) => without(ids, items),
        ),
      /** Takes out what was bought; nothing is said of it. */
      drop: (ids: readonly string[]) => dropBought(dispatch, ids),
      /** Puts back what was taken out, where it was, unless it is there again. */
      restore: (gone: readonly (readonly [place: number, line: BasketLine])[]) => {
        const putBack = <Line extends { productId: string }>(
          lines: Line[],
          lineOf: (line: BasketLine) => Line,
        ) => {
          const all = [...lines];
          for (const [place, line] of gone) {
            if (all.some(({ productId }) => productId === line.productId)) continue;
            all.splice(place, 0, lineOf(line));
          }
          return all;
        };
        return change(
          (lines) => putBack(lines, (line) => line),
          (items) =>
            putBack(items, ({ productId, quantity, unit, name, partNumber, img, ...rest }) => ({
              ...{ productId, quantity, unit: unit ?? 0, name, partNumber, img },
              ...{ minOrder: rest.minOrder, available: rest.available },
            })),
        );
      },
    };
  }, [dispatch, signedIn]);
}

/** Adds parts, and says so. */
export function useAddToBasket() {
  const changes = useBasketChanges();
  return useCallback(
    async (items: readonly BasketItem[]): Promise<boolean> => {
      const kept = await changes.add(items);
      const [first] = items;
      if (!kept || !first) return kept;
      const said =
        items.length === 1
          ? messages.added(first.quantity, first.name)
          : messages.addedMany(items.length);
      notify.success(said);
      return true;
    },
    [changes],
  );
}

/** Takes lines out, and offers to put them back. */
export function useRemoveLines(lines: readonly BasketLine[]) {
  const changes = useBasketChanges();
  return async (ids: readonly string[]) => {
    const gone = lines.flatMap((line, place) =>
      ids.includes(line.productId) ? [[place, line] as const] : [],
    );
    const [first] = gone;
    if (!first || !(await changes.remove(ids))) return;
    notify.undoable(
      gone.length === 1 ? messages.removed(first[1].name) : messages.cleared(gone.length),
      () => void changes.restore(gone),
    );
  };
}

/** Whether this line can be ordered as it is. */
export const isInOrder = (status: LineStatus) => status === 'ok' || status === 'replaced';

/** What the lines cost in all, in dollars, as far as they have a price. */
export function goodsOf(lines: readonly { total: number | null }[]): number {
  return lines.reduce((cents, { total }) => cents + Math.round((total ?? 0) * 100), 0) / 100;
}

/** While a merge is under way no other one begins: they would send the same. */
let merging = false;

/** Moves what this browser keeps to the account, once somebody is signed in. What the shop refuses stays in the browser. */
export function useMovingBasket(): void {
  const signedIn = useSession().phase === 'in';
  const inBrowser = useVisitorBasket();
  const [merge] = useMergeCartMutation();
  const sent = JSON.stringify(inBrowser);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is sent says what is kept; each is sent once.
  useEffect(() => {
    if (!signedIn || inBrowser.length === 0 || merging) return;
    merging = true;
    const lines = inBrowser.map((item) => ({
      productId: item.productId,
      quantity: item.quantity,
      price: shownFor(item),
    }));
    const ids = inBrowser.map(({ productId }) => productId);
    void merge(lines).then(({ error }) => {
      merging = false;
      if (error) {
        const { status, message } = problemOf(error);
        if (status > 0) notify.error(messages.notMoved(message));
        return;
      }
      writeBasket(readBasket().filter(({ productId }) => !ids.includes(productId)));
    });
  }, [signedIn, sent, merge]);
}
