import { readFileSync } from 'node:fs';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeToken } from '@/api/access-token';
import type { ImportReport } from '@/api/types';
import { fileNameOf } from '@/lib/save-file';
import { catchDownloads } from '@/testing/downloads';
import { disc, problem } from '@/testing/orders';
import { pageOf } from '@/testing/pages';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import { takeNotices } from '@/ui/notify';
import ManageProductsPage from './pages/manage-products-page';

const HEADER = 'name,description,category,price,availableQty,minOrder,img';
const csv = (text = `${HEADER}\nA,B,BRAKES,1,500,50,/a.webp`, name = 'parts.csv') =>
  new File([text], name, { type: 'text/csv' });

const good: ImportReport = { dryRun: true, rows: 12, added: 12, bad: [] };
const mixed: ImportReport = {
  dryRun: true,
  rows: 12,
  added: 10,
  bad: [
    { line: 4, field: 'price', message: 'Price must be a number of dollars' },
    { line: 7, field: 'category', message: 'There is no such category' },
    { line: 7, field: '', message: 'The row has too many columns' },
  ],
};

interface Sent {
  search: string;
  key: string | null;
  type: string | null;
  body: string;
}

/** Checks and imports files; `answers` come one after the other. */
function shop(...answers: (ImportReport | Response)[]) {
  const sent: Sent[] = [];
  server.use(
    http.get('http://shop.test/products', ({ request }) => pageOf([disc], request)),
    http.post('http://shop.test/products.csv', async ({ request }) => {
      sent.push({
        search: new URL(request.url).search,
        key: request.headers.get('Idempotency-Key'),
        type: request.headers.get('Content-Type'),
        body: await request.text(),
      });
      const answer = answers.shift();
      return answer instanceof Response ? answer : HttpResponse.json(answer);
    }),
  );
  return { sent };
}

