import { formatCount } from '@/lib/money';

/* Every word of All Users that a person reads. What the specification fixes, letter by letter, is marked. */

export const messages = {
  heading: (total: number | undefined) =>
    total === undefined ? 'All users' : `All users: ${formatCount(total)}`, // spec
  labels: ['user', 'users'],
  search: 'Email or name',
  filter: 'Role',
  filters: { unfiltered: 'All roles', admin: 'Admins', customer: 'Customers' },
  sorts: {
    oldest: 'Oldest first',
    newest: 'Newest first',
    email: 'Email',
    spent: 'Most spent first',
  },
  columns: {
    place: 'No.',
    email: 'Email',
    role: 'Role',
    joined: 'Joined',
    orders: 'Orders',
    spent: 'Spent',
    actions: 'Actions',
  },
  orders: 'View orders',
  ordersOf: (email: string) => `of ${email}`,
  caption: 'All users',
  admin: 'Admin',
  customer: 'Customer',
  notVerified: 'Not verified',
  loading: 'Loading users',
  empty: 'No users yet',
  emptyHint: 'New sign-ups will appear here.',
  notAuthorized: 'You are not authorized to do this', // spec
  makeAdmin: 'Make Admin', // spec
  madeAdmin: 'Successfully made an admin', // spec
  removeAdmin: {
    button: 'Remove Admin',
    question: (email: string) => `Remove admin access for ${email}?`,
    ownQuestion: 'Remove your own admin access?',
    note: "They'll keep their customer account and orders.",
    ownNote: "You'll lose admin access immediately. Only another admin can give it back.",
    done: (email: string) => `${email} is no longer an admin.`,
    ownDone: "You're no longer an admin.",
  },
  remove: {
    button: 'Remove User', // spec
    question: (email: string) => `Are you sure you want to remove ${email}?`,
    note: "They'll be signed out everywhere and won't be able to log in. Their orders are kept.",
    self: "You can't remove yourself.",
    done: (email: string) => `${email} has been removed.`,
  },
} as const;
