/** The addresses that features link to, so that none spells one by hand; app/screens.ts says what stands there. */
export const paths = {
  home: '/',
  shop: '/shop',
  about: '/about',
  contact: '/contact',
  shipping: '/shipping',
  returnPolicy: '/return-policy',
  terms: '/terms',
  privacy: '/privacy',
  unsubscribe: '/unsubscribe',
  login: '/login',
  signup: '/signup',
  forgotPassword: '/forgot-password',
  product: (id: string) => `/product/${encodeURIComponent(id)}`,
  dashboard: '/dashboard',
  overview: '/dashboard/overview',
  profile: '/dashboard/profile',
  addReview: '/dashboard/review',
  myOrders: '/dashboard/myOrders',
  order: (id: string) => `/dashboard/order/${encodeURIComponent(id)}`,
  payment: (id: string) => `/dashboard/payment/${encodeURIComponent(id)}`,
  addProduct: '/dashboard/addProduct',
  orders: '/dashboard/orders',
  allOrders: '/dashboard/allOrderList',
  manage: '/dashboard/manage',
  editProduct: (id: string) => `/dashboard/manage/${encodeURIComponent(id)}`,
  attention: '/dashboard/attention',
  users: '/dashboard/users',
  customer: (email: string) => `/dashboard/users/${encodeURIComponent(email)}`,
} as const;

/**
 * A path decoded, in lower case and without a slash at its end. That takes more spellings for one page than the router
 * does, which minds the case: what is kept from being gone back to may be too much, never too little.
 */
export function normalizedPath(pathname: string): string {
  const bare = pathname.replace(/\/+$/, '');
  try {
    return decodeURIComponent(bare).toLowerCase();
  } catch {
    return bare.toLowerCase();
  }
}

/**
 * A path of this shop to go back to, or Home. Whatever could lead to another site (`//host`, `/\host`, a scheme) or back
 * into the sign-in screens is Home.
 */
export function safeReturnPath(candidate: unknown): string {
  if (typeof candidate !== 'string' || !/^\/(?![/\\])/.test(candidate)) return paths.home;
  const pathname = normalizedPath(candidate.split(/[?#]/)[0] ?? '');
  return pathname === paths.login || pathname === paths.signup ? paths.home : candidate;
}
