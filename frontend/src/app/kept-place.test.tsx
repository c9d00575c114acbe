import { act, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter, useNavigate } from 'react-router-dom';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import { KeptPlace } from './kept-place';

/** How far the page can be scrolled, and who hears when that changes. */
let end = 0;
let heard: (() => void)[] = [];

class Resized {
  readonly #notify: () => void;
  constructor(notify: () => void) {
    this.#notify = notify;
  }
  observe() {
    heard.push(this.#notify);
  }
  disconnect() {
    heard = heard.filter((notify) => notify !== this.#notify);
  }
}

function scroll(top: number) {
  Object.defineProperty(window, 'scrollY', { value: Math.min(top, end), configurable: true });
  fireEvent.scroll(window);
}

function grow(to: number) {
  end = to;
  act(() => {
    for (const notify of heard) notify();
  });
}

let navigate: ReturnType<typeof useNavigate>;

function Screen() {
  navigate = useNavigate();
  return <KeptPlace />;
}

/** A list of 5,000 pixels, left at 2,600 for another page and come back to, as long as nothing of it is drawn yet. */
function comeBack() {
  render(
    // Of its own key: places are kept for as long as the client lives, and every first entry is called the same.
    <MemoryRouter initialEntries={[{ pathname: '/shop', key: newIdempotencyKey() }]}>
      <Screen />
    </MemoryRouter>,
  );
  end = 5000;
  scroll(2600);
  act(() => void navigate('/product/1'));
  scroll(0);
  end = 300;
  act(() => void navigate(-1));
}

beforeEach(() => {
  heard = [];
  vi.stubGlobal('ResizeObserver', Resized);
  vi.spyOn(window, 'scrollTo').mockImplementation(((_left: number, top: number) =>
    scroll(top)) as typeof window.scrollTo);
});

afterEach(() => {
  scroll(0);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('returns to the place that was left as soon as the list reaches that far, and then leaves it alone', () => {
  comeBack();
  grow(900);
  expect(window.scrollY).toBe(900);
  grow(5000);
  expect(window.scrollY).toBe(2600);
  scroll(100);
  grow(6000);
  expect(window.scrollY).toBe(100);
});

it.each(['wheel', 'touchStart', 'pointerDown', 'keyDown'] as const)(
  'gives up at a %s, since somebody goes their own way',
  (way) => {
    comeBack();
    grow(900);
    fireEvent[way](document.body);
    scroll(200);
    grow(5000);
    expect(window.scrollY).toBe(200);
  },
);

it('does nothing on a page that was just opened', () => {
  comeBack();
  grow(5000);
  act(() => void navigate('/product/2'));
  grow(9000);
  expect(heard).toHaveLength(0);
  expect(screen.queryByRole('alert')).toBeNull();
});
