import { readdirSync } from 'node:fs';
import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderApp } from '@/testing/render';
import { takeNotices } from '@/ui/notify';
import { TurnablePicture } from './components/turnable-picture';
import { turned, turntableOf } from './turntables';

const img = '/pictures/parts/alloy-17-640.webp';
const requested: string[] = [];
let arrives = true;

function prefer({ reducedMotion }: { reducedMotion: boolean }) {
  vi.stubGlobal('matchMedia', () => ({ matches: reducedMotion }));
}

beforeEach(() => {
  requested.length = 0;
  arrives = true;
  prefer({ reducedMotion: true });
  vi.stubGlobal(
    'Image',
    class {
      set src(address: string) {
        requested.push(address);
      }
      decode = () => (arrives ? Promise.resolve() : Promise.reject(new Error('not there')));
    },
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
});

async function turn() {
  const user = userEvent.setup();
  renderApp(<TurnablePicture img={img} name="Alloy wheel" />);
  await user.click(screen.getByRole('button', { name: 'Turn it' }));
  const slider = await screen.findByRole('slider', { name: 'Turn Alloy wheel' });
  return { user, slider };
}

describe('the table of parts that turn', () => {
  it('names the sheets that there are', () => {
    const sheets = readdirSync('public/pictures/turns').map((file) => file.replace(/\.webp$/, ''));
    expect([...turned].sort()).toEqual(sheets.sort());
  });

  it('knows a part by its picture of any width', () => {
    expect(turntableOf('/pictures/parts/alloy-17-640.webp')).toBe('/pictures/turns/alloy-17.webp');
    expect(turntableOf('/pictures/parts/alloy-17-960.webp')).toBe('/pictures/turns/alloy-17.webp');
    expect(turntableOf('/pictures/parts/alloy-18-640.webp')).toBeNull();
    expect(turntableOf('https://i.example/pictures/parts/alloy-17-640.webp')).toBeNull();
  });
});

describe('a part that turns', () => {
  it('loads its sides when somebody wants to see them, and not before', async () => {
    const user = userEvent.setup();
    renderApp(<TurnablePicture img={img} name="Alloy wheel" />);
    expect(requested).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Turn it' }));
    await vi.waitFor(() => expect(screen.getByRole('slider')).toHaveFocus());
    expect(requested).toEqual(['/pictures/turns/alloy-17.webp']);
  });

  it('turns by the keys, all the way around', async () => {
    const { user, slider } = await turn();
    expect(slider).toHaveAttribute('aria-valuetext', '0°');
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(slider).toHaveAttribute('aria-valuetext', '30°');
    await user.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}');
    expect(slider).toHaveAttribute('aria-valuenow', '345');
    await user.keyboard('{PageUp}');
    expect(slider).toHaveAttribute('aria-valuenow', '75');
    await user.keyboard('{Home}');
    expect(slider).toHaveAttribute('aria-valuenow', '0');
  });

  it('moves the step and its shadow into the window', async () => {
    const { user, slider } = await turn();
    await user.keyboard('{PageUp}{ArrowRight}{ArrowRight}');
    const [shadow, side] = slider.querySelectorAll('img');
    expect(side).toHaveStyle({ width: '600%', height: '425%', left: '-200%', top: '-100%' });
    expect(shadow).toHaveStyle({ width: '2400%', height: '1700%', left: '-800%', top: '-1600%' });
  });

  it('turns by the buttons, and gives the picture back', async () => {
    const { user, slider } = await turn();
    await user.click(screen.getByRole('button', { name: 'Turn right' }));
    expect(slider).toHaveAttribute('aria-valuenow', '45');
    await user.click(screen.getByRole('button', { name: 'Turn left' }));
    await user.click(screen.getByRole('button', { name: 'Turn left' }));
    expect(slider).toHaveAttribute('aria-valuenow', '315');
    await user.click(screen.getByRole('button', { name: 'Back to the picture' }));
    expect(slider).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Turn it' })).toHaveFocus();
  });

  it('is dragged: once across is once around', async () => {
    const { slider } = await turn();
    Object.defineProperty(slider, 'clientWidth', { value: 480 });
    fireEvent.pointerMove(slider, { clientX: 300 });
    expect(slider).toHaveAttribute('aria-valuenow', '0');
    fireEvent.pointerDown(slider, { clientX: 100, button: 0 });
    fireEvent.pointerMove(slider, { clientX: 220 });
    expect(slider).toHaveAttribute('aria-valuenow', '90');
    fireEvent.pointerMove(slider, { clientX: 80 });
    expect(slider).toHaveAttribute('aria-valuenow', '345');
    fireEvent.pointerUp(slider);
    fireEvent.pointerMove(slider, { clientX: 300 });
    expect(slider).toHaveAttribute('aria-valuenow', '345');
  });

  it('shows itself once around, until somebody takes hold of it', async () => {
    prefer({ reducedMotion: false });
    const { user, slider } = await turn();
    await vi.waitFor(() => expect(slider).not.toHaveAttribute('aria-valuenow', '0'));
    await user.keyboard('{Home}');
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(slider).toHaveAttribute('aria-valuenow', '0');
  });

  it('moves by itself for nobody who wants less motion', async () => {
    const { slider } = await turn();
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(slider).toHaveAttribute('aria-valuenow', '0');
  });

  it('stays a picture when its sides do not come, and can be asked again', async () => {
    arrives = false;
    const user = userEvent.setup();
    renderApp(<TurnablePicture img={img} name="Alloy wheel" />);
    await user.click(screen.getByRole('button', { name: 'Turn it' }));
    await vi.waitFor(() =>
      expect(takeNotices()).toEqual([
        { tone: 'error', text: "We couldn't load the other sides. Try again." },
      ]),
    );
    expect(screen.getByRole('img', { name: 'Alloy wheel' })).toBeVisible();
    arrives = true;
    await user.click(screen.getByRole('button', { name: 'Turn it' }));
    expect(await screen.findByRole('slider')).toBeInTheDocument();
  });

  it('has no button where there is but a picture', () => {
    renderApp(<TurnablePicture img="/pictures/parts/alloy-18-640.webp" name="Other wheel" />);
    expect(screen.queryByRole('button')).toBeNull();
  });
});
