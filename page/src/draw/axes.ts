// Axes, ticks and colour bars on a canvas of two dimensions.
import { ticks } from 'd3-array';
import { css } from '../ui/dom.ts';
import { valueOf, type Look, type Rect, type Stretch } from './field_shader.ts';
import { short, tickLabels } from './numbers.ts';

export interface Box { x: number; y: number; w: number; h: number }

export const FONT = '12px system-ui, "DejaVu Sans", sans-serif';

export function placeX(view: Rect, box: Box, x: number): number {
  return box.x + ((x - view.x0) / (view.x1 - view.x0)) * box.w;
}
export function placeY(view: Rect, box: Box, y: number): number {
  return box.y + box.h - ((y - view.y0) / (view.y1 - view.y0)) * box.h;
}

/** Ticks along x whose labels do not touch: of a narrow picture few. */
export function roomy(low: number, high: number, pixels: number, wide: (text: string) => number): number[] {
  for (let n = Math.max(4, Math.round(pixels / 80)); n > 1; --n) {
    const at = ticks(low, high, n);
    const gap = at.length > 1 ? (((at[1] ?? 0) - (at[0] ?? 0)) / (high - low || 1)) * pixels : Infinity;
    if (gap >= Math.max(0, ...tickLabels(at).map(wide)) + 8) return at;
  }
  return ticks(low, high, 1).slice(0, 1);
}

/** Frame, ticks, numbers and labels around a box. */
export function drawAxes(c: CanvasRenderingContext2D, box: Box, view: Rect, xLabel: string, yLabel: string): void {
  c.save();
  c.font = FONT;
  c.fillStyle = css('--soft');
  c.strokeStyle = css('--line');
  c.lineWidth = 1;
  c.strokeRect(box.x - 0.5, box.y - 0.5, box.w + 1, box.h + 1);
  const xs = roomy(view.x0, view.x1, box.w, (text) => c.measureText(text).width);
  const ys = ticks(view.y0, view.y1, Math.max(3, Math.round(box.h / 60)));
  c.beginPath();
  c.textAlign = 'center';
  c.textBaseline = 'top';
  const xTexts = tickLabels(xs);
  xs.forEach((x, i) => {
    const at = Math.round(placeX(view, box, x)) + 0.5;
    c.moveTo(at, box.y + box.h);
    c.lineTo(at, box.y + box.h + 4);
    const half = c.measureText(xTexts[i] ?? '').width / 2;
    if (at + half < box.x + box.w + 30) c.fillText(xTexts[i] ?? '', at, box.y + box.h + 6);
  });
  c.textAlign = 'right';
  c.textBaseline = 'middle';
  const yTexts = tickLabels(ys);
  ys.forEach((y, i) => {
    const at = Math.round(placeY(view, box, y)) + 0.5;
    c.moveTo(box.x, at);
    c.lineTo(box.x - 4, at);
    c.fillText(yTexts[i] ?? '', box.x - 6, at);
  });
  c.stroke();
  c.fillStyle = css('--text');
  c.textAlign = 'center';
  c.textBaseline = 'bottom';
  c.fillText(xLabel, box.x + box.w / 2, box.y + box.h + 36);
  const widest = Math.max(0, ...yTexts.map((t) => c.measureText(t).width));
  c.translate(Math.max(8, box.x - widest - 16), box.y + box.h / 2);
  c.rotate(-Math.PI / 2);
  c.textBaseline = 'middle';
  c.fillText(yLabel, 0, 0);
  c.restore();
}

/** What a colour bar says of its steps. */
export function stretchWords(stretch: Stretch): string {
  return { linear: '', root: ', square root', log: ', logarithmic' }[stretch];
}

/** A vertical bar with its numbers, even in colours, so that those of a bent scale are told apart; a diverging one marks zero. Triangles say that values lie beyond its ends. */
export function drawColourBar(c: CanvasRenderingContext2D, box: Box, look: Look, label: string, beyond: boolean): void {
  const largest = Math.max(Math.abs(look.low), Math.abs(look.high));
  c.save();
  for (let i = 0; i < box.h; ++i) {
    const [r, g, b] = look.map.at((box.h - 1 - i) / Math.max(1, box.h - 1));
    c.fillStyle = `rgb(${r} ${g} ${b})`;
    c.fillRect(box.x, box.y + i, box.w, 1.5);
  }
  c.strokeStyle = css('--line');
  c.strokeRect(box.x - 0.5, box.y - 0.5, box.w + 1, box.h + 1);
  c.font = FONT;
  c.fillStyle = css('--soft');
  c.textAlign = 'left';
  c.textBaseline = 'middle';
  for (const t of box.h > 90 ? [0, 0.5, 1] : [0, 1]) {
    const v = valueOf(t, look);
    const y = box.y + box.h - t * box.h;
    c.fillText(short(Math.abs(v) < 1e-12 * largest ? 0 : v), box.x + box.w + 5, Math.min(box.y + box.h - 5, Math.max(box.y + 6, y)));
  }
  if (beyond) triangle(c, box.x + box.w / 2, box.y - 2, box.w);
  c.fillStyle = css('--text');
  c.textBaseline = 'bottom';
  const edge = c.canvas.width / c.getTransform().a;
  const whole = label + stretchWords(look.stretch);
  // Where there is little room the words must not reach what is said above the picture.
  const words = c.measureText(whole).width <= edge - box.x + 30 ? whole : label + stretchWords(look.stretch).replace('arithmic', '');
  c.fillText(words, Math.max(2, Math.min(box.x, edge - c.measureText(words).width - 6)), box.y - 9);
  c.restore();
}

function triangle(c: CanvasRenderingContext2D, x: number, y: number, w: number): void {
  c.beginPath();
  c.moveTo(x - w / 2, y);
  c.lineTo(x + w / 2, y);
  c.lineTo(x, y - 7);
  c.closePath();
  c.fillStyle = css('--text');
  c.fill();
}
