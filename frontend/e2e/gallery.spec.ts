import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/axe';
import { expect, test } from './fixtures/shop';

/** A PNG in this color. */
async function painted(page: Page, color: string): Promise<Buffer> {
  const url = await page.evaluate((color) => {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: 800, height: 600 });
    const pen = canvas.getContext('2d');
    if (pen) {
      pen.fillStyle = color;
      pen.fillRect(0, 0, 800, 600);
      pen.fillStyle = 'white';
      pen.fillRect(500, 100, 90, 90);
    }
    return canvas.toDataURL('image/png');
  }, color);
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

test('an admin gives a part several pictures, and a buyer looks at them closely', async ({
  guest,
  adminApi,
}) => {
  const name = `Disc of Many Pictures ${Date.now()}`;
  const first = '/pictures/brake-disc-640.webp';
  const id = await adminApi.addProduct({ name, img: first });
  const { page: admin } = await guest('admin');
  await admin.goto(`/dashboard/manage/${id}`);
  const list = admin.getByRole('list', { name: 'Pictures in their order' });
  await expect(list.getByRole('img')).toHaveCount(1);
  for (const [place, color] of ['seagreen', 'royalblue'].entries()) {
    await admin.getByLabel('Add a picture').setInputFiles({
      name: `${color}.png`,
      mimeType: 'image/png',
      buffer: await painted(admin, color),
    });
    await expect(list.getByRole('img')).toHaveCount(place + 2);
  }
  await admin.getByRole('button', { name: 'Move left Picture 3' }).click();
  await expectAccessible(admin, 'the pictures of a product');
  await admin.getByRole('button', { name: 'Save pictures' }).click();
  await expect(admin.getByText('Pictures saved')).toBeVisible();
  const { images } = await adminApi.done('GET', `/products/${id}`);
  expect(images).toHaveLength(3);
  expect(images[0]).toBe(first);

  const { page } = await guest('customer');
  const fetched: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('.js')) fetched.push(request.url());
  });
  await page.goto(`/product/${id}`);
  const thumbnail = (place: number) =>
    page.getByRole('button', { name: `Picture ${place} of 3`, exact: true });
  await expect(thumbnail(1)).toHaveAttribute('aria-current', 'true');
  await thumbnail(1).focus();
  await page.keyboard.press('ArrowRight');
  await expect(thumbnail(2)).toBeFocused();
  const picture = page.getByRole('main').getByRole('img', { name: `${name}, picture 2 of 3` });
  await expect(picture).toHaveAttribute('src', images[1]);
  await expectAccessible(page, 'a product with several pictures');
  // All that a page without an enlarged picture needs.
  fetched.length = 0;

  const opener = page.getByRole('button', { name: 'Zoom' });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: `Pictures of ${name}` });
  await expect(dialog).toBeVisible();
  expect(fetched).not.toEqual([]);
  const enlarged = dialog.getByRole('img');
  const width = async () => (await enlarged.boundingBox())?.width ?? 0;
  const before = await width();
  await enlarged.dblclick({ force: true, position: { x: 100, y: 100 } });
  await expect.poll(width).toBeCloseTo(before * 2.5, 0);
  await page.keyboard.press('0');
  await expect.poll(width).toBeCloseTo(before, 0);
  await enlarged.hover({ force: true });
  await page.mouse.wheel(0, -200);
  await expect.poll(width).toBeGreaterThan(before * 1.3);
  await expectAccessible(page, 'a picture that is enlarged');
  await dialog.getByRole('button', { name: 'Next picture' }).click();
  await expect(dialog.getByRole('status')).toHaveText('Picture 3 of 3');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await expect(thumbnail(3)).toHaveAttribute('aria-current', 'true');

  // The page for everybody has them as well.
  await page.goto(`/parts/${id}`);
  await expect(
    page.getByRole('main').getByRole('img', { name: `${name}, picture 3` }),
  ).toBeVisible();
});
