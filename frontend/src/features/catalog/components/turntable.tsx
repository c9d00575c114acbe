import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { productMessages as messages } from '../pages/messages';
import { COLUMNS, HEIGHT, ROWS, STEPS } from '../turntables';

const DEGREES = 360 / STEPS;
/** A quarter. */
const FAR = STEPS / 4;
/** An eighth. */
const PRESS = STEPS / 8;
/** How long a step stays while the part shows itself, in milliseconds. */
const PACE = 90;

const keys: Record<string, number> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: FAR,
  PageDown: -FAR,
};

const around = (step: number) => ((step % STEPS) + STEPS) % STEPS;

/** Which step is seen. The part turns once by itself, unless that is not wanted, and until somebody takes hold of it. */
function useTurning() {
  const [step, setStep] = useState(0);
  const [shows, setShows] = useState(
    () => !window.matchMedia?.('(prefers-reduced-motion: reduce)').matches,
  );
  useEffect(() => {
    if (!shows) return;
    let seen = 0;
    const timer = setInterval(() => {
      seen += 1;
      setStep(around(seen));
      if (seen === STEPS) setShows(false);
    }, PACE);
    return () => clearInterval(timer);
  }, [shows]);

  const turnTo = (next: number) => {
    setShows(false);
    setStep(around(next));
  };
  return { step, turnTo };
}

/** Where the sheet lies behind the window, and how large, so that this step of the part is seen. */
const sides = (step: number) => ({
  width: `${COLUMNS * 100}%`,
  height: `${HEIGHT * 100}%`,
  left: `${(step % COLUMNS) * -100}%`,
  top: `${Math.floor(step / COLUMNS) * -100}%`,
});

/** The same for its shadow: one row below all steps, smaller by the number of their rows. */
const shadow = (step: number) => ({
  width: `${STEPS * 100}%`,
  height: `${HEIGHT * ROWS * 100}%`,
  left: `${step * -100}%`,
  top: `${ROWS * ROWS * -100}%`,
});

interface TurntableProps {
  /** The address of the steps; they have been loaded. */
  sheet: string;
  name: string;
  onClose: () => void;
}

/** A part to be turned: by dragging, by the arrow keys or by two buttons. */
export default function Turntable({ sheet, name, onClose }: TurntableProps) {
  const { step, turnTo } = useTurning();
  const slider = useRef<HTMLDivElement>(null);
  const held = useRef<{ x: number; step: number } | null>(null);
  // Whoever pressed the button can go on with the arrow keys.
  useEffect(() => slider.current?.focus({ preventScroll: true }), []);

  const onKeyDown = (event: KeyboardEvent) => {
    const by = keys[event.key];
    if (by === undefined && event.key !== 'Home') return;
    event.preventDefault();
    turnTo(by === undefined ? 0 : step + by);
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    held.current = { x: event.clientX, step };
    slider.current?.setPointerCapture?.(event.pointerId);
    turnTo(step);
  };
  const onPointerMove = ({ clientX }: PointerEvent) => {
    const width = slider.current?.clientWidth;
    if (!held.current || !width) return;
    // Once across is once around.
    turnTo(held.current.step + Math.round(((clientX - held.current.x) / width) * STEPS));
  };
  const letGo = () => {
    held.current = null;
  };

  return (
    <div className="absolute inset-0 rounded-box">
      <div
        ref={slider}
        role="slider"
        tabIndex={0}
        aria-label={messages.turning(name)}
        aria-valuemin={0}
        aria-valuemax={360 - DEGREES}
        aria-valuenow={step * DEGREES}
        aria-valuetext={messages.turned(step * DEGREES)}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={letGo}
        onPointerCancel={letGo}
        className="relative size-full cursor-grab touch-pan-y overflow-hidden rounded-box border border-base-300 bg-backdrop select-none active:cursor-grabbing"
      >
        {[shadow(step), sides(step)].map((style, layer) => (
          <img
            // biome-ignore lint/suspicious/noArrayIndexKey: there are always these two.
            key={layer}
            src={sheet}
            alt=""
            draggable={false}
            className="pointer-events-none absolute max-w-none"
            style={style}
          />
        ))}
      </div>
      <div className="absolute right-3 bottom-3 flex gap-2">
        <button type="button" className={control} onClick={() => turnTo(step - PRESS)}>
          <ChevronLeft aria-hidden="true" className="size-5" />
          <span className="sr-only">{messages.turnLeft}</span>
        </button>
        <button type="button" className={control} onClick={() => turnTo(step + PRESS)}>
          <ChevronRight aria-hidden="true" className="size-5" />
          <span className="sr-only">{messages.turnRight}</span>
        </button>
        <button type="button" className={control} onClick={onClose}>
          <X aria-hidden="true" className="size-5" />
          <span className="sr-only">{messages.turnEnd}</span>
        </button>
      </div>
    </div>
  );
}

const control = 'btn btn-square btn-outline border-edge bg-surface';
