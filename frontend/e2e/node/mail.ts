/*
 * The shop's e-mails, from an order over HTTP to a mail server of somebody else's making, parsed by a reader that the shop
 * has not seen. What the server does to an e-mail goes by its reader's address.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import PostalMime, { type Email } from 'postal-mime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cut, hostileStrings, kept } from '../fixtures/hostile-strings';
import {
  type Customer,
  type MailServer,
  Shop,
  startMailServer,
  type Taken,
} from '../fixtures/mail-server';
import { until } from '../fixtures/until';

interface Delivery {
  _id: string;
  topic: string;
  to: string;
  attempts: number;
  state: string;
  lastError: string | null;
}

const FROM = 'Driveline <orders@shop.example.com>';

let server: MailServer;
let shop: Shop;
let admin: Customer;
/** With which code the next e-mails to a reader are refused, and how many of them. */
const refusals = new Map<string, { code: number; left: number }>();

function mood(email: string): number | undefined {
  const refusal = refusals.get(email);
  if (!refusal || refusal.left === 0) return undefined;
  refusal.left -= 1;
  return refusal.code;
}

/** Whether it is about an order; whoever signs up is sent another e-mail, which is not what is tested here. */
function isOfOrder({ message }: Taken): boolean {
  return message.text?.includes('/dashboard/order/') ?? false;
}

beforeAll(async () => {
  server = await startMailServer({ reader: mood });
  shop = await Shop.open({ SMTP_URL: server.url, MAIL_FROM: FROM });
  admin = await shop.admin();
});

afterAll(async () => {
  await Shop.clearAll();
  server?.stop();
});

/** Somebody new, whom the e-mail for new accounts has reached. */
async function newcomer(email: string): Promise<Customer> {
  const account = await shop.account(email);
  await until('the first e-mail', () => server.of(email).length > 0 || undefined);
  return account;
}

/** Somebody whose address is confirmed: only they are sent what was typed, and as much as there is to say. */
async function confirmed(email: string): Promise<Customer> {
  const account = await shop.account(email);
  return account.confirm(() => server.of(email).map(({ message }) => message.text ?? ''));
}

/** The e-mails that somebody was sent, once there are so many, and given the time for one too many to come. */
async function emailsTo(
  email: string,
  many: number,
  from: Pick<MailServer, 'of'> = server,
): Promise<Taken[]> {
  const arrived = () => from.of(email).filter(isOfOrder);
  await until(`${many} e-mails to ${email}`, () => arrived().length >= many || undefined);
  await sleep(2_500);
  return arrived();
}

async function deliveries(to: string, state: string): Promise<Delivery[]> {
  const all = await admin.done<Delivery[]>('GET', `/outbox?state=${state}&limit=1000`);
  return all.filter((one) => one.to === to && one.topic.startsWith('order.'));
}

/** The subject of an e-mail about an order, whichever number the order has. */
function unnumbered(subject?: string): string {
  return (subject ?? '').replace(/DL-\d+/, 'NUMBER');
}

function header(message: Email, name: string): string[] {
  return message.headers.filter(({ key }) => key === name).map(({ value }) => value);
}

/** The words of an HTML e-mail, once it is sure that nothing in it is but words. */
function textOf(html: string): string {
  const document = new DOMParser().parseFromString(html, 'text/html');
  const allowed = 'HTML HEAD META TITLE BODY H1 P TABLE TBODY TR TH TD BR A IMG STRONG SPAN'.split(
    ' ',
  );
  const attributes = `lang charset name content style dir scope href role width height align bgcolor
    cellpadding cellspacing border src alt`.split(/\s+/);
  for (const element of document.querySelectorAll('*')) {
    expect(allowed).toContain(element.tagName);
    for (const { name } of element.attributes) {
      expect(attributes).toContain(name);
    }
  }
  const links = [...document.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '');
  for (const link of links) expect(link.startsWith(`${shop.base}/`)).toBe(true);
  return document.body.textContent ?? '';
}

