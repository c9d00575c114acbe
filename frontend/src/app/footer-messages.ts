export const messages = {
  tagline: 'reliable parts since 1992', // spec
  site: 'Site',
  brand: 'Driveline',
  dashboard: 'Dashboard', // spec
  categories: 'Categories',
} as const;
