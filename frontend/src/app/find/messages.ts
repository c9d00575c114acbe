/* Every word of the suggestions below the top bar's search. */

export const messages = {
  label: 'Suggestions',
  groups: {
    numbers: 'Part numbers',
    parts: 'Parts',
    vehicles: 'Vehicles',
  },
  searching: 'Looking…',
  count: (count: number) =>
    count === 1
      ? '1 suggestion. Press the down arrow to choose it.'
      : `${count} suggestions. Press the arrow keys to choose one.`,
  nothing: 'No suggestions. Press Enter to search the shop.',
  failed: "We couldn't load suggestions. Press Enter to search the shop.",
  all: (search: string) => `See all parts for “${search}”`,
} as const;
