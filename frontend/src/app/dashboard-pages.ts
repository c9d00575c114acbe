import type { ComponentType } from 'react';

type Load = () => Promise<{ default: ComponentType }>;

/** The pages of the dashboard, by the names of their screens. The chunk's name is what scripts/check-budgets.mjs reports; `admin-` has a budget of its own. */
export const pages = {
  overview: () =>
    import(
      /* webpackChunkName: "admin-overview" */ '@/features/admin/overview/pages/overview-page'
    ),
  attention: () =>
    import(
      /* webpackChunkName: "admin-attention" */ '@/features/admin/attention/pages/attention-page'
    ),
  catalog: () =>
    import(/* webpackChunkName: "admin-catalog" */ '@/features/admin/catalog/pages/catalog-page'),
  feeds: () =>
    import(/* webpackChunkName: "admin-feeds" */ '@/features/admin/feeds/pages/feeds-page'),
  // One chunk for what is set once and rarely looked at again.
  prices: () =>
    import(/* webpackChunkName: "admin-terms" */ '@/features/admin/prices/pages/prices-page'),
  freight: () =>
    import(/* webpackChunkName: "admin-terms" */ '@/features/admin/freight/pages/freight-page'),
  tax: () => import(/* webpackChunkName: "admin-terms" */ '@/features/admin/tax/pages/tax-page'),
  seller: () =>
    import(/* webpackChunkName: "admin-terms" */ '@/features/admin/seller/pages/seller-page'),
  allPurchases: () =>
    import(
      /* webpackChunkName: "admin-purchases" */ '@/features/admin/purchases/pages/purchases-page'
    ),
  'any-purchase': () =>
    import(
      /* webpackChunkName: "admin-purchases" */ '@/features/admin/purchases/pages/purchase-page'
    ),
  deliveries: () =>
    import(
      /* webpackChunkName: "admin-deliveries" */ '@/features/admin/deliveries/pages/deliveries-page'
    ),
  audit: () =>
    import(/* webpackChunkName: "admin-audit" */ '@/features/admin/audit/pages/audit-page'),
  'all-order-list': () =>
    import(
      /* webpackChunkName: "admin-all-order-list" */ '@/features/admin/orders/pages/all-order-list-page'
    ),
  orders: () =>
    import(/* webpackChunkName: "admin-orders" */ '@/features/admin/orders/pages/orders-page'),
  manage: () =>
    import(
      /* webpackChunkName: "admin-manage" */ '@/features/admin/products/pages/manage-products-page'
    ),
  'add-product': () =>
    import(
      /* webpackChunkName: "admin-add-product" */ '@/features/admin/products/pages/add-product-page'
    ),
  'edit-product': () =>
    import(
      /* webpackChunkName: "admin-edit-product" */ '@/features/admin/products/pages/edit-product-page'
    ),
  users: () =>
    import(/* webpackChunkName: "admin-users" */ '@/features/admin/users/pages/users-page'),
  customer: () =>
    import(
      /* webpackChunkName: "admin-customer" */ '@/features/admin/customers/pages/customer-page'
    ),
  'order-table': () =>
    import(/* webpackChunkName: "order-table" */ '@/features/orders/pages/order-table-page'),
  'my-orders': () =>
    import(/* webpackChunkName: "my-orders" */ '@/features/orders/pages/my-orders-page'),
  garage: () => import(/* webpackChunkName: "garage" */ '@/features/vehicles/pages/garage-page'),
  quickOrder: () =>
    import(/* webpackChunkName: "quick-order" */ '@/features/quick-order/pages/quick-order-page'),
  checkout: () =>
    import(/* webpackChunkName: "checkout" */ '@/features/checkout/pages/checkout-page'),
  purchases: () =>
    import(/* webpackChunkName: "purchases" */ '@/features/checkout/pages/purchases-page'),
  purchase: () =>
    import(/* webpackChunkName: "purchases" */ '@/features/checkout/pages/purchase-page'),
  'pay-checkout': () =>
    import(/* webpackChunkName: "payment" */ '@/features/payments/pages/checkout-payment-page'),
  lists: () => import(/* webpackChunkName: "lists" */ '@/features/lists/pages/lists-page'),
  addresses: () =>
    import(/* webpackChunkName: "lists" */ '@/features/addresses/pages/address-book-page'),
  'add-review': () =>
    import(/* webpackChunkName: "add-review" */ '@/features/reviews/pages/add-review-page'),
  order: () => import(/* webpackChunkName: "order" */ '@/features/orders/pages/order-page'),
  payment: () => import(/* webpackChunkName: "payment" */ '@/features/payments/pages/payment-page'),
  blog: () => import(/* webpackChunkName: "blog" */ '@/features/content/pages/blog-page'),
  profile: () =>
    import(/* webpackChunkName: "profile" */ '@/features/accounts/profile/pages/profile-page'),
} as const satisfies Record<string, Load>;

export type DashboardPage = keyof typeof pages;
