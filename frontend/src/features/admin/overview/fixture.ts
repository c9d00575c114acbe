import { HttpResponse, http } from 'msw';
import type { Overview, PaymentFigures, TopSales } from '@/api/types';
import { anOrder, disc, paidWith } from '@/testing/orders';
import { server } from '@/testing/server';

const TODAY = Date.UTC(2026, 10, 21);

/** `count` days up to 21 November 2026, of which the last three sold something. */
export function daysOf(count: number): Overview['days'] {
  return Array.from({ length: count }, (_, place) => {
    const ago = count - 1 - place;
    const day = new Date(TODAY - ago * 86_400_000).toISOString().slice(0, 10);
    if (ago === 0) return { day, orders: 1, revenue: 6450, paid: 6450, returned: 0 };
    if (ago === 1) return { day, orders: 3, revenue: 19350.5, paid: 19350.5, returned: 0 };
    return { day, orders: ago === 2 ? 1 : 0, revenue: 0, paid: 0, returned: 0 };
  });
}

export function anOverview(days: number, facts: Partial<Overview> = {}): Overview {
  return {
    days: daysOf(days),
    revenue: 25800.5,
    paid: 25800.5,
    returned: 0,
    orders: 5,
    states: { waiting: 3, unpaid: 1, paid: 3, shipped: 1 },
    lowStock: [{ ...disc, availableQty: 60 }],
    latestOrders: [
      anOrder({ _id: 'o1' }),
      anOrder({ _id: 'o2', ...paidWith('pi_2'), name: 'Dana Reed' }),
    ],
    searchForgivesSlips: true,
    searchIndex: null,
    ...facts,
  };
}

export const top: TopSales = {
  from: '2026-10-23',
  to: '2026-11-21',
  products: [
    {
      productId: disc._id,
      name: disc.name,
      partNumber: 'DL-1000',
      img: disc.img,
      orders: 3,
      units: 1250,
      sales: 19350.6,
      salesBefore: 12900,
    },
    {
      productId: 'p2',
      name: 'Pad & Clip',
      partNumber: null,
      img: disc.img,
      orders: 1,
      units: 50,
      sales: 6450,
      salesBefore: 0,
    },
  ],
  customers: [
    {
      email: 'dana+shop@example.com',
      displayName: 'Dana Reed',
      orders: 4,
      sales: 25800.5,
      salesBefore: 51601,
    },
  ],
  categories: [
    { category: 'BRAKES', orders: 4, units: 1300, sales: 25800.6, salesBefore: 12900 },
    { category: 'TIRES', orders: 0, units: 0, sales: 0, salesBefore: 51.5 },
  ],
};

export const payments: PaymentFigures = {
  placed: 8,
  paid: 6,
  placedBefore: 5,
  paidBefore: 2,
  unpaid: [
    { from: '2026-11-20', to: null, orders: 4, total: 1000 },
    { from: '2026-11-14', to: '2026-11-19', orders: 0, total: 0 },
    { from: '2026-10-22', to: '2026-11-13', orders: 1, total: 6450.5 },
    { from: null, to: '2026-10-21', orders: 2, total: 300 },
  ],
};

export const answerTop = (answer: TopSales = top) =>
  http.get('http://shop.test/overview/top', () => HttpResponse.json(answer));
export const answerPayments = (answer: PaymentFigures = payments) =>
  http.get('http://shop.test/overview/payments', () => HttpResponse.json(answer));

/** Answers overviews; notes for how many days it was asked. */
export function shop(facts: Partial<Overview> = {}) {
  const requested: number[] = [];
  server.use(
    answerTop(),
    answerPayments(),
    http.get('http://shop.test/overview', ({ request }) => {
      const days = Number(new URL(request.url).searchParams.get('days'));
      requested.push(days);
      return HttpResponse.json(anOverview(days, facts));
    }),
  );
  return { requested };
}
