import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { countries } from '@/features/addresses/fixture';
import { catchDownloads } from '@/testing/downloads';
import { problem } from '@/testing/orders';
import { customer as admin, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import TaxPage from './pages/tax-page';
import type { Exemption, TaxRate } from './wire';

const german: TaxRate = {
  _id: '1',
  country: 'DE',
  name: 'VAT',
  basisPoints: 1900,
  validFrom: '2021-01-01',
  validUntil: null,
};
const ohio: TaxRate = {
  _id: '2',
  country: 'US',
  region: 'OH',
  name: 'Sales tax',
  basisPoints: 575,
  validFrom: '2026-01-01',
  validUntil: '2026-12-31',
};
const resale: Exemption = {
  _id: '5',
  email: 'casey@example.com',
  kind: 'resale',
  country: 'US',
  region: 'OH',
  number: 'R-1',
  validUntil: '2027-06-30',
  state: 'valid',
};

function shop({ rates = [], exemptions = [] }: { rates?: TaxRate[]; exemptions?: Exemption[] }) {
  const calls: { what: string; body?: unknown }[] = [];
  const record =
    (what: string) =>
    async ({ request, params }: { request: Request; params: object }) => {
      const [id = ''] = Object.values(params) as string[];
      const text = await request.text();
      calls.push({ what: `${what} ${id}`.trim(), ...(text ? { body: JSON.parse(text) } : {}) });
      return HttpResponse.json({ modifiedCount: 1, deletedCount: 1, insertedId: '9' });
    };
  server.use(
    http.get('http://shop.test/countries', () => HttpResponse.json(countries)),
    http.get('http://shop.test/tax-rates', () => HttpResponse.json(rates)),
    http.post('http://shop.test/tax-rates', record('POST rate')),
    http.put('http://shop.test/tax-rates/:id', record('PUT rate')),
    http.delete('http://shop.test/tax-rates/:id', record('DELETE rate')),
    http.get('http://shop.test/exemptions', () => HttpResponse.json(exemptions)),
    http.post('http://shop.test/exemptions', record('POST exemption')),
    http.delete('http://shop.test/exemptions/:id', record('DELETE exemption')),
  );
  return calls;
}

function show(list = 'rates') {
  renderScreens(
    { '/dashboard/tax': <TaxPage /> },
    { user: admin, at: `/dashboard/tax?list=${list}` },
  );
}

const cells = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);

