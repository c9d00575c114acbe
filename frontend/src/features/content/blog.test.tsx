import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import BlogPage from './pages/blog-page';

describe('the blog', () => {
  it('has five questions, the first of them open, under one heading', () => {
    render(<BlogPage />);
    expect(screen.getByRole('heading', { level: 1, name: 'Blog' })).toBeVisible();
    const entries = screen.getAllByRole('group');
    expect(entries.map((entry) => entry.hasAttribute('open'))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    const questions = screen.getAllByRole('heading', { level: 2 }).map((head) => head.textContent);
    expect(new Set(questions).size).toBe(5);
    expect(questions.every((question) => question?.endsWith('?'))).toBe(true);
  });

  it('opens an answer without closing the others, since it is the browser that does it', async () => {
    render(<BlogPage />);
    const [first, second] = screen.getAllByRole('group');
    await userEvent.click(screen.getByRole('heading', { name: /useEffect/ }));
    expect(second).toHaveAttribute('open');
    expect(first).toHaveAttribute('open');
  });
});
