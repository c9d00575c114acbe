/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

export type FieldError = {
  /** The field as it is called in the payload; a dotted path for a nested one. */
  field: string;
  /** The sentence that belongs beside it. */
  message: string;
};

export type Problem = object & {
  /** What happened this time. */
  detail: string;
  /** What is wrong with which field. */
  errors?: FieldError[];
  /** The sentence that a screen may show. */
  message: string;
  /** The HTTP status. */
  status: number;
  /** The kind in a few words. */
  title: string;
  /** Names the work that this answer came of, in the shop's log and in its traces: 32 hexadecimal digits. */
  traceId?: string;
  /** `/problems/<slug>`, stable, for programs. */
  type: string;
};

export type Address = {
  city: string;
  company: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Street and number. */
  line1: string;
  line2: string | null;
  postcode: string | null;
  /** A code in Australia, Canada and the United States. */
  region: string | null;
};

export type KeptAddress = Address & {
  /** `UUIDv7`. */
  _id: string;
  /** Whether it is offered first. */
  isDefault: boolean;
  /** Who receives what is sent there. */
  name: string;
  phone: string | null;
};

export type SentAddress = {
  /** Up to 60 characters. */
  city: string;
  /** Up to 100 characters. */
  company?: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Street and number, up to 100 characters. */
  line1: string;
  /** Up to 100 characters. */
  line2?: string | null;
  /** Up to 16 characters. */
  postcode?: string | null;
  /** Up to 60 characters; the code or the name of one in Australia, Canada and the United States. */
  region?: string | null;
};

export type SentKeptAddress = SentAddress & {
  /** Whether it is offered first, instead of the one before; `false` if left out. The first address is in any case. */
  isDefault?: boolean | null;
  /** Up to 120 characters. */
  name: string;
  /** Up to 40 characters. */
  phone?: string | null;
};

export type DeletedCount = {
  /** 1 if this call took it away, else 0. */
  deletedCount: number;
};

export type IsAdmin = {
  admin: boolean;
};

export type TaxTotal = {
  /** Goods and freight that it is computed from, in dollars. */
  base: number;
  basisPoints: number;
  name: string;
  /** In dollars. */
  tax: number;
};

export type SumsView = {
  /** Goods, freight and tax, in dollars; `null` as long. */
  due: number | null;
  /** Dollars for all goods. */
  goods: number;
  /** The freight in dollars; `null` while it waits for our figure. */
  shipping: number | null;
  /** The tax in dollars; `null` as long. */
  tax: number | null;
  /** The taxes by rate. */
  taxes: TaxTotal[];
};

export type CheckoutStateName = 'waiting' | 'unpaid' | 'paid' | 'cancelled';

export type ListedCheckout = SumsView & {
  _id: string;
  email: string;
  /** How many lines it has. */
  lines: number;
  name: string;
  number: string | null;
  paid: boolean;
  /** RFC 3339, UTC. */
  placedAt: string;
  poNumber: string | null;
  /** How many of those have shipped. */
  shipped: number;
  /** How many of them are not cancelled. */
  standing: number;
  state: CheckoutStateName;
  /** `card` or `account`. */
  terms: string;
};

export type PurchaseView = {
  /** The checkout that it is a line of; left out if it was bought alone. */
  checkoutId?: string;
  /** What has to be paid, in dollars: goods, freight and tax. */
  due: number;
  /** Which line of it, from 1. */
  line?: number;
  /** The customer's purchase order number. */
  poNumber?: string;
  /** What of it went back, or is on its way back, in dollars. `paid` stays true until it is all. */
  refunded: number;
  /** Its part of the freight; left out without a checkout, or while the freight waits for our figure. */
  shipping?: number;
  /** The tax on goods and freight; left out as long. */
  tax?: number;
};

export type Category =
  | 'BRAKES'
  | 'REPLACEMENT PARTS'
  | 'SAFETY ACCESSORIES'
  | 'TIRES'
  | 'STEERING WHEEL'
  | 'SERVICE KITS'
  | 'BATTERIES'
  | 'OILS AND FLUIDS';

export type PaymentStatus = 'paid' | 'refunded';

export type PaymentView = {
  /** The order's id. */
  product: string;
  status: PaymentStatus;
  /** The provider's id of the payment. */
  transactionId: string;
};

export type OrderStatus = 'Pending' | 'paid';

export type OrderedCondition = {
  /** Whether the customer said that it is true. */
  confirmed: boolean;
  id: number;
  text: string;
};

export type FitVerdict = 'universal' | 'unknown' | 'no' | 'yes' | 'ask' | 'if';

export type OrderedVehicle = {
  /** Of `if`, the conditions. */
  conditions: OrderedCondition[];
  /** The engine's id, if the customer knew it. */
  engine: number | null;
  /** The vehicle's id. */
  id: number;
  /** The vehicle, and its engine if it was known. */
  label: string;
  /** Whether the part fitted it, as far as the shop knew. */
  verdict: FitVerdict;
};

export type Order = PurchaseView & {
  /** `UUIDv7`. */
  _id: string;
  address: string;
  /** RFC 3339, UTC; only lists that include cancelled orders have any. */
  cancelledAt: string | null;
  category: Category;
  /** RFC 3339, UTC. */
  createdAt: string;
  /** How the product was described when it was ordered. */
  description: string;
  /** The same. */
  details: string;
  /** The customer's e-mail. */
  email: string;
  img: string;
  /** The customer's name. */
  name: string;
  /** The human-readable number, such as `DL-10428`. */
  number: string | null;
  /** Whether the money is in. */
  paid: boolean;
  /** RFC 3339, UTC. */
  paidAt: string | null;
  /** The maker's number of the product, if it had one when it was ordered. */
  partNumber: string | null;
  /** Whether a card can pay it: up to $999,999.99. A larger order is sent on account. */
  payableByCard: boolean;
  payment: PaymentView | null;
  phone: string;
  /** What the goods cost, in dollars: unit price times quantity. */
  price: number;
  productId: string;
  productName: string;
  quantity: number;
  /** Until when its units are reserved: the order is cancelled if it is not paid by then. Null once it is paid or
    shipped. */
  reservedUntil: string | null;
  /** Until when a return can be requested; null unless it is shipped and paid. */
  returnableUntil: string | null;
  /** RFC 3339, UTC. */
  shippedAt: string | null;
  status: OrderStatus;
  /** Dollars for one unit. */
  unitPrice: number;
  /** Left out if no vehicle was named. */
  vehicle?: OrderedVehicle;
};

export type OrderState =
  | 'standing'
  | 'waiting'
  | 'ready'
  | 'shipped'
  | 'unpaid'
  | 'reserved'
  | 'refunded'
  | 'cancelled'
  | 'all';

export type OrderSort = 'newest' | 'oldest' | 'price' | '-price';

export type AttributeValue = boolean | number | string;

export type Attribute = {
  name: string;
  /** The unit of a number. */
  unit?: string;
  value: AttributeValue;
};

export type TaxClass = 'standard' | 'none';

export type PartFacts = {
  attributes?: Attribute[];
  /** Whose part it is. */
  brand?: string;
  /** Millimeters. */
  height?: number;
  /** Millimeters. */
  length?: number;
  /** It is sold in multiples of this many units; 1 if left out. */
  packSize?: number;
  /** What it is, by the name of its part type. */
  partType?: string;
  taxClass: TaxClass;
  /** `true` if it fits every vehicle. */
  universal?: boolean;
  /** Grams of a pack. */
  weight?: number;
  /** Millimeters. */
  width?: number;
};

export type FitCondition = {
  id: number;
  text: string;
};

export type Fit = {
  /** Of `if`, under which conditions it fits: each of them is enough. */
  conditions: FitCondition[];
  verdict: FitVerdict;
};

export type Tier = {
  /** The least quantity. */
  from: number;
  /** Dollars for one unit. */
  price: number;
};

export type Product = PartFacts & {
  /** `UUIDv7`. */
  _id: string;
  /** Units in stock. */
  availableQty: number;
  category: Category;
  /** RFC 3339, UTC. */
  createdAt: string;
  description: string;
  /** Whether it fits the vehicle, in lists for one. */
  fit?: Fit;
  /** All its pictures, if it has several, `img` first: at most 12. Only of one product, not in lists. */
  images?: string[];
  /** Where its picture can be fetched. */
  img: string;
  /** A stock of fewer units than this is low. */
  lowStockBelow: number;
  /** The smallest quantity that may be ordered: never below 50. */
  minOrder: number;
  name: string;
  /** The maker's number, if it has one. */
  partNumber: string | null;
  /** Dollars for one unit. */
  price: number;
  /** What a unit costs everybody, by quantity: at least one, from the smallest quantity on. */
  tiers: Tier[];
  /** Why it was found, where its name does not tell, such as `same as BREMBO 09.A820.11`. */
  via?: string;
  /** Dollars for one unit at the smallest quantity, by the caller's price lists. Only of one product, with a bearer. */
  yourPrice?: number;
};

