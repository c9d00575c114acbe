import type { DocumentKind } from './wire';

/* Every word of documents. */

export const messages = {
  heading: 'Documents',
  loading: 'Loading documents',
  failed: "We couldn't load the documents",
  none: 'No documents yet. The invoice is issued when the order is paid, or shipped on account.',
  kinds: {
    invoice: (number: string) => `Invoice ${number}`,
    credit: (number: string) => `Credit note ${number}`,
  } satisfies Record<DocumentKind, (number: string) => string>,
  issued: (day: string, total: string) => `${day} · ${total}`,
  pdf: 'PDF',
  xml: 'XML',
  packingSlip: 'Packing slip',
  confirmation: 'Order confirmation',
  saveFailed: (what: string, why: string) => `We couldn't download ${what}. ${why}`,
} as const;
