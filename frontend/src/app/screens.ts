import type { ComponentType } from 'react';
import { loadProductPage } from '@/features/catalog/load';
import { normalizedPath, paths } from '@/lib/paths';
import type { DashboardPage } from './dashboard-pages';
import * as messages from './messages';
import * as titles from './titles';

/** Who may enter: anybody, whoever is signed in, or admins. */
export type Access = 'public' | 'customer' | 'admin';

export interface Screen {
  /** As React Router writes it: `:id` stands for one segment. */
  path: string;
  access: Access;
  /** What the tab is called; left out where the screen itself knows better. */
  title?: string;
  /** What menus call it, if not by its title. */
  label?: string;
  /** The chunk's name is what scripts/check-budgets.mjs reports; `admin-` has a budget of its own. */
  load: () => Promise<{ default: ComponentType }>;
  /** Its link holds a secret, which must neither travel on nor stay in a cache. */
  secret?: true;
}

/** The dashboard's pages are known to its own chunk, so that the first page carries none of their names. */
const later = (name: DashboardPage) => () =>
  import(/* webpackChunkName: "dashboard" */ './dashboard-pages').then(({ pages }) =>
    pages[name](),
  );

/** Screens of the dashboard whose addresses say their names, and which know their own titles. */
function plain<Name extends DashboardPage>(access: Access, ...names: Name[]) {
  const rows = names.map((name) => [
    name,
    { path: `${paths.dashboard}/${name}`, access, load: later(name) },
  ]);
  return Object.fromEntries(rows) as Record<Name, Screen>;
}

const profile = {
  access: 'customer',
  title: titles.profile,
  load: later('profile'),
} as const;

