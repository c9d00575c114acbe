/*
 * Runs before the first paint. Only a choice that was made by hand is written down; without one the styles follow the
 * system by themselves.
 */
try {
  const chosen = localStorage.getItem('theme');
  if (chosen === 'driveline-light' || chosen === 'driveline-dark') {
    document.documentElement.dataset.theme = chosen;
  }
} catch {
  // Storage may be switched off; the system's theme then stands.
}
