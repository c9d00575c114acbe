import type { ComponentType } from 'react';
import { loadProductPage } from '@/features/catalog/load';
import { normalizedPath, paths } from '@/lib/paths';
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

const profile = {
  access: 'customer',
  title: titles.profile,
  load: () =>
    import(/* webpackChunkName: "profile" */ '@/features/accounts/profile/pages/profile-page'),
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
  overview: {
    path: paths.overview,
    access: 'admin',
    load: () =>
      import(
        /* webpackChunkName: "admin-overview" */ '@/features/admin/overview/pages/overview-page'
      ),
  },
  attention: {
    path: paths.attention,
    access: 'admin',
    load: () =>
      import(
        /* webpackChunkName: "admin-attention" */ '@/features/admin/attention/pages/attention-page'
      ),
  },
  catalog: {
    path: paths.catalog,
    access: 'admin',
    load: () =>
      import(/* webpackChunkName: "admin-catalog" */ '@/features/admin/catalog/pages/catalog-page'),
  },
  feeds: {
    path: paths.feeds,
    access: 'admin',
    load: () =>
      import(/* webpackChunkName: "admin-feeds" */ '@/features/admin/feeds/pages/feeds-page'),
  },
  deliveries: {
    path: paths.deliveries,
    access: 'admin',
    load: () =>
      import(
        /* webpackChunkName: "admin-deliveries" */ '@/features/admin/deliveries/pages/deliveries-page'
      ),
  },
  'all-order-list': {
    path: paths.allOrders,
    access: 'admin',
    title: titles.allOrderList,
    load: () =>
      import(
        /* webpackChunkName: "admin-all-order-list" */ '@/features/admin/orders/pages/all-order-list-page'
      ),
  },
  orders: {
    path: paths.orders,
    access: 'admin',
    title: titles.orders,
    load: () =>
      import(/* webpackChunkName: "admin-orders" */ '@/features/admin/orders/pages/orders-page'),
  },
  manage: {
    path: paths.manage,
    access: 'admin',
    title: titles.manage,
    load: () =>
      import(
        /* webpackChunkName: "admin-manage" */ '@/features/admin/products/pages/manage-products-page'
      ),
  },
  'add-product': {
    path: paths.addProduct,
    access: 'admin',
    title: titles.addProduct,
    load: () =>
      import(
        /* webpackChunkName: "admin-add-product" */ '@/features/admin/products/pages/add-product-page'
      ),
  },
  'edit-product': {
    path: '/dashboard/manage/:productId',
    access: 'admin',
    load: () =>
      import(
        /* webpackChunkName: "admin-edit-product" */ '@/features/admin/products/pages/edit-product-page'
      ),
  },
  users: {
    path: paths.users,
    access: 'admin',
    title: titles.users,
    load: () =>
      import(/* webpackChunkName: "admin-users" */ '@/features/admin/users/pages/users-page'),
  },
  customer: {
    path: '/dashboard/users/:email',
    access: 'admin',
    load: () =>
      import(
        /* webpackChunkName: "admin-customer" */ '@/features/admin/customers/pages/customer-page'
      ),
  },
  'order-table': {
    path: '/dashboard/orderTable',
    access: 'customer',
    title: titles.orderTable,
    load: () =>
      import(/* webpackChunkName: "order-table" */ '@/features/orders/pages/order-table-page'),
  },
  'my-orders': {
    path: paths.myOrders,
    access: 'customer',
    title: titles.myOrders,
    load: () =>
      import(/* webpackChunkName: "my-orders" */ '@/features/orders/pages/my-orders-page'),
  },
  garage: {
    path: '/dashboard/garage',
    access: 'customer',
    load: () => import(/* webpackChunkName: "garage" */ '@/features/vehicles/pages/garage-page'),
  },
  'add-review': {
    path: paths.addReview,
    access: 'customer',
    title: titles.addReview,
    load: () =>
      import(/* webpackChunkName: "add-review" */ '@/features/reviews/pages/add-review-page'),
  },
  order: {
    path: '/dashboard/order/:id',
    access: 'customer',
    load: () => import(/* webpackChunkName: "order" */ '@/features/orders/pages/order-page'),
  },
  payment: {
    path: '/dashboard/payment/:id',
    access: 'customer',
    load: () => import(/* webpackChunkName: "payment" */ '@/features/payments/pages/payment-page'),
  },
  blog: {
    path: '/dashboard/blog',
    access: 'customer',
    title: titles.blog,
    load: () => import(/* webpackChunkName: "blog" */ '@/features/content/pages/blog-page'),
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
