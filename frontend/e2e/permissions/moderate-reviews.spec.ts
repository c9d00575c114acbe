import { expectAnswers } from '../fixtures/roles';
import { expect, test } from '../fixtures/shop';

const unknown = '01890000-0000-7000-8000-000000000000';

test('neither a visitor nor a customer hides a review, sees hidden ones or brings one back', async ({
  guest,
}) => {
  for (const [role, status] of [
    ['visitor', 401],
    ['customer', 403],
  ] as const) {
    await expectAnswers((await guest(role)).client, [
      ['DELETE', `/reviews/${unknown}`, status],
      ['POST', `/reviews/${unknown}/restore`, status],
      ['GET', '/reviews/hidden', status],
    ]);
  }
});

test('an admin hides a review and brings it back, and everybody else sees that', async ({
  guest,
}) => {
  const customer = (await guest('customer')).client;
  const details = `To be hidden ${Date.now()}.`;
  const { insertedId } = await customer.done('POST', '/reviews', {
    name: 'Robin Vale',
    rating: 1,
    details,
  });
  const listed = async () => {
    const reviews: { _id: string }[] = await customer.done('GET', '/reviews');
    return reviews.map(({ _id }) => _id);
  };
  const { page, client: admin } = await guest('admin');
  expect(await admin.done('DELETE', `/reviews/${insertedId}`)).toEqual({ deletedCount: 1 });
  expect(await admin.done('DELETE', `/reviews/${insertedId}`)).toEqual({ deletedCount: 0 });
  expect(await listed()).not.toContain(insertedId);

  await page.goto('/dashboard/review?view=hidden');
  const hidden = page.getByRole('listitem').filter({ hasText: details });
  await hidden.getByRole('button', { name: 'Bring back' }).click();
  await expect(hidden).toHaveCount(0);
  await expect(page.getByText('Review by Robin Vale is back')).toBeVisible();
  expect(await listed()).toContain(insertedId);
  expect(await admin.done('POST', `/reviews/${insertedId}/restore`)).toEqual({ modifiedCount: 0 });
});
