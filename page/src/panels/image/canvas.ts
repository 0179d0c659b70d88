// One picture of a field: colours, lines, marks, axes and colour bar, composed on a canvas.
import { drawAxes, drawColourBar, FONT, placeX, placeY, type Box } from '../../draw/axes.ts';
import { brightGround, fieldPainter, type Look, type Rect } from '../../draw/field_shader.ts';
import type { Polyline } from '../../draw/outline.ts';
import { inPlane } from '../../draw/geometry.ts';
import { pretty, titled } from '../../draw/numbers.ts';
import type { ArrayInfo, Mark } from '../../protocol/types.ts';
import { css } from '../../ui/dom.ts';
import { drawMarks } from './marks.ts';
import { drawGround, drawProfile, isProfile, profileView } from './profile.ts';
import type { CutPicture } from './source.ts';

export interface ImageContent {
  array: ArrayInfo;
  axis: number;
  view: Rect;
  picture: CutPicture | null;
  look: Look;
  beyond: boolean;
  model: (CutPicture & { low: number; high: number }) | null;
  outline: Polyline[];
  lines: Polyline[];
  marks: Mark[];
  /** Above the box, on the left: when it was. */
  caption: string;
}

/**
 * The box of the field inside a canvas of w x h: it has the shape of the model (width / height = aspect), so that no
 * space is lost around it, unless it became narrower than a third of what there is.
 */
export function plotBox(w: number, h: number, aspect: number): Box {
  const [left, right, top, bottom] = [w < 420 ? 58 : 68, w < 420 ? 84 : 90, 28, 42]; // six digits of an axis and its name; the bar and "−5.97e-4"
  const [mw, mh] = [Math.max(8, w - left - right), Math.max(8, h - top - bottom)];
  const bw = Math.round(Math.min(mw, Math.max(mh * aspect, mw / 3)));
  const bh = Math.round(Math.min(mh, Math.max(mw / aspect, mh / 3)));
  return { x: left + Math.floor((mw - bw) / 2), y: top + Math.floor((mh - bh) / 2), w: bw, h: bh };
}

function strokeLines(c: CanvasRenderingContext2D, lines: Polyline[], view: Rect, box: Box, colour: string, wide: number): void {
  c.beginPath();
  for (const line of lines) {
    line.forEach(([x, y], i) => {
      const [px, py] = [placeX(view, box, x), placeY(view, box, y)];
      if (i === 0) c.moveTo(px, py);
      else c.lineTo(px, py);
    });
  }
  c.strokeStyle = colour;
  c.lineWidth = wide;
  c.stroke();
}

/** Dark above a bright map's middle, bright above a dark one's. */
export function lineColour(look: Look): string {
  return brightGround(look.map) ? 'rgb(20 24 28 / 0.75)' : 'rgb(235 240 245 / 0.8)';
}

function drawCaption(c: CanvasRenderingContext2D, box: Box, caption: string): void {
  c.font = FONT;
  c.fillStyle = css('--soft');
  c.textAlign = 'left';
  c.textBaseline = 'bottom';
  c.fillText(caption, box.x, box.y - 8);
}

/** What has cells along x alone: a picture of it would be one pixel high. */
function drawCurve(c: CanvasRenderingContext2D, box: Box, content: ImageContent): void {
  const { picture, model, look } = content;
  if (!picture) return;
  const view = profileView(content.view, look.low, look.high);
  if (model) drawGround(c, box, view, model);
  c.save();
  c.beginPath();
  c.rect(box.x, box.y, box.w, box.h);
  c.clip();
  // A mark stands at its x, across all values.
  const across = content.marks.map((m) => (m.center && m.size
    ? { ...m, center: [m.center[0], (view.y0 + view.y1) / 2, 0] as typeof m.center, size: [m.size[0], view.y1 - view.y0, 0] as typeof m.size } : m));
  drawMarks(c, across, content.array, 2, view, box, css('--soft'));
  c.restore();
  drawProfile(c, box, view, picture, content.array);
  drawCaption(c, box, content.caption);
}

export function drawImage(canvas: HTMLCanvasElement, w: number, h: number, ratio: number, box: Box, content: ImageContent): void {
  const c = canvas.getContext('2d');
  if (!c || w < 20 || h < 20) return;
  const [pw, ph] = [Math.round(w * ratio), Math.round(h * ratio)];
  if (canvas.width !== pw || canvas.height !== ph) [canvas.width, canvas.height] = [pw, ph];
  c.setTransform(1, 0, 0, 1, 0, 0);
  c.fillStyle = css('--panel');
  c.fillRect(0, 0, pw, ph);
  if (isProfile(content.array)) {
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawCurve(c, box, content);
    return;
  }
  if (content.picture) {
    const at = {
      x: Math.round(box.x * ratio), y: Math.round(box.y * ratio), w: Math.round(box.w * ratio), h: Math.round(box.h * ratio),
    };
    fieldPainter().draw(c, at, content.view, content.picture, content.look, content.model);
  }
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.save();
  c.beginPath();
  c.rect(box.x, box.y, box.w, box.h);
  c.clip();
  const ink = lineColour(content.look);
  strokeLines(c, content.outline, content.view, box, ink, 1);
  // Bright lines in a bright place, dark ones in a dark: an edge of the other kind shows them.
  strokeLines(c, content.lines, content.view, box, brightGround(content.look.map) ? 'rgb(235 240 245 / 0.4)' : 'rgb(20 24 28 / 0.4)', 2.4);
  strokeLines(c, content.lines, content.view, box, ink, 1);
  drawMarks(c, content.marks, content.array, content.axis, content.view, box, ink);
  c.restore();
  const [p, q] = inPlane(content.axis);
  const name = (a: number): string => titled(content.array.axes?.[a] ?? 'xyz'.charAt(a), content.array.length_unit ?? '');
  drawAxes(c, box, content.view, name(p), name(q));
  drawCaption(c, box, content.caption);
  const bar = { x: box.x + box.w + 12, y: box.y + 8, w: 10, h: box.h - 16 };
  drawColourBar(c, bar, content.look, titled(pretty(content.array.label || content.array.name), content.array.unit), content.beyond);
}
