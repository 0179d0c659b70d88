// The animation so far of a picture: its frames with one scale for all, that which is fixed or the largest that was.
import { ends, type Frame } from '../../protocol/frame.ts';
import type { Animation } from '../view.ts';
import { bright } from './source.ts';

export interface Scale { limit: number; low: number; high: number; beyond: boolean }

/** Frames that the scale is found from: evenly spread, enough to meet the crests of a wave. */
const LOOKED_AT = 100;

export function scaleOf(frames: Frame[]): Scale {
  const some = frames.filter((_, i) => i % Math.ceil(frames.length / LOOKED_AT) === 0);
  const seen = some.map(bright);
  return {
    limit: Math.max(...seen.map((b) => b.size)) || 1, low: Math.min(...some.map((f) => ends(f).low)), high: Math.max(...some.map((f) => ends(f).high)),
    beyond: seen.some((b) => b.beyond),
  };
}

/** `fixed`: the end of a scale that does not follow the field. */
export function filmOf(frames: Frame[], fixed: number | null, draw: (canvas: HTMLCanvasElement, frame: Frame, scale: Scale) => void): Animation | null {
  if (frames.length < 2) return null;
  const scale = scaleOf(frames);
  if (fixed !== null) scale.limit = fixed;
  return {
    count: frames.length,
    draw: (canvas, i) => {
      const frame = frames[i];
      if (frame) draw(canvas, frame, scale);
    },
  };
}
