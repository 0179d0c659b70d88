// Sources, monitors, layers, walls and electrodes above a picture: told apart by shape as well as by colour.
import { FONT, placeX, placeY, type Box } from '../../draw/axes.ts';
import type { Rect } from '../../draw/field_shader.ts';
import { cellsOf, inPlane, originOf, spacingOf } from '../../draw/geometry.ts';
import type { ArrayInfo, Mark } from '../../protocol/types.ts';

const COLOURS: Record<string, string> = {
  source: '#d55e00', monitor: '#0a84c4', layer: '#7f7f7f', wall: '#7f7f7f', electrode: '#009e73', polarization: '#009e73', axis: '#7f7f7f',
};
export function markColour(mark: Mark): string {
  return COLOURS[mark.role] ?? '#cc79a7';
}

function isDirection(mark: Mark): boolean {
  return mark.role === 'polarization' || mark.role === 'axis';
}

interface Drawn { x: number; y: number; w: number; h: number }

function boxOf(mark: Mark, axis: number, view: Rect, box: Box): Drawn | null {
  if (!mark.center || !mark.size) return null;
  const [p, q] = inPlane(axis);
  const [cx, cy, sx, sy] = [mark.center[p] ?? 0, mark.center[q] ?? 0, mark.size[p] ?? 0, mark.size[q] ?? 0];
  const [x0, x1] = [placeX(view, box, cx - sx / 2), placeX(view, box, cx + sx / 2)];
  const [y0, y1] = [placeY(view, box, cy + sy / 2), placeY(view, box, cy - sy / 2)];
  return { x: x0, y: y0, w: x1 - x0, h: y1 - y0 };
}

/** Absorbing layers are hatched where the cut at `at` along its normal passes through them: those before and behind it would cover all of it. */
export function onCut(mark: Mark, axis: number, at: number): boolean {
  if (mark.role !== 'layer' || !mark.center || !mark.size) return true;
  return Math.abs(at - (mark.center[axis] ?? 0)) <= (mark.size[axis] ?? 0) / 2 || mark.size[axis] === 0;
}

function hatch(c: CanvasRenderingContext2D, d: Drawn): void {
  c.save();
  c.beginPath();
  c.rect(d.x, d.y, d.w, d.h);
  c.clip();
  c.globalAlpha = 0.45;
  c.beginPath();
  for (let s = -d.h; s < d.w; s += 8) {
    c.moveTo(d.x + s, d.y + d.h);
    c.lineTo(d.x + s + d.h, d.y);
  }
  c.stroke();
  c.restore();
}

function arrow(c: CanvasRenderingContext2D, mark: Mark, axis: number, d: Drawn): void {
  const [p, q] = inPlane(axis);
  const [ax, ay] = [mark.arrow?.[p] ?? 0, -(mark.arrow?.[q] ?? 0)];
  const size = Math.hypot(ax, ay);
  if (size < 1e-6) return;
  const [ux, uy] = [ax / size, ay / size];
  const [x, y] = [d.x + d.w / 2, d.y + d.h / 2];
  const [tx, ty] = [x + 24 * ux, y + 24 * uy];
  c.beginPath();
  c.moveTo(x, y);
  c.lineTo(tx, ty);
  c.lineTo(tx - 7 * ux + 4 * uy, ty - 7 * uy - 4 * ux);
  c.moveTo(tx, ty);
  c.lineTo(tx - 7 * ux - 4 * uy, ty - 7 * uy + 4 * ux);
  c.stroke();
}

function label(c: CanvasRenderingContext2D, text: string, d: Drawn, box: Box): void {
  c.font = FONT;
  c.textBaseline = 'bottom';
  c.textAlign = 'left';
  const wide = c.measureText(text).width;
  const x = Math.min(box.x + box.w - wide - 4, Math.max(box.x + 4, d.x + d.w + 4));
  const y = Math.min(box.y + box.h - 4, Math.max(box.y + 16, d.y + d.h / 2 + 6));
  c.setLineDash([]);
  c.lineWidth = 3;
  const ink = c.strokeStyle;
  c.strokeStyle = 'rgb(255 255 255 / 0.8)';
  c.strokeText(text, x, y);
  c.fillText(text, x, y);
  c.strokeStyle = ink;
}