test('a customer is sent a confirmation and a receipt, once each, that say the same in both forms', async () => {
  const customer = await confirmed('buyer@example.com');
  const order = await customer.order(await admin.addProduct('Ventilated brake disc'));
  await customer.pay(order);
  const sent = await emailsTo(customer.email, 2);
  const subjects = sent.map(({ message }) => unnumbered(message.subject)).sort();
  expect(subjects).toEqual([
    'Order NUMBER received: 50 × Ventilated brake disc',
    'Receipt for order NUMBER: 50 × Ventilated brake disc',
  ]);
  for (const { from, to, raw, message } of sent) {
    expect([from, to]).toEqual(['orders@shop.example.com', ['buyer@example.com']]);
    expect(message.from).toMatchObject({ name: 'Driveline', address: 'orders@shop.example.com' });
    expect(message.to).toMatchObject([{ name: 'Nia Nine', address: 'buyer@example.com' }]);
    const isReceipt = message.subject?.startsWith('Receipt') ?? false;
    expect(header(message, 'content-type')[0]).toMatch(
      isReceipt ? /^multipart\/mixed/ : /^multipart\/alternative/,
    );
    // A receipt brings its invoice.
    expect(message.attachments.map(({ mimeType }) => mimeType)).toEqual(
      isReceipt ? ['application/pdf'] : [],
    );
    expect(header(message, 'auto-submitted')).toEqual(['auto-generated']);
    expect(message.messageId).toMatch(/^<\d+\.\d+@shop\.example\.com>$/);
    expect(Math.abs(Date.parse(message.date ?? '') - Date.now())).toBeLessThan(120_000);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what ASCII is.
    expect(raw).toMatch(/^[\x00-\x7f]*$/);
    const page = `${shop.base}/dashboard/order/${order}`;
    for (const version of [message.text ?? '', textOf(message.html ?? '')]) {
      for (const fact of [order, 'Ventilated brake disc', '$129.99', '$6,499.50', page]) {
        expect(version).toContain(fact);
      }
    }
    // Where the e-mail leads there is a page.
    await shop.call('GET', new URL(page).pathname);
  }
  const receipt = sent.find(({ message }) => message.subject?.startsWith('Receipt'));
  expect(receipt?.message.text).toMatch(/Payment +pi_/);
});

test('a shipment and a refund are notified', async () => {
  const customer = await confirmed('both@example.com');
  const product = await admin.addProduct('Wheel hub');
  await admin.done('PUT', `/orders/status/${await customer.order(product)}`);
  const paid = await customer.order(product);
  await customer.pay(paid);
  await admin.done('POST', `/orders/${paid}/refund`);
  const sent = await emailsTo(customer.email, 5);
  expect(sent.map(({ message }) => unnumbered(message.subject).split(':')[0]).sort()).toEqual([
    'Order NUMBER has shipped',
    'Order NUMBER received',
    'Order NUMBER received',
    'Receipt for order NUMBER',
    'Refund for order NUMBER',
  ]);
  const shipped = sent.find(({ message }) =>
    message.subject?.endsWith('has shipped: 50 × Wheel hub'),
  );
  expect(shipped?.message.text).toContain("hasn't been paid yet");
});

test('what a server cannot take now is sent later', async () => {
  const customer = await newcomer('later@example.com');
  refusals.set(customer.email, { code: 451, left: 1 });
  await customer.order(await admin.addProduct('Wheel hub'));
  const [waiting] = await until('a reason', async () => {
    const all = await deliveries(customer.email, 'waiting');
    return all[0]?.lastError ? all : undefined;
  });
  expect(waiting?.lastError).toContain('451');
  expect(server.of(customer.email).filter(isOfOrder)).toEqual([]);
  expect(await emailsTo(customer.email, 1)).toHaveLength(1);
  const [sent] = await until('the note of it', async () => {
    const all = await deliveries(customer.email, 'sent');
    return all.length > 0 ? all : undefined;
  });
  expect(sent?.attempts).toBe(2);
});

test('what a server never takes is given up, shown to admins, and tried again when one asks', async () => {
  const customer = await newcomer('never@example.com');
  refusals.set(customer.email, { code: 550, left: 2 });
  await customer.order(await admin.addProduct('Wheel hub'));
  const given = async (left: number) =>
    until('giving up', async () => {
      const [dead] = await deliveries(customer.email, 'dead');
      return dead && refusals.get(customer.email)?.left === left ? dead : undefined;
    });
  const dead = await given(1);
  expect(dead).toMatchObject({ topic: 'order.ordered', attempts: 1, state: 'dead' });
  expect(dead.lastError).toContain('550');
  const numbers = async () => (await shop.call('GET', '/metrics')).text();
  await until('the count of it', async () =>
    (await numbers()).includes('outbox_dead{channel="mail"} 1') ? true : undefined,
  );
  expect(await admin.done('POST', `/outbox/${dead._id}/retry`)).toEqual({ modifiedCount: 1 });
  expect(await given(0)).toMatchObject({ _id: dead._id });
  // Why is for admins to read; the log names nobody.
  expect(shop.log).not.toContain(customer.email);
});

