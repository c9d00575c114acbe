/*
 * How parts are found, as the wire has it. Written by hand until the API's description has these calls: the generated client
 * then takes this file's place.
 */
import { type Pairs, queryString } from '@/lib/pairs';
import { api } from './api';
import type { Product } from './types';

export interface PartAttribute {
  name: string;
  value: string | number | boolean;
  unit?: string;
}

/** What a product says of itself beyond what every product has; what is not known is left out. */
export interface PartFacts {
  /** Why a search found it, as "same as BREMBO 09.A820.11". */
  via?: string;
  brand?: string;
  partType?: string;
  /** Sold in multiples of this. */
  packSize?: number;
  /** Grams. */
  weight?: number;
  /** Millimeters. */
  length?: number;
  width?: number;
  height?: number;
  /** Whether it fits every vehicle. */
  universal?: boolean;
  attributes?: PartAttribute[];
  gtin?: string;
}

export type Part = Product & PartFacts;

export interface FacetChoice {
  value: string;
  name: string;
  count: number;
}

export interface AttributeFacet {
  name: string;
  /** The unit of its numbers. */
  unit?: string;
  /** The commonest; a flag has `yes` and `no`. */
  values: FacetChoice[];
}

export interface Facets {
  total: number;
  /** Whether the total was counted to its end. */
  exact: boolean;
  facets: {
    category: FacetChoice[];
    partType: FacetChoice[];
    brand: FacetChoice[];
    inStock: FacetChoice[];
    position: FacetChoice[];
    /** Dollars; the last range has no end. */
    price: { from: number; to?: number | null; count: number }[];
    attributes: AttributeFacet[];
  };
}

export const numberKinds = [
  'own',
  'gtin',
  'oe',
  'competitor',
  'superseded',
  'supplier',
] as const satisfies readonly string[];
export type NumberKind = (typeof numberKinds)[number];

export interface PartNumber {
  kind: NumberKind;
  number: string;
  brand?: string;
  note?: string;
  /** When it was entered: RFC 3339. */
  since?: string;
}

/** What a number leads to: 1 to 4 exactly, 5 by its beginning, 6 and 7 by what it looks like. */
export interface FoundByNumber {
  tier: number | null;
  products: Part[];
}

export interface Brand {
  id: number;
  name: string;
}

export interface PartType extends Brand {
  category: string;
}

export interface Synonym {
  id: number;
  word: string;
  means: string;
}

/** A vehicle as a list of them has it. */
export interface FoundVehicle {
  vehicle: number;
  engine?: number;
  label: string;
}

export interface Named {
  id: number;
  name: string;
}

export interface Model extends Named {
  vehicle: number;
}

/** One way to read a VIN. */
export interface VinReading {
  /** "2014 Toyota Camry". */
  label: string;
  /** Null if the shop does not know it. */
  vehicle: number | null;
  /** Null unless the VIN tells which of the vehicle's engines it is. */
  engine: number | null;
  engineName: string | null;
  /** The engines that it may be, if the VIN leaves several. */
  engines: Named[];
}

export interface DecodedVin extends VinReading {
  vin: string;
  checkDigit: 'ok' | 'wrong';
  /** All ways to read it, if there are several. */
  candidates: VinReading[];
}

const path = (...parts: (string | number)[]) =>
  parts.map((part) => `/${encodeURIComponent(part)}`).join('');

/** For how many seconds lists of vehicles are kept that nobody looks at: they hardly ever change. */
const LASTING = 3_600;

