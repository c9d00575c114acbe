import { formatCount, formatMoney } from '@/lib/money';

/* Every word of Quick order. */

const lines = (count: number) => (count === 1 ? '1 line' : `${formatCount(count)} lines`);

export const messages = {
  title: 'Quick order',
  intro: 'Paste your part numbers and quantities. We check every line before you buy anything.',
  list: 'Part numbers and quantities',
  listHint:
    'One part per line: number, then quantity. Tabs, commas, semicolons and "x 50" all work. Up to 1,000 lines.',
  placeholder: 'DL-BD-3120 50\nDL-BP-0410, 100\n2 x DL-AL-1601',
  check: 'Check',
  checkKey: 'Ctrl + Enter',
  file: 'Choose a file',
  fileHint: 'or drop a .csv or .txt file here, up to 2 MB',
  clear: 'Start over',
  cleared: 'Quick order is empty again',
  nothing: 'Paste or type at least one part number.',
  tooMany: (count: number) =>
    `That's ${formatCount(count)} lines. We can check up to 1,000 at once: split the list in two.`,
  tooLarge: 'That file is larger than 2 MB. Split it in two, or paste the lines you need.',
  wrongFile: 'We can read .csv and .txt files. Save your list as one of those and try again.',
  emptyFile: 'That file is empty.',
  unreadable: "We couldn't read that file. Choose it again.",
  failed: "We couldn't check your list",
  checking: 'Checking your list',
  again: 'Check again',
  empty: 'No lines yet',
  emptyHint: 'Paste a list above and press Check. You can fix every line here before you order.',
  results: 'Your lines',
  counts: {
    order: (count: number) => `${formatCount(count)} in order`,
    attention: (count: number) =>
      `${formatCount(count)} ${count === 1 ? 'needs' : 'need'} attention`,
    unknown: (count: number) => `${formatCount(count)} not found`,
  },
  show: 'Lines shown',
  shown: {
    all: 'All',
    attention: 'Needs attention',
    unknown: 'Not found',
  },
  noneShown: 'No lines here. Every line has been taken care of.',
  showAll: 'Show all lines',
  status: {
    ok: 'In order',
    replaced: 'Replaced',
    choose: 'Choose a part',
    adjusted: 'Quantity changed',
    short: 'Not enough stock',
    unknown: 'Not found',
  },
  row: (line: number) => `Line ${formatCount(line)}`,
  typed: 'You typed',
  each: (dollars: number) => `${formatMoney(dollars)} each`,
  inStock: (units: number) => `${formatCount(units)} in stock`,
  which: 'Which one do you mean?',
  choose: (name: string) => `Choose ${name}`,
  closest: 'Closest numbers',
  take: (number: string) => `Use ${number}`,
  fix: 'Correct this line',
  recheck: 'Check line',
  units: (quantity: number) => (quantity === 1 ? '1 unit' : `${formatCount(quantity)} units`),
  remove: 'Remove',
  removed: (line: number) => `Line ${formatCount(line)} removed`,
  removeUnknown: (count: number) => `Remove ${lines(count)} not found`,
  removedMany: (count: number) => `${lines(count)} removed`,
  raised: (minimum: number) => `Raised to the minimum order of ${formatCount(minimum)}.`,
  lowered: (left: number) => `Only ${formatCount(left)} in stock.`,
  notPriced: (reason: string) => `We couldn't update the prices. ${reason}`,
  total: 'Goods',
  totalHint: 'Freight and tax are added at checkout. Nothing is ordered yet.',
  add: 'Add to order',
  added: (count: number) =>
    count === 1 ? '1 part is in your basket' : `${formatCount(count)} parts are in your basket`,
  addedSome: (count: number, left: number) =>
    `${count === 1 ? '1 part is' : `${formatCount(count)} parts are`} in your basket. ${lines(left)} left to fix.`,
  checkout: 'Check out',
  leftOut: (count: number) =>
    count === 1
      ? '1 line is left out until you fix it.'
      : `${formatCount(count)} lines are left out until you fix them.`,
  viewBasket: 'View basket',
  reordered: 'This is your earlier order at current prices. Review it, then add it to your order.',
} as const;
