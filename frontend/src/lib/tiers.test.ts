import { describe, expect, it } from 'vitest';
import { toCents } from './money';
import { ladderOf, lowestPrice, savingAt, tierAt, totalAt, unitPriceAt } from './tiers';

const disc = {
  price: 12.4,
  tiers: [
    { from: 50, price: 12.4 },
    { from: 200, price: 11.1 },
    { from: 1000, price: 9.95 },
  ],
};

describe('the price of a unit', () => {
  it.each([
    [49, 12.4],
    [50, 12.4],
    [199, 12.4],
    [200, 11.1],
    [999, 11.1],
    [1000, 9.95],
    [1_000_000, 9.95],
  ])('of %i is that of the last tier reached', (quantity, price) => {
    expect(unitPriceAt(disc, quantity)).toBe(price);
    expect(unitPriceAt({ ...disc, tiers: disc.tiers.toReversed() }, quantity)).toBe(price);
  });

  it('is the list price without tiers', () => {
    expect(unitPriceAt({ price: 7 }, 50)).toBe(7);
    expect(unitPriceAt({ price: 7, tiers: [] }, 50)).toBe(7);
    expect(tierAt([], 50)).toBeUndefined();
  });

  it('makes a total to the cent', () => {
    expect(totalAt(disc, 199)).toBe(2467.6);
    expect(totalAt(disc, 1003)).toBe(9979.85);
    expect(totalAt({ price: 0.1, tiers: [{ from: 1, price: 0.1 }] }, 3)).toBe(0.3);
  });
});

describe('a ladder', () => {
  it('is in its order and has no step that changes nothing', () => {
    const tiers = [
      { from: 200, price: 11.1 },
      { from: 50, price: 12.4 },
      { from: 100, price: 12.4 },
    ];
    expect(ladderOf({ price: 12.4, tiers })).toEqual([
      { from: 50, price: 12.4 },
      { from: 200, price: 11.1 },
    ]);
  });

  it('says what a unit costs at least', () => {
    expect(lowestPrice(disc)).toEqual({ price: 9.95, varies: true });
    expect(lowestPrice({ price: 5 })).toEqual({ price: 5, varies: false });
    expect(lowestPrice({ price: 5, tiers: [{ from: 50, price: 4 }] })).toEqual({
      price: 4,
      varies: false,
    });
  });
});

describe('more units for less', () => {
  it('are offered where the next tier costs less in all', () => {
    // 190 × 12.40 = 2,356.00; 200 × 11.10 = 2,220.00
    expect(savingAt(disc, 190, 4200)).toEqual({ more: 10, quantity: 200, less: 136 });
    // 179 × 12.40 = 2,219.60: cheaper than 200.
    expect(savingAt(disc, 179, 4200)).toBeNull();
    expect(savingAt(disc, 180, 4200)).toEqual({ more: 20, quantity: 200, less: 12 });
  });

  it('are not offered beyond the stock, nor past the last tier', () => {
    expect(savingAt(disc, 190, 199)).toBeNull();
    expect(savingAt(disc, 190, 200)?.quantity).toBe(200);
    expect(savingAt(disc, 1000, 9999)).toBeNull();
    expect(savingAt({ price: 12.4 }, 190, 4200)).toBeNull();
  });

  it('are those that cost the least, where several would', () => {
    const steep = {
      price: 10,
      tiers: [
        { from: 50, price: 10 },
        { from: 60, price: 8 },
        { from: 70, price: 5 },
      ],
    };
    expect(savingAt(steep, 59, 4200)).toEqual({ more: 11, quantity: 70, less: 240 });
  });

  it('never cost as much or more, whatever the ladder and the quantity', () => {
    let seed = 7;
    const next = (most: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % most;
    };
    let found = 0;
    for (let round = 0; round < 2_000; round += 1) {
      const tiers = Array.from({ length: 1 + next(5) }, () => ({
        from: 1 + next(300),
        price: (1 + next(2_000)) / 100,
      }));
      const priced = { price: 10, tiers };
      const [quantity, available] = [1 + next(300), 1 + next(400)];
      const saving = savingAt(priced, quantity, available);
      const cheaper = tiers.filter(
        ({ from }) =>
          from > quantity &&
          from <= available &&
          toCents(totalAt(priced, from)) < toCents(totalAt(priced, quantity)),
      );
      expect(saving === null).toBe(cheaper.length === 0);
      if (!saving) continue;
      found += 1;
      expect(saving.quantity - saving.more).toBe(quantity);
      expect(toCents(totalAt(priced, saving.quantity)) + toCents(saving.less)).toBe(
        toCents(totalAt(priced, quantity)),
      );
      expect(saving.less).toBeGreaterThan(0);
    }
    expect(found).toBeGreaterThan(100);
  });
});
