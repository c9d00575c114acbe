import {
  ClipboardList,
  Clock,
  Info,
  LogIn,
  type LucideIcon,
  MousePointerClick,
  ShoppingCart,
  Store,
} from 'lucide-react';
import { messages as orderMessages } from '@/features/admin/orders/messages';
import { commandsOnScreen } from '@/lib/command-palette';
import { paths } from '@/lib/paths';
import { readRecent } from '@/lib/recent';
import { messages as late } from '../late-messages';
import {
  adminLinks,
  commonLinks,
  customerLinks,
  garageLinks,
  type MenuLink,
  overviewLinks,
  shopLinks,
} from '../menus';
import { linkTo } from '../screens';
import type { Item } from './items';
import { messages } from './messages';

/** Who is looking. */
export type Who = 'visitor' | 'customer' | 'admin';

/** Where what was chosen is kept (lib/recent). */
export const CHOSEN = 'chosen';

/** Views of the orders that have an address of their own. */
const views = (['ready', 'reserved', 'shipped', 'refunded', 'cancelled', 'all'] as const).map(
  (view): MenuLink => ({
    to: `${paths.orders}?state=${view}`,
    label: messages.ordersView(orderMessages.views.names[view]),
    icon: ClipboardList,
  }),
);

const withIcon = (icon: LucideIcon) => (link: Omit<MenuLink, 'icon'>) => ({ ...link, icon });

const help = [
  linkTo('about'),
  { to: paths.contact, label: late.contact },
  { to: paths.shipping, label: late.shipping },
  { to: paths.returnPolicy, label: late.returns },
  { to: paths.terms, label: late.terms },
  { to: paths.privacy, label: late.privacy },
].map(withIcon(Info));

const visitorLinks = [linkTo('login'), linkTo('signup')].map(withIcon(LogIn));

const basketLink = { ...linkTo('basket'), label: late.basket, icon: ShoppingCart };

const [homeLink, ...otherCustomerLinks] = customerLinks;
const home = homeLink ? [homeLink] : [];

const links: Record<Who, readonly MenuLink[]> = {
  visitor: [...home, ...shopLinks, basketLink, ...visitorLinks, ...help],
  customer: [
    ...home,
    ...shopLinks,
    basketLink,
    ...otherCustomerLinks,
    ...garageLinks,
    ...commonLinks,
    ...help,
  ],
  admin: [...overviewLinks, ...adminLinks, ...views, ...shopLinks, ...commonLinks, ...help],
};

/** The screens that somebody may enter. */
export function screensFor(who: Who): Item[] {
  return links[who].map(({ to, label, icon }) => ({ id: `screen ${to}`, to, label, icon }));
}

/** What the screen behind the palette offers. It is pressed once the palette has gone, and the focus is back. */
export function actionsOnScreen(): Item[] {
  // Those of the bar are on every screen, and come after its own.
  const [own = [], others = []] = [true, false].map((inMain) =>
    commandsOnScreen().filter(({ element }) => (element.closest('main') !== null) === inMain),
  );
  return [...own, ...others].map(({ label, element }, place) => ({
    id: `action ${place}`,
    label,
    icon: MousePointerClick,
    run: () => {
      element.focus();
      element.click();
    },
  }));
}

/** What was chosen last time. */
export function chosenBefore(email: string): Item[] {
  return readRecent(CHOSEN, email).map((place) => ({
    ...place,
    id: `recent ${place.to}`,
    icon: Clock,
  }));
}

/** The lists in which the whole of a search can be seen. */
export function listsFor(who: Who, search: string): Item[] {
  const query = new URLSearchParams({ q: search });
  const inShop: Item = {
    id: 'more shop',
    to: `${paths.shop}?${query}`,
    label: messages.inShop(search),
    icon: Store,
  };
  if (who !== 'admin') return [inShop];
  return [
    {
      id: 'more orders',
      to: `${paths.orders}?${new URLSearchParams({ q: search, state: 'all' })}`,
      label: messages.inOrders(search),
      icon: ClipboardList,
    },
    inShop,
    {
      id: 'more people',
      to: `${paths.users}?${query}`,
      label: messages.inPeople(search),
      icon: ClipboardList,
    },
  ];
}