test('a server that falls silent slows no page down, and the e-mails wait', async () => {
  const silent = await startMailServer({ accepting: () => new Promise(() => {}) });
  const quiet = await Shop.open({ SMTP_URL: silent.url, MAIL_FROM: FROM });
  try {
    const middle = async () => {
      const took: number[] = [];
      for (let n = 0; n < 60; n += 1) {
        const began = performance.now();
        await (await quiet.call('GET', '/products')).text();
        took.push(performance.now() - began);
      }
      return took.sort((one, other) => one - other)[30] ?? Number.NaN;
    };
    // Who has not confirmed their address is sent three e-mails an hour.
    const names = ['ada', 'ben', 'cleo', 'dan', 'eve', 'finn'];
    const customers = await Promise.all(names.map((name) => quiet.account(`${name}@example.com`)));
    const boss = await quiet.admin();
    const product = await boss.addProduct('Wheel hub');
    const before = await middle();
    for (const customer of [...customers, ...customers]) await customer.order(product);
    await until('a full house', () => silent.taken.length >= 8 || undefined);
    const meanwhile = await middle();
    expect(meanwhile).toBeLessThan(before * 3 + 20);
    const waiting = await boss.done<Delivery[]>('GET', '/outbox?state=waiting');
    expect(waiting.filter(({ topic }) => topic === 'order.ordered')).toHaveLength(12);
    // Nor does it keep the shop open: what was under way is due again later.
    expect(await quiet.stop()).toBeLessThan(15_000);
  } finally {
    await quiet.clear();
    silent.stop();
  }
});

