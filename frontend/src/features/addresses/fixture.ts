import type { BookAddress, Country } from './wire';

/* Countries and addresses for tests. */

export const countries: Country[] = [
  {
    code: 'US',
    name: 'United States',
    postcode: 'required',
    region: 'required',
    regionName: 'State',
    postcodeName: 'ZIP code',
    order: ['company', 'line1', 'line2', 'city', 'region', 'postcode', 'country'],
    regions: [
      { code: 'CA', name: 'California' },
      { code: 'OH', name: 'Ohio' },
    ],
  },
  {
    code: 'CA',
    name: 'Canada',
    postcode: 'required',
    region: 'required',
    regionName: 'Province',
    postcodeName: 'Postal code',
    order: ['company', 'line1', 'line2', 'city', 'region', 'postcode', 'country'],
    regions: [{ code: 'AB', name: 'Alberta' }],
  },
  {
    code: 'DE',
    name: 'Germany',
    postcode: 'required',
    region: 'none',
    regionName: 'State',
    postcodeName: 'Postcode',
    order: ['company', 'line1', 'line2', 'postcode', 'city', 'country'],
  },
  {
    code: 'HK',
    name: 'Hong Kong',
    postcode: 'none',
    region: 'optional',
    regionName: 'Area',
    postcodeName: 'Postcode',
    order: ['company', 'line1', 'line2', 'city', 'region', 'country'],
  },
];

export const depot: BookAddress = {
  _id: '01900000-0000-7000-8000-0000000000d1',
  name: 'Casey Lane',
  company: 'Lane Garage',
  line1: '7 Camshaft Bay',
  city: 'Toledo',
  region: 'OH',
  postcode: '43604',
  country: 'US',
  phone: '555 0100',
  isDefault: true,
};

export const branch: BookAddress = {
  _id: '01900000-0000-7000-8000-0000000000d2',
  name: 'Robin Weiss',
  line1: 'Werkstrasse 3',
  city: 'Kassel',
  postcode: '34117',
  country: 'DE',
  isDefault: false,
};