export type FitChoice = 'yes' | 'if' | 'all';

export type ProductSort = 'newest' | 'price' | '-price' | 'name';

export type AttentionKind =
  | 'mismatched'
  | 'refundFailed'
  | 'refundOverdue'
  | 'refundedElsewhere'
  | 'disputed'
  | 'disputeLost'
  | 'return';

export type Attention = {
  /** Dollars that it is about. */
  amount: number;
  /** Whether the order was cancelled. */
  cancelled: boolean;
  /** The customer's e-mail. */
  email: string;
  /** Of the payment, the refund, the dispute or the return, for the call that does something about it. */
  id: string;
  kind: AttentionKind;
  /** The customer's name. */
  name: string;
  orderId: string;
  productName: string;
  /** The provider's own reason, or the customer's words about a return. */
  reason: string | null;
  /** Whether the order has shipped. */
  shipped: boolean;
  /** RFC 3339, UTC. */
  since: string;
  /** Dollars of the whole order. */
  total: number;
  /** The payment provider's id of the payment. */
  transactionId: string;
};

export type ModifiedCount = {
  /** 1 if this call changed it, else 0. */
  modifiedCount: number;
};

export type BankTransfer = {
  /** What the bank statement says, up to 500 characters. */
  reference: string;
};

export type AuditChange = 'added' | 'changed' | 'removed' | 'done';

export type AuditEntry = {
  /** The admin's account. */
  accountId: string;
  /** What it is: of a change the columns that differ; of an export what was asked for. */
  after: object | null;
  /** When it was committed: RFC 3339, UTC. */
  at: string;
  /** What it was: of a change the columns that differ. */
  before: object | null;
  change: AuditChange;
  /** Where the request came from. */
  clientAddress: string;
  /** The admin's address, as it was then. */
  email: string;
  /** SHA-256 of the entry and of the hash before, in hexadecimal. */
  hash: string;
  /** The kind of what was changed, such as `product`. */
  kind: string;
  method: string;
  /** Its place in the trail, from 1, without gaps. */
  number: number;
  /** The operation, such as `editProduct`. */
  operation: string;
  /** The id of what that belongs to, such as the product of a picture. */
  parent: string | null;
  /** The request's id, as in the log. */
  requestId: string;
  /** The route's path, with the names of its parameters. */
  route: string;
  /** The id of what was changed, if it has one. */
  target: string | null;
  /** What the client called itself, at most 200 characters. */
  userAgent: string | null;
};

export type AuditHead = {
  /** Its hash, in hexadecimal. */
  hash: string;
  /** Its number; 0 before the first. */
  number: number;
};

export type Person = {
  displayName: string;
  email: string;
  photoURL: string | null;
};

export type Finished = {
  /** Where the browser wanted to be: a path of this shop. */
  destination: string;
  /** Whether the account had a password whose owner was never confirmed. It has been removed. */
  passwordGone: boolean;
};

export type AddressProof = {
  token: string;
};

export type WayToGoogle = {
  /** Google's page. */
  address: string;
};

export type Credentials = {
  email: string;
  password: string;
};

export type Rename = {
  /** Up to 120 characters. */
  displayName?: string | null;
  /** An http(s) address or a path of this shop; `null` removes the picture. */
  photoURL?: string | null;
};

export type NewPicture = {
  /** PNG, JPEG or WebP, up to 5 MB. */
  image: Blob;
};

export type PasswordChange = {
  currentPassword: string;
  /** 6 to 128 characters, neither one of the most common, the shop's name, nor one's own name or address. */
  newPassword: string;
};

export type Noted = object;

export type ForgottenPassword = {
  email: string;
};

export type PasswordOf = {
  email: string;
};

export type NewPassword = {
  /** 6 to 128 characters, and not one of the most common. */
  password: string;
  /** The token of the e-mail's link. */
  token: string;
};

export type PasskeyView = {
  /** `UUIDv7`. */
  _id: string;
  /** RFC 3339, UTC. */
  addedAt: string;
  /** RFC 3339, UTC; `null` if it was never used. */
  lastUsedAt: string | null;
  /** What its owner calls it. */
  name: string;
};

export type Factors = {
  /** When the authenticator app was added, RFC 3339; `null` if there is none. */
  appAddedAt: string | null;
  /** Whether the account may add one: its e-mail is confirmed, or it is an admin's. */
  mayAdd: boolean;
  /** The passkeys, oldest first. */
  passkeys: PasskeyView[];
  /** How many recovery codes are left of ten. */
  recoveryCodes: number;
};

export type SecondFactors = {
  /** Whether a code of an authenticator app proves it. */
  byApp: boolean;
  /** Whether a passkey proves it. */
  byPasskey: boolean;
  /** Whether the account has one. */
  enrolled: boolean;
  factors: Factors | null;
  /** The host name at which passkeys are made and used; `null` where browsers make none, because the shop's host is a
    number. */
  passkeyHost: string | null;
  /** Whether this session has proved it. Until then nothing but this, signing out and proving it is open to the session. */
  proved: boolean;
  /** When this session last proved it, RFC 3339; `null` if it did not. */
  provedAt: string | null;
  /** Whether the account has to have a second factor: it is an admin's, and the shop asks it of them. */
  required: boolean;
};

export type RecoveryCodes = {
  /** Groups of four letters and digits. */
  recoveryCodes: string[];
};

export type AppCode = {
  /** Six digits. */
  code: string;
};

export type QrPicture = {
  /** The dark modules, as the `d` of a path in a view box of `size`. */
  path: string;
  /** Its width and height, in modules, without the quiet zone of four that belongs around it. */
  size: number;
};

export type AppKey = {
  /** The same as an `otpauth:` link. */
  link: string;
  /** The link as a QR code. */
  qr: QrPicture;
  /** To be typed into the app, in base32. */
  secret: string;
};

export type NewPasskey = {
  /** The browser's `PublicKeyCredential` as its `toJSON` writes it. */
  credential: object;
  /** What its owner calls it, 1 to 60 characters. */
  name: string;
};

export type PasskeyOptions = {
  /** The challenge and what else the browser has to know. */
  publicKey: {
    [key: string]: unknown;
  };
};

export type Signature = {
  /** The browser's `PublicKeyCredential` as its `toJSON` writes it. */
  credential: object;
};

export type Session = {
  /** `UUIDv7`. */
  _id: string;
  /** Whether it is the session of this request. */
  current: boolean;
  /** A coarse description of the client, such as "Firefox on Linux"; `null` if it sent none. */
  device: string | null;
  /** RFC 3339, UTC; true to within a minute or so. */
  lastSeenAt: string;
  /** RFC 3339, UTC. */
  openedAt: string;
};

export type EndedSessions = {
  deletedCount: number;
};

export type Methods = {
  /** Whether a Google account is linked. */
  google: boolean;
  /** Whether it has a password. */
  password: boolean;
  /** Whether its address is confirmed. */
  verified: boolean;
};

export type NewPerson = {
  email: string;
  /** Up to 120 characters. */
  name: string;
  /** 6 to 128 characters, and not one of the most common. */
  password: string;
};

export type Verification = {
  email: string;
  verified: boolean;
};

export type OwnAddressProof = {
  /** The account's password; not needed if the caller is signed in to the account. */
  password?: string | null;
  token: string;
};

export type Brand = {
  id: number;
  name: string;
};

export type InsertedId = {
  /** The new thing's id. */
  insertedId: string;
};

export type BrandName = {
  /** Up to 60 characters. */
  name: string;
};

export type Successor = {
  name: string;
  partNumber: string | null;
  productId: string;
};

export type RowStatus = 'ok' | 'replaced' | 'choose' | 'adjusted' | 'short' | 'unknown' | 'moved';

export type BasketLine = {
  /** Units in stock. */
  available: number;
  img: string;
  /** What is to be said about it; may be empty if it can be ordered as it is. */
  message: string;
  minOrder: number;
  name: string;
  partNumber: string | null;
  /** Dollars for all of its units, as they were shown when it was added. */
  price?: number | null;
  productId: string;
  /** As it was saved, also if it cannot be ordered. */
  quantity: number;
  replacedBy?: Successor | null;
  status: RowStatus;
  /** Dollars for all of its units now. */
  total: number | null;
  /** Dollars for one unit now; `null` if it is not for sale. */
  unit: number | null;
};

export type Cart = {
  /** Each product once. */
  lines: BasketLine[];
  /** Counts its changes; 0 of one that was never saved. Quoted it is the answer's `ETag`. */
  version: number;
};

export type SentLine = {
  /** What was shown for all of its units, in dollars. Lists do not keep it. */
  price?: number | null;
  /** The product's id. One that is not for sale is kept, and said so. */
  productId: string;
  /** Whole, from 1; fewer than the minimum order are kept, and said so. */
  quantity: number;
};