async function openImport() {
  const user = userEvent.setup();
  renderApp(<ManageProductsPage />, { user: customer, at: '/dashboard/manage' });
  await screen.findByRole('table');
  await user.click(screen.getByRole('button', { name: 'Import CSV' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Import CSV' }));
  return { user, dialog, input: dialog.getByLabelText('CSV file') };
}

describe('Import CSV', () => {
  it('begins at the file, and adds nothing by looking through it', async () => {
    const { sent } = shop(good);
    const { user, dialog, input } = await openImport();
    expect(input).toHaveFocus();
    await user.upload(input, csv());
    expect(await dialog.findByText('All 12 rows are ready to import.')).toBeVisible();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      search: '?dryRun=true',
      type: 'text/csv',
      body: `${HEADER}\nA,B,BRAKES,1,500,50,/a.webp`,
    });
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(sent).toHaveLength(1);
  });

  it('imports a file without a bad row, and says how many products came', async () => {
    const { sent } = shop(good, { ...good, dryRun: false });
    const { user, dialog, input } = await openImport();
    await user.upload(input, csv());
    await user.click(await dialog.findByRole('button', { name: 'Import 12 products' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('12 products added.');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(sent.map(({ search }) => search)).toEqual(['?dryRun=true', '']);
    expect(sent[1]?.key).toBeTruthy();
    expect(sent[1]?.key).not.toBe(sent[0]?.key);
  });

  it('lists each bad row by line and reason, and imports the good ones only after consent', async () => {
    const { sent } = shop(mixed, { ...mixed, dryRun: false });
    const { user, dialog, input } = await openImport();
    await user.upload(input, csv());
    expect(await dialog.findByText(/^10 of 12 rows can be imported\./)).toBeVisible();
    const report = () =>
      within(dialog.getByRole('table', { name: 'Rows with errors' }))
        .getAllByRole('row')
        .map((row) => within(row).queryAllByRole('cell').length && row.textContent);
    const rows = [
      0,
      '4pricePrice must be a number of dollars',
      '7categoryThere is no such category',
      '7whole rowThe row has too many columns',
    ];
    expect(report()).toEqual(rows);
    expect(dialog.queryByRole('button', { name: /^Import .* products/ })).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Import 10 valid rows' }));
    const said = await dialog.findByText(/^10 products added, 2 rows skipped\./);
    expect(said.parentElement).toHaveFocus();
    expect(report()).toEqual(rows);
    expect(sent[1]?.search).toBe('?partial=true');
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('offers no import where nothing can be imported', async () => {
    shop({ ...mixed, added: 0 });
    const { user, dialog, input } = await openImport();
    await user.upload(input, csv());
    expect(await dialog.findByText(/^None of the 12 rows can be imported/)).toBeVisible();
    expect(dialog.queryByRole('button', { name: /Import/ })).toBeNull();
  });

  it.each([
    [422, 'The header lacks the columns name and price'],
    [400, 'The file is not UTF-8'],
    [413, 'The file is too large'],
  ])('reports a %i inside the dialog, and takes the next file', async (status, message) => {
    shop(HttpResponse.json(problem('refused', status, message), { status }), good);
    const { user, dialog, input } = await openImport();
    await user.upload(input, csv('x'));
    expect(await dialog.findByRole('alert')).toHaveTextContent(message);
    await user.upload(input, csv());
    expect(await dialog.findByRole('button', { name: 'Import 12 products' })).toBeVisible();
    expect(dialog.queryByRole('alert')).toBeNull();
  });

  it('sends no file that is too large', async () => {
    const { sent } = shop();
    const { user, dialog, input } = await openImport();
    await user.upload(input, csv('x'.repeat(2 * 1024 * 1024 + 1)));
    expect(await dialog.findByRole('alert')).toHaveTextContent('Files must be 2 MB or smaller.');
    expect(sent).toEqual([]);
  });

  it('answers for the file that was chosen last', async () => {
    shop();
    let requested = 0;
    server.use(
      http.post('http://shop.test/products.csv', async () => {
        requested += 1;
        if (requested > 1) return HttpResponse.json(good);
        await delay(80);
        return HttpResponse.json(mixed);
      }),
    );
    const { user, dialog, input } = await openImport();
    await user.upload(input, csv('first', 'first.csv'));
    await user.upload(input, csv('second', 'second.csv'));
    expect(await dialog.findByText(/ready to import/)).toBeVisible();
    await new Promise((done) => setTimeout(done, 120));
    expect(requested).toBe(2);
    expect(dialog.getByText(/ready to import/)).toBeVisible();
  });

  it('shows the new report when the stock changed between the check and the import', async () => {
    const refusal = problem('validation', 422, 'Nothing was imported', { bad: mixed.bad });
    shop(good, HttpResponse.json(refusal, { status: 422 }), mixed);
    const { user, dialog, input } = await openImport();
    await user.upload(input, csv());
    await user.click(await dialog.findByRole('button', { name: 'Import 12 products' }));
    expect(await dialog.findByRole('button', { name: 'Import 10 valid rows' })).toBeVisible();
    expect(dialog.getByRole('alert')).toHaveTextContent('Nothing was imported');
    expect(dialog.getByText('There is no such category')).toBeVisible();
  });

  it('repeats a try that got no answer under the same key, so that nothing comes twice', async () => {
    const away = problem('unavailable', 503, 'The shop is catching up.');
    const { sent } = shop(good, HttpResponse.json(away, { status: 503 }), {
      ...good,
      dryRun: false,
    });
    const { user, dialog, input } = await openImport();
    await user.upload(input, csv());
    await user.click(await dialog.findByRole('button', { name: 'Import 12 products' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('The shop is catching up.');
    await user.click(dialog.getByRole('button', { name: 'Import 12 products' }));
    expect(await screen.findByText('12 products added.')).toBeVisible();
    expect(sent[2]?.key).toBe(sent[1]?.key);
  });
});

describe('files for the downloads', () => {
  let saved: ReturnType<typeof catchDownloads> = [];

  beforeEach(() => {
    saved = catchDownloads();
  });

  it('hands out a template with the columns of an import', async () => {
    shop();
    const { user, dialog } = await openImport();
    await user.click(dialog.getByRole('button', { name: 'Download a template' }));
    expect(saved.map(({ name }) => name)).toEqual(['products-template.csv']);
    const { paths } = JSON.parse(readFileSync('../docs/openapi.json', 'utf8'));
    const { description } = paths['/products.csv'].get.responses[200];
    const columns = /`id,(.*),createdAt`/.exec(description)?.[1];
    expect(await saved[0]?.text).toBe(`${columns}\r\n`);
  });

  it('exports what the list is narrowed to, with the bearer, under the name that the shop gives', async () => {
    storeToken('a.b.c');
    shop();
    const requested: Request[] = [];
    server.use(
      http.get('http://shop.test/products.csv', ({ request }) => {
        requested.push(request);
        return new HttpResponse('id,name\r\n', {
          headers: {
            'Content-Type': 'text/csv; charset=utf-8',
            'Content-Disposition': 'attachment; filename="products-2026-11-21.csv"',
          },
        });
      }),
    );
    renderApp(<ManageProductsPage />, {
      user: customer,
      at: '/dashboard/manage?q=disc&category=BRAKES&sort=-price&cursor=p1&page=2',
    });
    await screen.findByRole('table');
    await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(saved[0]?.name).toBe('products-2026-11-21.csv');
    expect(await saved[0]?.text).toBe('id,name\r\n');
    expect(requested[0]?.headers.get('Authorization')).toBe('Bearer a.b.c');
    expect(new URL(requested[0]?.url ?? '').search).toBe('?q=disc&category=BRAKES&sort=-price');
    expect(screen.getByRole('button', { name: 'Export CSV' })).toBeEnabled();
  });

  it('says in a toast why nothing was exported', async () => {
    shop();
    server.use(
      http.get('http://shop.test/products.csv', () =>
        HttpResponse.json(problem('forbidden', 403, 'You are not authorized to do this'), {
          status: 403,
        }),
      ),
    );
    renderApp(<ManageProductsPage />, { user: customer, at: '/dashboard/manage' });
    await screen.findByRole('table');
    await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
    await waitFor(() =>
      expect(takeNotices()).toEqual([
        {
          tone: 'error',
          text: 'Export failed. You are not authorized to do this',
        },
      ]),
    );
    expect(saved).toEqual([]);
  });

  it.each([
    ['attachment; filename="products-2026-11-21.csv"', 'products-2026-11-21.csv'],
    ['attachment; filename=orders.csv', 'orders.csv'],
    ['attachment; filename="../../etc/passwd"', 'passwd'],
    ['attachment', 'list.csv'],
    [null, 'list.csv'],
  ])('takes the name out of %s', (disposition, name) => {
    expect(fileNameOf(disposition, 'list.csv')).toBe(name);
  });
});
