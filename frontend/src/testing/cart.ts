import { HttpResponse, http } from 'msw';
import type { Cart, CartLine } from '@/features/basket/wire';
import { totalOf } from '@/lib/money';
import { disc, problem } from './orders';
import { server } from './server';

/** 50 discs in a basket, changed by `facts`. */
export function aCartLine(facts: Partial<CartLine> = {}): CartLine {
  const { quantity = 50, unit = disc.price } = facts;
  return {
    productId: disc._id,
    quantity,
    name: disc.name,
    partNumber: disc.partNumber,
    img: disc.img,
    unit,
    total: unit === null ? null : totalOf(unit, quantity),
    available: disc.availableQty,
    minOrder: disc.minOrder,
    status: 'ok',
    message: '',
    ...facts,
  };
}

/** Another line than that of the discs. */
export const pads = aCartLine({
  productId: '01900000-0000-7000-8000-000000000002',
  name: 'Ceramic Brake Pads, Front Axle',
  partNumber: 'DL-2000',
  unit: 20,
  total: 1000,
});

interface Sent {
  productId: string;
  quantity: number;
  price?: number;
}

/** An account's basket at the shop, and what was sent to it. */
export function shopKeepsCart(...lines: CartLine[]) {
  const shop = { cart: { version: 3, lines } as Cart, sent: [] as string[] };
  const known = new Map([aCartLine(), pads, ...lines].map((line) => [line.productId, line]));
  const save = (sent: Sent[]) => {
    shop.cart = {
      version: Number(shop.cart.version) + 1,
      lines: sent.map(({ productId, quantity, price }) => {
        const { unit = 1, ...line } = known.get(productId) ?? aCartLine({ productId });
        const total = unit === null ? null : totalOf(unit, quantity);
        const moved = price !== undefined && price !== total;
        return {
          ...line,
          unit,
          quantity,
          total,
          ...(price === undefined ? {} : { price }),
          status: moved ? ('moved' as const) : ('ok' as const),
          message: moved ? 'The price has changed.' : '',
        };
      }),
    };
    return HttpResponse.json(shop.cart);
  };
  server.use(
    http.get('*/cart', () => HttpResponse.json(shop.cart)),
    http.put('*/cart', async ({ request }) => {
      const { lines: wanted } = (await request.json()) as { lines: Sent[] };
      const seen = request.headers.get('If-Match');
      shop.sent.push(`PUT ${seen} ${JSON.stringify(wanted)}`);
      if (seen !== `"${shop.cart.version}"`) {
        return HttpResponse.json(problem('cart-changed', 412, 'Changed.'), { status: 412 });
      }
      return save(wanted);
    }),
    http.post('*/cart/merge', async ({ request }) => {
      const { lines: wanted } = (await request.json()) as { lines: Sent[] };
      shop.sent.push(`merge ${JSON.stringify(wanted)}`);
      return save([
        ...shop.cart.lines.map(({ productId, quantity }) => ({ productId, quantity })),
        ...wanted,
      ]);
    }),
  );
  return shop;
}
