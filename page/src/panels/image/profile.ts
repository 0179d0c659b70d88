// A field along one axis: a curve of its values over a ground that shows the model, with marks as lines across.
import { drawAxes, placeX, placeY, type Box } from '../../draw/axes.ts';
import { cellsOf } from '../../draw/geometry.ts';
import type { Rect } from '../../draw/field_shader.ts';
import { seriesColour } from '../../draw/colours.ts';
import { pretty, titled } from '../../draw/numbers.ts';
import { column, type Frame } from '../../protocol/frame.ts';
import type { ArrayInfo } from '../../protocol/types.ts';
import { css } from '../../ui/dom.ts';

export interface Profile { frame: Frame; extent: Rect }

/** Whether an array has cells along x alone. */
export function isProfile(a: ArrayInfo): boolean {
  const [nx, ny, nz] = cellsOf(a);
  return a.kind === 'field' && nx > 1 && ny === 1 && nz === 1;
}

/** x of the view, values from low to high with a little room. */
export function profileView(view: Rect, low: number, high: number): Rect {
  const room = 0.06 * (high - low || 1);
  return { x0: view.x0, x1: view.x1, y0: low < 0 ? low - room : 0, y1: high + room };
}

/** Values at the middles of their cells, as places of the view. */
export function profilePoints({ frame, extent }: Profile): [number, number][] {
  const n = frame.shape[0];
  return Array.from(column(frame, 0), (v, i) => [extent.x0 + ((i + 0.5) / n) * (extent.x1 - extent.x0), v]);
}

/** Where the model is denser the ground is darker. */
export function drawGround(c: CanvasRenderingContext2D, box: Box, view: Rect, model: Profile): void {
  const { low, high } = model.frame;
  if (!(high > low)) return;
  const n = model.frame.shape[0];
  const step = (model.extent.x1 - model.extent.x0) / n;
  c.save();
  c.fillStyle = css('--soft');
  column(model.frame, 0).forEach((v, i) => {
    if (!Number.isFinite(v) || v <= low) return;
    c.globalAlpha = (0.28 * (v - low)) / (high - low);
    // Edges at whole pixels: what is drawn twice, or by halves, would be a stripe.
    const [x0, x1] = [i, i + 1].map((k) => Math.round(placeX(view, box, model.extent.x0 + k * step))) as [number, number];
    c.fillRect(x0, box.y, x1 - x0, box.h);
  });
  c.restore();
}

export function drawProfile(c: CanvasRenderingContext2D, box: Box, view: Rect, profile: Profile, array: ArrayInfo): void {
  c.save();
  c.beginPath();
  c.rect(box.x, box.y, box.w, box.h);
  c.clip();
  c.strokeStyle = css('--line');
  c.beginPath();
  c.moveTo(box.x, placeY(view, box, 0));
  c.lineTo(box.x + box.w, placeY(view, box, 0));
  c.stroke();
  c.beginPath();
  let pen = false;
  for (const [x, y] of profilePoints(profile)) {
    const drawn = Number.isFinite(y);
    if (drawn && pen) c.lineTo(placeX(view, box, x), placeY(view, box, y));
    else if (drawn) c.moveTo(placeX(view, box, x), placeY(view, box, y));
    pen = drawn;
  }
  c.strokeStyle = seriesColour(0);
  c.lineWidth = 1.6;
  c.stroke();
  c.restore();
  drawAxes(c, box, view, titled(array.axes?.[0] ?? 'x', array.length_unit ?? ''), titled(pretty(array.label || array.name), array.unit));
}
