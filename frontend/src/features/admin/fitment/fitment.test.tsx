import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeToken } from '@/api/access-token';
import type { Fitment, TypeCoverage } from '@/api/types';
import { problem } from '@/testing/orders';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import { CoverageList } from './components/coverage-list';
import { FitmentsForm } from './components/fitments-form';

const camry: Fitment = {
  make: 'Toyota',
  model: 'Camry',
  yearFrom: 2007,
  yearTo: 2011,
  position: 'front',
  perVehicle: 2,
};

let sent: unknown[] = [];

const named = (...names: string[]) => names.map((name, id) => ({ id, name }));

function shopKnows(fitments: Fitment[], refusal?: string) {
  server.use(
    http.get('*/products/p1/fitments', () => HttpResponse.json(fitments)),
    http.put('*/products/p1/fitments', async ({ request }) => {
      sent.push(await request.json());
      return refusal
        ? HttpResponse.json(problem('validation', 422, refusal), { status: 422 })
        : HttpResponse.json({ modifiedCount: 1 });
    }),
    http.get('*/vehicles/years', () => HttpResponse.json(named('2015', '2014', '2013'))),
    http.get('*/vehicles/makes', () => HttpResponse.json(named('Ford', 'Toyota'))),
    http.get('*/vehicles/models', () =>
      HttpResponse.json([{ id: 5, name: 'Corolla', vehicle: 8124 }]),
    ),
    http.get('*/vehicles/engines', () => HttpResponse.json(named('1.8 L 4 cyl'))),
  );
}

function open() {
  renderApp(<FitmentsForm id="p1" />, { user: customer });
  return userEvent.setup();
}

async function choose(user: ReturnType<typeof userEvent.setup>, label: string, value: string) {
  const select = screen.getByLabelText(label);
  await within(select).findByRole('option', { name: value });
  await user.selectOptions(select, value);
}

async function addCorolla(user: ReturnType<typeof userEvent.setup>) {
  await screen.findByRole('button', { name: 'Add to the list' });
  await choose(user, 'First year', '2013');
  await choose(user, 'Last year', '2015');
  await choose(user, 'Make', 'Toyota');
  await choose(user, 'Model', 'Corolla');
}

beforeEach(() => {
  sent = [];
  storeToken('token');
});

describe("the editor of a part's vehicles", () => {
  it('adds years of a model, with engine, position, number and condition, and saves all', async () => {
    shopKnows([camry]);
    const user = open();
    await addCorolla(user);
    await choose(user, 'Engine', '1.8 L 4 cyl');
    await choose(user, 'Position', 'rear left');
    await user.type(screen.getByLabelText('Condition'), ' with tow bar ');
    const count = screen.getByLabelText('Per vehicle');
    await user.clear(count);
    expect(screen.getByRole('button', { name: 'Add to the list' })).toBeDisabled();
    expect(count).toHaveAccessibleDescription('Enter a whole number from 1 to 1,000');
    await user.type(count, '4');
    await user.click(screen.getByRole('button', { name: 'Add to the list' }));
    const list = within(screen.getByRole('list', { name: 'Vehicles of this part' }));
    expect(list.getAllByRole('listitem').map((each) => each.firstChild?.textContent)).toEqual([
      'Toyota Camry 2007–2011 · front · 2 per vehicle',
      'Toyota Corolla 2013–2015, 1.8 L 4 cyl · rear left · 4 per vehicle · with tow bar',
    ]);
    expect(screen.getByText('Not saved yet')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Save vehicles' }));
    await waitFor(() => expect(screen.queryByText('Not saved yet')).toBeNull());
    expect(sent).toEqual([
      {
        fitments: [
          camry,
          {
            make: 'Toyota',
            model: 'Corolla',
            yearFrom: 2013,
            yearTo: 2015,
            engine: '1.8 L 4 cyl',
            position: 'rear left',
            perVehicle: 4,
            condition: 'with tow bar',
          },
        ],
      },
    ]);
  });

  it('lists nothing twice, and lets one go', async () => {
    shopKnows([]);
    const user = open();
    await addCorolla(user);
    await user.click(screen.getByRole('button', { name: 'Add to the list' }));
    await choose(user, 'Model', 'Corolla');
    await user.click(screen.getByRole('button', { name: 'Add to the list' }));
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: /^Remove Toyota Corolla/ }));
    expect(screen.getByText('No vehicles yet. Choose some below.')).toBeVisible();
  });

  it('keeps what was entered when the shop refuses it', async () => {
    shopKnows([camry], 'fitments[0].model is not known');
    const user = open();
    await user.click(await screen.findByRole('button', { name: 'Save vehicles' }));
    expect(await screen.findByText('fitments[0].model is not known')).toBeVisible();
    expect(screen.getByRole('list', { name: 'Vehicles of this part' })).toBeVisible();
  });
});

describe('the coverage', () => {
  const discs: TypeCoverage = {
    id: 3,
    name: 'Brake disc',
    vehicles: 16_776,
    without: 16_000,
    makes: [
      { id: 1, name: 'Ford', vehicles: 1_000, without: 1_000 },
      { id: 2, name: 'Toyota', vehicles: 900, without: 124 },
    ],
  };

  it('counts by part type, and of one by make', async () => {
    server.use(http.get('*/fitments/coverage', () => HttpResponse.json([discs])));
    renderApp(<CoverageList />, { user: customer });
    const user = userEvent.setup();
    const cells = () =>
      screen.getAllByRole('row').map((row) => row.textContent?.replaceAll(',', ''));
    expect(
      (await screen.findByRole('rowheader', { name: 'Brake disc' })).parentElement,
    ).toHaveTextContent('16,77616,0004%');
    await user.selectOptions(screen.getByLabelText('Part type'), 'Brake disc');
    expect(cells().slice(1)).toEqual(['Ford100010000%', 'Toyota90012486%']);
    await user.type(screen.getByRole('searchbox'), 'toy');
    expect(cells()).toHaveLength(2);
  });

  it('says when there is nothing, and when it did not come', async () => {
    let broken = true;
    server.use(
      http.get('*/fitments/coverage', () =>
        broken
          ? HttpResponse.json(problem('internal', 500, 'No.'), { status: 500 })
          : HttpResponse.json([]),
      ),
    );
    renderApp(<CoverageList />, { user: customer });
    expect(await screen.findByText("We couldn't load the coverage")).toBeVisible();
    broken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('No fitments yet')).toBeVisible();
  });
});