export const partsApi = api
  .enhanceEndpoints({ addTagTypes: ['Brand', 'PartType', 'Synonym', 'Numbers'] })
  .injectEndpoints({
    endpoints: (build) => ({
      getFacets: build.query<Facets, Pairs>({
        query: (pairs) => `/products/facets${queryString(pairs)}`,
        providesTags: ['Product'],
      }),
      searchProducts: build.query<Part[], Pairs>({
        query: (pairs) => `/products${queryString(pairs)}`,
        providesTags: ['Product'],
      }),
      findByNumber: build.query<FoundByNumber, string>({
        query: (number) => path('numbers', number),
        providesTags: ['Product'],
      }),
      getNumbers: build.query<PartNumber[], string>({
        query: (id) => path('products', id, 'numbers'),
        providesTags: (_numbers, _error, id) => [{ type: 'Numbers', id }],
      }),
      putNumbers: build.mutation<unknown, { id: string; numbers: PartNumber[] }>({
        query: ({ id, numbers }) => ({
          url: path('products', id, 'numbers'),
          method: 'PUT',
          body: { numbers },
        }),
        invalidatesTags: (_done, _error, { id }) => [{ type: 'Numbers', id }, 'Product'],
      }),
      listBrands: build.query<Brand[], void>({ query: () => '/brands', providesTags: ['Brand'] }),
      listPartTypes: build.query<PartType[], void>({
        query: () => '/part-types',
        providesTags: ['PartType'],
      }),
      listSynonyms: build.query<Synonym[], void>({
        query: () => '/synonyms',
        providesTags: ['Synonym'],
      }),
      saveBrand: build.mutation<unknown, { id?: number; name: string }>({
        query: ({ id, name }) => ({
          url: id === undefined ? '/brands' : path('brands', id),
          method: id === undefined ? 'POST' : 'PUT',
          body: { name },
        }),
        invalidatesTags: ['Brand', 'Product'],
      }),
      removeBrand: build.mutation<unknown, number>({
        query: (id) => ({ url: path('brands', id), method: 'DELETE' }),
        invalidatesTags: ['Brand'],
      }),
      savePartType: build.mutation<unknown, { id?: number; name: string; category: string }>({
        query: ({ id, ...body }) => ({
          url: id === undefined ? '/part-types' : path('part-types', id),
          method: id === undefined ? 'POST' : 'PUT',
          body,
        }),
        invalidatesTags: ['PartType', 'Product'],
      }),
      removePartType: build.mutation<unknown, number>({
        query: (id) => ({ url: path('part-types', id), method: 'DELETE' }),
        invalidatesTags: ['PartType'],
      }),
      saveSynonym: build.mutation<unknown, Omit<Synonym, 'id'> & { id?: number }>({
        query: ({ id, ...body }) => ({
          url: id === undefined ? '/synonyms' : path('synonyms', id),
          method: id === undefined ? 'POST' : 'PUT',
          body,
        }),
        invalidatesTags: ['Synonym'],
      }),
      removeSynonym: build.mutation<unknown, number>({
        query: (id) => ({ url: path('synonyms', id), method: 'DELETE' }),
        invalidatesTags: ['Synonym'],
      }),
      listYears: build.query<Named[], void>({
        query: () => '/vehicles/years',
        keepUnusedDataFor: LASTING,
      }),
      listMakes: build.query<Named[], string>({
        query: (year) => `/vehicles/makes${queryString([['year', year]])}`,
        keepUnusedDataFor: LASTING,
      }),
      listModels: build.query<Model[], { year: string; make: string }>({
        query: ({ year, make }) =>
          `/vehicles/models${queryString([
            ['year', year],
            ['make', make],
          ])}`,
        keepUnusedDataFor: LASTING,
      }),
      listEngines: build.query<Named[], number>({
        query: (vehicle) => `/vehicles/engines${queryString([['vehicle', String(vehicle)]])}`,
        keepUnusedDataFor: LASTING,
      }),
      searchVehicles: build.query<FoundVehicle[], string>({
        query: (q) => `/vehicles${queryString([['q', q]])}`,
      }),
      /** Forgotten as soon as nobody looks at it: a VIN says whose car it is. */
      decodeVin: build.query<DecodedVin, string>({
        query: (vin) => path('vin', vin),
        keepUnusedDataFor: 0,
      }),
    }),
  });

export const {
  useGetFacetsQuery,
  useFindByNumberQuery,
  useGetNumbersQuery,
  usePutNumbersMutation,
  useListBrandsQuery,
  useListPartTypesQuery,
  useListSynonymsQuery,
  useSaveBrandMutation,
  useRemoveBrandMutation,
  useSavePartTypeMutation,
  useRemovePartTypeMutation,
  useSaveSynonymMutation,
  useRemoveSynonymMutation,
  useListYearsQuery,
  useListMakesQuery,
  useListModelsQuery,
  useListEnginesQuery,
  useSearchVehiclesQuery,
  useLazyDecodeVinQuery,
} = partsApi;

/** Whether this may be a part's number, and not words: a digit in it, and as many signs as a number can have. */
export function looksLikeNumber(text: string): boolean {
  const { length } = text.replace(/[^\p{L}\p{N}]/gu, '');
  // The server refuses more than 48, to which a sign that stands for several adds.
  return /\d/.test(text) && length >= 3 && length <= 40;
}