export type SentLines = {
  /** At most 1,000. Those of one product are summed. */
  lines: SentLine[];
};

export type PostalAddress = {
  city: string;
  company?: string;
  country: string;
  line1: string;
  line2?: string;
  postcode?: string;
  region?: string;
};

export type PlacedContact = {
  email: string;
  name: string;
  phone: string;
};

export type CheckoutInvoice = {
  id: string;
  /** `invoice` or `credit`. */
  kind: string;
  number: string;
  /** Where it is, as PDF. */
  url: string;
};

export type CheckoutLine = {
  cancelled: boolean;
  /** Goods, freight and tax, in dollars; `null` while the freight waits for our figure. */
  due: number | null;
  img: string;
  /** Which line, from 1. */
  line: number;
  name: string;
  orderId: string;
  /** The order's number, such as `DL-10428`. */
  orderNumber: string | null;
  /** Whether the money is in. */
  paid: boolean;
  partNumber: string | null;
  /** Dollars for the goods. */
  price: number;
  productId: string;
  quantity: number;
  /** What of it went back, or is on its way back, in dollars. */
  refunded: number;
  /** `Pending`, or `paid` once it has shipped, as orders have it. */
  status: string;
  /** Dollars for one unit. */
  unit: number;
};

export type RefusedLine = {
  /** What is left in stock, if there is not enough. */
  available?: number;
  /** The field that it is about. */
  field: string;
  /** Which line, from 1. */
  line: number;
  /** The sentence that belongs beside it. */
  message: string;
  /** The smallest quantity, if it was not met. */
  minOrder?: number;
  /** What the line's goods cost, if another sum was shown. */
  price?: number;
  /** `unknown`, `choose`, `replaced`, `gone`, `quantity`, `stock`, `price`, `vehicle`, `total` or `limit`. */
  reason: string;
  /** The product that replaced it. */
  replacedBy?: string;
};

export type Checkout = SumsView & {
  _id?: string;
  address?: PostalAddress;
  /** The checkout's id; `null` for one line alone, which is a plain order. */
  checkoutId: string | null;
  contact: PlacedContact;
  /** Its invoices and credit notes. */
  invoices: CheckoutInvoice[];
  lines: CheckoutLine[];
  note: string | null;
  /** Such as `P-1001`; of a plain order its own. */
  number: string | null;
  /** Whether all orders that stand are paid. */
  paid: boolean;
  /** RFC 3339, UTC. */
  placedAt: string;
  poNumber: string | null;
  /** Lines that were left out. */
  refused: RefusedLine[];
  /** Until when the units are reserved: what is not paid by then is cancelled. `null` once all is paid. */
  reservedUntil: string | null;
  /** What the shipping method is called; `null` without one. */
  shippingMethod: string | null;
  /** How many orders stand: are not cancelled. */
  standing: number;
  state: CheckoutStateName;
  /** `card` or `account`. */
  terms: string;
};

export type CheckoutAddress = {
  city: string;
  company?: string | null;
  /** ISO 3166 alpha-2. */
  country: string;
  line1: string;
  line2?: string | null;
  /** Required where the country has them. */
  postcode?: string | null;
  /** Its code or its name, where the country has regions. */
  region?: string | null;
};

export type CheckoutContact = {
  /** The customer's own; another's is refused. */
  email?: string | null;
  /** Up to 120 characters. */
  name: string;
  /** Up to 40 characters. */
  phone: string;
};

export type OrderedForVehicle = {
  /** The ids of the conditions that are true of it. */
  confirmed?: number[] | null;
  /** The id of one of its engines. */
  engine?: number | null;
  /** The vehicle's id. */
  id: number;
};

export type OrderedFor = number | OrderedForVehicle;

export type NewCheckoutLine = {
  /** Whose part it is, if others have the same number. */
  brand?: string | null;
  /** A number that exactly one product has: its own, a GTIN, one that it replaces, or one of another maker. */
  number?: string | null;
  /** What the customer was shown for the line's goods, in dollars; another sum than ours is refused. */
  price?: number | null;
  /** Which product; or its `number`. */
  productId?: string | null;
  /** Units: a whole number. Lines of one product are put together before anything is checked. */
  quantity: number;
  vehicle?: OrderedFor | null;
};

export type NewCheckout = {
  address?: CheckoutAddress | null;
  contact?: CheckoutContact | null;
  /** 1 to 1,000 lines. */
  lines: NewCheckoutLine[];
  /** Up to 1,000 characters. */
  note?: string | null;
  /** The customer's purchase order number, up to 60 characters. */
  poNumber?: string | null;
  /** The id of a shipping method; the cheapest if it is not sent. */
  shippingMethod?: string | null;
  /** `card` or `account`; `card` if it is not sent. */
  terms?: string | null;
};

export type CheckedLine = {
  /** Which line, from 1; of several of one product the first. */
  line: number;
  name: string;
  partNumber: string | null;
  /** Dollars for the goods. */
  price: number;
  productId: string;
  quantity: number;
  /** Dollars for one unit. */
  unit: number;
};

export type OfferedShipping = {
  _id: string;
  name: string;
  /** In dollars; `null` if we have to say. */
  price: number | null;
};

export type CheckedCheckout = SumsView & {
  lines: CheckedLine[];
  refused: RefusedLine[];
  /** The id of the one that is taken. */
  shippingMethod: string | null;
  /** The methods that deliver to the address; none without an address, or for one line alone. */
  shippingMethods: OfferedShipping[];
};

export type CancelledOrders = {
  /** 0 if none was left to be cancelled. */
  deletedCount: number;
};

export type PaymentRecord = {
  /** The order's id. */
  product?: string | null;
  /** The provider's id of the payment. */
  transactionId: string;
};

export type Hint = {
  payment: PaymentRecord;
};

export type RowChoice = {
  available: number;
  brand: string | null;
  img: string;
  minOrder: number;
  name: string;
  partNumber: string | null;
  /** Dollars for one unit at the minimum order. */
  price: number;
  productId: string;
};

export type CheckedRow = {
  /** Units in stock. */
  available?: number | null;
  brand?: string | null;
  /** Of `choose` the products that have the number, of `unknown` those whose numbers are closest. */
  choices?: RowChoice[];
  img?: string | null;
  /** Its place in the text, from 1; blank lines count. */
  line: number;
  /** What is to be said about it; empty if it can be ordered as it is. */
  message: string;
  minOrder?: number | null;
  name?: string | null;
  partNumber?: string | null;
  /** Dollars for one unit, at the quantity of all lines of the product. */
  price?: number | null;
  productId?: string | null;
  /** The units that can be ordered, or that were asked for if none can; 0 if those are not known. */
  quantity: number;
  replacedBy?: Successor | null;
  status: RowStatus;
  /** The line as it was written, up to 200 characters. */
  text: string;
  /** Dollars for all of its units. */
  total?: number | null;
};

export type Checked = {
  /** How many rows were changed, or cannot be ordered until something is. */
  attention: number;
  /** How many rows can be ordered as they are. */
  ok: number;
  /** One for each line that is not blank, in their order. */
  rows: CheckedRow[];
  /** How many rows are of no part that the shop knows. */
  unknown: number;
};

export type FreightFigure = {
  /** In dollars, from 0. */
  price: number;
};

export type ClientErrorKind = 'error' | 'rejection' | 'render';

export type ClientErrorReport = {
  /** Which build of the client: the name of its first script. */
  build: string;
  kind: ClientErrorKind;
  /** What the browser says of it; the first 300 characters count. */
  message: string;
  /** The page's path with `:id` for every part that names something, without its query. */
  route: string;
};

export type PaymentProvider = 'sandbox' | 'stripe';

export type ShopFacts = {
  /** The postal address, on one line. */
  address: string | null;
  /** The company that sells. */
  company: string | null;
  email: string | null;
  /** What the shop calls itself. */
  name: string | null;
  phone: string | null;
  /** When somebody answers. */
  supportHours: string | null;
};

export type UnpaidOrderRules = {
  /** In minutes. */
  minutes: number;
  /** The same for accounts that have not paid for an order yet. */
  minutesForNewAccounts: number;
  /** How many unpaid orders such an account may have; `null` for any number. */
  mostForNewAccounts: number | null;
};

export type Config = {
  /** Whether Continue with Google is offered. */
  google: boolean;
  paymentProvider: PaymentProvider;
  /** The payment provider's publishable key; `null` in the sandbox. */
  publishableKey: string | null;
  shop: ShopFacts;
  unpaidOrders: UnpaidOrderRules;
};

export type FieldNeed = 'required' | 'optional' | 'none';

export type Region = {
  code: string;
  name: string;
};

export type Country = {
  /** ISO 3166-1 alpha-2. */
  code: string;
  name: string;
  /** The fields of an address in the order of an envelope. */
  order: string[];
  postcode: FieldNeed;
  /** What the country calls a postcode: "ZIP code". */
  postcodeName: string;
  region: FieldNeed;
  /** What the country calls a region: "State". */
  regionName: string;
  /** The regions, where an address has the code of one. */
  regions?: Region[];
};

