/*
 * The command palette stands above every screen, and screens know nothing of the app that holds it: they ask here for it
 * to open. What it may offer of a screen is marked with the attribute `data-commands`: a button, a link, or what holds some.
 */

let open: (() => void) | null = null;

export function openCommandPalette(): void {
  open?.();
}

/** Mounted once, where the palette is. Answers what ends it. */
export function onCommandPalette(listener: () => void): () => void {
  open = listener;
  return () => {
    open = null;
  };
}

/** The marked buttons and links that are on, and what they are called. */
export function commandsOnScreen(): { label: string; element: HTMLElement }[] {
  const found = document.querySelectorAll<HTMLElement>(
    ':is([data-commands], [data-commands] *):is(button:enabled, a[href])',
  );
  return Array.from(found)
    .filter((element) => element.checkVisibility?.() ?? true)
    .map((element) => ({
      label: (element.ariaLabel ?? element.textContent).replace(/\s+/g, ' ').trim(),
      element,
    }));
}

/** Cmd-K where keyboards have that key: there Ctrl-K cuts a line short. */
const isMac = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform);

/** The palette's key, as people read it and as `aria-keyshortcuts` has it. */
export const paletteKey = isMac
  ? { label: '⌘K', aria: 'Meta+K' }
  : { label: 'Ctrl K', aria: 'Control+K' };

export function isPaletteKey(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing } = event;
  const isHeld = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  return isHeld && !altKey && !shiftKey && !isComposing && key.toLowerCase() === 'k';
}
