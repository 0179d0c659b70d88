// Pixels of a picture model: its colours, the pixels under a stroke, rectangles that cover them.
import type { Picture, Triple } from '../../protocol/types.ts';

export interface Swatch { rgb: Triple; name: string }

/** Pixels (y * width + x) within half the brush of the line from a to b. */
export function strokePixels(a: [number, number], b: [number, number], brush: number, w: number, h: number): number[] {
  const out: number[] = [];
  const r = brush / 2;
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length2 = dx * dx + dy * dy;
  const [x0, x1] = [Math.max(0, Math.floor(Math.min(a[0], b[0]) - r)), Math.min(w - 1, Math.floor(Math.max(a[0], b[0]) + r))];
  const [y0, y1] = [Math.max(0, Math.floor(Math.min(a[1], b[1]) - r)), Math.min(h - 1, Math.floor(Math.max(a[1], b[1]) + r))];
  for (let y = y0; y <= y1; ++y) {
    for (let x = x0; x <= x1; ++x) {
      const [px, py] = [x + 0.5 - a[0], y + 0.5 - a[1]];
      const t = length2 > 0 ? Math.min(1, Math.max(0, (px * dx + py * dy) / length2)) : 0;
      if (Math.hypot(px - t * dx, py - t * dy) <= Math.max(r, 0.71)) out.push(y * w + x);
    }
  }
  return out;
}

/** Rectangles [x, y, width, height] that cover exactly these pixels: runs of rows, equal ones joined downwards. */
export function rectangles(pixels: Iterable<number>, w: number): [number, number, number, number][] {
  const sorted = [...pixels].sort((a, b) => a - b);
  const runs: [number, number, number, number][] = [];
  for (const p of sorted) {
    const [x, y] = [p % w, Math.floor(p / w)];
    const last = runs.at(-1);
    if (last?.[1] === y && last[0] + last[2] === x) last[2] += 1;
    else runs.push([x, y, 1, 1]);
  }
  const open = new Map<string, [number, number, number, number]>();
  const out: [number, number, number, number][] = [];
  for (const run of runs) {
    const key = `${run[0]} ${run[2]}`;
    const above = open.get(key);
    if (above && above[1] + above[3] === run[1]) {
      above[3] += 1;
      continue;
    }
    open.set(key, run);
    out.push(run);
  }
  return out;
}

/** The most frequent colours of RGBA bytes, at most n. */
export function frequent(rgba: Uint8ClampedArray, n: number): Triple[] {
  const counts = new Map<number, number>();
  for (let i = 0; i + 3 < rgba.length; i += 4) {
    const key = ((rgba[i] ?? 0) << 16) | ((rgba[i + 1] ?? 0) << 8) | (rgba[i + 2] ?? 0);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).slice(0, n).map(([k]) => [k >> 16, (k >> 8) & 255, k & 255]);
}

/** Colours to paint with: those that the server names, else the most frequent ones of the picture. */
export async function palette(picture: Picture): Promise<Swatch[]> {
  if (picture.colours?.length) return picture.colours;
  const address = new URL(picture.address, window.location.href);
  address.search = window.location.search;
  const answer = await fetch(address, { cache: 'no-store' });
  if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
  const bitmap = await createImageBitmap(await answer.blob(), { colorSpaceConversion: 'none' });
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
  const c = canvas.getContext('2d');
  if (!c) throw new Error('no canvas');
  c.drawImage(bitmap, 0, 0);
  const colours = frequent(c.getImageData(0, 0, canvas.width, canvas.height).data, 12);
  return colours.map((rgb) => ({ rgb, name: `rgb ${rgb.join(' ')}` }));
}
