/** What the parts of later screens say by themselves. */
export const yes = 'Yes'; // spec
export const no = 'No';
export const close = 'Close';
export const closeMenu = 'Close menu';
export const dismiss = 'Dismiss message';
export const undo = 'Undo';
export const toasts = 'Messages';
export const showCharacters = 'Show characters';
export const noPicture = 'No picture';
export const rated = (rating: number) => `Rated ${rating} out of 5`;
