// Lines of equal value: outlines of the model half-way between the values it takes, equipotentials of a field.
import { ticks, tickStep } from 'd3-array';
import { contours } from 'd3-contour';
import { column } from '../protocol/frame.ts';
import { valueAt, type Frame } from '../protocol/frame.ts';
import type { Rect } from './field_shader.ts';

/** Half-way levels between the few values that something takes; one in the middle where it takes many. */
export function halfWay(values: ArrayLike<number>): number[] {
  const seen: number[] = [];
  let [low, high] = [Infinity, -Infinity];
  for (const v of Array.from(values)) {
    if (!Number.isFinite(v)) continue;
    low = Math.min(low, v);
    high = Math.max(high, v);
    if (seen.length <= 64 && !seen.some((s) => Math.abs(s - v) <= 1e-3 * Math.max(Math.abs(s), Math.abs(v)))) seen.push(v);
  }
  if (!(high > low)) return [];
  const step = (high - low) / 64;
  const sorted = seen.sort((a, b) => a - b).filter((v, i) => i === 0 || v - (seen[i - 1] ?? 0) > step);
  if (sorted.length > 8 || sorted.length < 2) return [(low + high) / 2];
  return sorted.slice(1).map((v, i) => (v + (sorted[i] ?? v)) / 2);
}

/** About n levels at round values between low and high, ends left out, and their distance. */
export function roundLevels(low: number, high: number, n: number): { levels: number[]; step: number } {
  if (!(high > low)) return { levels: [], step: 0 };
  return { levels: ticks(low, high, n).filter((v) => v > low && v < high), step: tickStep(low, high, n) };
}

export interface Raster { values: Float64Array; w: number; h: number }

export function rasterOf(frame: Frame): Raster {
  return { values: frame.shape[2] === 1 && frame.shape[1] > 0 ? all(frame) : column(frame, 0), w: frame.shape[0], h: frame.shape[1] };
}

function all(frame: Frame): Float64Array {
  const n = frame.shape[0] * frame.shape[1];
  const out = new Float64Array(n);
  for (let i = 0; i < n; ++i) out[i] = valueAt(frame, i);
  return out;
}

export type Polyline = [number, number][];

/** Lines at the levels, in the coordinates of `extent`; pieces along the border of the raster are none. */
export function isolines(raster: Raster, levels: number[], extent: Rect): Polyline[] {
  const { w, h } = raster;
  if (w < 2 || h < 2 || levels.length === 0) return [];
  const lines: Polyline[] = [];
  const border = (p: number[]): boolean => p[0] === 0 || p[1] === 0 || p[0] === w || p[1] === h;
  const place = (p: number[]): [number, number] => [
    extent.x0 + ((p[0] ?? 0) / w) * (extent.x1 - extent.x0), extent.y0 + ((p[1] ?? 0) / h) * (extent.y1 - extent.y0),
  ];
  for (const shape of contours().size([w, h]).smooth(true).thresholds(levels)(Array.from(raster.values))) {
    for (const ring of shape.coordinates.flat()) {
      let line: Polyline = [];
      for (const p of ring) {
        if (border(p)) {
          if (line.length > 1) lines.push(line);
          line = [];
        } else line.push(place(p));
      }
      if (line.length > 1) lines.push(line);
    }
  }
  return lines;
}
