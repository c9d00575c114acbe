/** The addresses of buying in bulk, apart from lib/paths: the first page links to none of them. */
export const buyingPaths = {
  basket: '/basket',
  quickOrder: '/dashboard/quickOrder',
  checkout: '/dashboard/checkout',
  purchases: '/dashboard/purchases',
  purchase: (id: string) => `/dashboard/purchase/${encodeURIComponent(id)}`,
  payPurchase: (id: string) => `/dashboard/pay/checkout/${encodeURIComponent(id)}`,
} as const;
