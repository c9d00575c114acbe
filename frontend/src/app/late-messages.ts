/** What the frame says below the first screen and in its menus; it arrives after that. */
export const messages = {
  menu: 'Menu',
  dashboardMenu: 'Dashboard menu',
  loadingMenu: 'Loading menu',
  tagline: 'reliable parts since 1992', // spec
  site: 'Site',
  brand: 'Driveline',
  dashboard: 'Dashboard', // spec
  help: 'Help',
  contact: 'Contact us',
  shipping: 'Shipping',
  returns: 'Returns and refunds',
  terms: 'Terms of sale',
  privacy: 'Privacy',
  garage: 'My Garage',
  quickOrder: 'Quick order',
  purchases: 'Purchases',
  basket: 'Basket',
  overview: 'Overview',
  attention: 'Needs attention',
  catalog: 'Catalog',
  feeds: 'Feeds',
  deliveries: 'Email & webhooks',
  categories: 'Categories',
  searchAndGo: 'Search and go',
  stillLoading: 'Still loading…',
  offline: "You're offline. We'll reconnect automatically.",
} as const;
