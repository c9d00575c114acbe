import { ZoomIn } from 'lucide-react';
import { type PointerEvent, useRef } from 'react';
import { productMessages as messages } from '../pages/messages';
import { swiped } from '../zoom';

interface ZoomTargetProps {
  onZoom: () => void;
  /** To the next picture, 1, or back, -1. */
  onSwipe: (by: number) => void;
}

/** Over the whole picture: a click enlarges it, and a finger that wipes across it shows the next one. */
export function ZoomTarget({ onZoom, onSwipe }: ZoomTargetProps) {
  const began = useRef<{ x: number; y: number } | null>(null);
  const wiped = useRef(false);

  const onPointerDown = ({ pointerType, clientX: x, clientY: y }: PointerEvent) => {
    wiped.current = false;
    began.current = pointerType === 'mouse' ? null : { x, y };
  };
  const onPointerUp = ({ clientX: x, clientY: y }: PointerEvent) => {
    const by = began.current ? swiped(began.current, { x, y }) : 0;
    began.current = null;
    if (by === 0) return;
    // Some browsers call the end of a swipe a click as well.
    wiped.current = true;
    onSwipe(by);
  };

  return (
    <button
      type="button"
      aria-haspopup="dialog"
      className="absolute inset-0 flex touch-pan-y items-start justify-end rounded-box p-3"
      style={{ cursor: 'zoom-in' }}
      onPointerDown={onPointerDown}
      onPointerUp={onPointerUp}
      onClick={() => {
        if (!wiped.current) onZoom();
        wiped.current = false;
      }}
    >
      <span className="btn btn-square btn-outline border-edge bg-surface">
        <ZoomIn aria-hidden="true" className="size-5" />
      </span>
      <span className="sr-only">{messages.zoom}</span>
    </button>
  );
}
