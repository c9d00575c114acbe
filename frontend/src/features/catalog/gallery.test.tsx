import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderApp } from '@/testing/render';
import { ProductGallery } from './components/product-gallery';

const images = ['/pictures/a.webp', '/pictures/b.webp', '/pictures/c.webp'];

function show(shown: readonly string[] = images) {
  renderApp(<ProductGallery id="p1" name="Brake Disc" images={shown} />);
  return userEvent.setup();
}

const picture = (place: number) =>
  screen.getByRole('img', { name: `Brake Disc, picture ${place} of 3` });
const thumbnail = (place: number) => screen.getByRole('button', { name: `Picture ${place} of 3` });

async function enlarge(shown = images) {
  const user = show(shown);
  const opener = screen.getByRole('button', { name: 'Zoom' });
  await user.click(opener);
  const dialog = await screen.findByRole('dialog', { name: 'Pictures of Brake Disc' });
  const enlarged = () => within(dialog).getByRole('img');
  return { user, opener, dialog, enlarged };
}

/** A finger on an element, from a place across to another. */
function wipe(element: Element, from: number, to: number) {
  const finger = { pointerId: 1, pointerType: 'touch', button: 0, clientY: 100 };
  fireEvent.pointerDown(element, { ...finger, clientX: from });
  fireEvent.pointerMove(element, { ...finger, clientX: to });
  fireEvent.pointerUp(element, { ...finger, clientX: to });
}

beforeEach(() => {
  // jsdom lays nothing out.
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 800, 600));
  return () => vi.restoreAllMocks();
});

describe('the pictures of a product', () => {
  it('are one below the other where there are several, and chosen by pressing', async () => {
    const user = show();
    expect(picture(1)).toHaveAttribute('src', '/pictures/a.webp');
    expect(thumbnail(1)).toHaveAttribute('aria-current', 'true');
    await user.click(thumbnail(3));
    expect(picture(3)).toHaveAttribute('src', '/pictures/c.webp');
    expect(thumbnail(3)).toHaveAttribute('aria-current', 'true');
    expect(thumbnail(1)).not.toHaveAttribute('aria-current');
  });

  it('are gone through by the arrow keys, which end at the ends', async () => {
    const user = show();
    thumbnail(1).focus();
    await user.keyboard('{ArrowRight}');
    expect(thumbnail(2)).toHaveFocus();
    expect(picture(2)).toBeVisible();
    await user.keyboard('{End}{ArrowRight}');
    expect(thumbnail(3)).toHaveFocus();
    await user.keyboard('{Home}{ArrowLeft}');
    expect(thumbnail(1)).toHaveFocus();
  });

  it('follow a finger, which then enlarges nothing', async () => {
    show();
    const target = screen.getByRole('button', { name: 'Zoom' });
    wipe(target, 300, 100);
    expect(picture(2)).toBeVisible();
    const same = screen.getByRole('button', { name: 'Zoom' });
    wipe(same, 100, 300);
    expect(picture(1)).toBeVisible();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('are but the one picture of most products', () => {
    show(['/pictures/a.webp']);
    expect(screen.getByRole('img', { name: 'Brake Disc' })).toBeVisible();
    expect(screen.queryByRole('list', { name: 'Pictures' })).not.toBeInTheDocument();
  });
});

describe('a picture that is looked at closely', () => {
  it('goes larger and smaller by buttons, keys, wheel and double click', async () => {
    const { user, dialog, enlarged } = await enlarge();
    const scale = () => Number(/scale\(([\d.]+)\)/.exec(enlarged().style.transform)?.[1]);
    await user.click(within(dialog).getByRole('button', { name: 'Zoom in' }));
    expect(scale()).toBe(1.5);
    await user.keyboard('+');
    expect(scale()).toBe(2.25);
    await user.click(within(dialog).getByRole('button', { name: 'Zoom out' }));
    expect(scale()).toBe(1.5);
    await user.keyboard('0');
    expect(scale()).toBe(1);
    fireEvent.doubleClick(enlarged(), { clientX: 400, clientY: 300 });
    expect(scale()).toBe(2.5);
    fireEvent.doubleClick(enlarged(), { clientX: 400, clientY: 300 });
    expect(scale()).toBe(1);
    const turned = fireEvent.wheel(enlarged(), { deltaY: -500, clientX: 400, clientY: 300 });
    expect(turned, 'the page does not scroll').toBe(false);
    expect(scale()).toBeCloseTo(Math.E);
  });

  it('follows two fingers, and then one', async () => {
    const { enlarged } = await enlarge();
    const finger = (pointerId: number, clientX: number) => ({
      pointerId,
      pointerType: 'touch',
      button: 0,
      clientX,
      clientY: 300,
    });
    const stage = enlarged().parentElement as HTMLElement;
    fireEvent.pointerDown(stage, finger(1, 350));
    fireEvent.pointerDown(stage, finger(2, 450));
    fireEvent.pointerMove(stage, finger(2, 550));
    expect(enlarged().style.transform).toContain('scale(2)');
    fireEvent.pointerUp(stage, finger(2, 550));
    const before = enlarged().style.transform;
    fireEvent.pointerMove(stage, finger(1, 330));
    fireEvent.pointerUp(stage, finger(1, 330));
    expect(enlarged().style.transform).not.toBe(before);
    expect(enlarged()).toHaveAccessibleName('Brake Disc, picture 1 of 3');
  });

  it('gives way to the next one by buttons, keys and a swipe, at its own size', async () => {
    const { user, dialog, enlarged } = await enlarge();
    await user.keyboard('+');
    await user.click(within(dialog).getByRole('button', { name: 'Next picture' }));
    expect(enlarged()).toHaveAccessibleName('Brake Disc, picture 2 of 3');
    expect(enlarged().style.transform).toContain('scale(1)');
    expect(within(dialog).getByRole('status')).toHaveTextContent('Picture 2 of 3');
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(enlarged()).toHaveAccessibleName('Brake Disc, picture 1 of 3');
    wipe(enlarged().parentElement as HTMLElement, 100, 300);
    expect(enlarged()).toHaveAccessibleName('Brake Disc, picture 3 of 3');
    // Once it is larger, the same key moves it.
    await user.keyboard('+{ArrowRight}');
    expect(enlarged()).toHaveAccessibleName('Brake Disc, picture 3 of 3');
    expect(enlarged().style.transform).toContain('translate(-80px');
  });

  it('goes with Esc, and the focus returns', async () => {
    const { user, opener, dialog } = await enlarge();
    fireEvent(dialog, new Event('cancel', { cancelable: true }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(opener).toHaveFocus();
    await user.click(opener);
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Close' }),
    );
    expect(opener).toHaveFocus();
  });

  it('has nothing to go on to where there is but one', async () => {
    const { dialog } = await enlarge(['/pictures/a.webp']);
    expect(within(dialog).queryByRole('button', { name: 'Next picture' })).not.toBeInTheDocument();
  });
});
