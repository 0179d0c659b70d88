// What the columns of a curve tell about how to draw it.
import { GREY, seriesColour } from '../../draw/colours.ts';
import type { Column } from '../../protocol/types.ts';

/** Angles are drawn around a circle where one likes. */
export function isAngle(c: Column | undefined): boolean {
  return c !== undefined && /^(degrees?|deg|°|rad)$/.test(c.unit);
}

/** Columns that say where something is, beside others that say what is there: angles, and x, y, z (of a peak, say) in a unit of length. */
export function placesOf(columns: Column[]): string[] {
  const rest = columns.slice(1);
  const length = (c: Column): boolean => /^([mun]?m|unit)$/.test(c.unit) || c.unit === columns[0]?.unit;
  const place = (c: Column): boolean => isAngle(c) || (/(^| )[xyz]$/.test(c.name) && length(c));
  return rest.some((c) => !place(c)) ? rest.filter(place).map((c) => c.name) : [];
}

/** At most six columns at first: of Mueller matrices, sixteen side by side, the two that say most. `all` has the abscissa, too. */
export function firstShown(all: Column[]): string[] {
  const places = placesOf(all);
  const columns = all.slice(1).filter((c) => !places.includes(c.name));
  const names = columns.map((c) => c.name);
  if (names.includes('S11') || names.includes('s11')) return names.filter((n) => /^s11$/i.test(n));
  // Of several units, the one that most columns have: curves of others need another axis.
  const count = (unit: string): number => columns.filter((c) => c.unit === unit).length;
  const most = columns.reduce((best, c) => (count(c.unit) > count(best) ? c.unit : best), columns[0]?.unit ?? '');
  const same = columns.filter((c) => c.unit === most).map((c) => c.name);
  return same.length <= 6 ? same : same.slice(0, 4);
}

/** Whole decades around the values, at least one. */
export function logRange(low: number | null, high: number | null): [number, number] {
  if (!low || !high || low <= 0) return [0.1, 1];
  const down = 10 ** Math.floor(Math.log10(low) + 1e-9);
  const up = 10 ** Math.ceil(Math.log10(high) - 1e-9);
  return [down, up > down ? up : 10 * down];
}

/** From low to high with a little room; of one value, or of none, something around it. */
export function spanOf(low: number | null, high: number | null, room = 0): [number, number] {
  if (low === null || high === null || !Number.isFinite(low + high)) return [0, 1];
  if (high > low) return [low - room * (high - low), high + room * (high - low)];
  return low === 0 ? [0, 1] : [Math.min(low, 2 * low), Math.max(low, 2 * low)];
}

export interface SeriesLook { colour: string; dashed: boolean }

/**
 * How the columns after the first are drawn. Uncertainties are dashed, in the colour of what they are of ("flux uncertainty" of "flux"), else in
 * grey. Neither they nor places take a colour from the others, so that a quantity looks the same in a table with them and in one without.
 */
export function seriesLooks(names: string[], places: string[] = []): SeriesLook[] {
  const uncertain = (name: string): boolean => /\buncertainty$/.test(name);
  const values = names.filter((n) => !uncertain(n) && !places.includes(n));
  return names.map((name) => {
    const of = values.indexOf(uncertain(name) ? name.replace(/ ?uncertainty$/, '') : name);
    return { colour: of < 0 ? GREY : seriesColour(of), dashed: uncertain(name) || of > 7 };
  });
}