/** Every screen of the client (spec, section 2, and those that e-mails link to). */
const table = {
  home: {
    path: paths.home,
    access: 'public',
    title: titles.home,
    load: () => import(/* webpackChunkName: "home" */ '@/features/catalog/pages/home-page'),
    label: messages.home,
  },
  shop: {
    path: paths.shop,
    access: 'public',
    title: titles.shop,
    load: () => import(/* webpackChunkName: "shop" */ '@/features/catalog/pages/shop-page'),
  },
  about: {
    path: paths.about,
    access: 'public',
    title: titles.about,
    load: () => import(/* webpackChunkName: "about" */ '@/features/content/pages/about-page'),
  },
  contact: {
    path: paths.contact,
    access: 'public',
    load: () => import(/* webpackChunkName: "legal" */ '@/features/legal/pages/contact-page'),
  },
  shipping: {
    path: paths.shipping,
    access: 'public',
    load: () => import(/* webpackChunkName: "legal" */ '@/features/legal/pages/shipping-page'),
  },
  'return-policy': {
    path: paths.returnPolicy,
    access: 'public',
    load: () => import(/* webpackChunkName: "legal" */ '@/features/legal/pages/return-policy-page'),
  },
  terms: {
    path: paths.terms,
    access: 'public',
    load: () => import(/* webpackChunkName: "legal" */ '@/features/legal/pages/terms-page'),
  },
  privacy: {
    path: paths.privacy,
    access: 'public',
    load: () => import(/* webpackChunkName: "legal" */ '@/features/legal/pages/privacy-page'),
  },
  unsubscribe: {
    path: paths.unsubscribe,
    access: 'public',
    load: () =>
      import(/* webpackChunkName: "legal" */ '@/features/newsletter/pages/unsubscribe-page'),
  },
  basket: {
    path: '/basket',
    access: 'public',
    load: () => import(/* webpackChunkName: "basket" */ '@/features/basket/pages/basket-page'),
  },
  login: {
    path: paths.login,
    access: 'public',
    title: titles.login,
    load: () =>
      import(/* webpackChunkName: "login" */ '@/features/accounts/session/pages/login-page'),
  },
  signup: {
    path: paths.signup,
    access: 'public',
    title: titles.signup,
    load: () =>
      import(/* webpackChunkName: "signup" */ '@/features/accounts/session/pages/signup-page'),
  },
  'forgot-password': {
    path: paths.forgotPassword,
    access: 'public',
    title: titles.forgotPassword,
    load: () =>
      import(
        /* webpackChunkName: "forgot-password" */ '@/features/accounts/recovery/pages/forgot-password-page'
      ),
  },
  'reset-password': {
    path: '/reset-password',
    access: 'public',
    title: titles.resetPassword,
    load: () =>
      import(
        /* webpackChunkName: "reset-password" */ '@/features/accounts/recovery/pages/reset-password-page'
      ),
    secret: true,
  },
  'verify-email': {
    path: '/verify-email',
    access: 'public',
    title: titles.verifyEmail,
    load: () =>
      import(
        /* webpackChunkName: "verify-email" */ '@/features/accounts/recovery/pages/verify-email-page'
      ),
    secret: true,
  },
  product: {
    path: '/product/:productId',
    access: 'customer',
    load: loadProductPage,
  },
  ...plain(
    'admin',
    'overview',
    'attention',
    'catalog',
    'allPurchases',
    'prices',
    'freight',
    'tax',
    'seller',
    'feeds',
    'deliveries',
    'audit',
  ),
  'any-purchase': {
    path: '/dashboard/allPurchases/:purchaseId',
    access: 'admin',
    load: later('any-purchase'),
  },
  'all-order-list': {
    path: paths.allOrders,
    access: 'admin',
    title: titles.allOrderList,
    load: later('all-order-list'),
  },
  orders: {
    path: paths.orders,
    access: 'admin',
    title: titles.orders,
    load: later('orders'),
  },
  manage: {
    path: paths.manage,
    access: 'admin',
    title: titles.manage,
    load: later('manage'),
  },
  'add-product': {
    path: paths.addProduct,
    access: 'admin',
    title: titles.addProduct,
    load: later('add-product'),
  },
  'edit-product': {
    path: '/dashboard/manage/:productId',
    access: 'admin',
    load: later('edit-product'),
  },
  users: {
    path: paths.users,
    access: 'admin',
    title: titles.users,
    load: later('users'),
  },
  customer: {
    path: '/dashboard/users/:email',
    access: 'admin',
    load: later('customer'),
  },
  'order-table': {
    path: '/dashboard/orderTable',
    access: 'customer',
    title: titles.orderTable,
    load: later('order-table'),
  },
  'my-orders': {
    path: paths.myOrders,
    access: 'customer',
    title: titles.myOrders,
    load: later('my-orders'),
  },
  ...plain('customer', 'quickOrder', 'checkout', 'purchases', 'lists', 'addresses', 'garage'),
  purchase: {
    path: '/dashboard/purchase/:checkoutId',
    access: 'customer',
    load: later('purchase'),
  },
  'pay-checkout': {
    path: '/dashboard/pay/checkout/:checkoutId',
    access: 'customer',
    load: later('pay-checkout'),
  },
  'add-review': {
    path: paths.addReview,
    access: 'customer',
    title: titles.addReview,
    load: later('add-review'),
  },
  order: {
    path: '/dashboard/order/:id',
    access: 'customer',
    load: later('order'),
  },
  payment: {
    path: '/dashboard/payment/:id',
    access: 'customer',
    load: later('payment'),
  },
  blog: {
    path: '/dashboard/blog',
    access: 'customer',
    title: titles.blog,
    load: later('blog'),
  },
  // The dashboard's own address shows the profile to everybody (spec, section 2).
  dashboard: { path: paths.dashboard, ...profile },
  profile: { path: paths.profile, ...profile },
} as const satisfies Record<string, Screen>;

export type ScreenName = keyof typeof table;

export const screens: Readonly<Record<ScreenName, Screen>> = table;
export const screenNames = Object.keys(screens) as readonly ScreenName[];

/** Whether the screen stands in the dashboard, beside its menu. */
export function isInDashboard({ path }: Screen): boolean {
  return path.startsWith(paths.dashboard);
}

/** Whether an address is in the dashboard. */
export function isUnderDashboard(pathname: string): boolean {
  return pathname === paths.dashboard || pathname.startsWith(`${paths.dashboard}/`);
}

/** A menu's entry for a screen: where it leads, and what it is called. */
export function linkTo(name: ScreenName) {
  const { path, title = '', label = title } = screens[name];
  return { to: path, label };
}

/** The screen at this path; a placeholder, which stands at the end of a path, is anything. */
export function screenAt(pathname: string): Screen | undefined {
  const wanted = normalizedPath(pathname);
  return Object.values(screens).find(({ path }) => {
    const [fixed = '', placeholder] = normalizedPath(path).split(':');
    return placeholder === undefined
      ? fixed === wanted
      : wanted.length > fixed.length && wanted.startsWith(fixed);
  });
}

/** Whether only an admin may enter this path (spec, section 2). */
export function isAdminPath(pathname: string): boolean {
  const screen = screenAt(pathname);
  return screen?.access === 'admin';
}
