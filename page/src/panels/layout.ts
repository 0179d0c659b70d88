// What a panel may be turned to, and what a case shows at first: by kinds and roles, not by families.
import type { ArrayInfo } from '../protocol/types.ts';
import { isVolume } from '../draw/geometry.ts';
import { firstField } from './first_field.ts';
import { isNumber } from './numbers_view.ts';
import { abscissas, isBatch } from './plot/batch.ts';
import { isCoordinate } from './plot/columns.ts';
import { pretty } from '../draw/numbers.ts';

/** The name under which the table of all single numbers stands beside the arrays. */
export const NUMBERS = '#numbers';
/** What a panel shows: the name of an array; whether a field in three dimensions is no cut; of many cases whether their table, or over which column. */
export interface Shown { name: string; solid: boolean; large: boolean; table?: boolean; over?: string }

const GROUPS: Record<ArrayInfo['kind'], string> = {
  field: 'Fields', curve: 'Curves', scalar: 'Course of the run', points: 'Points', triangles: 'Surfaces', text: 'Texts',
};

export function choices(arrays: ArrayInfo[]): { value: string; text: string; group: string }[] {
  const order = Object.keys(GROUPS) as ArrayInfo['kind'][];
  const listed = order.flatMap((kind) => arrays.filter((a) => a.kind === kind && !isNumber(a) && a.role !== 'instants'))
    .map((a) => ({ value: a.name, text: pretty(a.label || a.name), group: GROUPS[a.kind] }));
  const twice = (text: string, group: string): boolean => listed.filter((c) => c.text === text && c.group === group).length > 1;
  // What tells them apart comes first: a select shows the beginning of long words.
  const owner = (c: { value: string; text: string }): string => c.value.replace(/^results\//, '').replace(new RegExp(`/${c.text.replace(/\W/g, '\\$&')}$`), '');
  const named = listed.map((c) => (twice(c.text, c.group) ? { ...c, text: `${owner(c)}: ${c.text}` } : c));
  return arrays.some(isNumber) ? [...named, { value: NUMBERS, text: 'all numbers', group: 'Numbers' }] : named;
}

/** Curves that say most about a case, one of each role first. */
function curves(arrays: ArrayInfo[], n: number): ArrayInfo[] {
  const roles = ['residual', 'iterations', 'pattern', 'path', 'spectrum', 'series', ''];
  const rank = (a: ArrayInfo): number => (roles.includes(a.role) ? roles.indexOf(a.role) : roles.length - 1);
  const all = arrays.filter((a) => (a.kind === 'curve' || a.kind === 'scalar') && !isNumber(a) && a.role !== 'instants' && !isBatch(a));
  // One abscissa over another says nothing of the case.
  const abscissa = (a: ArrayInfo): boolean => isCoordinate(a.columns?.at(-1)?.name ?? '') || a.role === 'parameter';
  const telling = all.filter((a) => !abscissa(a));
  const first = telling.filter((a, i) => telling.findIndex((b) => b.role === a.role) === i).sort((a, b) => rank(a) - rank(b));
  return [...first, ...telling.filter((a) => !first.includes(a))].slice(0, n);
}

/** Of many cases: their responses over the first parameter, the table of all, and the responses over two more parameters. */
function ofBatch(batch: ArrayInfo, small: boolean): Shown[] {
  const chart = (over: string, large: boolean): Shown => ({ name: batch.name, solid: false, large, over });
  const [first = '', ...more] = abscissas(batch.columns ?? [], []);
  if (small) return [chart(first, true)];
  return [chart(first, true), { name: batch.name, solid: false, large: false, table: true }, ...more.slice(0, 2).map((over) => chart(over, false))];
}

/** The panels of a case at first; `small` when several cases stand side by side. */
export function layout(arrays: ArrayInfo[], small: boolean): Shown[] {
  const fields = arrays.filter((a) => a.kind === 'field');
  const field = firstField(fields);
  const solid = arrays.find((a) => a.kind === 'triangles') ?? arrays.find((a) => a.kind === 'points' && a.role !== 'peaks');
  const peaks = arrays.find((a) => a.role === 'peaks');
  const volume = field && isVolume(field) && !solid ? (fields.find((a) => a.role === 'magnitude' && isVolume(a)) ?? field) : undefined;
  const batch = arrays.find(isBatch);
  const out: Shown[] = batch ? ofBatch(batch, small) : [];
  if (field) out.push({ name: field.name, solid: false, large: true });
  if (solid) out.push({ name: solid.name, solid: false, large: !field });
  if (volume) out.push({ name: volume.name, solid: true, large: false });
  if (peaks && !small) out.push({ name: peaks.name, solid: false, large: false });
  for (const c of curves(arrays, small ? 1 : 3)) out.push({ name: c.name, solid: false, large: out.length === 0 });
  if (!small && arrays.some(isNumber)) out.push({ name: NUMBERS, solid: false, large: false });
  if (out.length < 2) {
    const text = arrays.find((a) => a.kind === 'text');
    if (text) out.push({ name: text.name, solid: false, large: out.length === 0 });
  }
  return out;
}