function drawCells(c: CanvasRenderingContext2D, mark: Mark, array: ArrayInfo, axis: number, view: Rect, box: Box): void {
  const [p, q] = inPlane(axis);
  const raster = mark.raster ?? cellsOf(array);
  const [n, o, d] = [cellsOf(array), originOf(array), spacingOf(array)];
  const step = (a: number): number => ((n[a] ?? 1) * (d[a] ?? 1)) / (raster[a] ?? 1);
  for (const cell of mark.cells ?? []) {
    const [x, y] = [(o[p] ?? 0) + (cell[p] ?? 0) * step(p), (o[q] ?? 0) + (cell[q] ?? 0) * step(q)];
    const [x0, x1] = [placeX(view, box, x), placeX(view, box, x + step(p))];
    const [y0, y1] = [placeY(view, box, y + step(q)), placeY(view, box, y)];
    c.globalAlpha = 0.8;
    c.fillRect(x0, y0, Math.max(1, x1 - x0), Math.max(1, y1 - y0));
    c.globalAlpha = 1;
  }
}

/** Directions without a place of their own: on a cut the arrow alone, with its name at the tip; those across it, and axes, are seen in three dimensions. */
function drawDirection(c: CanvasRenderingContext2D, mark: Mark, axis: number, d: Drawn, box: Box): void {
  const [p, q] = inPlane(axis);
  const [ax, ay] = [mark.arrow?.[p] ?? 0, mark.arrow?.[q] ?? 0];
  const size = Math.hypot(ax, ay);
  const seen = d.x >= box.x && d.x <= box.x + box.w && d.y >= box.y && d.y <= box.y + box.h;
  if (mark.role === 'axis' || size < 1e-6 || !seen) return;
  arrow(c, mark, axis, d);
  label(c, mark.name, { ...d, x: d.x + (30 * ax) / size, y: d.y - (30 * ay) / size }, box);
}

export function drawMarks(c: CanvasRenderingContext2D, marks: Mark[], array: ArrayInfo, axis: number, view: Rect, box: Box, ink: string): void {
  for (const mark of marks) {
    c.save();
    c.strokeStyle = mark.role === 'layer' ? ink : markColour(mark);
    c.fillStyle = markColour(mark);
    c.lineWidth = mark.role === 'layer' ? 1 : 2;
    if (mark.cells) drawCells(c, mark, array, axis, view, box);
    const d = boxOf(mark, axis, view, box);
    if (d && isDirection(mark)) drawDirection(c, mark, axis, d, box);
    else if (d) {
      if (mark.role === 'layer') hatch(c, d);
      c.setLineDash(mark.dashed || mark.role === 'monitor' ? [5, 4] : []);
      if (d.w < 3 && d.h < 3) {
        c.beginPath();
        c.arc(d.x, d.y, 4, 0, 2 * Math.PI);
        if (mark.role === 'source') c.fill();
        c.stroke();
      } else if (mark.role !== 'layer') c.strokeRect(d.x, d.y, d.w, d.h);
      c.setLineDash([]);
      arrow(c, mark, axis, d);
      if (mark.role !== 'layer' && mark.role !== 'wall' && box.w > 380) label(c, mark.name, d, box);
    }
    c.restore();
  }
}

/** Marks within a few pixels of the pointer, as words. */
export function marksAt(marks: Mark[], axis: number, view: Rect, box: Box, x: number, y: number): string {
  const near = marks.filter((m) => {
    const d = boxOf(m, axis, view, box);
    if (!d || m.role === 'layer' || isDirection(m)) return false;
    const inside = x >= d.x - 5 && x <= d.x + d.w + 5 && y >= d.y - 5 && y <= d.y + d.h + 5;
    const deep = x > d.x + 5 && x < d.x + d.w - 5 && y > d.y + 5 && y < d.y + d.h - 5;
    return inside && !deep;
  });
  return near.map((m) => `${m.role} ${m.name}${m.text ? `: ${m.text}` : ''}`).join(' · ');
}
