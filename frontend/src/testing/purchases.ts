import type { CheckoutCheck, Purchase, PurchaseSummary } from '@/features/checkout/wire';
import { disc } from './orders';
import { customer } from './render';

/** 50 discs, delivered free, without a tax; changed by `facts`. */
export function aCheck(facts: Partial<CheckoutCheck> = {}): CheckoutCheck {
  return {
    lines: [
      { line: 1, productId: disc._id, name: disc.name, quantity: 50, unit: 129, price: 6450 },
    ],
    refused: [],
    goods: 6450,
    shipping: 0,
    shippingMethods: [{ _id: 'm1', name: 'Standard delivery', price: 0 }],
    shippingMethod: 'm1',
    tax: 0,
    taxes: [],
    due: 6450,
    ...facts,
  };
}

/** An unpaid purchase of discs and pads, changed by `facts`. */
export function aPurchase(facts: Partial<Purchase> = {}): Purchase {
  const line = {
    orderId: 'order-1',
    productId: disc._id,
    name: disc.name,
    partNumber: disc.partNumber,
    img: disc.img,
    quantity: 50,
    unit: 129,
    price: 6450,
    due: 6450,
    paid: false,
    status: 'Pending',
    cancelled: false,
    refunded: null,
  };
  return {
    _id: 'purchase-1',
    checkoutId: 'purchase-1',
    number: 'P-1042',
    placedAt: '2026-03-01T10:00:00Z',
    contact: { name: customer.displayName, phone: '555 0100', email: customer.email },
    address: {
      company: 'Lane Workshop',
      line1: '12 Foundry Road',
      city: 'Gearton',
      region: 'OH',
      postcode: '43004',
      country: 'US',
    },
    poNumber: 'PO-7781',
    note: 'Dock 3',
    terms: 'card',
    shippingMethod: 'Standard delivery',
    lines: [
      { ...line, line: 1 },
      {
        ...line,
        line: 2,
        orderId: 'order-2',
        name: 'Ceramic Brake Pads',
        unit: 20,
        price: 1000,
        due: 1015,
      },
    ],
    goods: 7450,
    shipping: 15,
    tax: 0,
    taxes: [],
    due: 7465,
    paid: false,
    standing: 2,
    state: 'unpaid',
    reservedUntil: '2026-03-03T10:00:00Z',
    invoices: [],
    ...facts,
  };
}

/** The same in a list. */
export function aSummary(facts: Partial<PurchaseSummary> = {}): PurchaseSummary {
  const { _id, number, placedAt, poNumber, goods, shipping, tax, due, paid, state } = aPurchase();
  return {
    _id,
    number,
    placedAt,
    poNumber,
    lines: 2,
    standing: 2,
    goods,
    shipping,
    tax,
    due,
    paid,
    state,
    ...facts,
  };
}
