import { expectAccessible } from './fixtures/axe';
import { expect, test } from './fixtures/shop';

test('a part is turned by hand, and its sides are fetched only then', async ({
  guest,
  adminApi,
}) => {
  const name = 'Turbocharger of a Journey';
  const img = '/pictures/parts/turbo-20-diesel-640.webp';
  const id = await adminApi.addProduct({ name, img, category: 'REPLACEMENT PARTS' });
  const { page } = await guest('customer');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const fetched: string[] = [];
  page.on('request', (request) => {
    if (/\/turns\//.test(request.url())) fetched.push(new URL(request.url()).pathname);
  });
  await page.goto(`/product/${id}`);
  const button = page.getByRole('button', { name: 'Turn it' });
  await expect(button).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(fetched).toEqual([]);

  await button.click();
  const slider = page.getByRole('slider', { name: `Turn ${name}` });
  await expect(slider).toBeFocused();
  expect(fetched).toContain('/pictures/turns/turbo-20-diesel.webp');
  await expect(slider).toHaveAttribute('aria-valuetext', '0°');
  await page.keyboard.press('ArrowRight');
  await expect(slider).toHaveAttribute('aria-valuetext', '15°');
  const before = await slider.screenshot();

  const box = (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(box.x + box.width / 4, box.y + box.height / 3);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 3, { steps: 6 });
  await page.mouse.up();
  await expect(slider).toHaveAttribute('aria-valuetext', '105°');
  expect(before.equals(await slider.screenshot())).toBe(false);
  await expectAccessible(page, 'a part that is turned');

  await page.getByRole('button', { name: 'Back to the picture' }).click();
  await expect(button).toBeFocused();
});

test('a part turns once by itself for whoever has nothing against it', async ({
  guest,
  adminApi,
}) => {
  const img = '/pictures/parts/alloy-17-640.webp';
  const id = await adminApi.addProduct({ name: 'Wheel of a Journey', img, category: 'TIRES' });
  const { page } = await guest('customer');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto(`/product/${id}`);
  await page.getByRole('button', { name: 'Turn it' }).click();
  const slider = page.getByRole('slider', { name: 'Turn Wheel of a Journey' });
  await expect(slider).not.toHaveAttribute('aria-valuenow', '0');
  // It ends where it began.
  await expect(slider).toHaveAttribute('aria-valuenow', '0');
});
