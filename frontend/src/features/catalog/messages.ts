/* Words that the first page's script needs; all others of the catalog stand in pages/messages.ts, which comes with its pages. */

export const BREADCRUMB = 'Breadcrumb';
export const SHOP = 'Shop';
export const LOADING_PRODUCT = 'Loading product';
