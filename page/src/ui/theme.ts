// Light or dark: as the system says until the reader chooses.

const wish = window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();
let chosen: boolean | null = null;

export function isDark(): boolean {
  return chosen ?? wish.matches;
}
function apply(): void {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
  for (const listener of listeners) listener();
}
export function toggleTheme(): void {
  chosen = !isDark();
  apply();
}
export function onTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
wish.addEventListener('change', apply);
apply();
