import type { Order, Product } from '@/api/types';
import { customer } from './render';

const made = '2026-03-01T10:00:00Z';

/** A brake disc in stock, changed by `details`. */
export function aProduct(details: Partial<Product> = {}): Product {
  return {
    _id: '01900000-0000-7000-8000-000000000001',
    img: '/pictures/brake-disc-640.webp',
    category: 'BRAKES',
    name: 'Vented Brake Disc 320 mm Front',
    description: 'High-carbon casting, machined and balanced.',
    partNumber: 'DL-1000',
    minOrder: 50,
    lowStockBelow: 100,
    availableQty: 4200,
    price: 129,
    tiers: [{ from: details.minOrder ?? 50, price: details.price ?? 129 }],
    taxClass: 'standard',
    createdAt: made,
    ...details,
  };
}

export const disc = aProduct();

/** An unpaid order of 50 discs that waits for approval, changed by `facts`. */
export function anOrder(facts: Partial<Order> = {}): Order {
  return {
    _id: '01900000-0000-7000-8000-0000000000a1',
    number: 'DL-10428',
    productId: disc._id,
    name: customer.displayName,
    email: customer.email,
    phone: '555 0100',
    address: '1 Workshop Lane',
    productName: disc.name,
    partNumber: disc.partNumber,
    category: disc.category,
    description: disc.description,
    details: disc.description,
    img: disc.img,
    unitPrice: 129,
    quantity: 50,
    price: 6450,
    due: facts.price ?? 6450,
    refunded: 0,
    paid: false,
    status: 'Pending',
    payment: null,
    createdAt: made,
    reservedUntil: null,
    cancelledAt: null,
    payableByCard: true,
    paidAt: null,
    shippedAt: null,
    returnableUntil: null,
    ...facts,
  };
}

export function paidWith(transactionId: string): Partial<Order> {
  const payment = { product: anOrder()._id, transactionId, status: 'paid' as const };
  return { paid: true, payment, paidAt: made };
}

/** A problem document (RFC 9457), as the server returns it. */
export function problem(slug: string, status: number, message: string, more: object = {}) {
  return {
    type: `/problems/${slug}`,
    title: slug,
    status,
    detail: message,
    message,
    ...more,
  };
}