export type ClientSecret = {
  clientSecret: string;
};

export type NewIntent = {
  /** Which checkout: all its orders that are neither paid nor cancelled. */
  checkoutId?: string | null;
  /** Which order; without it and a checkout the caller's only unpaid order with that total. */
  orderId?: string | null;
  /** The total in dollars as the customer was shown it; another one than the order's is a 409. */
  price: number;
};

export type ExemptionKind = 'resale' | 'government' | 'reverse-charge';

export type ExemptionState = 'valid' | 'unchecked' | 'expired';

export type Exemption = {
  /** `UUIDv7`. */
  _id: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Whose account it is. */
  email: string;
  kind: ExemptionKind;
  /** The certificate's number, or the VAT number. */
  number: string;
  /** Only there; null for the whole country. */
  region: string | null;
  state: ExemptionState;
  /** The last day; null for good. */
  validUntil: string | null;
};

export type SentExemption = {
  /** ISO 3166-1 alpha-2; of a reverse charge, the country of the VAT number. */
  country: string;
  /** Whose account it is. */
  email: string;
  kind: ExemptionKind;
  /** Up to 40 characters; of a reverse charge, a VAT number of the country. */
  number: string;
  /** Only there: a code in Australia, Canada and the United States. */
  region?: string | null;
  /** The last day, as 2026-11-26; null for good. */
  validUntil?: string | null;
};

export type FeedCountsView = {
  added: number;
  /** Products or numbers that no row has, in a feed that replaces. */
  archived: number;
  changed: number;
  refused: number;
  rows: number;
  /** Rows that say what is so already. */
  same: number;
};

export type FeedKindName = 'products' | 'stock' | 'prices' | 'numbers' | 'fitment';

export type FeedModeName = 'update' | 'upsert' | 'replace';

export type FeedStateName =
  | 'waiting'
  | 'reading'
  | 'checked'
  | 'applying'
  | 'applied'
  | 'failed'
  | 'cancelled';

export type Feed = {
  /** A number. */
  _id: string;
  /** RFC 3339, UTC. */
  appliedAt: string | null;
  /** Whether applying it needs `confirmArchived`, because much of a brand would be archived. */
  archivesMuch: boolean;
  /** Bytes of the file. */
  bytes: number;
  counts: FeedCountsView;
  /** RFC 3339, UTC. */
  createdAt: string;
  /** Whether it stops after the check. */
  dryRun: boolean;
  /** Why it failed, or was not applied. */
  error: string | null;
  /** How many findings there are. The first 10,000 are kept. */
  findingCount: number;
  kind: FeedKindName;
  mode: FeedModeName;
  /** The name of the file, if its sender gave one. */
  name: string | null;
  /** Hundredths of the step that runs. */
  progress: number;
  /** Who sent it; null if it was an operator at the console. */
  sentBy: string | null;
  state: FeedStateName;
};

export type ChangedField = {
  field: string;
  /** Null if it is cleared. */
  new: string | null;
  old: string | null;
};

export type FeedChange = {
  fields: ChangedField[];
  line: number;
  /** The product's brand and number. */
  part: string;
  productId: string;
};

export type FeedFinding = {
  /** The column; empty if it is the row as a whole. */
  field: string;
  /** The line on which the row begins; the header's is 1. */
  line: number;
  /** The sentence for whoever made the file. */
  message: string;
  /** What findings are grouped by: `unknown`, `archived`, `mismatch`, `duplicate`, `required`, `invalid`, `row` or `file`. */
  reason: string;
};

export type FindingsOfReason = {
  count: number;
  reason: string;
};

export type FeedDetails = Feed & {
  /** The first 200 products that change, each with its old and its new values. */
  changes: FeedChange[];
  /** The first 100 findings, by line. */
  findings: FeedFinding[];
  /** How many of the kept findings there are of each reason, most first. */
  reasons: FindingsOfReason[];
};

export type FeedForm = {
  /** CSV in UTF-8 or Latin-1, separated by commas, semicolons or tabs. */
  file: Blob;
};

export type ApplyFeed = {
  /** The number `archived` of the feed, if much of a brand would be archived. */
  confirmArchived?: number | null;
  /** `true`: rows that are refused are left out. */
  partial?: boolean | null;
};

export type MakeCoverage = {
  /** The make's id. */
  id: number;
  name: string;
  vehicles: number;
  without: number;
};

export type TypeCoverage = {
  /** The part type's id. */
  id: number;
  /** The same for each make, by name. */
  makes: MakeCoverage[];
  /** Its name. */
  name: string;
  /** How many vehicles there are: models of one year. */
  vehicles: number;
  /** For how many of them no part is for sale. */
  without: number;
};

export type GarageVehicle = {
  /** `UUIDv7`. */
  _id: string;
  /** RFC 3339, UTC. */
  addedAt: string;
  /** The engine's id, if it is known. */
  engine: number | null;
  /** The vehicle, and its engine if it is known: "2014 Toyota Camry, 2.5 L 4 cyl". */
  label: string;
  /** What its owner calls it. */
  name: string | null;
  /** The vehicle's id, as in `/vehicles`. */
  vehicle: number;
  vin: string | null;
};

export type NewGarageVehicle = {
  /** The id of one of its engines. */
  engine?: number | null;
  /** Up to 60 characters. */
  name?: string | null;
  /** The vehicle's id, as in `/vehicles`. */
  vehicle: number;
  /** 17 letters and digits; whatever else stands between them is left out. It is kept sealed, and shown to its owner
    alone. */
  vin?: string | null;
};

export type ChosenBefore = {
  /** The id of one of its engines. */
  engine?: number | null;
  /** Up to 60 characters. */
  name?: string | null;
  /** The vehicle's id, as in `/vehicles`. */
  vehicle: number;
};

export type GarageOfVisitor = {
  /** At most 200, the latest first. */
  vehicles: ChosenBefore[];
};

export type EditedGarageVehicle = {
  /** The id of one of the vehicle's engines. It goes with the vehicle: without one it is unknown from then on. */
  engine?: number | null;
  /** Up to 60 characters; `null` is none. */
  name?: string | null;
  /** The vehicle's id, as in `/vehicles`. */
  vehicle?: number | null;
  /** 17 letters and digits; `null` is none. */
  vin?: string | null;
};

export type HealthStatus = 'live' | 'ready' | 'not ready';

export type Health = {
  status: HealthStatus;
};

export type PictureData = {
  url: string;
};

export type Uploaded = {
  data: PictureData;
  success: boolean;
};

export type Info = {
  email: string;
  facebook: string | null;
  github: string | null;
  linkedin: string | null;
  livesIn: string | null;
  phone: string | null;
  studyIn: string | null;
};

export type UpdatedInfo = {
  /** An http(s) address. */
  updatedFacebook?: string | null;
  /** An http(s) address. */
  updatedGithub?: string | null;
  /** An http(s) address. */
  updatedLinkedIn?: string | null;
  /** The same under its other spelling. */
  updatedLinkedin?: string | null;
  /** Up to 200 characters. */
  updatedLivesIn?: string | null;
  /** Up to 40 characters. */
  updatedPhone?: string | null;
  /** Up to 200 characters. */
  updatedStudyIn?: string | null;
};

export type NewInfo = {
  /** An http(s) address. */
  facebook?: string | null;
  /** An http(s) address. */
  github?: string | null;
  /** The same under its other spelling. */
  linkedIn?: string | null;
  /** An http(s) address. */
  linkedin?: string | null;
  /** Up to 200 characters. */
  livesIn?: string | null;
  /** Up to 40 characters. */
  phone?: string | null;
  /** Up to 200 characters. */
  studyIn?: string | null;
};

export type InvoiceKind = 'invoice' | 'credit';

export type InvoiceSummary = {
  _id: string;
  /** Of a document about a checkout. */
  checkoutId?: string | null;
  /** RFC 3339, UTC. */
  issuedAt: string;
  kind: InvoiceKind;
  /** `INV-000123` or `CN-000007`. */
  number: string;
  /** Of a document about one order. */
  orderId?: string | null;
  total: number;
  /** Where its PDF is. */
  url: string;
};

export type PrintedAddressView = {
  city?: string | null;
  company?: string | null;
  /** ISO 3166-1 alpha-2. */
  country?: string | null;
  lines: string[];
  postcode?: string | null;
  region?: string | null;
};

export type BuyerView = {
  address: PrintedAddressView;
  email: string;
  name: string;
  phone: string;
  vatId?: string | null;
};

export type InvoiceLineView = {
  /** Unit price times quantity. */
  goods: number;
  name: string;
  /** The number of the order that the line is. */
  orderNumber: string;
  partNumber?: string | null;
  quantity: number;
  /** This line's part of the freight. */
  shipping: number;
  tax: number;
  /** In percent. */
  taxRate: number;
  unit: number;
};

