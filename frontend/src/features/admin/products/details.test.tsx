import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeToken } from '@/api/access-token';
import type { Part, PartNumber } from '@/api/parts';
import { aProduct, problem } from '@/testing/orders';
import { address, customer, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import { takeNotices } from '@/ui/notify';
import { blankDetails, changedDetails, wireValue } from './details';
import EditProductPage from './pages/edit-product-page';

const part: Part = {
  ...aProduct({ _id: 'p1' }),
  brand: 'Brembo',
  partType: 'Drum',
  weight: 7400,
  attributes: [{ name: 'Diameter', value: 320, unit: 'mm' }],
};

const numbers: PartNumber[] = [
  { kind: 'own', number: 'DL-1000' },
  { kind: 'oe', number: '43512-06120', brand: 'Toyota' },
];

/** The page of a part, and what it sends. */
async function open(refusal?: string) {
  const sent: unknown[] = [];
  server.use(
    http.get('*/products/p1', () => HttpResponse.json(part)),
    http.get('*/products/p1/numbers', () => HttpResponse.json(numbers)),
    http.get('*/products/p1/fitments', () => HttpResponse.json([])),
    http.get('*/vehicles/years', () => HttpResponse.json([])),
    http.get('*/brands', () => HttpResponse.json([{ id: 7, name: 'Brembo' }])),
    http.get('*/part-types', () =>
      HttpResponse.json([{ id: 3, name: 'Brake disc', category: 'BRAKES' }]),
    ),
    http.patch('*/products/p1', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ modifiedCount: 1 });
    }),
    http.put('*/products/p1/numbers', async ({ request }) => {
      sent.push(await request.json());
      return refusal === undefined
        ? HttpResponse.json(numbers)
        : HttpResponse.json(problem('conflict', 409, refusal), { status: 409 });
    }),
  );
  renderScreens(
    { '/dashboard/manage/:productId': <EditProductPage /> },
    { user: customer, at: '/dashboard/manage/p1' },
  );
  await screen.findByRole('option', { name: 'Brake disc' });
  return { user: userEvent.setup(), sent };
}

const type = (input: HTMLElement, value: string) => fireEvent.change(input, { target: { value } });
const box = (name: string) => screen.getByRole('textbox', { name });
const measure = (name: string) => screen.getByRole('spinbutton', { name });
const interchange = async () => within(await screen.findByRole('region', { name: 'Interchange' }));

