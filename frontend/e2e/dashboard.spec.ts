import { fileURLToPath } from 'node:url';
import { admin, expect, logIn, signUp, somebody, test } from './fixtures/shop';

const picture = fileURLToPath(new URL('../public/pictures/turbocharger-640.webp', import.meta.url));

test('somebody fills in their profile, changes it, and links only to the web', async ({ page }) => {
  await signUp(page, somebody());
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Add Info' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Info' });
  await expect(dialog.getByLabel('Studied at')).toBeFocused();
  await dialog.getByLabel('Studied at').fill('Gear School');
  await dialog.getByLabel('LinkedIn').fill('javascript:alert(1)');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByLabel('LinkedIn')).toBeFocused();
  await dialog.getByLabel('LinkedIn').fill('https://linkedin.example/robin');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toHaveText('Info added successfully');
  await expect(page.getByText('Gear School')).toBeVisible();
  await expect(page.getByRole('link', { name: /^LinkedIn/ })).toHaveAttribute(
    'rel',
    /\bnoopener\b/,
  );

  await page.getByRole('button', { name: 'Update' }).click();
  await page.getByLabel('Lives in').fill('Camshaft Bay');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Updated Successfully')).toBeVisible();

  await page.getByRole('button', { name: 'Edit profile' }).click();
  await page.getByLabel('Display name').fill('Robin Bolt');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Robin Bolt' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Robin Bolt' })).toBeVisible();
  await expect(page.getByText('Camshaft Bay')).toBeVisible();
});

test('a review is written by keyboard alone', async ({ page }) => {
  await signUp(page, somebody());
  await page.goto('/dashboard/review');
  await page.getByLabel('Name', { exact: true }).focus();
  await page.keyboard.type('Robin');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  for (let star = 0; star < 4; star += 1) await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: '4 stars' })).toBeChecked();
  await page.keyboard.press('Tab');
  const details = `Parts arrived within a week ${Date.now()}.`;
  await page.keyboard.type(details);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Review Added Successfully...!');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('');
  const reviews: { rating: number; details: string }[] = await (
    await page.request.get('/reviews')
  ).json();
  expect(reviews.find((review) => review.details === details)?.rating).toBe(4);
});

test('an admin adds a product, restocks it and deletes it', async ({ page, consoleErrors }) => {
  consoleErrors.allow(415, /\/images/);
  const name = `Turbo of a journey ${Date.now()}`;
  await logIn(page, admin);
  await page.goto('/dashboard/addProduct');
  await page.getByLabel('Category').selectOption('REPLACEMENT PARTS');
  await page.getByLabel('Product Name').fill(name);
  await page.getByLabel('Description').fill('Balanced for one journey through the shop.');
  await page.getByLabel('Available Quantity').fill('500');
  await page.getByLabel('Price per Product').fill('12.75');
  const add = page.getByRole('main').getByRole('button', { name: 'Add Product' });
  await page.getByLabel('Image').setInputFiles({
    name: 'no-picture.png',
    mimeType: 'image/png',
    buffer: Buffer.from('not a picture'),
  });
  await add.click();
  await expect(page.getByRole('alert')).toContainText("The product wasn't added.");
  await page.getByLabel('Image').setInputFiles(picture);
  await expect(page.getByRole('img', { name: /^Preview of/ })).toBeVisible();
  await add.click();
  await expect(page.getByRole('alert')).toContainText('Product added successfully');
  await expect(page.getByLabel('Product Name')).toHaveValue('');

  await page.goto('/dashboard/manage');
  await page.getByLabel('Search').fill(name);
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: `Update ${name}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Update' });
  await dialog.getByLabel('Quantity').fill('300');
  await dialog.getByLabel('Price').fill('9.5');
  await dialog.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Restocked Successfully')).toBeVisible();
  await expect(page.getByRole('cell', { name: /^800\b/ })).toBeVisible();

  await page.getByRole('button', { name: `Delete ${name}` }).click();
  await expect(page.getByText(`Are you sure you want to delete this ${name}`)).toBeVisible();
  await page.getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('heading', { name: 'No products match your search' })).toBeVisible();
});

test('an admin shares the role and removes a person, who is then out', async ({
  page,
  anotherPage,
}) => {
  const account = somebody();
  const theirs = await anotherPage();
  await signUp(theirs, account);
  await logIn(page, admin);
  await page.goto('/dashboard/users');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^All users: \d/);
  await expect(page.getByRole('button', { name: `Remove User ${admin.email}` })).toBeDisabled();
  await page.getByLabel('Search').fill(account.email);
  await page.getByRole('button', { name: `Make Admin ${account.email}` }).click();
  await expect(page.getByText('Successfully made an admin')).toBeVisible();
  await expect(page.getByRole('button', { name: `Make Admin ${account.email}` })).toHaveCount(0);
  await theirs.goto('/dashboard/users');
  await expect(theirs.getByRole('heading', { level: 1 })).toHaveText(/^All users: \d/);

  await page.getByRole('button', { name: `Remove User ${account.email}` }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByText(`${account.email} has been removed.`)).toBeVisible();
  expect((await theirs.request.get('/auth/me')).status()).toBe(401);
});
