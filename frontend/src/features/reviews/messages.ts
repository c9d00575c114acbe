export const messages = {
  title: 'Add Review', // spec
  intro:
    'How were the parts, the price and the delivery? Your review helps other workshops decide.',
  name: 'Name', // spec
  nameHint: 'Signed with another name, your review shows your account name too.',
  part: 'Part (optional)',
  partHint: "Parts you've paid for. Your review appears on the part's page.",
  noPart: 'The shop in general',
  rating: 'Rating Out of 5', // spec
  details: 'Review Details', // spec
  detailsHint: (count: string, most: string) => `${count} of ${most} characters`,
  action: 'Add Review', // spec
  added: 'Review Added Successfully...!', // spec
  seeBefore: 'See the latest reviews on the ',
  seeLink: 'home page',
} as const;

/** The stars to choose from. */
export const ratingMessages = {
  choose: 'Tap a star to rate',
  chosen: (rating: number) => `${rating} out of 5 stars`,
  stars(rating: number): string {
    if (rating === 0) return 'No stars';
    return rating === 1 ? '1 star' : `${rating} stars`;
  },
} as const;

/** What yup says at the fields. */
export const fieldMessages = {
  nameRequired: 'Name is required',
  ratingRequired: 'Rating is required',
  detailsRequired: 'Review details are required',
  atMost: (characters: string) => `At most ${characters} characters`,
} as const;

/** The list from which an admin takes reviews down; loaded with the page's own words, which are few. */
export const listMessages = {
  title: 'Latest reviews',
  empty: 'No reviews yet',
  emptyHelp: 'Customer reviews will appear here.',
  failed: "We couldn't load the reviews",
  more: 'Show more',
  view: 'Reviews to show',
  shown: 'Published',
  hidden: 'Hidden',
  noneHidden: 'No hidden reviews',
  noneHiddenHelp: 'Reviews you hide appear here, so you can bring them back.',
  hide: 'Hide',
  context: (name: string) => `the review by ${name}`,
  hiddenNow: (name: string) => `Review by ${name} hidden`,
  hideFailed: (name: string, reason: string) => `We couldn't hide the review by ${name}. ${reason}`,
  restore: 'Bring back',
  backNow: (name: string) => `Review by ${name} is back`,
  restoreFailed: (name: string, reason: string) =>
    `We couldn't bring back the review by ${name}. ${reason}`,
  hiddenBy: (admin: string, when: string) => `Hidden by ${admin} on ${when}`,
} as const;