export type Seller = {
  city: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  email: string;
  line1: string;
  line2?: string | null;
  name: string;
  phone?: string | null;
  postcode?: string | null;
  region?: string | null;
  taxId?: string | null;
  terms?: string | null;
};

export type TaxTotalView = {
  /** Goods and freight. */
  base: number;
  basisPoints: number;
  /** UNCL 5305: `S`, `Z`, `E`, `AE` or `O`. */
  category: string;
  name: string;
  tax: number;
};

export type Invoice = {
  _id: string;
  buyer: BuyerView;
  checkoutId?: string | null;
  /** The number of the invoice that a credit note is about. */
  credits?: string | null;
  deliverTo: PrintedAddressView;
  /** What of it was owed when it was issued. */
  due: number;
  goods: number;
  /** RFC 3339, UTC. */
  issuedAt: string;
  kind: InvoiceKind;
  lines: InvoiceLineView[];
  number: string;
  orderId?: string | null;
  /** RFC 3339, UTC; not of what was shipped on account. */
  paidAt?: string | null;
  poNumber?: string | null;
  /** The number of what was bought, such as `DL-10428`. */
  purchase: string;
  seller: Seller;
  shipping: number;
  tax: number;
  taxes: TaxTotalView[];
  total: number;
  /** Where its PDF is. */
  url: string;
};

export type ListSummary = {
  /** `UUIDv7`. */
  _id: string;
  /** RFC 3339, UTC. */
  changedAt: string;
  /** How many lines it has. */
  lines: number;
  name: string;
};

export type NewList = {
  /** At most 1,000; none if left out. Those of one product are summed. */
  lines?: SentLine[] | null;
  /** 1 to 80 characters. Two lists may have the same. */
  name: string;
};

export type SavedList = {
  /** `UUIDv7`. */
  _id: string;
  /** RFC 3339, UTC. */
  changedAt: string;
  /** Each product once, as it stands now. */
  lines: BasketLine[];
  name: string;
};

export type EditedList = {
  /** At most 1,000, in place of those that it has. Those of one product are summed. */
  lines?: SentLine[] | null;
  /** 1 to 80 characters. */
  name?: string | null;
};

export type Subscription = {
  email: string;
};

export type Unsubscription = {
  email: string;
};

export type NumberedProducts = {
  /** At most 100, best first. */
  products: Product[];
  /** How well it matches: 1 its own, 2 GTIN, 3 replaced, 4 another maker's, 5 its beginning, 6 misread, 7 close; null if
    there is nothing like it. */
  tier: number | null;
};

export type OrderCounts = {
  /** `state=all`. */
  all: number;
  /** Neither paid nor shipped: `state=reserved`. */
  awaitingPayment: number;
  /** `state=cancelled`. */
  cancelled: number;
  /** Payment matters that an admin has to handle: those of `GET /attention`. */
  needsAttention: number;
  /** Paid and not shipped: `GET /allOrders?state=ready`. */
  readyToShip: number;
  /** `state=refunded`. */
  refunded: number;
  /** `state=shipped`. */
  shipped: number;
};

export type NewOrder = {
  /** Where it goes, up to 500 characters. */
  address: string;
  category?: Category | null;
  /** The customer's own e-mail; another's is refused. */
  email?: string | null;
  img?: string | null;
  /** The customer's name, up to 120 characters. */
  name: string;
  /** Up to 40 characters. */
  phone: string;
  /** The total in dollars as the customer was shown it; another one than ours is a 409. */
  price?: number | null;
  /** Which product; without it the only one with this `productName`, `category` and `img`. */
  productId?: string | null;
  productName?: string | null;
  /** Units: a whole number from the product's minimum up to what is available. */
  quantity: number;
  vehicle?: OrderedFor | null;
};

export type OrderEventKind =
  | 'ordered'
  | 'freight_set'
  | 'paid'
  | 'shipped'
  | 'part_shipped'
  | 'cancelled'
  | 'refunded'
  | 'partly_refunded'
  | 'refund_failed'
  | 'overpaid'
  | 'disputed'
  | 'dispute_closed'
  | 'return_requested'
  | 'return_accepted'
  | 'return_declined';

export type OrderEvent = {
  /** `UUIDv7`. */
  _id: string;
  /** Dollars that went back, came twice, are disputed, or are refunded for a return. */
  amount?: number;
  /** Why a return was declined. */
  answer?: string;
  /** Whether it shipped before it was paid. */
  onAccount?: boolean;
  /** The total in dollars. */
  price?: number;
  /** Units ordered, shipped in part, or to be returned. */
  quantity?: number;
  /** Whether the units of an accepted return went back to stock. */
  restocked?: boolean;
  /** The payment. */
  transactionId?: string;
  what: OrderEventKind;
  /** RFC 3339, UTC. */
  when: string;
  /** An e-mail, or `Driveline` for the shop itself and, to customers, for its staff. */
  who: string;
  /** Whether the money of a dispute stays here. */
  won?: boolean;
};

export type Note = {
  /** `UUIDv7`. */
  _id: string;
  /** The e-mail of the admin who wrote it. */
  author: string;
  /** RFC 3339, UTC. */
  createdAt: string;
  text: string;
};

export type NewNote = {
  /** Up to 2,000 characters. */
  text: string;
};

export type NewRefund = {
  /** How many cents; all that is left if omitted. */
  cents?: number | null;
  /** Why, for the record; up to 500 characters. */
  reason?: string | null;
};

export type ReturnReason =
  | 'damaged'
  | 'wrong_part'
  | 'does_not_fit'
  | 'not_as_described'
  | 'not_needed'
  | 'other';

export type ReturnStateName = 'requested' | 'accepted' | 'declined';

export type OrderReturn = {
  /** `UUIDv7`. */
  _id: string;
  /** Why it was declined. */
  answer: string | null;
  /** RFC 3339, UTC; null until it is decided. */
  decidedAt: string | null;
  /** The customer's own words. */
  details: string | null;
  reason: ReturnReason;
  /** Dollars that an accepted return refunds; 0 if the order had been refunded before. */
  refunded: number | null;
  /** RFC 3339, UTC. */
  requestedAt: string;
  /** Whether the units of an accepted return went back to stock. */
  restocked: boolean | null;
  state: ReturnStateName;
  units: number;
};

export type NewReturn = {
  /** The customer's own words, up to 1,000 characters. */
  details?: string | null;
  reason: ReturnReason;
  /** From 1 to what is left of the order. */
  units: number;
};

export type Shipment = {
  _id: string;
  carrier: string | null;
  /** Units. */
  quantity: number;
  /** RFC 3339, UTC. */
  sentAt: string;
  trackingNumber: string | null;
  /** A page that shows where it is. */
  trackingUrl: string | null;
};

export type NewShipment = {
  /** Up to 60 characters. `UPS`, `FedEx`, `USPS` and `DHL` have pages for their numbers. */
  carrier?: string | null;
  /** Units: from 1 to what has not been shipped yet. */
  quantity: number;
  /** Up to 60 characters. */
  trackingNumber?: string | null;
  /** An http(s) address, up to 500 characters; that of a known carrier if it is left out. */
  trackingUrl?: string | null;
};

export type DeliveryChannel = 'mail' | 'webhook';

export type DeliveryState = 'waiting' | 'sent' | 'dead';

export type DeliveryTopic =
  | 'order.ordered'
  | 'order.paid'
  | 'order.shipped'
  | 'order.part_shipped'
  | 'order.cancelled'
  | 'order.refunded'
  | 'order.return_accepted'
  | 'order.return_declined'
  | 'order.reminder'
  | 'order.lapsed'
  | 'order.released'
  | 'checkout.placed'
  | 'checkout.paid'
  | 'account.verify'
  | 'account.reset'
  | 'account.google_confirm'
  | 'account.password_set'
  | 'account.password_changed'
  | 'account.second_factor_added'
  | 'account.second_factor_removed'
  | 'account.recovery_code_used'
  | 'account.google_linked'
  | 'account.google_unlinked'
  | 'account.taken_over'
  | 'account.deleted'
  | 'account.role_given'
  | 'account.role_taken'
  | 'account.admin_added'
  | 'webhook.disabled';

export type Delivery = {
  /** A number. */
  _id: string;
  /** How often it has been tried. */
  attempts: number;
  channel: DeliveryChannel;
  /** The checkout that it is about. */
  checkoutId: string | null;
  /** When the event happened: RFC 3339, UTC. */
  createdAt: string;
  /** When it is tried next, if it waits: RFC 3339, UTC. */
  dueAt: string;
  /** Why the last attempt that failed did. */
  lastError: string | null;
  /** The order that it is about. */
  orderId: string | null;
  /** RFC 3339, UTC. */
  sentAt: string | null;
  state: DeliveryState;
  /** The recipient's e-mail. */
  to: string | null;
  topic: DeliveryTopic;
};

