import type { NumberKind } from '@/api/parts';
import type { CorrectionReason } from '@/api/types';
import { formatCount } from '@/lib/money';

/* Every word of the admins' products that a person reads. What the specification fixes, letter by letter, is marked. */

const products = (count: number) => (count === 1 ? '1 product' : `${formatCount(count)} products`);
const rows = (count: number) => (count === 1 ? '1 row' : `${formatCount(count)} rows`);

const reasons: Record<CorrectionReason, string> = {
  breakage: 'Damaged',
  miscount: 'Miscounted',
  loss: 'Lost',
  found: 'Found',
  other: 'Other',
};

export const messages = {
  cancel: 'Cancel',
  manage: {
    heading: 'Manage Products',
    add: 'Add Product', // spec
    import: 'Import CSV',
    labels: ['product', 'products'],
    search: 'Name, category or part number',
    filter: 'Category',
    allCategories: 'All categories',
    columns: {
      place: 'No.', // spec
      image: 'Image', // spec
      name: 'Name', // spec
      quantity: 'Quantity', // spec
      price: 'Price per unit', // spec
      actions: 'Actions', // spec
    },
    minimum: (units: number) => `Minimum ${formatCount(units)}`,
    caption: 'Products',
    loading: 'Loading products',
    empty: 'No products yet',
    emptyHint: 'Products you add go live immediately.',
    imported: (count: number) => `${products(count)} added.`,
    deleted: (name: string) => `${name} deleted. You can bring it back under Archived.`,
    restored: (name: string) => `${name} is back in the shop.`,
    archived: 'Archived',
    archivedCaption: 'Archived products',
    noneArchived: 'No archived products',
    noneArchivedHint: 'Products you delete are kept here. You can bring them back at any time.',
  },
  restore: {
    button: 'Bring back',
  },
  price: {
    edit: 'Change price',
    change: (price: string, name: string) => `${price}, change the price of ${name}`,
    label: (name: string) => `Price of ${name} in US dollars`,
    save: 'Save',
    done: 'Price changed',
  },
  edit: {
    history: 'What admins changed here',
    button: 'Edit',
    heading: 'Edit Product',
    loading: 'Loading the product',
    failed: "We couldn't load the product",
    gone: "This product isn't in the shop",
    goneHint: 'It may have been deleted. You can bring it back under Archived.',
    toList: 'Manage Products',
    save: 'Save changes',
    done: 'Product saved',
    conflict: 'Someone else changed this product while you were editing it:',
    conflictHint: 'Your own changes are still in the form. Review them and save again.',
    changed: (subject: string) => `${subject} changed`,
    changedTo: (subject: string, value: string) => `${subject} is now ${value}`,
    none: 'empty',
  },
  delete: {
    button: 'Delete', // spec
    question: (name: string) => `Are you sure you want to delete this ${name}`, // spec
    note: "It will be removed from the shop immediately. Existing orders aren't affected.",
  },
  restock: {
    button: 'Update', // spec
    title: 'Update',
    quantity: 'Quantity', // spec
    quantityHint: (stock: number) => `Units to add (current stock: ${formatCount(stock)})`,
    price: 'Price', // spec
    priceHint: 'New price per unit (USD)',
    preview: (stock: number, price: string) => `New stock: ${formatCount(stock)} · ${price} each`,
    submit: 'Update',
    done: 'Restocked Successfully', // spec
  },
  correct: {
    button: 'Correct',
    stockOf: (name: string) => `the stock of ${name}`,
    title: 'Correct stock',
    counted: 'Counted units',
    countedHint: (stock: number) => `Current stock: ${formatCount(stock)}`,
    unchanged: "That's the current stock already",
    reason: 'Reason',
    reasons,
    note: 'Note',
    noteHint: 'Optional, for your team.',
    submit: 'Correct stock',
    done: 'Stock corrected',
    history: 'Stock history',
    latest: 'Latest changes',
    archived: 'Removed from the shop',
    corrected: (units: number, reason: CorrectionReason | undefined, note: string | undefined) =>
      `${units > 0 ? '+' : '−'}${formatCount(Math.abs(units))}` +
      `${reason ? `, ${reasons[reason].toLowerCase()}` : ''}${note ? `: ${note}` : ''}`,
    restocked: (units: number, price: string | null) =>
      `+${formatCount(units)} delivered${price === null ? '' : ` at ${price}`}`,
    priced: (price: string | null) => (price === null ? 'Price changed' : `Price set to ${price}`),
  },
  addPage: {
    heading: 'Add Product',
    chooseCategory: 'Choose a category',
    raised: (typed: number, least: number) =>
      `${formatCount(typed)} will be saved as ${formatCount(least)}, our lowest minimum order`,
    done: 'Product added successfully', // spec
    view: (name: string) => `View ${name} in the shop`,
    restored: "We've kept what you typed here earlier. Choose the image again.",
    uploadFailed: "We couldn't upload the image.",
    notAdded: "The product wasn't added. Your entries have been kept.",
    submit: 'Add Product', // spec
  },
  /** What buyers find a part by. `subject` begins a field's messages. */
  details: {
    brand: { label: 'Brand', subject: 'Brand', hint: "A name we don't have yet adds a brand" },
    partType: { label: 'Type of part', subject: 'Type of part' },
    noPartType: 'None',
    packSize: { label: 'Units per pack', subject: 'Units per pack' },
    weight: { label: 'Weight (g)', subject: 'Weight' },
    length: { label: 'Length (mm)', subject: 'Length' },
    width: { label: 'Width (mm)', subject: 'Width' },
    height: { label: 'Height (mm)', subject: 'Height' },
    taxClass: 'Tax',
    taxClasses: { standard: 'Taxed as usual', none: 'Never taxed' },
    universal: 'Fits all vehicles',
    attributes: 'Attributes',
    attributesHint: 'What buyers compare, such as Diameter 280 mm or ABS ring Yes.',
    yes: 'Yes',
    no: 'No',
    attribute: (place: number) => `Attribute ${place}`,
    value: (place: number) => `Value ${place}`,
    attributeName: 'Attribute',
    attributeValue: 'Value',
    addAttribute: 'Add attribute',
    removeAttribute: 'Remove attribute',
  },
  numbers: {
    heading: 'Interchange',
    hint: 'Original, competing and superseded numbers. Buyers find the part by any of them.',
    loading: 'Loading the numbers',
    failed: "We couldn't load the numbers",
    none: 'No numbers yet.',
    kinds: {
      own: 'Our own',
      gtin: 'GTIN',
      oe: 'Original (OE)',
      competitor: 'Competitor',
      superseded: 'Replaces',
      supplier: 'Supplier',
    } satisfies Record<NumberKind, string>,
    number: 'Number',
    kind: (place: number) => `Kind ${place}`,
    numberOf: (place: number) => `Number ${place}`,
    brandOf: (place: number) => `Brand ${place}`,
    noteOf: (place: number) => `Note ${place}`,
    noSign: 'Number needs letters or digits',
    add: 'Add number',
    remove: 'Remove number',
    save: 'Save numbers',
    done: 'Numbers saved',
  },
  pictures: {
    heading: 'Pictures',
    hint: (most: number) =>
      `Up to ${most}. Buyers see them in this order, and the first one in every list.`,
    list: 'Pictures in their order',
    picture: (place: number) => `Picture ${place}`,
    first: 'Shown in lists',
    left: 'Move left',
    right: 'Move right',
    remove: 'Remove',
    add: 'Add a picture',
    moved: (place: number, all: number) => `Moved to place ${place} of ${all}`,
    removed: (left: number) => `Removed. ${left === 1 ? '1 picture' : `${left} pictures`} left.`,
    full: (most: number) => `You've reached the limit of ${most}. Remove one to add another.`,
    twice: 'This picture is there already',
    save: 'Save pictures',
    done: 'Pictures saved',
  },
  image: {
    label: 'Image', // spec
    hint: 'PNG, JPEG or WebP, up to 5 MB. 4:3 looks best.',
    hintKept: 'Choose a PNG, JPEG or WebP of up to 5 MB to replace it. 4:3 looks best.',
    current: 'Current image',
    preview: (file: string) => `Preview of ${file}`,
    noPreview: 'No preview',
    none: 'No image chosen',
    uploading: 'Uploading the image',
    progress: (percent: number) => `Uploading the image: ${percent}%`,
    processing: 'Processing image…',
    required: 'Image is required', // spec
    type: 'Choose a PNG, JPEG or WebP file',
    size: 'Choose an image of 5 MB or less',
  },
  rules: {
    number: (subject: string) => `${subject} must be a number`,
    required: (subject: string) => `${subject} is required`,
    positive: (subject: string) => `${subject} must be 1 or more`,
    whole: (subject: string) => `${subject} must be a whole number`,
    negative: (subject: string) => `${subject} can't be negative`,
    most: (most: string) => `Enter ${most} or less`,
    least: (least: string) => `Enter ${least} or more`,
    decimals: 'Use at most two decimals',
    length: (most: number) => `Use at most ${formatCount(most)} characters`,
    price: 'Price',
    quantity: 'Quantity',
    counted: 'Counted units',
    reason: 'Reason',
  },
  import: {
    title: 'Import CSV',
    file: 'CSV file',
    fileHint:
      'UTF-8, columns separated by commas or semicolons, up to 5,000 rows and 2 MB. Export a file to see the columns.',
    template: 'Download a template',
    tooLarge: 'Files must be 2 MB or smaller.',
    checking: 'Checking your file…',
    noRows: 'The file has no rows below its header.',
    allGood: (count: number) =>
      count === 1
        ? 'Your row is ready to import.'
        : `All ${formatCount(count)} rows are ready to import.`,
    noneGood: (count: number) =>
      count === 1
        ? "Your row can't be imported. See the errors below."
        : `None of the ${formatCount(count)} rows can be imported. See the errors below.`,
    someGood: (all: number, good: number) =>
      `${formatCount(good)} of ${rows(all)} can be imported. See the errors below.`,
    importAll: (count: number) => `Import ${products(count)}`,
    importGood: (count: number) =>
      `Import ${formatCount(count)} valid ${count === 1 ? 'row' : 'rows'}`,
    done: (added: number, skipped: number) =>
      `${products(added)} added, ${rows(skipped)} skipped. Fix the rows below and import the file again.`,
    close: 'Done',
    badRows: 'Rows with errors',
    columns: ['Line', 'Column', 'Reason'],
    wholeRow: 'whole row',
  },
} as const;
