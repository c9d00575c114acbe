export const newsletterMessages = {
  heading: 'Newsletter',
  label: 'New parts and price drops by email.',
  unsubscribe: 'Unsubscribe any time',
  placeholder: 'you@example.com',
  subscribe: 'Subscribe',
  thanks: 'Thanks for subscribing!',
} as const;
