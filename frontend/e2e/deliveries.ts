import type { Page } from '@playwright/test';
import type { Delivery, WebhookDelivery, WebhookEndpoint } from '../src/api/types';

const order = '0197a3c0-5a1e-7c3d-9a51-5f2d8c1b7e46';
const times = {
  createdAt: '2026-11-20T16:42:00Z',
  dueAt: '2026-11-20T16:42:00Z',
  sentAt: null,
};

const givenUp: Delivery[] = [
  {
    _id: '412',
    channel: 'mail',
    topic: 'order.paid',
    to: 'a.very.long.name.for.a.mailbox@workshop.of.a.long.name.example.com',
    orderId: order,
    attempts: 1,
    state: 'dead',
    lastError: 'permanent error (550): 5.1.1 No such mailbox here',
    ...times,
  },
  {
    _id: '398',
    channel: 'webhook',
    topic: 'order.shipped',
    to: null,
    orderId: order,
    attempts: 46,
    state: 'dead',
    lastError: 'it answered with status 503',
    ...times,
  },
  {
    _id: '371',
    channel: 'mail',
    topic: 'account.reset',
    to: 'casey@example.com',
    orderId: null,
    attempts: 46,
    state: 'dead',
    lastError: 'it did not answer within 25 seconds',
    ...times,
  },
];

const endpoints: WebhookEndpoint[] = [
  {
    _id: '0197a3c0-0000-7000-8000-000000000001',
    url: 'https://erp.example.com/hooks/driveline',
    events: ['order.ordered', 'order.paid', 'order.shipped', 'order.cancelled', 'order.refunded'],
    createdAt: '2026-10-02T08:00:00Z',
    failingSince: null,
    disabledAt: null,
    disabledReason: null,
  },
  {
    _id: '0197a3c0-0000-7000-8000-000000000002',
    url: 'https://warehouse.example.com/a/path/that/somebody/made/longer/than/it/had/to/be?for=driveline',
    events: ['order.paid'],
    createdAt: '2026-08-19T08:00:00Z',
    failingSince: '2026-10-29T07:58:00Z',
    disabledAt: '2026-11-01T08:00:00Z',
    disabledReason: 'every call failed for three days; the last: it answered with status 503',
  },
];

const log: WebhookDelivery[] = [
  {
    _id: '420',
    topic: 'order.paid',
    orderId: order,
    attempts: 3,
    state: 'waiting',
    statusCode: 503,
    lastError: 'it answered with status 503',
    ...times,
  },
  {
    _id: '398',
    topic: 'order.shipped',
    orderId: order,
    attempts: 46,
    state: 'dead',
    statusCode: null,
    lastError: 'erp.example.com could not be found',
    ...times,
  },
  {
    _id: '355',
    topic: 'order.ordered',
    orderId: order,
    attempts: 1,
    state: 'sent',
    statusCode: 204,
    lastError: null,
    ...times,
  },
];

/**
 * Answers what Deliveries asks as a shop would to which mail servers and other programs give trouble. A demo keeps its
 * letters in a folder and has nobody to call, so that nothing ever goes wrong there.
 */
export async function giveTrouble(page: Page): Promise<void> {
  for (const [call, found, total] of [
    [/\/outbox\?/, givenUp, givenUp.length],
    [/\/webhook-endpoints$/, endpoints, endpoints.length],
    [/\/webhook-endpoints\/[^/]+\/deliveries\?/, log, 120],
  ] as const) {
    await page.route(call, (route) =>
      route.fulfill({ json: found, headers: { 'X-Total-Count': String(total) } }),
    );
  }
}
