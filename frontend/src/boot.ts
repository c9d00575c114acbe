/*
 * Runs in the head, before the first paint and before the client itself has arrived. Keep it tiny: it blocks the page.
 */
import type { Product } from '@/api/types';
import { pictureSource } from '@/lib/pictures';

/* Only a theme that was chosen by hand is written down; without one the styles follow the system by themselves. */
try {
  const chosen = localStorage.getItem('theme');
  if (chosen === 'driveline-light' || chosen === 'driveline-dark') {
    document.documentElement.dataset.theme = chosen;
  }
} catch {
  // Storage may be switched off; the system's theme then stands.
}

/* The page was rendered for nobody in particular. Whoever left this hint most likely is somebody: space is kept for that. */
if (document.cookie.split('; ').includes('signed-in=1')) {
  document.documentElement.dataset.hint = '';
}

/*
 * Where the page brought products along, and the markup has room for their pictures, those are the first thing that one
 * looks for: they are asked for now, and not only when the client has come and drawn what it knows.
 */
function showPictures(): void {
  const placeholders = document.querySelectorAll<HTMLImageElement>('img[data-first-picture]');
  const brought = document.getElementById('first-data');
  if (placeholders.length === 0 || !brought) return;
  const [answer] = JSON.parse(brought.textContent) as { body: Product | Product[] }[];
  const products = answer ? [answer.body].flat() : [];
  // A phone shows one beside the other words of its first screen, and the line is better left to that one.
  const seen = matchMedia('(min-width: 40rem)').matches ? placeholders.length : 1;
  for (const [index, { img }] of products.slice(0, seen).entries()) {
    const { src, srcSet = '' } = pictureSource(img);
    const placeholder = placeholders[index];
    if (placeholder)
      Object.assign(placeholder, { fetchPriority: 'high', srcset: srcSet, src, hidden: false });
  }
}

/** The files that a page names under this name. */
function named(name: string): string[] {
  const said = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
  return said ? said.split(' ') : [];
}

/*
 * A page that was rendered ahead of time names the client, but does not load it: pictures and fonts are painted first, and
 * the client, which is larger than all of them, would only take the line from them. The screen's own files come along with
 * it; those of a guarded screen only for whoever most likely may see it. A page that nobody looks at, or a browser that
 * does not tell, is not waited for very long.
 */
document.addEventListener('DOMContentLoaded', () => {
  showPictures();
  const files = [
    ...named('client'),
    ...named('screen'),
    ...('hint' in document.documentElement.dataset ? named('guarded-screen') : []),
  ];
  const load = () => {
    for (const href of named('styles').slice(0, files.length)) {
      // Under a medium that no screen has, so that nothing is held up by it: the client switches it on.
      const sheet = { rel: 'stylesheet', media: 'print', href };
      document.head.append(Object.assign(document.createElement('link'), sheet));
    }
    for (const src of files.splice(0)) {
      document.head.append(Object.assign(document.createElement('script'), { src }));
    }
  };
  // A busy browser may paint the bare background first.
  const painted = new PerformanceObserver((paints) => {
    if (paints.getEntriesByName('first-contentful-paint').length > 0) load();
  });
  painted.observe({ type: 'paint', buffered: true });
  setTimeout(load, document.hidden ? 0 : 1000);
});
