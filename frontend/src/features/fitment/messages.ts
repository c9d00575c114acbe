import { formatCount } from '@/lib/money';

const years = (from: number, to: number) => (from === to ? `${from}` : `${from}–${to}`);

/* Whether a part fits, in words. */
export const fitMessages = {
  heading: 'Does it fit?',
  loading: 'Checking your vehicle',
  failed: "We couldn't check whether it fits.",
  retry: 'Try again',
  choose: 'Choose your vehicle above to see whether this part fits.',
  yes: (vehicle: string) => `Fits your ${vehicle}`,
  no: (vehicle: string) => `Does not fit your ${vehicle}`,
  nearest: (ranges: string) => `It fits: ${ranges}.`,
  universal: 'Fits all vehicles',
  unknown: 'No vehicle list from the maker. Check the number.',
  ask: 'Which engine?',
  askWhy: (vehicle: string) => `It fits some of the engines of your ${vehicle}.`,
  if: (condition: string) => `Fits if: ${condition}`,
  ifHint: 'Check what is true of your vehicle. We keep it with your order.',
  where: (position: string, many: number) =>
    [position, many > 1 ? `${formatCount(many)} per vehicle` : ''].filter(Boolean).join(' · '),
  source: (name: string, date: string | undefined) =>
    date ? `Source: ${name}, ${date}` : `Source: ${name}`,
  badge: {
    yes: 'Fits',
    universal: 'Fits',
    if: 'Fits if …',
    ask: 'Which engine?',
    unknown: 'Check number',
  },
  order: {
    title: 'Order it anyway?',
    question: (vehicle: string) => `This part does not fit your ${vehicle}.`,
    note: 'You can order it for another vehicle. We keep with your order what we said here.',
    confirm: 'Order anyway',
    cancel: 'Go back',
  },
  vehicles: 'Vehicles',
  table: 'Vehicles that it fits',
  filter: 'Filter vehicles',
  make: 'Make and model',
  years: 'Years',
  engine: 'Engine',
  position: 'Position',
  perVehicle: 'Per vehicle',
  condition: 'Condition',
  yearsOf: years,
  any: 'Any',
  noMatch: 'No vehicle matches. Type less or something else.',
  shownOf: (shown: number, all: number) =>
    `${formatCount(shown)} of ${formatCount(all)} vehicles shown. Filter to see others.`,
  loadingVehicles: 'Loading vehicles',
  vehiclesFailed: "We couldn't load the vehicles.",
} as const;
