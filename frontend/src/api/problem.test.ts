import { describe, expect, it } from 'vitest';
import { readProblem } from './problem';

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
    expect(readProblem(new Error('boom')).message).toMatch(/went wrong/);
  });
});
