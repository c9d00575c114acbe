import { Moon, Sun } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import * as messages from './messages';

type Theme = 'driveline-light' | 'driveline-dark';

const system = () => window.matchMedia?.('(prefers-color-scheme: dark)');

function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'driveline-light' || chosen === 'driveline-dark') return chosen;
  return system()?.matches ? 'driveline-dark' : 'driveline-light';
}

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  const media = system();
  listeners.add(listener);
  media?.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    media?.removeEventListener('change', listener);
  };
}

/**
 * Follows the system until it is pressed; from then on the choice stands, also after a reload. Which of the two icons
 * shows is the stylesheet's business: it knows the theme before this code has arrived.
 */
export function ThemeSwitch() {
  const theme = useSyncExternalStore(subscribe, currentTheme, () => 'driveline-light');
  const dark = theme === 'driveline-dark';
  const toggle = () => {
    const next: Theme = dark ? 'driveline-light' : 'driveline-dark';
    document.documentElement.dataset.theme = next;
    for (const listener of listeners) listener();
    try {
      localStorage.setItem('theme', next);
    } catch {
      // The choice then lasts as long as the page.
    }
  };

  return (
    <button
      type="button"
      data-commands
      className="btn btn-ghost btn-square"
      onClick={toggle}
      aria-label={dark ? messages.toLight : messages.toDark}
    >
      <Sun aria-hidden="true" className="size-5 light-theme:hidden" />
      <Moon aria-hidden="true" className="size-5 dark-theme:hidden" />
    </button>
  );
}
