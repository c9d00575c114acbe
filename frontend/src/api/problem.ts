import type { Problem as ProblemDocument } from './types';

/** What a screen needs to know of a failure. */
export interface Problem {
  /** The HTTP status; 0 when no answer came. */
  status: number;
  /** The last part of the problem's type (`out-of-stock`), or `network`, `timeout`, `unknown`. */
  slug: string;
  /** A sentence for the reader. */
  message: string;
  /** Messages by field name. */
  errors: Record<string, string>;
  /** Units left, where a conflict over stock says so. */
  available?: number;
  /** The order's current total in dollars, where a conflict over the price says so. */
  price?: number;
  unitPrice?: number;
}

const unreachable = 'The shop cannot be reached. Please check your connection and try again.';
const unnamed = 'Something went wrong. Please try again.';

/** What conflicts say is true now, beyond what every problem document has. */
type Figures = Record<'available' | 'price' | 'unitPrice', unknown>;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isProblemDocument(value: unknown): value is Figures & Partial<ProblemDocument> {
  return isRecord(value) && (typeof value.message === 'string' || typeof value.type === 'string');
}

/** Reads whatever RTK Query or `unwrap()` hands over as an error. */
export function readProblem(error: unknown): Problem {
  const status = isRecord(error) ? error.status : undefined;
  if (status === 'FETCH_ERROR')
    return { status: 0, slug: 'network', message: unreachable, errors: {} };
  if (status === 'TIMEOUT_ERROR') {
    const message = 'The shop took too long to answer. Please try again.';
    return { status: 0, slug: 'timeout', message, errors: {} };
  }
  const code = typeof status === 'number' ? status : 0;
  const data = isRecord(error) ? error.data : undefined;
  if (!isProblemDocument(data)) {
    return {
      status: code,
      slug: 'unknown',
      message: code === 503 ? unreachable : unnamed,
      errors: {},
    };
  }
  return {
    status: code,
    slug: data.type?.split('/').at(-1) ?? 'unknown',
    message: data.message || data.detail || unnamed,
    errors: Object.fromEntries((data.errors ?? []).map(({ field, message }) => [field, message])),
    ...(typeof data.available === 'number' ? { available: data.available } : {}),
    ...(typeof data.price === 'number' ? { price: data.price } : {}),
    ...(typeof data.unitPrice === 'number' ? { unitPrice: data.unitPrice } : {}),
  };
}