test('a shop that dies between the acceptance and its note of it sends the e-mail again under the same id', async () => {
  let dying: Shop | undefined;
  const last = await startMailServer({
    // The server has the e-mail, and the shop never hears of it.
    accepting: async (taken) => (isOfOrder(taken) ? dying?.kill() : undefined),
  });
  dying = await Shop.open({ SMTP_URL: last.url, MAIL_FROM: FROM });
  try {
    const customer = await dying.account('twice@example.com');
    await customer.order(await (await dying.admin()).addProduct('Wheel hub'));
    await until('the e-mail', () => last.taken.some(isOfOrder) || undefined);
    const killed = dying;
    await sleep(500);
    dying = undefined;
    await killed.start();
    const [first, second, ...more] = await emailsTo(customer.email, 2, last);
    expect(second?.message.messageId).toBe(first?.message.messageId);
    expect(second?.message.text).toBe(
      first?.message.text?.replaceAll(/:\d+\//g, `:${new URL(killed.base).port}/`),
    );
    expect(more).toEqual([]);
    await killed.clear();
  } finally {
    await dying?.clear();
    last.stop();
  }
});

test('whatever is typed into an order arrives as text, in one e-mail to one reader', async () => {
  const customer = await confirmed('hostile@example.com');
  /** As a header can hold it: one line, and no mark that turns the direction of what follows. */
  const oneLine = (text: string) =>
    text
      .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
      .replaceAll(/\p{Cc}/gu, ' ')
      .split(/\p{White_Space}+/u)
      .filter((word) => word !== '')
      .join(' ');
  const lines = (text: string) => text.split(/\r\n|\n/);
  const typed = new Map<string, { what: string; text: string }>();
  for (const hostile of hostileStrings) {
    const [name, address] = [cut(hostile.text, 120), cut(hostile.text, 500)];
    const order = await customer.order(await admin.addProduct(cut(hostile.text, 200)), {
      name,
      address,
    });
    typed.set(order, { ...hostile, text: kept(hostile.text) });
  }
  expect(typed.size).toBe(36);
  const sent = await emailsTo(customer.email, 36);
  expect(sent).toHaveLength(36);
  const names = sent.map(({ message }) => message.headers.map(({ key }) => key).join());
  expect(new Set(names).size, 'a text became a header').toBe(1);
  for (const { to, raw, message } of sent) {
    const order = [...typed.keys()].find((id) => message.text?.includes(id)) ?? '';
    const { what, text } = typed.get(order) ?? { what: 'nobody’s', text: '' };
    typed.delete(order);
    expect(to, what).toEqual([customer.email]);
    expect(message.to, what).toMatchObject([
      { address: customer.email, name: oneLine(cut(text, 120)) },
    ]);
    expect(unnumbered(message.subject), what).toBe(
      `Order NUMBER received: 50 × ${oneLine(cut(text, 200))}`,
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what ASCII is.
    expect(raw, what).toMatch(/^[\x00-\x7f]*$/);
    expect(Math.max(...raw.split('\r\n').map((line) => line.length)), what).toBeLessThan(999);
    const html = textOf(message.html ?? '');
    for (const line of lines(cut(text, 500))) {
      expect(
        lines(message.text ?? '').some((one) => one.endsWith(line.trimEnd())),
        what,
      ).toBe(true);
      expect(html, what).toContain(line);
    }
  }
  expect(typed.size).toBe(0);
});

/** A mail server with a certificate of its own making, that takes e-mails from who signs in. */
async function startStrictServer(privacy: { secure: boolean; host: string }) {
  const folder = await mkdtemp(join(tmpdir(), 'driveline-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  await promisify(execFile)('openssl', [
    ...'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=mail'.split(' '),
    ...'-addext basicConstraints=critical,CA:FALSE -addext'.split(' '),
    `subjectAltName=DNS:localhost,IP:${privacy.host}`,
    ...['-keyout', key, '-out', cert],
  ]);
  const passwords: string[] = [];
  const strict = await startMailServer({
    host: privacy.host,
    options: {
      secure: privacy.secure,
      disabledCommands: [],
      key: await readFile(key),
      cert: await readFile(cert),
      onAuth({ username, password }, _session, done) {
        passwords.push(`${username} ${password}`);
        done(null, { user: username });
      },
    },
  });
  const url = strict.url.replace('//', '//shop%40example.com:p%2Fw@');
  const clear = async () => {
    strict.stop();
    await rm(folder, { recursive: true });
  };
  return { ...strict, url, cert, passwords, clear };
}

for (const [how, secure, host] of [
  ['encrypted from the first byte', true, '127.0.0.1'],
  // This machine by an address that is not its loopback's: only what is loopback by name is spoken to in the clear.
  ['encrypted after the first words', false, '0.0.0.0'],
] as const) {
  test(`a server is believed by its certificate, and hears the password only then: ${how}`, async () => {
    const strict = await startStrictServer({ secure, host });
    const url = secure ? strict.url.replace('smtp:', 'smtps:') : strict.url;
    const open = async (trusted: Record<string, string>, email: string) => {
      const own = await Shop.open({ SMTP_URL: url, MAIL_FROM: FROM, ...trusted });
      const customer = await own.account(email);
      const boss = await own.admin();
      await customer.order(await boss.addProduct('Wheel hub'));
      return { own, boss };
    };
    try {
      const { own: wary, boss } = await open({}, 'wary@example.com');
      const reason = await until('a reason', async () => {
        const [waiting] = await boss.done<Delivery[]>('GET', '/outbox?state=waiting');
        return waiting?.lastError ?? undefined;
      });
      expect(reason).toMatch(/certificate/i);
      await wary.clear();
      expect([strict.passwords, strict.taken]).toEqual([[], []]);

      const { own: sure } = await open({ SSL_CERT_FILE: strict.cert }, 'sure@example.com');
      expect(await emailsTo('sure@example.com', 1, strict)).toHaveLength(1);
      expect(new Set(strict.passwords)).toEqual(new Set(['shop@example.com p/w']));
      expect(sure.log).not.toContain('p/w');
      await sure.clear();
    } finally {
      await strict.clear();
    }
  });
}

test('without a mail server a demo puts its e-mails into a folder and says so, but not what they say', async () => {
  const own = await Shop.open({});
  try {
    const folder = join(own.folder, 'mail');
    const inFolder = async () => {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.eml'));
      const read = async (name: string) => PostalMime.parse(await readFile(join(folder, name)));
      return Promise.all(names.map(async (name) => [name, await read(name)] as const));
    };
    const customer = await (await own.account('folder@example.com')).confirm(async () =>
      (await inFolder()).map(([, { text }]) => text ?? ''),
    );
    await customer.order(await (await own.admin()).addProduct('Wheel hub'), { name: 'Nia Secret' });
    const [file, message] = await until('a file', async () =>
      (await inFolder()).find(([, { text }]) => text?.includes('/dashboard/order/')),
    );
    expect(message.to).toMatchObject([{ name: 'Nia Secret', address: customer.email }]);
    expect(unnumbered(message.subject)).toBe('Order NUMBER received: 50 × Wheel hub');
    const line = await until('the line', () =>
      own.log.split('\n').find((one) => one.includes(file)),
    );
    expect(line).toContain(customer.email);
    expect(own.log).not.toContain('Nia Secret');
  } finally {
    await own.clear();
  }
});
