import { useEffect, useState } from 'react';

interface ThemeColors {
  text: string;
  faint: string;
  error: string;
}

function read(): ThemeColors {
  const style = getComputedStyle(document.documentElement);
  const shade = (name: string, otherwise: string) =>
    style.getPropertyValue(name).trim() || otherwise;
  return {
    text: shade('--color-base-content', '#1c1e21'),
    faint: shade('--muted', '#5a574f'),
    error: shade('--color-error', '#a3211a'),
  };
}

/** The theme's shades as plain colours, for a field that lives in a frame of its own and cannot see ours. */
export function useThemeColors(): ThemeColors {
  const [colors, setColors] = useState(read);
  useEffect(() => {
    const update = () => setColors(read());
    const chosen = new MutationObserver(update);
    chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const system = window.matchMedia?.('(prefers-color-scheme: dark)');
    system?.addEventListener('change', update);
    return () => {
      chosen.disconnect();
      system?.removeEventListener('change', update);
    };
  }, []);
  return colors;
}