describe('what buyers find a part by', () => {
  beforeEach(() => storeToken('a.b.c'));

  it('is shown, changed, and sent as far as it was changed', async () => {
    const { user, sent } = await open();
    expect(screen.getByRole('combobox', { name: 'Brand' })).toHaveValue('Brembo');
    // A type that the list no longer has is not lost by saving.
    const partType = screen.getByRole('combobox', { name: 'Type of part' });
    expect(partType).toHaveValue('Drum');
    expect(measure('Weight (g)')).toHaveValue(7400);
    expect(box('Value 1')).toHaveValue('320 mm');
    await user.selectOptions(partType, 'Brake disc');
    type(measure('Weight (g)'), '');
    type(measure('Units per pack'), '10');
    await user.click(screen.getByRole('checkbox', { name: 'Fits all vehicles' }));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Tax' }), 'Never taxed');
    await user.click(screen.getByRole('button', { name: 'Add attribute' }));
    type(box('Attribute 2'), 'ABS ring');
    type(box('Value 2'), 'yes');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(address()).toBe('/dashboard/manage'));
    expect(sent).toEqual([
      {
        partType: 'Brake disc',
        packSize: 10,
        weight: null,
        universal: true,
        taxClass: 'none',
        attributes: [
          { name: 'Diameter', value: '320 mm' },
          { name: 'ABS ring', value: true },
        ],
        seen: {
          partType: 'Drum',
          packSize: 1,
          weight: 7400,
          universal: false,
          taxClass: 'standard',
          attributes: [{ name: 'Diameter', value: '320 mm' }],
        },
      },
    ]);
  });

  it('takes over what somebody else changed meanwhile, but for what was changed here', async () => {
    const { user, sent } = await open();
    const stale = problem('product-changed', 409, 'Someone else changed it.');
    server.use(
      http.patch('*/products/p1', () => HttpResponse.json(stale, { status: 409 }), { once: true }),
      http.get('*/products/p1', () =>
        HttpResponse.json({ ...part, brand: 'ATE', weight: 9000, length: 320 }),
      ),
    );
    type(measure('Weight (g)'), '7500');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    const alert = await screen.findByRole('alert');
    for (const change of ['Brand changed', 'Weight changed', 'Length changed']) {
      expect(alert).toHaveTextContent(change);
    }
    await waitFor(() => expect(measure('Length (mm)')).toHaveValue(320));
    expect(measure('Weight (g)')).toHaveValue(7500);
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(sent).toEqual([{ weight: 7500, seen: { weight: 9000 } }]));
  });

  it('has its messages at its fields', async () => {
    const { user, sent } = await open();
    type(measure('Length (mm)'), '0');
    await user.click(screen.getByRole('button', { name: 'Remove attribute 1' }));
    await user.click(screen.getByRole('button', { name: 'Add attribute' }));
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    await waitFor(() =>
      expect(measure('Length (mm)')).toHaveAccessibleDescription('Length must be 1 or more'),
    );
    expect(box('Attribute 1')).toHaveAccessibleDescription('Attribute is required');
    expect(sent).toEqual([]);
  });

  it('is read as numbers, flags or words', () => {
    expect(['12.5', ' Yes ', 'false', '10W-40', '-3'].map(wireValue)).toEqual([
      12.5,
      true,
      false,
      '10W-40',
      -3,
    ]);
    expect(changedDetails(blankDetails, { ...blankDetails, brand: ' ' })).toEqual({});
  });
});

describe('the numbers of a part', () => {
  beforeEach(() => storeToken('a.b.c'));

  it('are added and removed, and saved by themselves', async () => {
    const { user, sent } = await open();
    const form = await interchange();
    await user.click(await form.findByRole('button', { name: 'Remove number 2' }));
    await user.click(form.getByRole('button', { name: 'Add number' }));
    await user.selectOptions(form.getByRole('combobox', { name: 'Kind 2' }), 'Competitor');
    type(form.getByRole('textbox', { name: 'Number 2' }), ' 09.A820.11 ');
    type(form.getByRole('textbox', { name: 'Brand 2' }), 'Brembo');
    await user.click(form.getByRole('button', { name: 'Save numbers' }));
    await waitFor(() =>
      expect(takeNotices()).toEqual([{ tone: 'success', text: 'Numbers saved' }]),
    );
    expect(sent).toEqual([
      {
        numbers: [
          { kind: 'own', number: 'DL-1000' },
          { kind: 'competitor', number: '09.A820.11', brand: 'Brembo' },
        ],
      },
    ]);
    expect(address()).toBe('/dashboard/manage/p1');
  });

  it('say what is wrong with one, and why the shop refused them', async () => {
    const { user } = await open('43512-06120 leads round in a circle.');
    const form = await interchange();
    type(await form.findByRole('textbox', { name: 'Number 2' }), '--');
    await user.click(form.getByRole('button', { name: 'Save numbers' }));
    await waitFor(() =>
      expect(form.getByRole('textbox', { name: 'Number 2' })).toHaveAccessibleDescription(
        'Number needs letters or digits',
      ),
    );
    type(form.getByRole('textbox', { name: 'Number 2' }), '43512-06120');
    await user.click(form.getByRole('button', { name: 'Save numbers' }));
    expect(await form.findByRole('alert')).toHaveTextContent('leads round in a circle');
  });
});
