import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { useState } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { addToGarage, readGarage } from '@/lib/garage';
import { problem } from '@/testing/orders';
import { address, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import { VehicleBar, type VehicleId } from './components/vehicle-bar';

let asked: string[] = [];
let chosen: VehicleId | null = null;

function Bar({ begin }: { begin: VehicleId | null }) {
  const [vehicle, setVehicle] = useState(begin);
  chosen = vehicle;
  return <VehicleBar chosen={vehicle} onChoose={setVehicle} />;
}

const named = (...names: string[]) => names.map((name, id) => ({ id, name }));

function shopKnowsVehicles() {
  const answer = (body: object) => (info: { request: Request }) => {
    const { pathname, search } = new URL(info.request.url);
    asked.push(`${pathname}${search}`);
    return HttpResponse.json(body);
  };
  server.use(
    http.get(
      '*/vehicles/years',
      answer(['2015', '2014', '2013'].map((name) => ({ id: Number(name), name }))),
    ),
    http.get('*/vehicles/makes', answer(named('Ford', 'Toyota'))),
    http.get(
      '*/vehicles/models',
      answer([
        { id: 5, name: 'Camry', vehicle: 8123 },
        { id: 6, name: 'Corolla', vehicle: 8124 },
      ]),
    ),
    http.get(
      '*/vehicles/engines',
      answer([
        { id: 77, name: '2.5 L' },
        { id: 78, name: '3.5 L V6' },
      ]),
    ),
    http.get(
      '*/vehicles',
      answer([{ vehicle: 8123, engine: 78, label: '2014 Toyota Camry 3.5 L V6' }]),
    ),
  );
}

async function open(begin: VehicleId | null = null) {
  renderScreens({ '*': <Bar begin={begin} /> }, { at: '/shop' });
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: begin ? 'Change' : 'Choose your vehicle' }));
  return user;
}

const step = (name: string) => screen.findByRole('combobox', { name });
// The focus follows what is shown, and may be there a moment later.
const atStep = (name: string) =>
  waitFor(() => expect(screen.getByRole('combobox', { name })).toHaveFocus());
const options = () => screen.getAllByRole('option').map((option) => option.textContent);

beforeEach(() => {
  asked = [];
  chosen = null;
});

