// Where cells of an array lie, and which rectangle of the plane a panel looks at: no pixels are drawn here.
import type { ArrayInfo, Triple } from '../protocol/types.ts';
import type { Rect } from './field_shader.ts';

export interface Cut { axis: 0 | 1 | 2; index: number }

/** The two axes in a cut, in their order. */
export function inPlane(axis: number): [number, number] {
  if (axis === 0) return [1, 2];
  return axis === 1 ? [0, 2] : [0, 1];
}

export function originOf(a: ArrayInfo): Triple {
  return a.origin ?? [0, 0, 0];
}
export function spacingOf(a: ArrayInfo): Triple {
  return a.spacing ?? [1, 1, 1];
}
export function cellsOf(a: ArrayInfo): Triple {
  return [a.shape[0] ?? 1, a.shape[1] ?? 1, a.shape[2] ?? 1];
}

/** Axes that have cuts: normals along which there are cells, and both axes of the cut have some. */
export function cutAxes(a: ArrayInfo): (0 | 1 | 2)[] {
  const n = cellsOf(a);
  const flat = ([2, 1, 0] as const).filter((axis) => n[axis] === 1);
  if (flat.length > 0) return flat.slice(0, 1);
  return [2, 1, 0];
}

export function isVolume(a: ArrayInfo): boolean {
  return cellsOf(a).every((n) => n > 1);
}

/** The rectangle of cells [i0, j0, i1, j1) of a cut. */
export function extentOf(a: ArrayInfo, axis: number, cells?: [number, number, number, number]): Rect {
  const [p, q] = inPlane(axis);
  const n = cellsOf(a);
  const o = originOf(a);
  const d = spacingOf(a);
  const [i0, j0, i1, j1] = cells ?? [0, 0, n[p] ?? 1, n[q] ?? 1];
  const at = (axis2: number, i: number): number => (o[axis2] ?? 0) + i * (d[axis2] ?? 1);
  return { x0: at(p, i0), y0: at(q, j0), x1: at(p, i1), y1: at(q, j1) };
}

/** Cells of a cut that a rectangle touches, at least one each way. */
export function cellsIn(a: ArrayInfo, axis: number, r: Rect): [number, number, number, number] {
  const [p, q] = inPlane(axis);
  const n = cellsOf(a);
  const o = originOf(a);
  const d = spacingOf(a);
  const low = (axis2: number, x: number): number =>
    Math.min((n[axis2] ?? 1) - 1, Math.max(0, Math.floor((x - (o[axis2] ?? 0)) / (d[axis2] ?? 1) + 1e-9)));
  const high = (axis2: number, x: number): number =>
    Math.min(n[axis2] ?? 1, Math.max(1, Math.ceil((x - (o[axis2] ?? 0)) / (d[axis2] ?? 1) - 1e-9)));
  const [i0, j0] = [low(p, r.x0), low(q, r.y0)];
  return [i0, j0, Math.max(i0 + 1, high(p, r.x1)), Math.max(j0 + 1, high(q, r.y1))];
}

export function width(r: Rect): number {
  return r.x1 - r.x0;
}
export function height(r: Rect): number {
  return r.y1 - r.y0;
}

/** The rectangle around r with the shape of w x h pixels. */
export function fitted(r: Rect, w: number, h: number): Rect {
  const scale = Math.max(width(r) / w, height(r) / h) || 1;
  const [cx, cy] = [(r.x0 + r.x1) / 2, (r.y0 + r.y1) / 2];
  return { x0: cx - (scale * w) / 2, x1: cx + (scale * w) / 2, y0: cy - (scale * h) / 2, y1: cy + (scale * h) / 2 };
}

/** A view zoomed by `factor` (2: things become twice as large) around a place that stays. */
export function zoomed(view: Rect, factor: number, x: number, y: number): Rect {
  return {
    x0: x - (x - view.x0) / factor, x1: x + (view.x1 - x) / factor,
    y0: y - (y - view.y0) / factor, y1: y + (view.y1 - y) / factor,
  };
}

export function moved(view: Rect, dx: number, dy: number): Rect {
  return { x0: view.x0 + dx, x1: view.x1 + dx, y0: view.y0 + dy, y1: view.y1 + dy };
}

/** Keeps the view over the model: never smaller than 4 cells, never larger than twice it, its middle inside. */
export function kept(view: Rect, whole: Rect, cell: number): Rect {
  const [cx, cy] = [(view.x0 + view.x1) / 2, (view.y0 + view.y1) / 2];
  const largest = 2 * Math.max(width(whole) / width(view), height(whole) / height(view));
  const smallest = (4 * cell) / Math.min(width(view), height(view));
  const factor = Math.min(Math.max(1, smallest), largest);
  const [hw, hh] = [(width(view) * factor) / 2, (height(view) * factor) / 2];
  const x = Math.min(whole.x1, Math.max(whole.x0, cx));
  const y = Math.min(whole.y1, Math.max(whole.y0, cy));
  return { x0: x - hw, x1: x + hw, y0: y - hh, y1: y + hh };
}
