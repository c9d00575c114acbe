import type { Page } from '@playwright/test';
import { ApiClient } from './fixtures/api-client';
import { expect, somebody, test } from './fixtures/shop';

/** A PNG of this size with something to see on it. */
async function draw(page: Page, width: number, height: number): Promise<Buffer> {
  const url = await page.evaluate(
    ([width, height]) => {
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width, height });
      const pen = canvas.getContext('2d');
      for (let stripe = 0; pen && stripe < width; stripe += 40) {
        pen.fillStyle = `hsl(${stripe % 360} 60% 50%)`;
        pen.fillRect(stripe, 0, 40, height);
      }
      return canvas.toDataURL('image/png');
    },
    [width, height] as const,
  );
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

/** The widths of this product's picture that the browser has fetched, and the one that it shows. */
async function shown(page: Page, id: string, name: string) {
  const fetched: string[] = [];
  page.on('request', (request) => {
    const width = /\/images\/[0-9a-f]{64}-(\d+)\.webp$/.exec(request.url())?.[1];
    if (width) fetched.push(width);
  });
  await page.goto(`/product/${id}`);
  const picture = page.getByRole('main').getByRole('img', { name });
  await expect
    .poll(() => picture.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0))
    .toBe(true);
  const current = await picture.evaluate((img: HTMLImageElement) => img.currentSrc);
  return { fetched, current: /-(\d+)\.webp$/.exec(current)?.[1] };
}

test('an uploaded picture is fetched in the width that the screen needs, as the catalogue is', async ({
  browser,
  guest,
  adminApi,
  baseURL,
}) => {
  const name = `Pictured in widths ${Date.now()}`;
  const { page } = await guest('admin');
  await page.goto('/dashboard/addProduct');
  await page.getByLabel('Category').selectOption('BRAKES');
  await page.getByLabel('Product Name').fill(name);
  await page.getByLabel('Description').fill('Photographed for one journey.');
  await page.getByLabel('Available Quantity').fill('500');
  await page.getByLabel('Price per Product').fill('12.75');
  await page.getByLabel('Image').setInputFiles({
    name: 'disc.png',
    mimeType: 'image/png',
    buffer: await draw(page, 1400, 1050),
  });
  await page.getByRole('main').getByRole('button', { name: 'Add Product' }).click();
  await expect(page.getByRole('alert')).toContainText('Product added successfully');
  const link = page.getByRole('link', { name: `View ${name} in the shop` });
  const id = (await link.getAttribute('href'))?.split('/').at(-1) ?? '';
  try {
    const { img } = await adminApi.done('GET', `/products/${id}`);
    expect(img).toMatch(/^\/images\/[0-9a-f]{64}-1400\.webp$/);
    for (const [width, deviceScaleFactor, expected] of [
      [320, 1, '320'],
      [390, 1.5, '640'],
      [390, 2, '960'],
      [1440, 2, '1400'],
    ] as const) {
      const context = await browser.newContext({
        ...(baseURL ? { baseURL } : {}),
        viewport: { width, height: 844 },
        deviceScaleFactor,
      });
      await new ApiClient(context.request).signUp(somebody());
      const seen = await shown(await context.newPage(), id, name);
      expect(seen, `${width} px at ${deviceScaleFactor}`).toEqual({
        fetched: [expected],
        current: expected,
      });
      await context.close();
    }
  } finally {
    await adminApi.removeProduct(id);
  }
});
