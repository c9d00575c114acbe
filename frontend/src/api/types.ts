/*
 * The wire, as the server says it. Money is a number of dollars with at most two decimals, times are RFC 3339 in UTC, ids
 * are UUID strings.
 */

export interface Product {
  _id: string;
  img: string;
  category: string;
  name: string;
  description: string;
  partNumber: string | null;
  /** The effective minimum: never below 50. */
  minOrder: number;
  availableQty: number;
  price: number;
  createdAt: string;
}

export interface NewProduct {
  name: string;
  description: string;
  price: number;
  category: string;
  availableQty: number;
  minOrder: number;
  img: string;
  partNumber?: string;
}

/** `updatedQuantity` is what is added to the shelf, not what lies on it afterwards. */
export interface Restock {
  updatedQuantity: number;
  updatedPrice: number;
}

export interface UploadedImage {
  success: boolean;
  data: { url: string };
}

export interface Review {
  _id: string;
  name: string;
  details: string;
  /** 0 to 5, whole. */
  rating: number;
  createdAt: string;
}

export interface NewReview {
  name: string;
  rating: number;
  details: string;
}

/** The authenticated user. */
export interface Account {
  email: string;
  displayName: string;
  photoURL: string | null;
}

export interface Person {
  _id: string;
  email: string;
  displayName: string;
  photoURL: string | null;
  role: 'admin' | 'customer';
  createdAt: string;
}

export interface Payment {
  /** The order's id. */
  product: string;
  transactionId: string;
  status: 'paid' | 'refunded';
}

export interface Order {
  _id: string;
  productId: string;
  name: string;
  email: string;
  phone: string;
  address: string;
  productName: string;
  category: string;
  description: string;
  details: string;
  img: string;
  unitPrice: number;
  quantity: number;
  /** The total, in dollars. */
  price: number;
  /** The payment fact; `status` is the fulfilment fact. */
  paid: boolean;
  /** `'paid'` means shipped. */
  status: 'Pending' | 'paid';
  payment: Payment | null;
  createdAt: string;
  paidAt: string | null;
  shippedAt: string | null;
}

export interface NewOrder {
  name: string;
  email: string;
  quantity: number;
  price?: number;
  address: string;
  phone: string;
  productId?: string;
  img?: string;
  productName?: string;
  category?: string;
  details?: string;
  status?: 'Pending';
}

export interface OrderEvent {
  _id: string;
  what: 'ordered' | 'paid' | 'shipped' | 'cancelled' | 'refunded';
  who: string;
  when: string;
  onAccount?: boolean;
  transactionId?: string;
  quantity?: number;
  price?: number;
}

export interface PaymentIntentRequest {
  price: number;
  orderId?: string;
}

export interface SandboxConfirmation {
  clientSecret: string;
  card: { number: string; expMonth: number; expYear: number; cvc: string };
  billingDetails: { name: string; email: string };
}

/** What somebody tells about themselves; null where they tell nothing. */
export interface ProfileInfo {
  email: string;
  studyIn: string | null;
  livesIn: string | null;
  phone: string | null;
  facebook: string | null;
  linkedin: string | null;
  github: string | null;
}

/** Told for the first time. */
export interface NewInfo {
  email: string;
  studyIn: string;
  livesIn: string;
  phone: string;
  facebook: string;
  linkedin: string;
  github: string;
}

export interface ProfileUpdate {
  updatedLivesIn: string;
  updatedStudyIn: string;
  updatedPhone: string;
  updatedFacebook: string;
  updatedLinkedIn: string;
  updatedGithub: string;
}

export interface ShopConfig {
  paymentProvider: 'sandbox' | 'stripe';
  publishableKey: string | null;
  google: boolean;
}

export interface Inserted {
  insertedId: string;
}
export interface Modified {
  modifiedCount: number;
}
export interface Deleted {
  deletedCount: number;
}

/** RFC 9457, plus the sentence a screen may show. Conflicts say what is true now. */
export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail: string;
  message: string;
  errors?: { field: string; message: string }[];
  available?: number;
  price?: number;
  unitPrice?: number;
}
