// A pattern around a circle: zero degrees to the right, the radius linear or logarithmic.
import { ticks } from 'd3-array';
import { show } from '../../draw/numbers.ts';
import { css } from '../../ui/dom.ts';
import { logRange } from './columns.ts';

export interface Spoke { y: Float64Array; colour: string }

/** Radius (0 to 1) of a value, and the rings that are labelled. */
export function radial(values: Float64Array[], log: boolean): { radius: (v: number) => number; rings: number[] } {
  let [low, high] = [Infinity, 0];
  for (const ys of values) {
    for (const v of ys) {
      const size = Math.abs(v);
      if (!Number.isFinite(size) || size === 0) continue;
      low = Math.min(low, size);
      high = Math.max(high, size);
    }
  }
  if (high === 0) return { radius: () => 0, rings: [] };
  if (!log) return { radius: (v) => Math.abs(v) / high, rings: ticks(0, high, 4).filter((t) => t > 0) };
  const [down, up] = logRange(Math.max(low, high * 1e-6), high);
  const decades = Math.log10(up / down);
  const rings = Array.from({ length: Math.round(decades) }, (_, i) => down * 10 ** (i + 1));
  const every = Math.ceil(rings.length / 5);
  return {
    radius: (v) => Math.max(0, Math.log10(Math.max(Math.abs(v), 1e-300) / down) / decades),
    rings: rings.filter((_, i) => (rings.length - 1 - i) % every === 0),
  };
}

export function drawPolar(canvas: HTMLCanvasElement, w: number, h: number, angles: Float64Array, spokes: Spoke[], log: boolean, radians: boolean): void {
  const ratio = window.devicePixelRatio || 1;
  [canvas.width, canvas.height] = [Math.round(w * ratio), Math.round(h * ratio)];
  const c = canvas.getContext('2d');
  if (!c) return;
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.fillStyle = css('--panel');
  c.fillRect(0, 0, w, h);
  const [cx, cy, r] = [w / 2, h / 2, Math.max(10, Math.min(w, h) / 2 - 26)];
  const { radius, rings } = radial(spokes.map((s) => s.y), log);
  c.strokeStyle = css('--grid');
  c.fillStyle = css('--soft');
  c.font = '12px system-ui, sans-serif';
  c.textBaseline = 'middle';
  for (let d = 0; d < 360; d += 30) {
    const a = (d * Math.PI) / 180;
    c.beginPath();
    c.moveTo(cx, cy);
    c.lineTo(cx + r * Math.cos(a), cy - r * Math.sin(a));
    c.stroke();
    c.textAlign = 'center';
    if (d % 60 === 0 || r > 120) c.fillText(`${d}°`, cx + (r + 15) * Math.cos(a), cy - (r + 13) * Math.sin(a));
  }
  for (const ring of rings) {
    c.beginPath();
    c.arc(cx, cy, r * radius(ring), 0, 2 * Math.PI);
    c.stroke();
  }
  for (const { y, colour } of spokes) {
    c.beginPath();
    angles.forEach((angle, i) => {
      const a = radians ? angle : (angle * Math.PI) / 180;
      const at = r * radius(y[i] ?? 0);
      if (i === 0) c.moveTo(cx + at * Math.cos(a), cy - at * Math.sin(a));
      else c.lineTo(cx + at * Math.cos(a), cy - at * Math.sin(a));
    });
    c.strokeStyle = colour;
    c.lineWidth = 1.6;
    c.stroke();
  }
  c.textAlign = 'left';
  for (const ring of rings) {
    const at = r * radius(ring) * Math.SQRT1_2;
    c.lineWidth = 3;
    c.strokeStyle = css('--panel');
    c.strokeText(show(ring), cx + at + 3, cy - at);
    c.fillText(show(ring), cx + at + 3, cy - at);
  }
}