describe('tax rates', () => {
  it('are shown by place, with what they charge and when', async () => {
    shop({ rates: [ohio, german] });
    show();
    const table = await screen.findByRole('table', { name: 'Tax rates' });
    await waitFor(() => expect(table).toHaveTextContent('Germany'));
    const [first, second] = within(table).getAllByRole('row').slice(1);
    expect(cells(first as HTMLElement).slice(0, 5)).toEqual([
      'Germany',
      'All regions',
      'VAT',
      '19%',
      'From Jan 1, 2021',
    ]);
    expect(cells(second as HTMLElement).slice(0, 5)).toEqual([
      'United States',
      'Ohio',
      'Sales tax',
      '5.75%',
      'Jan 1, 2026 – Dec 31, 2026',
    ]);
    await userEvent.type(screen.getByRole('searchbox'), 'ohio');
    expect(within(table).getAllByRole('row')).toHaveLength(2);
  });

  it('say that nothing is charged while there are none, and are added', async () => {
    const calls = shop({});
    show();
    expect(await screen.findByRole('heading', { name: 'No tax rates yet' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Add a rate' }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.selectOptions(await dialog.findByLabelText('Country'), 'United States');
    await userEvent.selectOptions(dialog.getByLabelText('Region'), 'Ohio');
    await userEvent.selectOptions(dialog.getByLabelText('Country'), 'Canada');
    await waitFor(() => expect(dialog.getByLabelText('Region')).toHaveValue(''));
    await userEvent.selectOptions(dialog.getByLabelText('Region'), 'Alberta');
    await userEvent.type(dialog.getByLabelText('Rate in percent'), '5.123');
    await userEvent.click(dialog.getByRole('button', { name: 'Save tax rate' }));
    expect(await dialog.findByText('Use at most 2 decimals')).toBeVisible();
    expect(dialog.getByText('Name is required')).toBeVisible();
    expect(dialog.getByText('First day is required')).toBeVisible();
    await userEvent.clear(dialog.getByLabelText('Rate in percent'));
    await userEvent.type(dialog.getByLabelText('Rate in percent'), '5.75');
    await userEvent.type(dialog.getByLabelText('Name'), 'GST');
    await userEvent.type(dialog.getByLabelText('First day'), '2026-01-01');
    await userEvent.click(dialog.getByRole('button', { name: 'Save tax rate' }));
    await waitFor(() =>
      expect(calls).toEqual([
        {
          what: 'POST rate',
          body: {
            country: 'CA',
            region: 'AB',
            name: 'GST',
            basisPoints: 575,
            validFrom: '2026-01-01',
          },
        },
      ]),
    );
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it("say at the field what the shop's reason is against a change", async () => {
    shop({ rates: [german] });
    server.use(
      http.put('http://shop.test/tax-rates/:id', () =>
        HttpResponse.json(
          problem('validation', 422, 'Check the form.', {
            errors: [
              { field: 'validFrom', message: 'Germany has a rate for these days already.' },
              { field: 'basisPoints', message: 'Too high.' },
            ],
          }),
          { status: 422 },
        ),
      ),
    );
    show();
    await userEvent.click(await screen.findByRole('button', { name: /^Change/ }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.click(await dialog.findByRole('button', { name: 'Save tax rate' }));
    await waitFor(() =>
      expect(dialog.getByLabelText('First day')).toHaveAccessibleDescription(
        'Germany has a rate for these days already.',
      ),
    );
    expect(dialog.getByLabelText('Rate in percent')).toHaveAccessibleDescription('Too high.');
  });

  it('are deleted after a question', async () => {
    const calls = shop({ rates: [german] });
    show();
    await userEvent.click(await screen.findByRole('button', { name: /^Delete/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(calls).toEqual([{ what: 'DELETE rate 1' }]));
  });
});

describe('a file of rates', () => {
  const choose = (text = 'country,name,percent') =>
    userEvent.upload(
      screen.getByLabelText('CSV file'),
      new File([text], 'rates.csv', { type: 'text/csv' }),
    );
  const send = () => userEvent.click(screen.getByRole('button', { name: 'Import rates' }));

  it('is imported, and each of its lines that was not has its reason', async () => {
    const sent: string[] = [];
    server.use(
      http.post('http://shop.test/tax-rates/import', async ({ request }) => {
        sent.push(`${request.headers.get('Content-Type')} ${await request.text()}`);
        return HttpResponse.json(
          problem('validation', 422, 'Nothing was imported. Line 4: We know no country XX.', {
            errors: [{ field: 'file', message: 'Nothing was imported.' }],
            findings: [
              { line: 4, field: 'country', message: 'We know no country XX.' },
              { line: 4, field: '', message: 'Too short.' },
            ],
          }),
          { status: 422 },
        );
      }),
    );
    show('import');
    await send();
    expect(screen.getByText('Choose a file')).toBeVisible();
    expect(screen.getByLabelText('CSV file')).toHaveFocus();
    await choose();
    await send();
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Nothing was imported. 1 line needs a correction.',
    );
    expect(screen.getByRole('row', { name: /4 country We know no country XX\./ })).toBeVisible();
    expect(screen.getByRole('row', { name: /4 whole row Too short\./ })).toBeVisible();
    expect(sent).toEqual(['text/csv country,name,percent']);
    server.use(
      http.post('http://shop.test/tax-rates/import', () =>
        HttpResponse.json({ dryRun: false, added: 27, findings: [] }),
      ),
    );
    await choose();
    expect(screen.queryByRole('alert')).toBeNull();
    await send();
    expect(await screen.findByRole('alert')).toHaveTextContent('27 rates imported.');
  });

  it('says what the shop refuses, and keeps the file', async () => {
    server.use(
      http.post('http://shop.test/tax-rates/import', () =>
        HttpResponse.json(problem('validation', 422, 'The file has no column "percent".'), {
          status: 422,
        }),
      ),
    );
    show('import');
    await choose();
    await send();
    expect(await screen.findByRole('alert')).toHaveTextContent('The file has no column "percent".');
  });

  it('can be begun with a sample', async () => {
    const saved = catchDownloads();
    server.use(
      http.get('http://shop.test/tax-rates/samples/eu.csv', () =>
        HttpResponse.text('country,name\n', {
          headers: { 'Content-Disposition': 'attachment; filename="eu.csv"' },
        }),
      ),
    );
    show('import');
    await userEvent.click(screen.getByRole('button', { name: 'Download EU VAT rates' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(saved[0]?.name).toBe('eu.csv');
    expect(await saved[0]?.text).toBe('country,name\n');
  });
});

describe('exemptions', () => {
  it('say whose they are, where they apply, and whether they do', async () => {
    shop({
      exemptions: [
        resale,
        {
          ...resale,
          _id: '6',
          kind: 'reverse-charge',
          country: 'DE',
          region: null,
          state: 'unchecked',
        },
      ],
    });
    show('exemptions');
    const table = await screen.findByRole('table', { name: 'Exemptions' });
    await waitFor(() => expect(table).toHaveTextContent('United States, Ohio'));
    const [first, second] = within(table).getAllByRole('row').slice(1);
    expect(cells(first as HTMLElement).slice(0, 6)).toEqual([
      'casey@example.com',
      'Resale',
      'United States, Ohio',
      'R-1',
      'Until Jun 30, 2027',
      'Applies',
    ]);
    expect(cells(second as HTMLElement).slice(5, 6)).toEqual(['Not checked yet']);
  });

  it('are added for a customer, with a VAT ID where it is a reverse charge', async () => {
    const calls = shop({});
    show('exemptions');
    await userEvent.click(await screen.findByRole('button', { name: 'Add an exemption' }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.type(await dialog.findByLabelText("Customer's email"), 'casey');
    await userEvent.selectOptions(dialog.getByLabelText('Kind'), 'Reverse charge');
    await userEvent.click(dialog.getByRole('button', { name: 'Add exemption' }));
    expect(await dialog.findByText('Enter an email address')).toBeVisible();
    expect(dialog.getByText('VAT ID is required')).toBeVisible();
    await userEvent.type(dialog.getByLabelText("Customer's email"), '@example.com');
    await userEvent.selectOptions(dialog.getByLabelText('Country'), 'Germany');
    await userEvent.type(dialog.getByLabelText('VAT ID'), 'DE123456789');
    await userEvent.click(dialog.getByRole('button', { name: 'Add exemption' }));
    await waitFor(() =>
      expect(calls).toEqual([
        {
          what: 'POST exemption',
          body: {
            email: 'casey@example.com',
            kind: 'reverse-charge',
            country: 'DE',
            number: 'DE123456789',
          },
        },
      ]),
    );
  });

  it('are deleted after a question', async () => {
    const calls = shop({ exemptions: [resale] });
    show('exemptions');
    await userEvent.click(await screen.findByRole('button', { name: /^Delete/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(calls).toEqual([{ what: 'DELETE exemption 5' }]));
  });
});
