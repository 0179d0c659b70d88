// What the columns of a curve tell about how to draw it.
import { ticks } from 'd3-array';
import { GREY, seriesColour } from '../../draw/colours.ts';
import { show } from '../../draw/numbers.ts';
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

/** Whether a column says where or at what something is, not what is there: "depth/depth" and "m" of diffraction orders, too. */
export function isCoordinate(name: string): boolean {
  return /^(wavelength|frequency|energy|angle|theta|phi|azimuth|time|period|depth|row|step|[mnxyz])$/.test(name.split('/').at(-1) ?? '');
}

/** How the computation went, not what came of it. */
export function isCount(c: Column): boolean {
  return c.role === 'count' || /^(unknowns|steps?|rejected|newton|linear|iterations|products|dipoles|dpl|start_residual|seconds|converged)$/.test(c.name);
}

/** What a column is the error of: "forward" of "forward record error", "" where it does not say; null: it is no error. */
export function errorOf(name: string): string | null {
  const found = /^(.*?) ?\b(uncertainty|record error|layers error|flat grid error|grid error)$/.exec(name);
  return found ? found[1] ?? '' : null;
}

/** Without those that are a part of another: "Cext_Y" beside "Cext". */
function wholes(columns: Column[]): Column[] {
  return columns.filter((c) => !columns.some((o) => o !== c && c.name.startsWith(`${o.name}_`)));
}

/** Real and imaginary parts say less than what else there is. */
function telling(columns: Column[]): Column[] {
  const rest = columns.filter((c) => !/_(re|im)$/.test(c.name));
  return rest.length > 0 ? rest : columns;
}

/** At most six columns at first: responses; of Mueller matrices, sixteen side by side, the one that says most; results before counts. `all` has the abscissa, too. */
export function firstShown(all: Column[]): string[] {
  const places = placesOf(all);
  const columns = all.slice(1).filter((c) => !places.includes(c.name) && c.role !== 'parameter' && c.role !== 'given');
  const names = columns.map((c) => c.name);
  const responses = columns.filter((c) => c.role === 'response').map((c) => c.name);
  if (responses.length > 0) return responses.slice(0, 6);
  if (names.some((n) => /^s11$/i.test(n))) return names.filter((n) => /^s11$/i.test(n));
  if (names.includes('T') || names.includes('R')) return names.filter((n) => n === 'T' || n === 'R');
  // An energy in joules is stored or lost; one of photons is where something is.
  const results = telling(columns.filter((c) => !isCount(c) && (c.unit === 'J' || !isCoordinate(c.name))));
  const from = results.length > 0 ? results : columns;
  // Of several units, the one that most columns have, errors not counted.
  const count = (unit: string): number => from.filter((c) => c.unit === unit && errorOf(c.name) === null).length;
  const most = from.reduce((best, c) => (count(c.unit) > count(best) ? c.unit : best), from[0]?.unit ?? '');
  const same = from.filter((c) => c.unit === most);
  const few = same.length <= 6 ? same : wholes(same);
  return (few.length <= 6 ? few : few.slice(0, 4)).map((c) => c.name);
}

/** What a logarithmic axis shows below its largest value, in decades: double precision has 16 digits, and what lies lower is rounding. */
export const DECADES = 14;

/** Whole decades around the values, at least one and at most DECADES. */
export function logRange(low: number | null, high: number | null): [number, number] {
  if (!low || !high || low <= 0 || !Number.isFinite(high)) return [0.1, 1];
  const top = Math.min(300, Math.ceil(Math.log10(high) - 1e-9));
  const bottom = Math.max(-300, top - DECADES, Math.floor(Math.log10(low) + 1e-9));
  return [Number(`1e${bottom}`), Number(`1e${Math.max(top, bottom + 1)}`)];
}

/** The lowest value that has a place on a logarithmic axis with these values, and how many have none: not positive, and too small. */
export function logFloor(values: Iterable<number>[]): { floor: number; negative: number; small: number } {
  let [high, negative, small] = [0, 0, 0];
  for (const ys of values) for (const v of ys) if (Number.isFinite(v)) high = Math.max(high, v);
  const floor = Math.max(1e-300, logRange(1e-300, high || 1)[0]);
  for (const ys of values) {
    for (const v of ys) {
      if (v <= 0) ++negative;
      else if (v < floor) ++small;
    }
  }
  return { floor, negative, small };
}

/** "not on this axis: 12 values of 0 or less, 3 below 1e-14 of the largest"; nothing where all values are on it. */
export function leftOut({ negative, small }: { negative: number; small: number }): string {
  const words = [...(negative > 0 ? [`${negative} of 0 or less`] : []), ...(small > 0 ? [`${small} below 1e-${DECADES} of the largest`] : [])];
  return words.length > 0 ? `not on the logarithmic axis: ${words.join(', ')}` : '';
}

/** Ticks of a logarithmic axis: whole decades, no more than `most`; of one or two decades 2 and 5, too. */
export function logTicks(low: number, high: number, most: number): number[] {
  if (!(low > 0) || !(high >= low) || !Number.isFinite(high)) return [];
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const all = Array.from({ length: Math.max(0, Math.min(700, last - first + 1)) }, (_, i) => first + i);
  const every = Math.max(1, Math.ceil(all.length / Math.max(2, most)));
  const decades = all.filter((k) => (last - k) % every === 0).map((k) => Number(`1e${k}`));
  if (every > 1 || 3 * all.length > most || all.length > 3) return decades;
  const between = [first - 1, ...all].flatMap((k) => [2, 5].map((d) => Number(`${d}e${k}`)));
  return [...decades, ...between].filter((t) => t >= low && t <= high).sort((a, b) => a - b);
}

/** Ticks of an axis so many pixels long whose labels, as wide as `wide` says, do not touch. */
export function apartTicks(low: number, high: number, pixels: number, wide: (text: string) => number, most = Infinity): number[] {
  for (let n = Math.max(1, Math.min(most, Math.round(pixels / 60))); n > 0; --n) {
    const at = ticks(low, high, n);
    const widest = Math.max(0, ...at.map((t) => wide(show(t))));
    const gap = at.length > 1 ? ((at[1] ?? 0) - (at[0] ?? 0)) / (high - low || 1) * pixels : Infinity;
    if (gap >= widest + 10) return at;
  }
  return [low];
}

/** From low to high with a little room; of one value, or of none, something around it. */
export function spanOf(low: number | null, high: number | null, room = 0): [number, number] {
  if (low === null || high === null || !Number.isFinite(low + high)) return [0, 1];
  if (high > low) return [low - room * (high - low), high + room * (high - low)];
  return low === 0 ? [0, 1] : [Math.min(low, 2 * low), Math.max(low, 2 * low)];
}

export interface SeriesLook { colour: string; dashed: boolean }

/**
 * How the columns after the first are drawn. Errors are dashed, in the colour of what they are of ("forward record error" of "forward"), else in
 * grey. Neither they nor places take a colour from the others, so that a quantity looks the same in a table with them and in one without.
 */
export function seriesLooks(names: string[], places: string[] = []): SeriesLook[] {
  const values = names.filter((n) => errorOf(n) === null && !places.includes(n));
  return names.map((name) => {
    const error = errorOf(name);
    const of = values.indexOf(error ?? name);
    return { colour: of < 0 ? GREY : seriesColour(of), dashed: error !== null || of > 7 };
  });
}
