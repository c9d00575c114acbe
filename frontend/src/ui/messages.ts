/** What the parts of every screen say by themselves, and the first page's script needs. */
export const retry = 'Retry';
export const loading = 'Loading';
