import { api } from '@/api/api';
import { savedFile } from '@/api/saved-file';
import type { Exemption, NewExemption, NewTaxRate, RatesReport, TaxRate } from './wire';

type Id = string | number;

const RATES = '/tax-rates';
const EXEMPTIONS = '/exemptions';
const path = (base: string, id: Id) => `${base}/${encodeURIComponent(id)}`;

/** Thousands of rows may take longer than a screen is given. */
const IMPORT_TIMEOUT = 60_000;

const taxApi = api.enhanceEndpoints({ addTagTypes: ['TaxRate', 'Exemption'] }).injectEndpoints({
  endpoints: (build) => ({
    listTaxRates: build.query<TaxRate[], void>({
      query: () => RATES,
      providesTags: ['TaxRate'],
    }),
    saveTaxRate: build.mutation<unknown, { id?: Id; rate: NewTaxRate; 'Idempotency-Key'?: string }>(
      {
        query: ({ id, rate, 'Idempotency-Key': key }) => ({
          url: id === undefined ? RATES : path(RATES, id),
          method: id === undefined ? 'POST' : 'PUT',
          body: rate,
          headers: { 'Idempotency-Key': key },
        }),
        invalidatesTags: ['TaxRate'],
      },
    ),
    removeTaxRate: build.mutation<unknown, Id>({
      query: (id) => ({ url: path(RATES, id), method: 'DELETE' }),
      invalidatesTags: ['TaxRate'],
    }),
    importTaxRates: build.mutation<RatesReport, ArrayBuffer>({
      query: (csv) => ({
        url: `${RATES}/import`,
        method: 'POST',
        body: csv,
        headers: { 'Content-Type': 'text/csv' },
        timeout: IMPORT_TIMEOUT,
        // A file that is refused by its lines is answered with what is wrong with each.
        validateStatus: ({ ok, status }, answer?: Partial<RatesReport>) =>
          ok || (status === 422 && Array.isArray(answer?.findings)),
      }),
      transformResponse: ({ added, findings = [] }: Partial<RatesReport>) => ({
        added: added ?? 0,
        findings,
      }),
      invalidatesTags: ['TaxRate'],
    }),
    saveRatesSample: build.mutation<null, void>({
      queryFn: (_nothing, _api, _options, fetchFile) =>
        savedFile(fetchFile, { url: `${RATES}/samples/eu.csv` }),
    }),
    listExemptions: build.query<Exemption[], void>({
      query: () => EXEMPTIONS,
      providesTags: ['Exemption'],
    }),
    addExemption: build.mutation<unknown, { exemption: NewExemption; 'Idempotency-Key'?: string }>({
      query: ({ exemption, 'Idempotency-Key': key }) => ({
        url: EXEMPTIONS,
        method: 'POST',
        body: exemption,
        headers: { 'Idempotency-Key': key },
      }),
      invalidatesTags: ['Exemption'],
    }),
    removeExemption: build.mutation<unknown, Id>({
      query: (id) => ({ url: path(EXEMPTIONS, id), method: 'DELETE' }),
      invalidatesTags: ['Exemption'],
    }),
  }),
});

export const {
  useListTaxRatesQuery,
  useSaveTaxRateMutation,
  useRemoveTaxRateMutation,
  useImportTaxRatesMutation,
  useSaveRatesSampleMutation,
  useListExemptionsQuery,
  useAddExemptionMutation,
  useRemoveExemptionMutation,
} = taxApi;
