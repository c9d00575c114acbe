/*
 * Runs in the head, before the first paint and before the client itself has arrived. Keep it tiny: it blocks the page.
 */

/* Only a theme that was chosen by hand is written down; without one the styles follow the system by themselves. */
try {
  const chosen = localStorage.getItem('theme');
  if (chosen === 'driveline-light' || chosen === 'driveline-dark') {
    document.documentElement.dataset.theme = chosen;
  }
} catch {
  // Storage may be switched off; the system's theme then stands.
}

/* Home's banner is the largest thing on it, and would else be asked for only once the client has drawn it. */
if (location.pathname === '/') {
  const hint = document.createElement('link');
  hint.rel = 'preload';
  hint.as = 'image';
  hint.fetchPriority = 'high';
  hint.imageSizes = '(min-width: 48rem) 75vw, 100vw';
  hint.imageSrcset = [640, 960, 1440]
    .map((width) => `/pictures/hero-turbo-${width}.webp ${width}w`)
    .join(', ');
  document.head.append(hint);
}
