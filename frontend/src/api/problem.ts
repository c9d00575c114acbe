import type { SerializedError } from '@reduxjs/toolkit';
import type { FetchBaseQueryError } from '@reduxjs/toolkit/query';
import * as messages from './messages';
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
  /** The id of the part that took the place of the one that was asked for. */
  replacedBy?: string;
}

/** How a call fails: with what the server said, or with a mistake of this client that RTK Query caught. */
export type CallError = Problem | SerializedError;

/** The server could not be reached. */
export const NO_ANSWER: Problem = {
  status: 0,
  slug: 'network',
  message: messages.unreachable,
  errors: {},
};

/** What problems say is true now, beyond what every problem document has, and of which type it is. */
const figures = {
  available: 'number',
  price: 'number',
  unitPrice: 'number',
  replacedBy: 'string',
} as const;
type Figures = Record<keyof typeof figures, unknown>;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isProblemDocument(value: unknown): value is Figures & Partial<ProblemDocument> {
  return isRecord(value) && (typeof value.message === 'string' || typeof value.type === 'string');
}

/** Reads an answer that the server refused, or that never came. Only the base query and its like see those. */
export function readProblem(error: FetchBaseQueryError): Problem {
  if (error.status === 'FETCH_ERROR') return NO_ANSWER;
  if (error.status === 'TIMEOUT_ERROR') {
    return { status: 0, slug: 'timeout', message: messages.timeout, errors: {} };
  }
  const code = typeof error.status === 'number' ? error.status : 0;
  const { data } = error;
  if (!isProblemDocument(data)) {
    return {
      status: code,
      slug: 'unknown',
      message: code === 503 ? messages.unreachable : messages.unnamed,
      errors: {},
    };
  }
  return {
    status: code,
    slug: data.type?.split('/').at(-1) ?? 'unknown',
    message: data.message || data.detail || messages.unnamed,
    errors: Object.fromEntries((data.errors ?? []).map(({ field, message }) => [field, message])),
    ...Object.fromEntries(
      Object.entries(data).filter(
        ([name, value]) => typeof value === figures[name as keyof Figures],
      ),
    ),
  };
}

/** The problem of a failed call; for a mistake of this client one without a name. */
export function problemOf(error: CallError | undefined): Problem {
  if (error && 'status' in error) return error;
  return { status: 0, slug: 'unknown', message: messages.unnamed, errors: {} };
}

/** Whether a call failed with one of these HTTP statuses. */
export function hasStatus(error: CallError | undefined, ...statuses: number[]): boolean {
  return error !== undefined && statuses.includes(problemOf(error).status);
}

/**
 * Whether the server has not decided yet: no answer came, or it is unavailable or limits the rate. The same request may then
 * be sent again under the same idempotency key.
 */
export function isRetryable({ status }: Problem): boolean {
  return status === 0 || status === 429 || status === 503;
}
