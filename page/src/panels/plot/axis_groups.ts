// Which of the columns that are shown share an axis: a unit has one, and so have dimensionless quantities of like sizes.
import { titled } from '../../draw/numbers.ts';
import type { Column } from '../../protocol/types.ts';
import { errorOf } from './columns.ts';

/** Places of columns that are drawn on one axis. */
export interface AxisGroup { unit: string; at: number[] }

/** Sizes of dimensionless quantities that are so many times farther apart would be a line at zero beside each other. */
const APART = 1e3;

function sizeOf(values: ArrayLike<number> | undefined): number {
  let size = 0;
  for (const v of Array.from(values ?? [])) if (Number.isFinite(v)) size = Math.max(size, Math.abs(v));
  return size;
}

/** From the largest on, those of like sizes together; what is 0 everywhere is with the first. */
function bySize(at: number[], size: (i: number) => number): number[][] {
  const out: { top: number; at: number[] }[] = [];
  for (const i of [...at].sort((a, b) => size(b) - size(a))) {
    const home = out.find((g) => size(i) === 0 || g.top <= APART * size(i));
    if (home) home.at.push(i);
    else out.push({ top: size(i), at: [i] });
  }
  return out.map((g) => g.at.sort((a, b) => a - b));
}

/** Errors are on the axis of what they are of; one unit is one quantity, but of numbers without a unit only those of like sizes. */
export function axisGroups(columns: Column[], values: ArrayLike<number>[], shown: number[], log: boolean): AxisGroup[] {
  const owner = (i: number): number => {
    const base = errorOf(columns[i]?.name ?? '');
    const found = base === null ? -1 : columns.findIndex((c, k) => shown.includes(k) && (base === '' ? errorOf(c.name) === null && c.unit === columns[i]?.unit : c.name === base));
    return found < 1 ? i : found;
  };
  const own = shown.filter((i) => owner(i) === i);
  const units = [...new Set(own.map((i) => columns[i]?.unit ?? '1'))];
  const groups = units.flatMap((unit) => {
    const at = own.filter((i) => (columns[i]?.unit ?? '1') === unit);
    const parts = unit === '1' && !log ? bySize(at, (i) => sizeOf(values[i])) : [at];
    return parts.map((part) => ({ unit, at: part }));
  });
  for (const i of shown) if (owner(i) !== i) groups.find((g) => g.at.includes(owner(i)))?.at.push(i);
  return groups.sort((a, b) => (a.at[0] ?? 0) - (b.at[0] ?? 0));
}

/** Title of an axis: what is on it where there is room for its names, else `label`. */
export function axisTitle(columns: Column[], group: AxisGroup, label: string, pixels: number): string {
  const names = group.at.map((i) => columns[i]?.name ?? '').filter((n) => errorOf(n) === null);
  const words = titled((names.length > 0 ? names : group.at.map((i) => columns[i]?.name ?? '')).join(', '), group.unit);
  return 6.5 * words.length <= pixels || group.at.length === 1 ? words : titled(label, group.unit);
}
