import { ChevronLeft, ChevronRight, X, ZoomIn, ZoomOut } from 'lucide-react';
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { pictureSource } from '@/lib/pictures';
import { useModal } from '@/ui/use-modal';
import { productMessages as messages } from '../pages/messages';
import { moved, swiped, type View, WHOLE, zoomed } from '../zoom';

/** How much larger by a button or a key, and by a double click. */
const STEP = 1.5;
const DOUBLE = 2.5;
/** How far a key moves the picture, in pixels. */
const NUDGE = 80;

const arrows: Record<string, [number, number]> = {
  ArrowRight: [-NUDGE, 0],
  ArrowLeft: [NUDGE, 0],
  ArrowDown: [0, -NUDGE],
  ArrowUp: [0, NUDGE],
};

interface Spot {
  clientX: number;
  clientY: number;
}

const middle = (spots: Spot[]) => ({
  clientX: spots.reduce((sum, { clientX }) => sum + clientX, 0) / spots.length,
  clientY: spots.reduce((sum, { clientY }) => sum + clientY, 0) / spots.length,
});

/** How far apart two fingers are. */
function apart([one, other]: Spot[]): number {
  if (!one || !other) return 0;
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}

/** Enlarging and moving the picture in the window, by hand and otherwise. */
function useZoom(stage: RefObject<HTMLDivElement | null>, onSwipe: (by: number) => void) {
  const [view, setView] = useState<View>(WHOLE);
  const fingers = useRef(new Map<number, Spot>());
  const began = useRef<Spot | null>(null);

  const zoom = (by: number, spot?: Spot) => {
    const box = stage.current?.getBoundingClientRect();
    if (!box) return;
    const point = spot
      ? {
          x: spot.clientX - box.left - box.width / 2,
          y: spot.clientY - box.top - box.height / 2,
        }
      : { x: 0, y: 0 };
    setView((now) => zoomed(now, by, point, box));
  };
  const move = (x: number, y: number) => {
    const box = stage.current?.getBoundingClientRect();
    if (box) setView((now) => moved(now, { x, y }, box));
  };

  // React listens for the wheel in a way that cannot keep the page from scrolling.
  const onWheel = useRef((_event: WheelEvent) => {});
  onWheel.current = (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 500)), event);
  };
  useEffect(() => {
    const element = stage.current;
    const listener = (event: WheelEvent) => onWheel.current(event);
    element?.addEventListener('wheel', listener, { passive: false });
    return () => element?.removeEventListener('wheel', listener);
  }, [stage]);

  const letGo = (event: PointerEvent) => {
    const { pointerId, pointerType, type } = event;
    if (!fingers.current.delete(pointerId)) return;
    const from = began.current;
    if (fingers.current.size > 0) {
      began.current = null;
      return;
    }
    if (from && type === 'pointerup' && pointerType !== 'mouse' && view.scale === 1) {
      const by = swiped(
        { x: from.clientX, y: from.clientY },
        { x: event.clientX, y: event.clientY },
      );
      if (by !== 0) onSwipe(by);
    }
  };

  const handlers = {
    onPointerDown: ({ pointerId, clientX, clientY, button }: PointerEvent) => {
      if (button !== 0) return;
      fingers.current.set(pointerId, { clientX, clientY });
      // Where a swipe began; two fingers never swipe.
      began.current = fingers.current.size === 1 ? { clientX, clientY } : null;
      stage.current?.setPointerCapture?.(pointerId);
    },
    onPointerMove: ({ pointerId, clientX, clientY }: PointerEvent) => {
      const held = fingers.current;
      if (!held.has(pointerId)) return;
      const before = [...held.values()];
      held.set(pointerId, { clientX, clientY });
      const after = [...held.values()];
      const [from, to] = [middle(before), middle(after)];
      const wider = apart(before) > 0 ? apart(after) / apart(before) : 1;
      if (wider !== 1) zoom(wider, from);
      move(to.clientX - from.clientX, to.clientY - from.clientY);
    },
    onPointerUp: letGo,
    onPointerCancel: letGo,
    onDoubleClick: (spot: Spot) => (view.scale > 1 ? setView(WHOLE) : zoom(DOUBLE, spot)),
  };
  return { view, zoom, move, reset: () => setView(WHOLE), handlers };
}

interface PictureZoomProps {
  images: readonly string[];
  /** Which one is shown. */
  at: number;
  name: string;
  onStep: (by: number) => void;
  onClose: () => void;
}

/** A picture as large as the window allows, and larger. */
export default function PictureZoom({ images, at, name, onStep, onClose }: PictureZoomProps) {
  const dialog = useModal(true, onClose);
  const stage = useRef<HTMLDivElement>(null);
  const several = images.length > 1;
  const step = (by: number) => {
    if (!several) return;
    reset();
    onStep(by);
  };
  const { view, zoom, move, reset, handlers } = useZoom(stage, step);

  const onKeyDown = (event: KeyboardEvent) => {
    const arrow = arrows[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '+' || event.key === '=') zoom(STEP);
    else if (event.key === '-') zoom(1 / STEP);
    else if (event.key === '0') reset();
    else if (arrow && view.scale > 1) move(...arrow);
    else if (event.key === 'ArrowRight') step(1);
    else if (event.key === 'ArrowLeft') step(-1);
    else return;
    event.preventDefault();
  };
  const buttons = [
    ...(several
      ? [{ label: messages.previousPicture, Icon: ChevronLeft, press: () => step(-1) }]
      : []),
    ...(several ? [{ label: messages.nextPicture, Icon: ChevronRight, press: () => step(1) }] : []),
    { label: messages.zoomOut, Icon: ZoomOut, press: () => zoom(1 / STEP) },
    { label: messages.zoomIn, Icon: ZoomIn, press: () => zoom(STEP) },
    { label: messages.closePicture, Icon: X, press: onClose },
  ];

  const img = images[at] ?? '';
  return (
    <dialog
      ref={dialog}
      aria-label={messages.zooming(name)}
      onKeyDown={onKeyDown}
      className="m-auto max-w-none overflow-hidden rounded-box border border-base-300 bg-base-100 p-0 text-base-content shadow-raised"
      // As wide as the window, unless it would be too high then.
      style={{ width: 'min(100vw - 2rem, (100dvh - 7rem) * 4 / 3)' }}
    >
      <div
        ref={stage}
        {...handlers}
        className="relative aspect-4/3 cursor-grab overflow-hidden bg-backdrop select-none active:cursor-grabbing"
        style={{ touchAction: 'none' }}
      >
        <img
          {...pictureSource(img)}
          // The widest one that there is: it is looked at closely.
          sizes="1440px"
          alt={messages.picture(name, at + 1, images.length)}
          draggable={false}
          className="pointer-events-none size-full object-cover"
          style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
        />
      </div>
      <div className="flex items-center justify-between gap-2 p-4">
        <p role="status" className="text-muted">
          {several && messages.place(at + 1, images.length)}
        </p>
        <div className="flex gap-2">
          {buttons.map(({ label, Icon, press }) => (
            <button
              key={label}
              type="button"
              className="btn btn-square btn-outline border-edge bg-surface"
              onClick={press}
            >
              <Icon aria-hidden="true" className="size-5" />
              <span className="sr-only">{label}</span>
            </button>
          ))}
        </div>
      </div>
    </dialog>
  );
}
