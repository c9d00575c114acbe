import { randomUUID } from 'node:crypto';
import { type BrowserContext, test as base, expect, type Page, request } from '@playwright/test';
import { Caller } from './caller';

export interface Person {
  name: string;
  email: string;
  password: string;
}

export const admin: Person = {
  name: '',
  email: 'admin@example.com',
  password: 'demo-password',
};

/** Somebody who has never been here. */
export function somebody(name = 'Robin Vale'): Person {
  return {
    name,
    email: `buyer.${randomUUID().slice(0, 8)}@example.com`,
    password: 'workshop-42',
  };
}

/** Watches what the browser complains about. A journey names beforehand what it provokes; everything else fails it. */
export class Complaints {
  #heard: string[] = [];
  #allowed: RegExp[] = [];

  /** A call that this journey gets refused on purpose, which browsers log as an error. */
  allow(status: number, path: RegExp): void {
    this.#allowed.push(new RegExp(`status of ${status} .*${path.source}`));
  }

  watch(context: BrowserContext): void {
    context.on('console', (message) => {
      if (message.type() !== 'error' && message.type() !== 'warning') return;
      this.#heard.push(`${message.type()}: ${message.text()} ${message.location().url}`);
    });
    context.on('weberror', (problem) => this.#heard.push(`thrown: ${problem.error().message}`));
  }

  get unexpected(): string[] {
    return this.#heard.filter((line) => !this.#allowed.some((pattern) => pattern.test(line)));
  }
}

export type Role = 'visitor' | 'customer' | 'admin';

/** A person of a role, with a browser of their own and the calls that it could make. */
export interface Guest {
  page: Page;
  caller: Caller;
}

interface Fixtures {
  complaints: Complaints;
  /** Another person on another machine. */
  anotherPage: () => Promise<Page>;
  /** Somebody of this role, signed in already; each customer is a new one. */
  guest: (role: Role, person?: Person) => Promise<Guest>;
  /** The back office; what it put on the shelves is taken away afterwards. */
  office: Caller;
}

interface ReactRoot {
  current: { memoizedState: { isDehydrated: boolean } | null };
}

/**
 * Pages are there before their scripts. A person takes a moment to press or type; a journey would be quicker than the
 * client, so its visits last until the client listens.
 */
function patient(page: Page): Page {
  const listens = async () => {
    await page.waitForFunction(() => {
      const root = document.querySelector('#root');
      if (!root) return true;
      const name = Object.keys(root).find((key) => key.startsWith('__reactContainer'));
      if (!name) return false;
      // React tells nobody in public when it has taken a page over.
      const { stateNode } =
        (root as unknown as Record<string, { stateNode: ReactRoot }>)[name] ?? {};
      return (
        stateNode?.current.memoizedState?.isDehydrated === false && !root.querySelector('[inert]')
      );
    });
  };
  const goto = page.goto.bind(page);
  page.goto = async (url, options) => {
    const answer = await goto(url, options);
    if (options?.waitUntil !== 'commit') await listens();
    return answer;
  };
  const reload = page.reload.bind(page);
  page.reload = async (options) => {
    const answer = await reload(options);
    await listens();
    return answer;
  };
  return page;
}

export const test = base.extend<Fixtures>({
  page: ({ page }, use) => use(patient(page)),
  complaints: [
    async ({ context }, use) => {
      const complaints = new Complaints();
      complaints.watch(context);
      await use(complaints);
      expect(complaints.unexpected, 'the console stays silent').toEqual([]);
    },
    { auto: true },
  ],
  anotherPage: async ({ browser, baseURL, complaints }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext({
        ...(baseURL ? { baseURL } : {}),
        viewport: { width: 1440, height: 900 },
        reducedMotion: 'reduce',
      });
      complaints.watch(context);
      contexts.push(context);
      return patient(await context.newPage());
    });
    for (const context of contexts) await context.close();
  },
  guest: async ({ anotherPage }, use) => {
    await use(async (role, person) => {
      const page = await anotherPage();
      const caller = new Caller(page.context().request);
      if (role === 'customer') await caller.signUp(person ?? somebody());
      if (role === 'admin') await caller.logIn(person ?? admin);
      return { page, caller };
    });
  },
  office: async ({ baseURL }, use) => {
    const api = await request.newContext({ ...(baseURL ? { baseURL } : {}) });
    const office = await new Caller(api).logIn(admin);
    const added: string[] = [];
    const add = office.addProduct.bind(office);
    office.addProduct = async (product) => {
      const id = await add(product);
      added.push(id);
      return id;
    };
    await use(office);
    for (const id of added) await office.removeProduct(id);
    await api.dispose();
  },
});

export { expect };

export async function signUp(page: Page, person: Person): Promise<void> {
  await page.goto('/signup');
  await page.getByLabel('Name', { exact: true }).fill(person.name);
  await page.getByRole('main').getByLabel('Email', { exact: true }).fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'SIGNUP' }).click();
  await expect(page).toHaveURL(/\/$/);
}

/** Fills the form that stands on the screen, and sends it. */
export async function fillLogin(page: Page, person: Person): Promise<void> {
  await page.getByRole('main').getByLabel('Email', { exact: true }).fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
}

export async function logIn(page: Page, person: Person): Promise<void> {
  await page.goto('/login');
  await fillLogin(page, person);
  await expect(page).toHaveURL(/\/$/);
}

/** Opens Billing Details of the product and types what it asks for. */
export async function fillBilling(page: Page, quantity?: number) {
  await page.getByRole('button', { name: 'Purchase' }).click();
  const dialog = page.getByRole('dialog', { name: 'Billing Details' });
  await dialog.getByLabel('Phone').fill('555 0100');
  await dialog.getByLabel('Address').fill('1 Workshop Lane, Detroit');
  if (quantity !== undefined) await dialog.getByLabel('Quantity').fill(String(quantity));
  return dialog;
}

export async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry date').fill('12/34');
  await page.getByLabel('CVC').fill('123');
}

/** Switches theme and width, and waits until no shade is on its way from one theme to the other. */
export async function dress(
  page: Page,
  look: { colorScheme: 'light' | 'dark'; width: number; height: number },
): Promise<void> {
  await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width: look.width, height: look.height });
  await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    await frame();
    await frame();
    await Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
        .map((animation) => animation.finished.catch(() => undefined)),
    );
    await frame();
  });
}
