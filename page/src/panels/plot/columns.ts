// What the columns of a curve tell about how to draw it.
import type { Column } from '../../protocol/types.ts';

/** Angles are drawn around a circle where one likes. */
export function isAngle(c: Column | undefined): boolean {
  return c !== undefined && /^(degrees?|deg|°|rad)$/.test(c.unit);
}

/** At most six columns at first: of Mueller matrices, sixteen side by side, the two that say most. */
export function firstShown(names: string[]): string[] {
  if (names.includes('S11') || names.includes('s11')) return names.filter((n) => /^s11$/i.test(n));
  return names.length <= 6 ? names : names.slice(0, 4);
}

/** Whole decades around the values, at least one. */
export function logRange(low: number | null, high: number | null): [number, number] {
  if (!low || !high || low <= 0) return [0.1, 1];
  const down = 10 ** Math.floor(Math.log10(low) + 1e-9);
  const up = 10 ** Math.ceil(Math.log10(high) - 1e-9);
  return [down, up > down ? up : 10 * down];
}
