import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeToken } from '@/api/access-token';
import type { GarageVehicle } from '@/api/types';
import { addToGarage, readGarage } from '@/lib/garage';
import { problem } from '@/testing/orders';
import { customer, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import { VehicleBar } from './components/vehicle-bar';
import GaragePage from './pages/garage-page';

let garage: GarageVehicle[] = [];
let sent: string[] = [];

const camry: GarageVehicle = {
  _id: 'one',
  vehicle: 8123,
  engine: 77,
  label: '2014 Toyota Camry, 2.5 L',
  name: null,
  vin: '4T1BF1FK5EU123456',
  addedAt: '2026-03-01T10:00:00Z',
};
const van: GarageVehicle = {
  ...camry,
  _id: 'two',
  vehicle: 8124,
  engine: null,
  label: '2015 Ford Transit',
  name: 'Delivery van',
  vin: null,
};

function shopKeeps(...vehicles: GarageVehicle[]) {
  garage = vehicles;
  const note = async ({ request }: { request: Request }) => {
    const { pathname } = new URL(request.url);
    sent.push(`${request.method} ${pathname} ${await request.text()}`.trim());
  };
  server.use(
    http.get('*/garage', () => HttpResponse.json(garage)),
    http.post('*/garage', async (info) => {
      await note(info);
      garage = [van, ...garage];
      return HttpResponse.json(van, { status: 201 });
    }),
    http.post('*/garage/merge', async (info) => {
      await note(info);
      garage = [camry];
      return HttpResponse.json(garage);
    }),
    http.put('*/garage/:id', async (info) => {
      await note(info);
      garage = garage.map((each) => ({ ...each, name: 'Old one' }));
      return HttpResponse.json(garage[0]);
    }),
    http.delete('*/garage/:id', async (info) => {
      await note(info);
      garage = garage.filter(({ _id }) => _id !== info.params.id);
      return HttpResponse.json({ deletedCount: 1 });
    }),
    http.get('*/vehicles/years', () => HttpResponse.json([])),
    http.get('*/vehicles', () =>
      HttpResponse.json([{ vehicle: 8124, label: '2015 Ford Transit', year: 2015 }]),
    ),
  );
}

function open() {
  renderScreens(
    { '/dashboard/garage': <GaragePage /> },
    { user: customer, at: '/dashboard/garage' },
  );
  return userEvent.setup();
}

beforeEach(() => {
  sent = [];
  storeToken('token');
});

describe('the garage', () => {
  it('lists what is kept, with a way to what fits', async () => {
    shopKeeps(camry, van);
    open();
    expect(screen.getByRole('status', { name: 'Loading your vehicles' })).toBeVisible();
    const list = within(await screen.findByRole('region', { name: 'Your vehicles' }));
    expect(list.getAllByRole('heading').map((each) => each.textContent)).toEqual([
      '2014 Toyota Camry, 2.5 L',
      'Delivery van',
    ]);
    expect(list.getByText(/VIN 4T1BF1FK5EU123456/)).toBeVisible();
    expect(list.getByText('2015 Ford Transit')).toBeVisible();
    const links = list.getAllByRole('link');
    expect(links.map((each) => each.getAttribute('href'))).toEqual([
      '/shop?vehicle=8123&engine=77',
      '/shop?vehicle=8124',
    ]);
    expect(document.title).toBe('My Garage | Driveline');
  });

  it('says that it is empty, and is filled in own words', async () => {
    shopKeeps();
    const user = open();
    expect(await screen.findByText('Your garage is empty')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Add a vehicle' }));
    await user.type(
      await screen.findByRole('combobox', { name: 'Year, make and model' }),
      '2015 transit',
    );
    await user.click(await screen.findByRole('option', { name: '2015 Ford Transit' }));
    expect(await screen.findByRole('heading', { name: 'Delivery van' })).toBeVisible();
    expect(sent).toEqual(['POST /garage {"vehicle":8124}']);
    expect(screen.getByRole('button', { name: 'Add a vehicle' })).toHaveFocus();
  });

  it('keeps the VIN that a vehicle was found by, in no place of the browser', async () => {
    shopKeeps();
    server.use(
      http.get('*/vin/:vin', ({ params }) =>
        HttpResponse.json({
          vin: params.vin,
          checkDigit: 'ok',
          label: '2014 Toyota Camry',
          vehicle: 8123,
          engine: 77,
          engineName: '2.5 L',
          engines: [],
          candidates: [],
        }),
      ),
    );
    const user = open();
    await user.click(screen.getByRole('button', { name: 'Add a vehicle' }));
    const field = await screen.findByRole('textbox', { name: 'VIN' });
    expect(field).toHaveAccessibleDescription(/show it only to you/);
    await user.type(field, '4t1bf1fk5eu123456{Enter}');
    await user.click(await screen.findByRole('button', { name: /^Use this vehicle/ }));
    await waitFor(() =>
      expect(sent).toEqual(['POST /garage {"vehicle":8123,"engine":77,"vin":"4T1BF1FK5EU123456"}']),
    );
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('4T1BF1FK5');
  });

  it('says what the shop says of a vehicle too many, and lets one try again', async () => {
    shopKeeps(camry);
    const message = 'Your garage holds up to 200 vehicles. Remove one to add another.';
    server.use(
      http.post('*/garage', () =>
        HttpResponse.json(problem('garage-full', 409, message), { status: 409 }),
      ),
    );
    const user = open();
    await user.click(screen.getByRole('button', { name: 'Add a vehicle' }));
    await user.type(await screen.findByRole('combobox', { name: 'Year, make and model' }), 'van');
    await user.click(await screen.findByRole('option', { name: '2015 Ford Transit' }));
    expect(await screen.findByText(message)).toBeVisible();
    expect(screen.getByRole('combobox', { name: 'Year, make and model' })).toBeVisible();
  });

  it('takes a name, and no VIN that is too short', async () => {
    shopKeeps(camry);
    const user = open();
    await user.click(await screen.findByRole('button', { name: /^Edit/ }));
    const dialog = within(screen.getByRole('dialog'));
    const vin = dialog.getByRole('textbox', { name: 'VIN' });
    await user.clear(vin);
    await user.type(vin, '123');
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), ' Old one ');
    await user.click(dialog.getByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(vin).toHaveAccessibleDescription(/has 17 letters and digits/));
    expect(sent).toEqual([]);
    await user.clear(vin);
    await user.click(dialog.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByRole('heading', { name: 'Old one' })).toBeVisible();
    expect(sent).toEqual(['PUT /garage/one {"name":"Old one","vin":null}']);
  });

  it('lets a vehicle go after a question', async () => {
    shopKeeps(camry);
    const user = open();
    await user.click(await screen.findByRole('button', { name: /^Remove/ }));
    const question = within(screen.getByRole('alertdialog'));
    expect(question.getByText(/Remove 2014 Toyota Camry, 2.5 L from your garage/)).toBeVisible();
    await user.click(question.getByRole('button', { name: 'Yes' }));
    expect(await screen.findByText('Your garage is empty')).toBeVisible();
    expect(sent).toEqual(['DELETE /garage/one']);
  });

  it('says when it did not come, and asks again', async () => {
    shopKeeps(camry);
    let broken = true;
    server.use(
      http.get('*/garage', () =>
        broken
          ? HttpResponse.json(problem('internal', 500, 'No.'), { status: 500 })
          : HttpResponse.json(garage),
      ),
    );
    const user = open();
    expect(await screen.findByText("We couldn't load your vehicles")).toBeVisible();
    broken = false;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('heading', { name: camry.label })).toBeVisible();
  });
});

