import type { Page } from '@playwright/test';
import { expect, test } from './fixtures/shop';

/** Notes what moves in each view transition. */
async function watchTransitions(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: string[][] = [];
    Object.assign(window, { transitionsSeen: seen });
    const start = document.startViewTransition.bind(document);
    document.startViewTransition = ((update: ViewTransitionUpdateCallback) => {
      const transition = start(update);
      const note = () => {
        const effects = document.getAnimations().map(({ effect }) => effect as KeyframeEffect);
        // React has some of its own, which take no time.
        const moving = effects.filter((effect) => Number(effect.getComputedTiming().duration) > 1);
        const parts = moving.map(({ pseudoElement }) => pseudoElement ?? '');
        seen.push(parts.filter((part) => part.startsWith('::view-transition')));
      };
      void transition.ready.then(note, () => undefined);
      return transition;
    }) as typeof start;
  });
}

const seen = (page: Page) =>
  page.evaluate(() => (window as unknown as { transitionsSeen: string[][] }).transitionsSeen);

for (const motion of ['no-preference', 'reduce'] as const) {
  test(`a product's picture travels from its card to its page, under ${motion}`, async ({
    guest,
    adminApi,
  }) => {
    const name = `Traveling Disc ${motion} ${Date.now()}`;
    const id = await adminApi.addProduct({ name });
    const { page } = await guest('customer');
    await page.emulateMedia({ reducedMotion: motion });
    await watchTransitions(page);
    await page.goto(`/shop?q=${encodeURIComponent(name)}`);
    const card = page.getByRole('article').filter({ hasText: 'Traveling Disc' });
    const ahead = page.waitForResponse(`**/products/${id}`);
    await card.getByRole('link').first().hover();
    await ahead;
    await card.getByRole('link').first().click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    await expect.poll(async () => (await seen(page)).length).toBeGreaterThan(0);
    const [first] = await seen(page);
    if (motion === 'reduce') expect(first).toEqual([]);
    else expect(first?.join()).toContain(`picture-${id}`);
    // The part goes with the journey: what its page still asks for would not find it.
    await page.waitForLoadState('networkidle');
  });
}
