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

/* The page was rendered for nobody in particular. Whoever left this hint most likely is somebody: room is kept for that. */
if (document.cookie.split('; ').includes('signed-in=1')) {
  document.documentElement.dataset.hint = '';
}

/*
 * A page that was rendered ahead of time names the client, but does not run it: what came is painted first, and running the
 * client takes longer than that. A page that nobody sees, or a browser that does not tell, is not waited for very long.
 */
document.addEventListener('DOMContentLoaded', () => {
  const client = document.querySelector<HTMLLinkElement>('link#client');
  if (!client) return;
  const script = document.createElement('script');
  script.src = client.href;
  const run = () => script.isConnected || document.head.append(script);
  new PerformanceObserver(run).observe({ type: 'paint', buffered: true });
  setTimeout(run, document.hidden ? 0 : 1000);
});
