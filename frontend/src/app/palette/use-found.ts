import { ClipboardList, LogOut, UserRound } from 'lucide-react';
import { useMemo } from 'react';
import type { Order, Product, User } from '@/api/types';
import { useRole, useUser } from '@/features/accounts/session/use-session';
import { useListAllOrdersQuery } from '@/features/admin/orders/api';
import { useListAccountsQuery } from '@/features/admin/users/api';
import { useListProductsQuery } from '@/features/catalog/api';
import { useListOrdersQuery } from '@/features/orders/api';
import { orderName } from '@/features/orders/facts';
import { formatDay } from '@/lib/dates';
import { formatCount } from '@/lib/money';
import { paths } from '@/lib/paths';
import { useDebounced } from '@/lib/use-debounced';
import { signOut } from '../messages';
import { useLeave } from '../use-leave';
import { actionsOnScreen, chosenBefore, listsFor, screensFor, type Who } from './fixed';
import { type Group, type Item, matches } from './items';
import { messages } from './messages';

/** Milliseconds of rest after which the shop is asked. */
const TYPING_PAUSE = 200;
/** How many of a kind are shown; their list has the others. */
const MOST = 5;

const partItem = ({ _id, name, partNumber, img }: Product): Item => ({
  id: `part ${_id}`,
  to: paths.product(_id),
  label: name,
  detail: partNumber ?? undefined,
  img,
});

const orderItem =
  (detailOf: (order: Order) => string) =>
  (order: Order): Item => ({
    id: `order ${order._id}`,
    to: paths.order(order._id),
    label: orderName(order),
    detail: detailOf(order),
    icon: ClipboardList,
  });

const anyonesOrder = orderItem(({ quantity, productName, name }) =>
  messages.order(formatCount(quantity), productName, name),
);

const ownOrder = orderItem(({ quantity, productName, createdAt }) =>
  messages.order(formatCount(quantity), productName, formatDay(createdAt)),
);

const personItem = ({ email, displayName }: User): Item => ({
  id: `person ${email}`,
  to: paths.customer(email),
  label: displayName || email,
  detail: email,
  icon: UserRound,
});

const textOf = (order: Order) =>
  [order.number, order.productName, order.partNumber, order.category].filter(Boolean).join(' ');

export function useWho(): Who {
  const { state } = useRole();
  if (state === 'none') return 'visitor';
  return state === 'admin' ? 'admin' : 'customer';
}

/** What the shop finds for a search that has rested, by the calls of its lists. */
function useFromShop(search: string, who: Who) {
  const user = useUser();
  const isEmpty = search === '';
  const isAdmin = who === 'admin';
  const page = { q: search, limit: MOST };
  const orders = useListAllOrdersQuery(
    { ...page, state: 'all' },
    { skip: isEmpty || !isAdmin, refetchOnMountOrArgChange: true },
  );
  const mine = useListOrdersQuery(
    { email: user?.email ?? '' },
    { skip: isEmpty || isAdmin || user === null, refetchOnMountOrArgChange: true },
  );
  const parts = useListProductsQuery(page, { skip: isEmpty });
  const people = useListAccountsQuery(page, {
    skip: isEmpty || !isAdmin,
    refetchOnMountOrArgChange: true,
  });
  const answers = [orders, mine, parts, people];
  const own = mine.currentData?.filter((order) => matches(textOf(order), search)).slice(0, MOST);
  const groups: Group[] = [
    { name: 'orders', items: orders.currentData?.items.map(anyonesOrder) ?? [] },
    { name: 'mine', items: own?.map(ownOrder) ?? [] },
    { name: 'parts', items: parts.currentData?.items.map(partItem) ?? [] },
    { name: 'people', items: people.currentData?.items.map(personItem) ?? [] },
  ];
  return {
    groups,
    isFetching: answers.some((answer) => answer.isFetching),
    isError: answers.some((answer) => answer.isError && !answer.isFetching),
    retry: () => {
      for (const answer of answers) if (answer.isError) void answer.refetch();
    },
  };
}

/** What there is to choose for what was typed: at once what the client knows, and what the shop finds once it is said. */
export function useFound(typed: string) {
  const who = useWho();
  const user = useUser();
  const search = typed.trim();
  const settled = useDebounced(search, TYPING_PAUSE);
  const fromShop = useFromShop(settled, who);
  const { leave } = useLeave();
  // As the screen was when the palette opened: behind it nothing is pressed.
  const onScreen = useMemo(actionsOnScreen, []);
  const signingOut: Item = { id: 'action leave', label: signOut, icon: LogOut, run: leave };
  const actions = user ? [...onScreen, signingOut] : onScreen;
  const recent = useMemo(() => (user ? chosenBefore(user.email) : []), [user]);
  const screens = screensFor(who);
  const fitting = (items: readonly Item[]) => items.filter(({ label }) => matches(label, search));

  const groups: Group[] =
    search === ''
      ? [
          { name: 'recent', items: recent },
          { name: 'actions', items: actions },
          { name: 'screens', items: screens },
        ]
      : [
          { name: 'actions', items: fitting(actions) },
          { name: 'screens', items: fitting(screens) },
          ...(settled === '' ? [] : fromShop.groups),
          { name: 'more', items: listsFor(who, search) },
        ];
  return {
    who,
    search,
    groups: groups.filter(({ items }) => items.length > 0),
    /** Whether the shop has yet to say what it finds for this. */
    busy: search !== '' && (search !== settled || fromShop.isFetching),
    failed: search !== '' && search === settled && fromShop.isError,
    retry: fromShop.retry,
  };
}