export type RetriedCount = {
  /** How many deliveries were requeued. */
  modifiedCount: number;
};

export type OverviewDay = {
  /** A date, in UTC, as `2026-11-21`. */
  day: string;
  /** Orders that were placed and still stand. */
  orders: number;
  /** Dollars that were paid for goods and freight, whenever the order was placed and whatever became of it. */
  paid: number;
  /** Dollars that went back, whenever they had been paid; below zero if refunds failed to arrive. */
  returned: number;
  /** Dollars that were paid on that day less dollars that went back on it: goods and freight, without tax; below zero if more went back. What a day came
    to never changes afterwards. */
  revenue: number;
};

export type SearchIndex = {
  /** How many changes of products it lacks, counted to ten thousand. */
  changes: number;
  /** Whether there is an index to search in; until there is, the database answers. */
  ready: boolean;
  /** How long ago the oldest of them was made. */
  seconds: number;
};

export type OrderStates = {
  paid: number;
  shipped: number;
  /** Not paid. */
  unpaid: number;
  /** Not shipped. */
  waiting: number;
};

export type Overview = {
  /** Every day of the period, oldest first and today last. */
  days: OverviewDay[];
  /** The latest eight. */
  latestOrders: Order[];
  /** Up to ten products with less stock than twice their minimum order, the lowest first. */
  lowStock: Product[];
  /** Orders that were placed in the period and still stand. */
  orders: number;
  /** Dollars that were paid in the period. */
  paid: number;
  /** Dollars that went back in the period. */
  returned: number;
  /** Dollars that were paid in the period less dollars that went back in it. */
  revenue: number;
  /** Whether words and numbers with a slip in them are found: not without the database's `pg_trgm`. */
  searchForgivesSlips: boolean;
  searchIndex?: SearchIndex | null;
  states: OrderStates;
};

export type UnpaidGroup = {
  /** The first day, in UTC, as `2026-11-21`; null for the oldest ones. `GET /allOrders?state=unpaid&from=&to=` lists the
    same orders. */
  from: string | null;
  orders: number;
  /** The last day; null for the latest ones. */
  to: string | null;
  /** Dollars that are to be paid for them. */
  total: number;
};

export type PaymentFigures = {
  /** How many of these were paid by now, whatever became of them. */
  paid: number;
  paidBefore: number;
  /** Orders that were placed in the period, cancelled ones among them. */
  placed: number;
  /** The same of the period before. */
  placedBefore: number;
  /** Unpaid orders of any age: placed today or yesterday, in the week before, in the month before, and earlier. */
  unpaid: UnpaidGroup[];
};

export type CategorySales = {
  /** The category that the parts are in now. */
  category: Category;
  /** The period's orders of it that were paid. */
  orders: number;
  /** Dollars that were paid for these orders less dollars that went back, whenever that was: goods and freight, without tax. */
  sales: number;
  /** The same of the orders of the period before. */
  salesBefore: number;
  /** The units of these orders. */
  units: number;
};

export type TopCustomer = {
  displayName: string;
  email: string;
  /** Their orders of the period that were paid. */
  orders: number;
  /** Dollars that were paid for their orders of the period less dollars that went back, whenever that was: goods and freight,
    without tax. */
  sales: number;
  /** The same of their orders of the period before. */
  salesBefore: number;
};

export type TopProduct = {
  img: string;
  name: string;
  /** The period's orders of it that were paid. */
  orders: number;
  /** The maker's number, if it has one. */
  partNumber: string | null;
  /** `UUIDv7`. */
  productId: string;
  /** Dollars that were paid for the period's orders of it less dollars that went back, whenever that was: goods and freight,
    without tax. */
  sales: number;
  /** The same of the orders of the period before; below zero if disputes took more than was paid. */
  salesBefore: number;
  /** The units of these orders. */
  units: number;
};

export type TopSales = {
  /** Every category in which something was sold in the period or the one before, most sales first. */
  categories: CategorySales[];
  /** Up to five, most sales first. */
  customers: TopCustomer[];
  /** The first day of the period, in UTC, as `2026-11-21`; orders belong to the day on which they were placed. */
  from: string;
  /** Up to five, most sales first. */
  products: TopProduct[];
  /** The last one: today. */
  to: string;
};

export type PartType = {
  category: Category;
  id: number;
  name: string;
};

export type NewPartType = {
  category: Category;
  /** Up to 80 characters. */
  name: string;
};

export type PriceList = {
  _id: string;
  /** How many accounts have it. */
  accounts: number;
  name: string;
  /** What is taken off the price for everybody, in per cent; `null` for a list with prices of its own. */
  percent: number | null;
  /** How many prices it has. */
  prices: number;
  priority: number;
  /** RFC 3339, UTC. */
  validFrom: string | null;
  /** RFC 3339, UTC: from then on it no longer applies. */
  validUntil: string | null;
};

export type SentPriceList = {
  /** Up to 80 characters; no other list may have it. */
  name: string;
  /** What is taken off the price for everybody, 0.01 to 99.99; without it the list has prices of its own. */
  percent?: number | null;
  /** 0 to 1,000; 0 if it is not sent. */
  priority?: number | null;
  /** A day, or a moment by RFC 3339. A day begins at midnight UTC. */
  validFrom?: string | null;
  /** A day, or a moment by RFC 3339. Of a day, all of it still counts. */
  validUntil?: string | null;
};

export type ListAccountsView = {
  emails: string[];
};

export type SentListAccounts = {
  /** At most 10,000 addresses of accounts. */
  emails: string[];
};

export type ListPrice = {
  /** The least quantity. */
  from: number;
  /** Dollars for one unit. */
  price: number;
  productId: string;
};

export type ListPricesView = {
  items: ListPrice[];
};

export type SentListPrice = {
  /** The least quantity, 1 to 1,000,000,000; 1 if it is not sent. */
  from?: number;
  /** Dollars for one unit, at least 0.01. */
  price: number;
  productId: string;
};

export type SentListPrices = {
  /** At most 20,000, of a product at most 20. */
  items: SentListPrice[];
};

export type PriceQuote = {
  /** Dollars for one unit by the list price. */
  list: number;
  productId: string;
  quantity: number;
  /** What a unit costs the caller by quantity, from the smallest one on. */
  tiers: Tier[];
  /** Dollars for the quantity; `null` if that is more than can be charged. */
  total: number | null;
  /** Dollars for one unit, at that quantity. */
  unit: number;
};

export type QuotesView = {
  /** `null` for a product that is not for sale. */
  items: (PriceQuote | null)[];
};

export type WantedPrice = {
  productId: string;
  /** 1 to 1,000,000,000. */
  quantity: number;
};

export type WantedPrices = {
  /** At most 500. */
  items: WantedPrice[];
};

export type SentValue = boolean | number | string;

export type SentAttribute = {
  /** Up to 60 characters. */
  name: string;
  /** The unit of a number; known ones become that in which all such numbers are kept: mm, g, L, Ah, V, A, kW, N·m, bar. */
  unit?: string | null;
  value: SentValue;
};

export type SentFacts = {
  /** All attributes, at most 60; `null` is none. */
  attributes?: SentAttribute[] | null;
  /** Whose part it is, up to 60 characters; a brand that is not known is added. */
  brand?: string | null;
  /** Millimeters. */
  height?: number | null;
  /** Millimeters. */
  length?: number | null;
  /** It is sold in multiples of this many units: 1 to 100,000; `null` is 1. */
  packSize?: number | null;
  /** The name or the id of a part type. */
  partType?: string | null;
  taxClass?: TaxClass | null;
  /** Whether it fits every vehicle; `null` is `false`. */
  universal?: boolean | null;
  /** Grams of a pack. */
  weight?: number | null;
  /** Millimeters. */
  width?: number | null;
};

export type NewProduct = SentFacts & {
  /** Units in stock. */
  availableQty: number;
  category: Category;
  /** Up to 5,000 characters. */
  description: string;
  /** An http(s) address or a path of this shop. */
  img: string;
  /** The smallest quantity that may be ordered; below 50 it is 50. */
  minOrder?: number;
  /** Up to 200 characters. */
  name: string;
  /** The maker's number, up to 60 characters. */
  partNumber?: string | null;
  /** Dollars for one unit, at least 0.01. */
  price: number;
};

export type BadRow = {
  /** The column; empty if it is the row as a whole. */
  field: string;
  /** The line of the file on which the row begins; the header's is 1. */
  line: number;
  /** The reason, as a sentence. */
  message: string;
};

export type ImportReport = {
  /** Products that were added; in a dry run, that can be: the rows that are good. */
  added: number;
  /** What is wrong with the others, by line. A row may be named more than once. */
  bad: BadRow[];
  dryRun: boolean;
  /** Rows in the file. */
  rows: number;
};

export type ValueCount = {
  count: number;
  name: string;
  value: string;
};

