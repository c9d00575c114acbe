import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderApp } from '@/testing/render';
import { closeKeyboard } from './close-keyboard';

it.each([
  ['a phone', true],
  ['a desk', false],
])('Enter in a search on %s lets the keyboard go: %s', (_where, coarse) => {
  vi.stubGlobal('matchMedia', () => ({ matches: coarse }));
  renderApp(<input type="search" onKeyDown={closeKeyboard} />);
  const box = screen.getByRole('searchbox');
  box.focus();
  fireEvent.keyDown(box, { key: 'a' });
  expect(box).toHaveFocus();
  fireEvent.keyDown(box, { key: 'Enter' });
  expect(box === document.activeElement).toBe(!coarse);
  vi.unstubAllGlobals();
});
