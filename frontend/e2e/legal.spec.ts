import { expect, somebody, test } from './fixtures/shop';

const pages = [
  ['Contact us', '/contact', 'Contact us'],
  ['Shipping', '/shipping', 'Shipping'],
  ['Returns and refunds', '/return-policy', 'Returns and refunds'],
  ['Terms of sale', '/terms', 'Terms of sale'],
  ['Privacy', '/privacy', 'Privacy'],
] as const;

test('the footer leads to each page that says what customers can rely on', async ({ page }) => {
  await page.goto('/');
  const footer = page.getByRole('contentinfo');
  await expect(footer.getByText('Driveline Demo Shop')).toBeVisible();
  for (const [link, path, heading] of pages) {
    await footer.getByRole('link', { name: link }).click();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(page.getByRole('note')).toContainText('This store is a demo');
    const details = page.getByRole('complementary', { name: 'Our contact details' });
    await expect(details.getByRole('link', { name: 'support@example.com' })).toBeVisible();
  }
});

test('each promise on Home leads to the page that covers it', async ({ page }) => {
  for (const [promise, heading] of [
    ['Free delivery', 'Shipping'],
    ['24/7 customer support', 'Contact us'],
    ['Money back guarantee', 'Returns and refunds'],
  ] as const) {
    await page.goto('/');
    const benefits = page.getByRole('region', { name: 'Benefits' });
    await benefits.getByRole('link', { name: promise }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
  }
});

test('the newsletter can be left without an account', async ({ page }) => {
  const { email } = somebody();
  await page.goto('/');
  const footer = page.getByRole('contentinfo');
  await footer.getByRole('textbox').fill(email);
  await footer.getByRole('button', { name: 'Subscribe' }).click();
  await expect(footer.getByText('Thanks for subscribing!')).toBeVisible();
  await footer.getByRole('link', { name: 'Unsubscribe any time' }).click();
  const main = page.getByRole('main');
  await main.getByLabel('Email').fill(email);
  await main.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(main.getByText(`We won't send our newsletter to ${email}.`)).toBeVisible();
});
