/* Words that the first page's script needs; all others of the catalog stand in pages/messages.ts, which comes with its pages. */

export const ALL_DEALS = 'All available Deals'; // spec
export const LOADING_PRODUCT = 'Loading product';
