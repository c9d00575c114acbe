import type { Page } from '@playwright/test';
import type { Caller } from '../caller';
import { expect } from '../shop';

/** What stands in the dashboard's side menu for each role, in the spec's words and order (section 2). */
export const adminMenu = [
  'Home',
  'All Order List',
  'Orders',
  'Manage Products',
  'Add Product',
  'All Users',
];
export const customerMenu = ['Home', 'Order Table', 'My Order', 'Add Review'];

/** The entries of the side menu, once it is known whose it is. */
export async function menuOf(page: Page): Promise<string[]> {
  await page.goto('/dashboard/blog');
  const menu = page.getByRole('complementary').getByRole('navigation', { name: 'Dashboard' });
  await expect(menu.getByRole('status')).toHaveCount(0);
  await expect(menu.getByRole('link', { name: 'Blog' })).toBeVisible();
  return menu.getByRole('link').allInnerTexts();
}

/** A visitor who asks for these screens is shown Login and told that the way leads on from there. */
export async function expectLogin(page: Page, ...paths: string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await expect(page, path).toHaveURL(/\/login$/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Login');
    await expect(page.getByText('Please log in to go on.')).toBeVisible();
  }
}

/** Somebody signed in who is no admin is sent to Login as well, which says why and offers Home. */
export async function expectNoEntry(page: Page, ...paths: string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await expect(page, path).toHaveURL(/\/login$/);
    const reason = page.getByRole('main').getByRole('alert');
    await expect(reason).toContainText('for admins only');
    await expect(page.getByRole('main').getByRole('link', { name: 'Home' })).toBeVisible();
  }
}

type Expected = readonly [method: string, path: string, status: number, data?: unknown];

/** The same calls without any screen: hiding a button is no protection. */
export async function expectAnswers(caller: Caller, calls: readonly Expected[]): Promise<void> {
  for (const [method, path, status, data] of calls) {
    const answer = await caller.call(method, path, data);
    expect
      .soft(answer.status, `${method} ${path}: ${JSON.stringify(answer.body).slice(0, 200)}`)
      .toBe(status);
  }
}
