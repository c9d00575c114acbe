export const newsletterMessages = {
  heading: 'Newsletter',
  label: 'New parts and price drops by email.',
  placeholder: 'you@example.com',
  subscribe: 'Subscribe',
  thanks: 'Thanks for subscribing!',
} as const;
