import type { FeedKindName, FeedModeName, FeedStateName } from '@/api/types';
import { formatCount } from '@/lib/money';

/* Every word of the screen for feeds. */

const kinds: Record<FeedKindName, string> = {
  products: 'Products',
  stock: 'Stock',
  prices: 'Prices',
  numbers: 'Part numbers',
  fitment: 'Fitment',
};

const modes: Record<FeedModeName, string> = {
  update: 'Update what we have',
  upsert: 'Update and add',
  replace: 'Replace the brand',
};

const states: Record<FeedStateName, string> = {
  waiting: 'Waiting',
  reading: 'Checking',
  checked: 'Checked',
  applying: 'Applying',
  applied: 'Applied',
  failed: 'Failed',
  cancelled: 'Canceled',
};

/** The shop's own words for what is wrong; a new one is shown as it is. */
const reasons: Record<string, string> = {
  unknown: 'Not in the catalog',
  vehicle: 'Vehicle not known',
  absent: 'Nothing to remove',
  archived: 'Archived',
  mismatch: 'Id and number disagree',
  duplicate: 'Listed twice',
  required: 'Missing',
  invalid: 'Not accepted',
  row: 'Row',
  file: 'File',
  // These refuse nothing.
  repeated: 'Listed twice, applied once',
  overlap: 'Overlap, applied',
  comment: 'Overlap with and without a condition, applied',
  engine: 'Engine kept as a condition, applied',
};

const rows = (count: number) => (count === 1 ? '1 row' : `${formatCount(count)} rows`);

export const messages = {
  heading: 'Feeds',
  intro:
    'Change many products with one CSV file. We check it first, show you what changes, and wait for you to apply it.',
  kinds,
  modes,
  states,
  reason: (reason: string) => reasons[reason] ?? reason,
  send: {
    heading: 'Check a file',
    kind: 'What the file changes',
    mode: 'What to do with it',
    modeHints: {
      update: 'Rows for parts we don’t sell are listed as findings.',
      upsert: 'Parts we don’t sell yet are added.',
      replace: 'Also takes away what this file leaves out of its brands.',
    } satisfies Record<FeedModeName, string>,
    file: 'CSV file',
    fileHint:
      'Drop it here or choose it. Rows are found by brand and part_number. Empty cells change nothing; a dash clears.',
    sample: (kind: FeedKindName) => `Download a sample: ${kinds[kind]}`,
    submit: 'Check file',
    sending: 'Sending the file',
    required: 'Choose a file',
  },
  open: {
    heading: (name: string | null, id: string) => name ?? `Feed ${id}`,
    back: 'Check another file',
    loading: 'Loading the feed',
    failed: "We couldn't load this feed",
    progress: (state: FeedStateName, percent: number) => `${states[state]}: ${percent}%`,
    counts: {
      rows: 'Rows',
      added: 'New',
      changed: 'Changed',
      same: 'Unchanged',
      refused: 'Refused',
      archived: 'To archive',
    },
    countsCaption: 'What this feed does',
    applied: 'All of it is in the store.',
    appliedPartly: (refused: number) =>
      `It is in the store, without ${rows(refused)} that we refused.`,
    clean: 'No findings.',
    findings: 'Findings',
    findingsShown: (shown: number, total: number) =>
      `The first ${formatCount(shown)} of ${formatCount(total)}.`,
    byReason: (reason: string, count: number) => `${reason}: ${formatCount(count)}`,
    findingColumns: ['Line', 'Column', 'Finding'],
    wholeRow: 'Whole row',
    saveFindings: 'Save findings as CSV',
    changes: 'Changes',
    changesShown: (shown: number, total: number) =>
      `The first ${formatCount(shown)} of ${formatCount(total)}.`,
    changeColumns: ['Part', 'Column', 'Now', 'After'],
    empty: 'empty',
    apply: 'Apply feed',
    applyGood: (count: number) => `Apply without ${rows(count)}`,
    applyTitle: 'Apply feed',
    applyQuestion: (counts: { added: number; changed: number; archived: number }) =>
      `Add ${formatCount(counts.added)}, change ${formatCount(counts.changed)} and archive ${formatCount(counts.archived)}?`,
    archivesMuch: (count: number) =>
      `This archives ${formatCount(count)}, which is much of a brand. Check that the file is complete.`,
    nothing: 'This file changes nothing.',
    cancel: 'Cancel feed',
    cancelQuestion: 'Cancel this feed? Nothing has been changed.',
    context: (name: string | null, id: string) => name ?? `feed ${id}`,
  },
  history: {
    heading: 'History',
    caption: 'Feeds, latest first',
    columns: { feed: 'Feed', state: 'State', result: 'Result', sent: 'Sent' },
    console: 'Console',
    result: (counts: { added: number; changed: number; refused: number; archived: number }) =>
      [
        [counts.added, 'new'],
        [counts.changed, 'changed'],
        [counts.refused, 'refused'],
        [counts.archived, 'archived'],
      ]
        .filter(([count]) => count !== 0)
        .map(([count, word]) => `${formatCount(Number(count))} ${word}`)
        .join(', ') || 'Nothing to change',
    loading: 'Loading feeds',
    failed: "We couldn't load the feeds",
    empty: 'No feeds yet',
    emptyHint: 'Check a file above. A sample shows its columns.',
    latest: (shown: number, total: number) =>
      `Showing the latest ${formatCount(shown)} of ${formatCount(total)}.`,
  },
} as const;
