/** What the client says of a call where the server's own sentence is missing. */
export const unreachable = "We can't reach the store. Check your connection and try again.";
export const timeout = 'This is taking too long. Please try again.';
export const unnamed = 'Something went wrong. Please try again.';
