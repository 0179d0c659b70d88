// Where one looks: what is asked for of a cut, and what is said of a place and a moment of it.
import type { Rect } from '../../draw/field_shader.ts';
import { cellsIn, height, inPlane, width } from '../../draw/geometry.ts';
import { exact, pretty, show, unit } from '../../draw/numbers.ts';
import type { Frame } from '../../protocol/frame.ts';
import type { ArrayInfo, Request, State } from '../../protocol/types.ts';

/** Values across a picture at most: finer ones cost more than they show. */
const ACROSS = 1024;

/** The cells of a cut in a view and a little around it, with the pixels of a box of w x h. */
export function requestOf(array: ArrayInfo, axis: 0 | 1 | 2, index: number, view: Rect, [w, h]: [number, number]): Request {
  const ratio = window.devicePixelRatio || 1;
  const most = (n: number): number => Math.max(16, Math.min(ACROSS, Math.round(n * ratio)));
  const region = cellsIn(array, axis, {
    x0: view.x0 - width(view) * 0.05, x1: view.x1 + width(view) * 0.05, y0: view.y0 - height(view) * 0.05, y1: view.y1 + height(view) * 0.05,
  });
  return { axis, index, region, pixels: [most(w), most(h)] };
}

/** Coordinates and values at a place. */
export function wordsAt(array: ArrayInfo, axis: number, x: number, y: number, value: number, model: number, mark: string | null): string {
  const [p, q] = inPlane(axis);
  const axes = array.axes ?? ['x', 'y', 'z'];
  return [
    `${axes[p] ?? 'x'} ${exact(x)}, ${axes[q] ?? 'y'} ${exact(y)} ${unit(array.length_unit ?? '')}`,
    `${pretty(array.label || array.name)} = ${exact(value)} ${unit(array.unit)}`,
    ...(Number.isNaN(model) ? [] : [`model ${exact(model)}`]), ...(mark ? [mark] : []),
  ].map((t) => t.trim()).join(' · ');
}

/** When a frame of a run was: a picture that is saved should say it. */
export function momentOf(array: ArrayInfo, frame: Frame | null, state: State | null): string {
  if (!frame || !array.live || !state) return '';
  return frame.time ? `t = ${show(frame.time)} ${unit(state.time_unit)}` : `${state.counts ?? 'step'} ${show(frame.step)}`;
}
