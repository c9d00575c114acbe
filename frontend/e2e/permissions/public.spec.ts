import { expectAnswers } from '../fixtures/roles';
import { expect, somebody, test } from '../fixtures/shop';

test('a visitor may sign up, sign in and leave an address', async ({ guest }) => {
  const { page, client } = await guest('visitor');
  for (const path of ['/login', '/signup']) {
    await page.goto(path);
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    await expect(page.getByRole('main').getByLabel('Email', { exact: true })).toBeVisible();
  }
  await page.getByRole('contentinfo').getByRole('textbox').fill(somebody().email);
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByText('Thanks for subscribing!')).toBeVisible();

  const account = somebody();
  await expectAnswers(client, [
    ['POST', '/newsletter', 202, { email: account.email }],
    ['DELETE', '/newsletter', 202, { email: account.email }],
    ['POST', '/auth/signup', 201, account],
    ['POST', '/auth/logout', 204],
    ['POST', '/auth/login', 200, account],
  ]);
});

for (const role of ['customer', 'admin'] as const) {
  test(`signed in as ${role}: Login and Sign Up lead Home, the newsletter stays open`, async ({
    guest,
  }) => {
    const { page, client } = await guest(role);
    for (const path of ['/login', '/signup']) {
      await page.goto(path);
      await expect(page).toHaveURL(/\/$/);
    }
    await page.getByRole('contentinfo').getByRole('textbox').fill(somebody().email);
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await expect(page.getByText('Thanks for subscribing!')).toBeVisible();
    await expectAnswers(client, [['POST', '/newsletter', 202, { email: somebody().email }]]);
  });
}
