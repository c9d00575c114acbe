/*
 * The calls that find parts and vehicles. They take pairs as the address has them, of which some repeat, where generated calls take
 * each name once; what they send and return is the API's description's.
 */
import { type Pairs, queryString } from '@/lib/pairs';
import { api } from './api';
import type {
  Attribute,
  AttributeCounts,
  Brand,
  DecodedVin,
  Facets,
  FoundVehicle,
  NumberedProducts,
  PartNumber as NumberOnTheWire,
  PartType,
  Product,
  Synonym,
  ValueCount,
  VehicleChoice,
  VehicleModel,
} from './types';

export type {
  Brand,
  DecodedVin,
  Facets,
  FoundVehicle,
  PartFacts,
  PartType,
  Synonym,
  VinReading,
} from './types';

export type PartAttribute = Attribute;
export type Part = Product;
export type FacetChoice = ValueCount;
export type AttributeFacet = AttributeCounts;

export const numberKinds = [
  'own',
  'gtin',
  'oe',
  'competitor',
  'superseded',
  'supplier',
] as const satisfies readonly string[];
export type NumberKind = (typeof numberKinds)[number];

export type PartNumber = Omit<NumberOnTheWire, 'kind'> & { kind: NumberKind };
export type Named = VehicleChoice;
export type Model = VehicleModel;

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
      findByNumber: build.query<NumberedProducts, string>({
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
      nameVehicle: build.query<FoundVehicle[], Pick<FoundVehicle, 'vehicle' | 'engine'>>({
        query: ({ vehicle, engine }) =>
          `/vehicles${queryString([
            ['vehicle', String(vehicle)],
            ...(engine === undefined ? [] : [['engine', String(engine)] as const]),
          ])}`,
        keepUnusedDataFor: LASTING,
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
  useNameVehicleQuery,
  useSearchVehiclesQuery,
  useLazyDecodeVinQuery,
} = partsApi;

/** Whether this may be a part's number, and not words: a digit in it, and as many signs as a number can have. */
export function looksLikeNumber(text: string): boolean {
  const { length } = text.replace(/[^\p{L}\p{N}]/gu, '');
  // The server refuses more than 48, to which a sign that stands for several adds.
  return /\d/.test(text) && length >= 3 && length <= 40;
}
