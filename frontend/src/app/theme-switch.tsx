import { Moon, Sun } from 'lucide-react';
import { useEffect, useState } from 'react';

type Theme = 'driveline-light' | 'driveline-dark';

const system = () => window.matchMedia?.('(prefers-color-scheme: dark)');

function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'driveline-light' || chosen === 'driveline-dark') return chosen;
  return system()?.matches ? 'driveline-dark' : 'driveline-light';
}

/** Follows the system until it is pressed; from then on the choice stands, also after a reload. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(currentTheme);

  useEffect(() => {
    const media = system();
    const follow = () => setTheme(currentTheme());
    media?.addEventListener('change', follow);
    return () => media?.removeEventListener('change', follow);
  }, []);

  const dark = theme === 'driveline-dark';
  const toggle = () => {
    const next: Theme = dark ? 'driveline-light' : 'driveline-dark';
    document.documentElement.dataset.theme = next;
    setTheme(next);
    try {
      localStorage.setItem('theme', next);
    } catch {
      // The choice then lasts as long as the page.
    }
  };

  const Icon = dark ? Sun : Moon;
  return (
    <button
      type="button"
      className="btn btn-ghost btn-square"
      onClick={toggle}
      aria-label={dark ? 'Switch to light theme' : 'Switch to dark theme'}
    >
      <Icon aria-hidden="true" className="size-5" />
    </button>
  );
}