export type AttributeCounts = {
  name: string;
  /** The unit of its numbers. */
  unit?: string;
  values: ValueCount[];
};

export type BandCount = {
  count: number;
  /** Dollars. */
  from: number;
  /** Dollars; null for no end. */
  to: number | null;
};

export type AllFacets = {
  attributes: AttributeCounts[];
  brand: ValueCount[];
  category: ValueCount[];
  /** Those that can be ordered. */
  inStock: ValueCount[];
  partType: ValueCount[];
  /** Counted with a vehicle, a part type or a position. */
  position: ValueCount[];
  price: BandCount[];
};

export type Facets = {
  /** Whether the counts are exact. */
  exact: boolean;
  facets: AllFacets;
  /** How many products the list has. */
  total: number;
};

export type Restock = {
  /** Dollars for one unit as the caller last saw them: if the price is another one, nothing changes and the response
    is a 409 with it. */
  seenPrice?: number | null;
  /** Dollars for one unit, at least 0.01. */
  updatedPrice: number;
  /** How many units to add; none is allowed. */
  updatedQuantity: number;
};

export type SeenProduct = SentFacts & {
  category?: Category;
  description?: string;
  img?: string;
  minOrder?: number;
  name?: string;
  partNumber?: string | null;
  price?: number;
};

export type EditedProduct = SentFacts & {
  category?: Category;
  /** Up to 5,000 characters. */
  description?: string;
  /** An http(s) address or a path of this shop. */
  img?: string;
  /** The smallest quantity that may be ordered; below 50 it is 50. */
  minOrder?: number;
  /** Up to 200 characters. */
  name?: string;
  /** The maker's number, up to 60 characters; `null` removes it. */
  partNumber?: string | null;
  /** Dollars for one unit, at least 0.01. */
  price?: number;
  /** Attributes as the caller last saw them: if one that is to be changed is another one by now, nothing changes and
    the response is a 409 with the product. */
  seen?: SeenProduct;
};

export type VehicleChoice = {
  id: number;
  name: string;
};

export type Position =
  | 'front'
  | 'rear'
  | 'left'
  | 'right'
  | 'front left'
  | 'front right'
  | 'rear left'
  | 'rear right'
  | 'upper'
  | 'lower'
  | 'inner'
  | 'outer';

export type FitReason = {
  /** What else has to be true; all of it. */
  conditions: FitCondition[];
  /** The day of which the source is, if it says it: `2026-11-25`. */
  date?: string;
  /** Only with this engine; with any if left out. */
  engine?: VehicleChoice;
  /** How many the vehicle takes there. */
  perVehicle: number;
  /** Where the part belongs, if the source says it. */
  position?: Position;
  /** Who says so. */
  source: string;
};

export type FittingVehicles = {
  /** What else has to be true; all of it. */
  conditions: FitCondition[];
  /** Only with this engine; with any if left out. */
  engine?: string;
  /** "Toyota Camry 2007–2011, 2.5 L 4 cyl · front · 2 per vehicle". */
  label: string;
  make: string;
  model: string;
  /** How many a vehicle takes there. */
  perVehicle: number;
  /** Where the part belongs, if the source says it. */
  position?: Position;
  /** The first year. */
  yearFrom: number;
  /** The last year, perhaps the same. */
  yearTo: number;
};

export type AskedVehicle = {
  id: number;
  /** "2014 Toyota Camry". */
  label: string;
};

export type FitAnswer = {
  /** What is said of the vehicle, and of its engine if that is known. */
  because: FitReason[];
  /** Of `if`, under which conditions it fits: each of them is enough. */
  conditions: FitCondition[];
  /** The engine that was asked for. */
  engine?: VehicleChoice;
  /** Of `ask`, the engines that the vehicle may have. */
  engines: VehicleChoice[];
  /** Of `no`, the years of the model that it does fit, the nearest first, at most three. */
  nearest: FittingVehicles[];
  vehicle: AskedVehicle;
  verdict: FitVerdict;
};

export type Fitment = {
  condition?: string;
  /** The engine's name; any engine if left out. */
  engine?: string;
  make: string;
  model: string;
  perVehicle: number;
  position?: Position;
  yearFrom: number;
  yearTo: number;
};

export type NewFitment = {
  /** What else has to be true, up to 400 characters. */
  condition?: string | null;
  /** Only with this engine, such as "2.5L L4", up to 80 characters. What is no engine of the vehicle becomes a condition. */
  engine?: string | null;
  /** The make's name. */
  make?: string | null;
  /** The model's name. */
  model?: string | null;
  /** How many a vehicle takes there, 1 to 1,000; 1 if left out. */
  perVehicle?: number | null;
  position?: Position | null;
  /** The vehicle's id, in place of make, model and years. */
  vehicle?: number | null;
  /** The first year. Years in which the model was not sold are left out. */
  yearFrom?: number | null;
  /** The last year, at most 60 later; the first one if left out. */
  yearTo?: number | null;
};

export type NewFitments = {
  /** At most 500, which come to at most 5,000 vehicles and engines. */
  fitments: NewFitment[];
};

export type NewImages = {
  /** 1 to 12 http(s) addresses or paths of this shop, none of them twice; the first one becomes the product's `img`. */
  images: string[];
};

export type PartNumber = {
  /** Whose number it is. */
  brand?: string;
  /** `own`, `gtin`, `oe`, `competitor`, `superseded` or `supplier`. */
  kind: string;
  note?: string;
  number: string;
  /** When it was entered: RFC 3339, UTC. */
  since?: string;
};

export type NewNumber = {
  /** Whose number it is, up to 60 characters; a brand that is not known is added. */
  brand?: string | null;
  /** `own`, `gtin`, `oe`, `competitor`, `superseded` or `supplier`. */
  kind: string;
  /** Up to 240 characters. */
  note?: string | null;
  /** Up to 60 characters, of which 1 to 48 are letters or digits. */
  number: string;
};

export type NewNumbers = {
  /** At most 200; `own` at most once, and if it is left out, the product's own number stays. */
  numbers: NewNumber[];
};

export type Review = {
  /** `UUIDv7`. */
  _id: string;
  /** The name of the author's account, if `name` is another one. */
  author?: string;
  /** RFC 3339, UTC. */
  createdAt: string;
  details: string;
  /** As the author signed it. */
  name: string;
  /** The maker's number of the part, if it had one. */
  partNumber?: string;
  /** The part that it is about, which may be archived by now. */
  productId?: string;
  /** What the part was called then. */
  productName?: string;
  /** Stars, 0 to 5. */
  rating: number;
  /** Whether the author had paid for an order, of this part if one is named. */
  verified: boolean;
};

export type PartReviews = {
  /** The average number of stars over all reviews of the part, rounded to hundredths; null without any. */
  average: number | null;
  /** How many reviews of the part there are. */
  count: number;
  /** The latest of them, oldest first. */
  reviews: Review[];
};

export type CorrectedStock = {
  availableQty: number;
};

export type CorrectionReason = 'breakage' | 'miscount' | 'loss' | 'found' | 'other';

export type NewStockCorrection = {
  /** Units to add or, below zero, to remove; not 0. */
  delta: number;
  /** Up to 200 characters. */
  note?: string | null;
  reason: CorrectionReason;
};

export type StockEventKind = 'restocked' | 'corrected' | 'archived';

export type StockEvent = {
  note?: string;
  /** Dollars for one unit from then on. */
  price?: number;
  reason?: CorrectionReason;
  /** How many units came or, below zero, went. */
  units?: number;
  what: StockEventKind;
  /** RFC 3339, UTC. */
  when: string;
  /** An e-mail; null for the shop itself, and if it was not recorded. */
  who: string | null;
};

export type TiersView = {
  tiers: Tier[];
};

export type SentTier = {
  /** The least quantity, 1 to 1,000,000,000. */
  from: number;
  /** Dollars for one unit, at least 0.01. */
  price: number;
};

export type SentTiers = {
  /** At most 20; none to sell every quantity at the list price. */
  tiers: SentTier[];
};

export type QuickOrder = {
  /** At most 1,000 lines and 2 MiB. */
  text: string;
};

export type Acceptance = {
  /** How many cents are refunded; what the units cost, or what is left of the payment, if omitted. */
  cents?: number | null;
  /** Whether the units go back to stock. */
  restock: boolean;
};

export type Refusal = {
  /** What the customer reads, up to 500 characters. */
  answer: string;
};

export type NewReview = {
  /** Up to 2,000 characters. */
  details: string;
  /** Up to 80 characters. If it is neither the account's name nor a part of it, the account's is published beside it. */
  name: string;
  /** The product that it is about. */
  productId?: string | null;
  /** A whole number of stars, 0 to 5. */
  rating: number;
};

export type HiddenReview = Review & {
  /** RFC 3339, UTC. */
  hiddenAt: string;
  /** The e-mail of the admin who removed it. */
  hiddenBy: string;
};