describe('the vehicle bar', () => {
  it('leads to a vehicle in twelve keystrokes', async () => {
    shopKnowsVehicles();
    const user = await open();
    await atStep('Year');
    await screen.findByRole('option', { name: '2014' });
    const keys = ['1', '4', '{Enter}', 't', '{Enter}', 'c', 'a', '{Enter}', '2', '{Enter}'];
    expect(keys.length).toBeLessThanOrEqual(12);
    await user.keyboard('14{Enter}');
    await atStep('Make');
    await screen.findByRole('option', { name: 'Toyota' });
    await user.keyboard('t{Enter}');
    await step('Model');
    await screen.findByRole('option', { name: 'Camry' });
    await user.keyboard('ca{Enter}');
    await step('Engine');
    await screen.findByRole('option', { name: '2.5 L' });
    await user.keyboard('2{Enter}');
    expect(chosen).toEqual({ vehicle: 8123, engine: 77, label: '2014 Toyota Camry 2.5 L' });
    expect(screen.getByText('2014 Toyota Camry 2.5 L')).toBeVisible();
    expect(asked).toEqual([
      '/vehicles/years',
      '/vehicles/makes?year=2014',
      '/vehicles/models?year=2014&make=1',
      '/vehicles/engines?vehicle=8123',
    ]);
    expect(screen.getByRole('button', { name: 'Change' })).toHaveFocus();
  });

  it('lets one go back a step, and leave the engine open', async () => {
    shopKnowsVehicles();
    const user = await open();
    await user.click(await screen.findByRole('option', { name: '2015' }));
    await user.click(await screen.findByRole('option', { name: 'Ford' }));
    await user.click(await screen.findByRole('button', { name: 'Make: Ford. Choose another' }));
    await user.click(await screen.findByRole('option', { name: 'Toyota' }));
    await user.click(await screen.findByRole('option', { name: 'Corolla' }));
    await user.click(await screen.findByRole('option', { name: "I don't know the engine" }));
    expect(chosen).toEqual({ vehicle: 8124, label: '2015 Toyota Corolla' });
  });

  it('goes through a list by the arrow keys, and says that nothing matches', async () => {
    shopKnowsVehicles();
    const user = await open();
    const year = await step('Year');
    await screen.findByRole('option', { name: '2014' });
    await user.keyboard('{ArrowDown}{ArrowDown}');
    const active = screen.getByRole('option', { selected: true });
    expect(active).toHaveTextContent('2014');
    expect(year).toHaveAttribute('aria-activedescendant', active.id);
    await user.keyboard('99');
    expect(screen.getByText('Nothing matches. Type less or something else.')).toBeVisible();
    await user.keyboard('{Enter}');
    expect(year).toBeInTheDocument();
  });

  it('finds a vehicle in the words of who looks for it', async () => {
    shopKnowsVehicles();
    const user = await open();
    await user.type(await step('Year, make and model'), '2014 camry v6');
    await screen.findByRole('option', { name: '2014 Toyota Camry 3.5 L V6' });
    await user.keyboard('{Enter}');
    expect(chosen).toMatchObject({ vehicle: 8123, engine: 78 });
    expect(asked).toContain('/vehicles?q=2014+camry+v6');
  });

  it('looks a VIN up and keeps it nowhere', async () => {
    shopKnowsVehicles();
    const vin = '4T1BF1FK5EU123456';
    server.use(
      http.get('*/vin/:vin', ({ params }) => {
        asked.push(String(params.vin));
        return HttpResponse.json({
          vin: params.vin,
          checkDigit: 'wrong',
          label: '2014 Toyota Camry',
          vehicle: 8123,
          engine: null,
          engineName: null,
          engines: [
            { id: 77, name: '2.5 L' },
            { id: 78, name: '3.5 L V6' },
          ],
          candidates: [],
        });
      }),
    );
    const user = await open();
    const field = await screen.findByRole('textbox', { name: 'VIN' });
    await user.type(field, '4t1bf1fk5eu12345{Enter}');
    expect(field).toHaveAccessibleDescription(/this one has 16/);
    expect(asked).not.toContain(vin.slice(0, 16));
    await user.type(field, '6{Enter}');
    expect(await screen.findByText(/check digit doesn't match/)).toBeVisible();
    await user.click(
      screen.getByRole('button', { name: 'Use this vehicle 2014 Toyota Camry 2.5 L' }),
    );
    expect(chosen).toMatchObject({ vehicle: 8123, engine: 77 });
    expect(address()).toBe('/shop');
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain(vin);
  });

  it('says of a VIN what the shop says', async () => {
    shopKnowsVehicles();
    server.use(
      http.get('*/vin/:vin', () =>
        HttpResponse.json(
          problem('not-found', 404, 'We know the make (Toyota), but no such vehicle.'),
          {
            status: 404,
          },
        ),
      ),
    );
    const user = await open();
    const field = await screen.findByRole('textbox', { name: 'VIN' });
    await user.type(field, '4T1BF1FK5EU123456{Enter}');
    await waitFor(() => expect(field).toHaveAccessibleDescription(/We know the make/));
  });

  it('remembers what was chosen, to be chosen again or forgotten', async () => {
    shopKnowsVehicles();
    addToGarage({ vehicle: 8123, engine: 77, label: '2014 Toyota Camry 2.5 L' });
    addToGarage({ vehicle: 1, label: '1999 Ford Focus' });
    const user = await open();
    const garage = within(await screen.findByRole('region', { name: 'Your vehicles' }));
    await user.click(garage.getByRole('button', { name: 'Remove 1999 Ford Focus' }));
    expect(readGarage()).toHaveLength(1);
    await user.click(garage.getByRole('button', { name: '2014 Toyota Camry 2.5 L' }));
    expect(chosen).toMatchObject({ vehicle: 8123 });
  });

  it('is cleared, and closes by Escape', async () => {
    shopKnowsVehicles();
    const user = await open({ vehicle: 8123, engine: 78 });
    expect(await screen.findByText('2014 Toyota Camry 3.5 L V6')).toBeVisible();
    expect(asked).toContain('/vehicles?vehicle=8123&engine=78');
    await step('Year');
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('combobox')).toBeNull();
    expect(screen.getByRole('button', { name: 'Change' })).toHaveFocus();
    await user.click(screen.getByRole('button', { name: 'Clear vehicle' }));
    expect(chosen).toBeNull();
    expect(screen.getByRole('button', { name: 'Choose your vehicle' })).toBeVisible();
  });

  it('says when a list did not come, and asks again', async () => {
    shopKnowsVehicles();
    let broken = true;
    server.use(
      http.get('*/vehicles/years', () =>
        broken ? new HttpResponse(null, { status: 500 }) : HttpResponse.json(named('2020')),
      ),
    );
    const user = await open();
    expect(await screen.findByText("We couldn't load the list.")).toBeVisible();
    broken = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('option', { name: '2020' });
    expect(options()).toContain('2020');
  });
});
