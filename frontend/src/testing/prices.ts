import { HttpResponse, http } from 'msw';
import type { FoundPrice, WantedPrice } from '@/features/pricing/wire';

/** Answers `POST /prices` with these, by product; whoever asks for another one pays the list price. */
export function pricesOf(found: Record<string, Omit<FoundPrice, 'productId' | 'quantity'>> = {}) {
  return http.post('http://shop.test/prices', async ({ request }) => {
    const { items } = (await request.json()) as { items: WantedPrice[] };
    return HttpResponse.json({
      items: items.map((wanted) => {
        const price = found[wanted.productId];
        return price ? { ...wanted, ...price } : null;
      }),
    });
  });
}
