import { expectAnswers, expectLogin, menuOf } from '../fixtures/roles';
import { expect, test } from '../fixtures/shop';

const review = { name: 'Robin', rating: 4, details: 'Arrived within a week.' };

test('a visitor writes no review', async ({ guest }) => {
  const { page, client } = await guest('visitor');
  await expectLogin(page, '/dashboard/review');
  await expectAnswers(client, [['POST', '/reviews', 401, review]]);
});

test('a customer finds Add Review in the menu, and Home shows what they wrote', async ({
  guest,
}) => {
  const { page } = await guest('customer');
  expect(await menuOf(page)).toContain('Add Review');
  await page.getByRole('complementary').getByRole('link', { name: 'Add Review' }).click();
  const details = `Torqued, driven, kept ${Date.now()}.`;
  await page.getByLabel('Name', { exact: true }).fill('Robin of the Journeys');
  await page.getByRole('radio', { name: '5 stars' }).check();
  await page.getByLabel('Review Details').fill(details);
  await page.getByRole('main').getByRole('button', { name: 'Add Review' }).click();
  await expect(page.getByRole('alert')).toContainText('Review Added Successfully...!');
  await page.goto('/');
  await expect(page.getByText(details)).toBeVisible();
});

test('an admin may write a review too, though the menu does not ask for one', async ({ guest }) => {
  const { page, client } = await guest('admin');
  expect(await menuOf(page)).not.toContain('Add Review');
  await page.goto('/dashboard/review');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add Review');
  await expectAnswers(client, [['POST', '/reviews', 201, review]]);
});