export type ConfirmedStatus = 'succeeded';

export type Confirmed = {
  /** The payment's id: the order's transaction id from now on. */
  id: string;
  status: ConfirmedStatus;
};

export type BillingDetails = {
  email?: string | null;
  name?: string | null;
};

export type TypedCard = {
  cvc: string;
  expMonth: number;
  expYear: number;
  number: string;
};

export type Confirmation = {
  billingDetails?: BillingDetails | null;
  card: TypedCard;
  clientSecret: string;
};

export type SentSeller = {
  city: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Whom to ask about documents. */
  email: string;
  line1: string;
  line2?: string | null;
  /** The company's name, up to 100 characters. */
  name: string;
  phone?: string | null;
  /** Where the country's addresses have one. */
  postcode?: string | null;
  /** Where the country's addresses have one. */
  region?: string | null;
  /** The number with the tax office; with its country's prefix if it is one for value-added tax. */
  taxId?: string | null;
  /** When to pay what was shipped on account. */
  terms?: string | null;
};

export type WeightBand = {
  /** Dollars. */
  price: number;
  /** The greatest weight, in grams. */
  upToGrams: number;
};

export type ShippingMethod = {
  _id: string;
  /** Lightest first. */
  bands: WeightBand[];
  /** ISO 3166-1 alpha-2; null for all of them. */
  countries: string[] | null;
  /** Cubic centimeters that count as a kilogram. */
  divisor: number;
  /** Dollars of goods from which on parcels are free; null for never. */
  freeOver: number | null;
  name: string;
  /** Grams from which on goods go on pallets, whatever they cost; null for never. */
  palletFromGrams: number | null;
  /** Dollars for every begun kilogram above the last band. */
  perExtraKg: number;
  /** Dollars for a pallet, which carries 1,000 kg; null if an admin quotes it. */
  perPallet: number | null;
};

export type SentBand = {
  /** Dollars. */
  price: number;
  /** The greatest weight, in grams: 1 to 100,000,000, and more than that of the band before. */
  upToGrams: number;
};

export type SentMethod = {
  /** 1 to 50, lightest first. */
  bands: SentBand[];
  /** ISO 3166-1 alpha-2; null for all of them. */
  countries?: string[] | null;
  /** Cubic centimeters that count as a kilogram, 1 to 1,000,000; 5,000 if left out. */
  divisor?: number | null;
  /** Dollars of goods from which on parcels are free; null for never. */
  freeOver?: number | null;
  /** Up to 60 characters; no other method may have it. */
  name: string;
  /** Grams from which on goods go on pallets; null for never. */
  palletFromGrams?: number | null;
  /** Dollars for every begun kilogram above the last band; 0 if left out. */
  perExtraKg?: number | null;
  /** Dollars for a pallet; null if an admin quotes it. */
  perPallet?: number | null;
};

export type UnweighedProduct = {
  /** `UUIDv7`. */
  _id: string;
  name: string;
  /** The maker's number, if it has one. */
  partNumber: string | null;
};

export type Synonym = {
  id: number;
  means: string;
  word: string;
};

export type NewSynonym = {
  /** What it may mean, up to 60 characters. */
  means: string;
  /** One word or two, up to 60 characters. */
  word: string;
};

export type TaxRate = {
  /** `UUIDv7`. */
  _id: string;
  /** Hundredths of a percent. */
  basisPoints: number;
  /** ISO 3166-1 alpha-2. */
  country: string;
  name: string;
  /** Its rate replaces the country's; null for the whole country. */
  region: string | null;
  /** The first day, as 2026-11-26. */
  validFrom: string;
  /** The last day; null for good. */
  validUntil: string | null;
};

export type SentRate = {
  /** Hundredths of a percent: 0 to 10,000. */
  basisPoints: number;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Up to 60 characters. */
  name: string;
  /** Where the rate applies instead of the country's: a code in Australia, Canada and the United States. */
  region?: string | null;
  /** The first day, as 2026-11-26. */
  validFrom: string;
  /** The last day; null for good. */
  validUntil?: string | null;
};

export type RateFinding = {
  /** The column; empty if it is the row as a whole. */
  field: string;
  /** The line of the file; the header's is 1. */
  line: number;
  message: string;
};

export type ImportedRates = {
  /** How many rates were added; in a dry run, how many would be. */
  added: number;
  dryRun: boolean;
  /** Always empty: a file with a finding is refused. */
  findings: RateFinding[];
};

export type Role = 'customer' | 'admin';

export type User = {
  /** `UUIDv7`. */
  _id: string;
  /** RFC 3339, UTC. */
  createdAt: string;
  displayName: string;
  email: string;
  /** How many orders they ever placed, as of some seconds ago. */
  orders: number;
  photoURL: string | null;
  role: Role;
  /** Dollars that they paid less dollars that went back to them, as of some seconds ago. */
  spent: number;
  /** Whether the e-mail address is confirmed. */
  verified: boolean;
};

export type UserSort = 'oldest' | 'newest' | 'email' | 'spent';

export type CustomerOrders = {
  /** All there ever were. */
  all: number;
  /** Neither paid nor shipped. */
  awaitingPayment: number;
  /** Cancelled, refunded or not. */
  cancelled: number;
  /** Paid and not shipped. */
  readyToShip: number;
  /** Refunded, cancelled or shipped. */
  refunded: number;
  /** Shipped, paid or not. */
  shipped: number;
};

export type Customer = {
  /** When the account was created: RFC 3339, UTC. */
  createdAt: string;
  displayName: string;
  email: string;
  /** When they placed their first order: RFC 3339, UTC; null if they never did. */
  firstOrderAt: string | null;
  /** When they placed their latest order; null if they never did. */
  lastOrderAt: string | null;
  orders: CustomerOrders;
  role: Role;
  /** Dollars that they paid less dollars that went back to them. */
  spent: number;
  /** Whether the e-mail address is confirmed. */
  verified: boolean;
};

export type Token = {
  /** A JWT, valid for 15 minutes. */
  token: string;
};

export type FoundVehicle = {
  /** The engine's id, if the search named one of its engines. */
  engine?: number;
  /** The vehicle, and the engine if there is one: "2014 Toyota Camry, 3.5 L 6 cyl". */
  label: string;
  make: string;
  model: string;
  /** The vehicle's id. */
  vehicle: number;
  year: number;
};

export type VehicleModel = {
  id: number;
  name: string;
  /** The vehicle's id: what products fit. */
  vehicle: number;
};

export type VinReading = {
  /** The engine's id, if the number tells which of the vehicle's engines it is. */
  engine: number | null;
  /** What is known of the engine: "2.5 L 4 cyl". */
  engineName: string | null;
  /** The engines that it may be, if the number leaves several. */
  engines: VehicleChoice[];
  /** "2014 Toyota Camry". */
  label: string;
  make: string;
  model: string;
  /** The vehicle's id; `null` if the shop does not know it. */
  vehicle: number | null;
  year: number;
};

export type VinCheckDigit = 'ok' | 'wrong';

export type DecodedVin = VinReading & {
  /** All ways to read it, the likeliest first, if there are several: two model years thirty years apart. */
  candidates: VinReading[];
  checkDigit: VinCheckDigit;
  vin: string;
};

export type WebhookEndpoint = {
  /** `UUIDv7`. */
  _id: string;
  /** RFC 3339, UTC. */
  createdAt: string;
  /** Since when it is disabled: RFC 3339, UTC. */
  disabledAt: string | null;
  /** Why it is disabled: it answered 410, or failed for three days. */
  disabledReason: string | null;
  /** The events that it subscribes to. */
  events: DeliveryTopic[];
  /** Since when every call to it has failed, if the latest did: RFC 3339, UTC. */
  failingSince: string | null;
  /** The address that is called. */
  url: string;
};

export type AddedWebhookEndpoint = WebhookEndpoint & {
  /** Shown only once: `whsec_` and 32 bytes in base64. */
  secret: string;
};

export type NewWebhookEndpoint = {
  /** At least one of `order.ordered`, `order.paid`, `order.shipped`, `order.cancelled`, `order.refunded`, `checkout.placed` and
    `checkout.paid`. */
  events: DeliveryTopic[];
  /** An https address in the public internet. */
  url: string;
};

export type WebhookDelivery = {
  /** A number. */
  _id: string;
  /** How often it has been tried. */
  attempts: number;
  /** The checkout that it is about. */
  checkoutId: string | null;
  /** When the event happened: RFC 3339, UTC. */
  createdAt: string;
  /** When it is tried next, if it waits: RFC 3339, UTC. */
  dueAt: string;
  /** Why the last attempt that failed did. */
  lastError: string | null;
  orderId: string | null;
  /** RFC 3339, UTC. */
  sentAt: string | null;
  state: DeliveryState;
  /** The response status of the latest attempt. */
  statusCode: number | null;
  topic: DeliveryTopic;
};
