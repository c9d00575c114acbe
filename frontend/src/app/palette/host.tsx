import { useCallback, useEffect, useState } from 'react';
import { isPaletteKey, onCommandPalette } from '@/lib/command-palette';
import { retryingLazy } from '@/lib/retrying-lazy';
import { Quietly } from '../error-boundary';

const Palette = retryingLazy(() => import(/* webpackChunkName: "palette" */ './palette'));

/** Listens for the palette's key and loads it the first time. */
export function PaletteHost() {
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  useEffect(() => onCommandPalette(() => setOpen(true)), []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isPaletteKey(event)) return;
      // Another dialog may hold what was typed, and has to be closed first.
      if (!open && document.querySelector('dialog[open]')) return;
      event.preventDefault();
      setOpen(!open);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [open]);

  if (!open) return null;
  return (
    <Quietly>
      <Palette onClose={close} />
    </Quietly>
  );
}
