export const messages = {
  title: 'Add Review', // spec
  intro:
    'How were the parts, the price and the delivery? Your review helps other workshops decide.',
  name: 'Name', // spec
  nameHint: 'Shown with your review.',
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
  remove: 'Remove',
  removeContext: (name: string) => `the review by ${name}`,
  removeTitle: 'Remove review',
  removeQuestion: (name: string) => `Remove this review by ${name}?`,
  removeNote: "It will no longer be shown in the store. You can't undo this.",
} as const;
