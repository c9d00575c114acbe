import {
  BadgePercent,
  BookOpen,
  CarFront,
  CircleAlert,
  ClipboardList,
  FileUp,
  Gauge,
  House,
  Landmark,
  LayoutList,
  ListChecks,
  ListPlus,
  type LucideIcon,
  Mail,
  MapPin,
  PackagePlus,
  ReceiptText,
  ScrollText,
  ShoppingBag,
  Stamp,
  Star,
  Store,
  Table2,
  Tags,
  Truck,
  UserRound,
  Users,
  Wrench,
} from 'lucide-react';
import { messages as late } from './late-messages';
import { linkTo, type ScreenName } from './screens';

export interface MenuLink {
  to: string;
  label: string;
  icon: LucideIcon;
}

type Menu = readonly (readonly [ScreenName, LucideIcon])[];

const linksOf = (menu: Menu): readonly MenuLink[] =>
  menu.map(([name, icon]) => ({ ...linkTo(name), icon }));

/* The side menus of the dashboard, in the spec's words and order (section 2). */

/** In the drawer of a phone, where the bar's own links are not. */
export const shopLinks = linksOf([['shop', Store]]);

/** Above the menu of admins, not among its entries. */
export const overviewLinks: readonly MenuLink[] = [
  // The first page has no use for the titles of these.
  { ...linkTo('overview'), label: late.overview, icon: Gauge },
  { ...linkTo('attention'), label: late.attention, icon: CircleAlert },
  { ...linkTo('catalog'), label: late.catalog, icon: Tags },
  { ...linkTo('allPurchases'), label: late.purchases, icon: ReceiptText },
  { ...linkTo('prices'), label: late.prices, icon: BadgePercent },
  { ...linkTo('freight'), label: late.freight, icon: Truck },
  { ...linkTo('tax'), label: late.tax, icon: Landmark },
  { ...linkTo('seller'), label: late.seller, icon: Stamp },
  { ...linkTo('feeds'), label: late.feeds, icon: FileUp },
  { ...linkTo('deliveries'), label: late.deliveries, icon: Mail },
  { ...linkTo('audit'), label: late.audit, icon: ScrollText },
];

export const adminLinks = linksOf([
  ['home', House],
  ['all-order-list', LayoutList],
  ['orders', ClipboardList],
  ['manage', Wrench],
  ['add-product', PackagePlus],
  ['users', Users],
]);

export const customerLinks = linksOf([
  ['home', House],
  ['order-table', Table2],
  ['my-orders', ShoppingBag],
  ['add-review', Star],
]);

/** Above the menu of customers, as above. */
export const garageLinks: readonly MenuLink[] = [
  { ...linkTo('quickOrder'), label: late.quickOrder, icon: ListPlus },
  { ...linkTo('purchases'), label: late.purchases, icon: ReceiptText },
  { ...linkTo('lists'), label: late.lists, icon: ListChecks },
  { ...linkTo('addresses'), label: late.addresses, icon: MapPin },
  { ...linkTo('garage'), label: late.garage, icon: CarFront },
];

export const commonLinks = linksOf([
  ['blog', BookOpen],
  ['profile', UserRound],
]);
