// The table of many cases: what its responses may be drawn over, and its rows in the order of that.
import type { Column } from '../../protocol/types.ts';

export function isBatch(array: { role: string } | null | undefined): boolean {
  return array?.role === 'batch';
}

/** What a case was given, not what came of it. */
export function isInput(c: Column | undefined): boolean {
  return c?.role === 'parameter' || c?.role === 'given';
}

export function varies(values: ArrayLike<number> | undefined): boolean {
  const known = Array.from(values ?? []).filter(Number.isFinite);
  return known.some((v) => v !== known[0]);
}

/** Names of the parameters that have several values (before there are values, of all), or of the first column. */
export function abscissas(columns: Column[], values: ArrayLike<number>[]): string[] {
  const parameters = columns.filter((c, i) => c.role === 'parameter' && (values.length === 0 || varies(values[i]))).map((c) => c.name);
  return parameters.length > 0 ? parameters : columns.slice(0, 1).map((c) => c.name);
}

export interface Arranged { columns: Column[]; values: Float64Array[]; line: boolean }

/** One of the columns as abscissa, rows in its order. `line`: the cases were computed in this order, one after the other along it. */
export function arranged(columns: Column[], values: Float64Array[], over: string): Arranged {
  const at = Math.max(0, columns.findIndex((c) => c.name === over));
  const x = values[at] ?? new Float64Array();
  const moved = <T>(list: T[]): T[] => [...list.slice(at, at + 1), ...list.slice(0, at), ...list.slice(at + 1)];
  const rows = Array.from(x.keys()).filter((r) => Number.isFinite(x[r])).sort((a, b) => (x[a] ?? 0) - (x[b] ?? 0));
  const up = x.every((v, r) => r === 0 || v > (x[r - 1] ?? 0));
  const down = x.every((v, r) => r === 0 || v < (x[r - 1] ?? 0));
  return { columns: moved(columns), values: moved(values).map((v) => Float64Array.from(rows, (r) => v[r] ?? NaN)), line: up || down };
}

/** Columns of a table in the order of what they say: number, parameters, responses, other results, then counts and what is the same everywhere. */
export function tableOrder(columns: Column[], values: ArrayLike<number>[]): number[] {
  const rank = (c: Column, i: number): number => {
    if (i === 0) return 0;
    if (c.role === 'count') return 4;
    if (c.role === 'given') return 5;
    if (c.role === 'parameter') return varies(values[i]) ? 1 : 5;
    return c.role === 'response' ? 2 : 3;
  };
  return columns.map((_, i) => i).sort((a, b) => {
    const [p, q] = [columns[a], columns[b]];
    return p && q ? rank(p, a) - rank(q, b) || a - b : 0;
  });
}