describe('what a browser kept', () => {
  const bar = () => <VehicleBar chosen={null} onChoose={() => undefined} />;

  it('moves to the account of whoever is signed in, once', async () => {
    shopKeeps();
    addToGarage({ vehicle: 8123, engine: 77, label: '2014 Toyota Camry 2.5 L' });
    renderScreens({ '*': bar() }, { user: customer, at: '/shop' });
    await waitFor(() => expect(readGarage()).toEqual([]));
    expect(sent).toEqual(['POST /garage/merge {"vehicles":[{"vehicle":8123,"engine":77}]}']);
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'My garage (1)' }));
    const menu = within(await screen.findByRole('region', { name: 'Your vehicles' }));
    expect(menu.getByRole('button', { name: '2014 Toyota Camry, 2.5 L' })).toBeVisible();
  });

  it('stays where it is if the account has no room', async () => {
    shopKeeps(van);
    server.use(
      http.post('*/garage/merge', () =>
        HttpResponse.json(problem('garage-full', 409, 'Full.'), { status: 409 }),
      ),
    );
    addToGarage({ vehicle: 8123, label: '2014 Toyota Camry' });
    renderScreens({ '*': bar() }, { user: customer, at: '/shop' });
    expect(await screen.findByRole('button', { name: 'My garage (2)' })).toBeVisible();
    expect(readGarage()).toHaveLength(1);
  });

  it("stays in the browser of a visitor, who sees nobody's garage", async () => {
    addToGarage({ vehicle: 8123, label: '2014 Toyota Camry' });
    renderScreens({ '*': bar() }, { at: '/shop' });
    expect(screen.getByRole('button', { name: 'My garage (1)' })).toBeVisible();
    expect(readGarage()).toHaveLength(1);
  });
});
