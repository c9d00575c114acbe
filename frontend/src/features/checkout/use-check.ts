import { useRef } from 'react';
import { type CallError, hasStatus } from '@/api/problem';
import type { Country } from '@/features/addresses/wire';
import type { BasketLine } from '@/features/basket/use-basket';
import { useDebounced } from '@/lib/use-debounced';
import { missingOf } from './address';
import { useCheckCheckoutQuery } from './api';
import { type CheckoutValues, requestOf } from './form';
import type { CheckoutCheck, CheckoutRequest, SentLine } from './wire';

/** Milliseconds after the last change before the shop is asked. */
const PAUSE = 400;

/** The lines as they are sent, each with what was shown for it. */
export function sentLines(lines: readonly BasketLine[]): SentLine[] {
  return lines.map(({ productId, quantity, price, total }) => {
    const shown = typeof price === 'number' ? price : total;
    return { productId, quantity, ...(typeof shown === 'number' ? { price: shown } : {}) };
  });
}

const nothing: CheckoutRequest = {
  lines: [],
  address: { line1: '', city: '', country: '' },
  terms: 'card',
};

/** What this checkout would cost, asked a moment after each change, once the address is whole. */
export function useCheck(
  values: CheckoutValues,
  countries: readonly Country[],
  lines: readonly BasketLine[],
) {
  const last = useRef<CheckoutCheck>(undefined);
  const isWhole = lines.length > 0 && Object.keys(missingOf(values, countries)).length === 0;
  const methods = last.current?.shippingMethods ?? [];
  const wanted = isWhole
    ? JSON.stringify(requestOf(values, countries, sentLines(lines), methods))
    : null;
  const asked = useDebounced(wanted, PAUSE);
  const request = asked === null ? nothing : (JSON.parse(asked) as CheckoutRequest);
  const { currentData, data, error, isError, isFetching, refetch } = useCheckCheckoutQuery(
    request,
    { skip: asked === null },
  );
  const known = isWhole ? (currentData ?? (isError ? undefined : data)) : undefined;
  last.current = known ?? last.current;
  const failure: CallError | undefined = isError && !isFetching && isWhole ? error : undefined;
  // What is typed is refused at its field once it is sent.
  const isRefused = hasStatus(failure, 409, 422);
  return {
    data: known,
    failure: isRefused ? undefined : failure,
    /** What the shop says of what is typed so far. */
    refusal: isRefused ? failure : undefined,
    isUpdating: isWhole && (wanted !== asked || isFetching),
    retry: () => {
      if (asked !== null) void refetch();
    },
  };
}
