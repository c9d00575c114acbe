import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { dress, expect } from './shop';

const themes = ['light', 'dark'] as const;
const widths = [390, 768, 1440] as const;
/** The narrowest phone, and what is left of 1280 px at a zoom of 200 %. */
const narrow = [320, 640] as const;

/**
 * Looks at what stands on the screen in both themes and three widths through axe, and in two more for sideways
 * scrolling. The legacy mode of axe spares a second page per look; the difference is frames of other origins, and this
 * client has none.
 */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  for (const width of [...widths, ...narrow]) {
    for (const colorScheme of themes) {
      await dress(page, { colorScheme, width, height: 900 });
      if (colorScheme === 'light') {
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect.soft(overflow, `${what} scrolls sideways at ${width} px`).toBeLessThanOrEqual(0);
      }
      if (width < 390 || width === 640) break;
      const { violations } = await new AxeBuilder({ page })
        .setLegacyMode()
        .options({ resultTypes: ['violations'] })
        .analyze();
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`,
      );
      expect.soft(found, `${what}, ${colorScheme}, ${width} px`).toEqual([]);
    }
  }
}

interface Screen {
  path: string;
  /** The call that fills it. */
  call: RegExp;
  /** What stands there once it is filled. */
  full: () => Promise<void>;
  /** What the call answers when there is nothing; left out where there is always something. */
  nothing?: unknown;
}

/** Takes out what a page brings along in its HTML, so that it has to ask, as it does when the shop was in a hurry. */
export async function withoutFirstData(page: Page, path: string): Promise<void> {
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback();
      const answer = await route.fetch();
      const body = (await answer.text()).replace(/<script[^>]*id="first-data".*?<\/script>/s, '');
      return route.fulfill({ response: answer, body });
    },
  );
}

/** The four states of a screen that is filled by one call: loading, full, empty, failed. */
export async function expectStatesAccessible(
  page: Page,
  { path, call, full, nothing }: Screen,
): Promise<void> {
  await withoutFirstData(page, path);
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route(call, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(path);
  const main = page.getByRole('main');
  await expect(main.getByRole('status', { name: /^Loading/ }).first()).toBeVisible();
  await expectAccessible(page, `${path}, loading`);
  release();
  await full();
  await expectAccessible(page, `${path}, full`);
  await page.unroute(call);

  if (nothing !== undefined) {
    await page.route(call, (route) =>
      route.fulfill({ json: nothing, headers: { 'X-Total-Count': '0' } }),
    );
    await page.reload();
    await expect(main.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
    await expect(main.getByRole('heading').nth(1)).toBeVisible();
    await expectAccessible(page, `${path}, empty`);
    await page.unroute(call);
  }

  await page.route(call, (route) => route.fulfill({ status: 503, body: '' }));
  await page.reload();
  await expect(main.getByRole('button', { name: 'Retry' }).first()).toBeVisible({
    timeout: 20_000,
  });
  await expectAccessible(page, `${path}, failed`);
  await page.unroute(call);
  await page.unrouteAll();
  await main.getByRole('button', { name: 'Retry' }).first().click();
  await full();
}
