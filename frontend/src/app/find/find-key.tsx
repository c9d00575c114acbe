import { useEffect } from 'react';

/** A slash leads to the search of the top bar, from wherever nothing is being typed. */
export function FindKey() {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, isComposing, target } = event;
      if (key !== '/' || ctrlKey || metaKey || altKey || isComposing) return;
      if (target instanceof Element && target.closest('input, textarea, select')) return;
      // What was typed into a dialog comes first.
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      const input = document.querySelector<HTMLInputElement>('.find [name=q]');
      input?.focus();
      input?.select();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return null;
}
