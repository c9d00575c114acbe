import { describe, expect, it } from 'vitest';
import { hasStatus, isRetryable, problemOf, readProblem } from './problem';

describe('readProblem', () => {
  it('reads the sentence, the slug and the fields of a problem document', () => {
    const problem = readProblem({
      status: 422,
      data: {
        type: '/problems/validation',
        title: 'Invalid',
        status: 422,
        detail: 'x',
        message: 'Please correct the marked fields.',
        errors: [{ field: 'email', message: 'Please enter a valid email' }],
      },
    });
    expect(problem).toEqual({
      status: 422,
      slug: 'validation',
      message: 'Please correct the marked fields.',
      errors: { email: 'Please enter a valid email' },
    });
  });

  it('keeps what a conflict says is true now', () => {
    const data = { type: '/problems/out-of-stock', message: 'Only 40 left.', available: 40 };
    expect(readProblem({ status: 409, data })).toMatchObject({
      slug: 'out-of-stock',
      available: 40,
    });
  });

  it('has a sentence for no answer and for answers that are no problem documents', () => {
    expect(readProblem({ status: 'FETCH_ERROR', error: 'x' }).slug).toBe('network');
    expect(readProblem({ status: 'TIMEOUT_ERROR', error: 'x' }).slug).toBe('timeout');
    expect(readProblem({ status: 500, data: '<html>' }).message).toMatch(/went wrong/);
    expect(problemOf(new Error('boom')).message).toMatch(/went wrong/);
  });
});

describe('isRetryable', () => {
  const problem = (status: number) => readProblem({ status, data: {} });

  it.each([429, 503])('holds after a %i, which decides nothing', (status) => {
    expect(isRetryable(problem(status))).toBe(true);
  });

  it('holds without an answer', () => {
    expect(isRetryable(readProblem({ status: 'FETCH_ERROR', error: 'x' }))).toBe(true);
    expect(isRetryable(readProblem({ status: 'TIMEOUT_ERROR', error: 'x' }))).toBe(true);
  });

  it.each([400, 401, 404, 409, 422, 500])('does not hold after a %i', (status) => {
    expect(isRetryable(problem(status))).toBe(false);
  });
});

describe('hasStatus', () => {
  it('compares with each status, and holds for no call that did not fail', () => {
    const gone = readProblem({ status: 404, data: {} });
    expect(hasStatus(gone, 401, 404)).toBe(true);
    expect(hasStatus(gone, 401)).toBe(false);
    expect(hasStatus(undefined, 404)).toBe(false);
  });
});
