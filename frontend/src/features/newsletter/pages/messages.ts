export const unsubscribeMessages = {
  heading: 'Unsubscribe',
  intro: 'Enter the email address that gets our newsletter. You keep getting emails about orders.',
  email: 'Email',
  unsubscribe: 'Unsubscribe',
  done: (email: string) => `Done. We won't send our newsletter to ${email}.`,
} as const;
