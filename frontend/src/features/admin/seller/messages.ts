/* Every word of the seller's data. */

export const messages = {
  heading: 'Seller details',
  intro:
    'Who sells: printed on invoices, credit notes and packing slips from now on. Documents that were issued stay as they are.',
  loading: 'Loading seller details',
  failed: "We couldn't load the seller details",
  missing: 'Nothing is saved yet. Fill this in before the first invoice.',
  name: 'Company name',
  taxId: 'Tax ID',
  taxIdHint: 'Optional. Your VAT ID or EIN.',
  email: 'Email',
  emailWrong: 'Enter an email address',
  phone: 'Phone',
  terms: 'Terms',
  termsHint: 'Optional. Printed below invoices, such as when they are due and where to pay.',
  optional: 'Optional',
  save: 'Save seller details',
  saved: 'Seller details saved',
} as const;
