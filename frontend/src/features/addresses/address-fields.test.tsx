import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Formik } from 'formik';
import { describe, expect, it, vi } from 'vitest';
import { object } from 'yup';
import { renderApp } from '@/testing/render';
import { Form } from '@/ui/form';
import { AddressFields } from './components/address-fields';
import { branch, countries, depot } from './fixture';
import {
  type AddressValues,
  addressLines,
  addressOf,
  addressValues,
  blankAddress,
  formatOf,
  partsOf,
  regionIn,
} from './format';
import { addressSchema } from './schema';

const us = formatOf(countries, 'US');

function show(address: Partial<AddressValues> = {}) {
  const sent = vi.fn();
  renderApp(
    <Formik
      initialValues={{ address: { ...blankAddress, ...address } }}
      validationSchema={object({ address: addressSchema(countries) })}
      onSubmit={(values) => sent(addressOf(values.address, countries))}
    >
      <Form>
        <AddressFields countries={countries} at="address" />
        <button type="submit">Send</button>
      </Form>
    </Formik>,
  );
  return sent;
}

const labels = () =>
  Array.from(document.querySelectorAll('label')).map((label) => label.textContent);

describe('the fields of an address', () => {
  it("are those of its country, under the country's own names and in the order of an envelope", async () => {
    show();
    expect(labels()).toEqual([
      'Country',
      'Company',
      'Address',
      'Suite, unit or floor',
      'City',
      'State',
      'ZIP code',
    ]);
    await userEvent.selectOptions(screen.getByLabelText('Country'), 'Germany');
    expect(labels()).toEqual([
      'Country',
      'Company',
      'Address',
      'Suite, unit or floor',
      'Postcode',
      'City',
    ]);
    await userEvent.selectOptions(screen.getByLabelText('Country'), 'Hong Kong');
    expect(screen.queryByLabelText('Postcode')).toBeNull();
    expect(screen.getByLabelText('Area')).toHaveProperty('tagName', 'INPUT');
  });

  it('tell browsers what they are, so that these can fill them in', () => {
    show();
    const token = (label: string) => screen.getByLabelText(label).getAttribute('autocomplete');
    expect(token('Country')).toBe('shipping country');
    expect(token('Company')).toBe('shipping organization');
    expect(token('Address')).toBe('shipping address-line1');
    expect(token('Suite, unit or floor')).toBe('shipping address-line2');
    expect(token('City')).toBe('shipping address-level2');
    expect(token('State')).toBe('shipping address-level1');
    expect(token('ZIP code')).toBe('shipping postal-code');
  });

  it('say what is missing at its field, and are sent once it is there', async () => {
    const sent = show();
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByText('ZIP code is required')).toBeVisible();
    expect(screen.getByText('State is required')).toBeVisible();
    expect(screen.getByText('City is required')).toBeVisible();
    expect(screen.getByLabelText('Address')).toHaveAccessibleDescription(
      'Street and number Address is required',
    );
    await waitFor(() => expect(screen.getByLabelText('Address')).toHaveFocus());
    expect(sent).not.toHaveBeenCalled();

    await userEvent.type(screen.getByLabelText('Address'), '7 Camshaft Bay ');
    await userEvent.type(screen.getByLabelText('City'), 'Toledo');
    await userEvent.selectOptions(screen.getByLabelText('State'), 'Ohio');
    await userEvent.type(screen.getByLabelText('ZIP code'), '43604');
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() =>
      expect(sent).toHaveBeenCalledWith({
        line1: '7 Camshaft Bay',
        city: 'Toledo',
        region: 'OH',
        postcode: '43604',
        country: 'US',
      }),
    );
  });

  it('drop a region that the new country does not have', async () => {
    show({ region: 'OH' });
    await userEvent.selectOptions(screen.getByLabelText('Country'), 'Canada');
    expect(screen.getByLabelText('Province')).toHaveValue('');
    await userEvent.selectOptions(screen.getByLabelText('Province'), 'Alberta');
    await userEvent.selectOptions(screen.getByLabelText('Country'), 'United States');
    expect(screen.getByLabelText('State')).toHaveValue('');
  });

  it('send nothing that addresses of the country do not have', async () => {
    const sent = show({ line1: 'x', city: 'Kassel', region: 'OH', postcode: '34117' });
    await userEvent.selectOptions(screen.getByLabelText('Country'), 'Germany');
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() =>
      expect(sent).toHaveBeenCalledWith({
        line1: 'x',
        city: 'Kassel',
        postcode: '34117',
        country: 'DE',
      }),
    );
  });

  it('show a country that nothing is sent to any more', () => {
    show({ country: 'AQ' });
    expect(screen.getByLabelText('Country')).toHaveValue('AQ');
  });
});

describe('an address', () => {
  it('is written as on an envelope of its country', () => {
    expect(addressLines(depot, countries)).toEqual([
      'Lane Garage',
      '7 Camshaft Bay',
      'Toledo OH 43604',
      'United States',
    ]);
    expect(addressLines(branch, countries)).toEqual(['Werkstrasse 3', '34117 Kassel', 'Germany']);
    expect(addressLines({ ...branch, country: 'AQ' }, countries)).toEqual([
      'Werkstrasse 3',
      'Kassel 34117',
      'AQ',
    ]);
  });

  it('keeps what is known of it in a form', () => {
    expect(addressValues(branch)).toEqual({
      company: '',
      line1: 'Werkstrasse 3',
      line2: '',
      city: 'Kassel',
      region: '',
      postcode: '34117',
      country: 'DE',
    });
  });

  it('knows a region by its code and by its name', () => {
    expect(regionIn(us, 'oh')).toBe('OH');
    expect(regionIn(us, ' California ')).toBe('CA');
    expect(regionIn(us, 'Bavaria')).toBe('');
    expect(regionIn(formatOf(countries, 'HK'), 'Kowloon')).toBe('Kowloon');
  });

  it('has every part once, whatever its country forgot or repeats', () => {
    expect(partsOf({ ...us, order: ['postcode', 'postcode', 'name', 'city'] })).toEqual([
      'postcode',
      'city',
      'company',
      'line1',
      'line2',
      'region',
    ]);
  });
});
