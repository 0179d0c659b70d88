// A cut of a field as it comes from the server: its newest frame, the texture of it, its range.
import { ends, Type, valueAt, type Frame } from '../../protocol/frame.ts';
import type { Session, Subscription } from '../../protocol/session.ts';
import type { ArrayInfo, Request, Spread } from '../../protocol/types.ts';
import type { Picture, Rect } from '../../draw/field_shader.ts';
import { extentOf, inPlane } from '../../draw/geometry.ts';
import { fieldTexture, halves } from '../../draw/gpu.ts';

/** Where the cells of a frame lie on its cut. */
export function placeOf(array: ArrayInfo, frame: Frame): Rect {
  const [p, q] = inPlane(frame.axis);
  const r = frame.region;
  return extentOf(array, frame.axis, [r[p] ?? 0, r[q] ?? 0, r[p + 3] ?? 1, r[q + 3] ?? 1]);
}

/** A picture and the numbers that it shows. */
export interface CutPicture extends Picture { frame: Frame }

/** A frame on the GPU; its texture is the caller's to dispose of. */
export function pictureOf(array: ArrayInfo, frame: Frame, smooth: boolean): CutPicture {
  const half = halves(frame);
  return { texture: fieldTexture(half.data, frame.shape[0], frame.shape[1], smooth), factor: half.factor, extent: placeOf(array, frame), frame };
}

export class CutSource {
  frame: Frame | null = null;
  extent: Rect = { x0: 0, y0: 0, x1: 1, y1: 1 };
  private shown: CutPicture | null = null;
  private smooth = false;
  private subscription: Subscription | null = null;
  private request: Request = {};
  /** Where the server does not know the cells (a run that goes on, a mesh): the same cut with values of a fixed number. */
  private coarse: Subscription | null = null;
  private spread: Spread | null = null;

  /** `coloured`: a scale of colours is made from it. */
  constructor(private readonly session: Session, public array: ArrayInfo,
              private readonly onFrame: () => void, private readonly onError: (text: string) => void, private readonly coloured = true) {}

  get alive(): boolean {
    return this.subscription?.alive ?? false;
  }

  /** Asks for a cut, anew where the server has forgotten. */
  ask(request: Request): void {
    this.request = request;
    this.spread = null;
    if (this.coarse?.alive) this.coarse.change(this.coarseRequest());
    if (this.subscription?.alive) {
      this.subscription.change(request);
      return;
    }
    this.subscription = this.session.subscribe(this.array.id, request, {
      onParts: (parts) => {
        const frame = parts[0];
        if (frame) this.take(frame);
      },
      onText: () => undefined,
      onError: this.onError,
    });
  }

  /** Another array in the same place. */
  turnTo(array: ArrayInfo): void {
    this.end();
    this.array = array;
  }

  private coarseRequest(): Request {
    return { ...this.request, pixels: [SCALE_ACROSS, SCALE_ACROSS] };
  }
  private askCoarse(): void {
    if (this.coarse?.alive) return;
    this.coarse = this.session.subscribe(this.array.id, this.coarseRequest(), {
      onParts: (parts) => {
        const [coarse, frame] = [parts[0], this.frame];
        if (!coarse) return;
        this.spread = spreadOf(coarse);
        if (!frame || (frame.spread && frame.step !== coarse.step)) return;
        frame.spread = this.spread;
        this.onFrame();
      },
      onText: () => undefined,
      onError: () => undefined, // told of the cut itself
    });
  }

  private take(frame: Frame): void {
    this.frame = frame;
    if (frame.spread) {
      this.coarse?.end();
      this.coarse = null;
    } else if (this.coloured && isReduced(frame)) {
      if (this.spread) frame.spread = this.spread;
      this.askCoarse();
    }
    this.extent = placeOf(this.array, frame);
    this.drop();
    this.onFrame();
  }

  /** The newest frame on the GPU. */
  picture(smooth: boolean): CutPicture | null {
    const frame = this.frame;
    if (!frame) return null;
    if (!this.shown || this.smooth !== smooth) {
      this.drop();
      this.smooth = smooth;
      this.shown = pictureOf(this.array, frame, smooth);
    }
    return this.shown;
  }
  /** No frame any more: what comes next is of another array. */
  forget(canvas: HTMLCanvasElement): void {
    for (const key of ['step', 'low', 'high']) Reflect.deleteProperty(canvas.dataset, key);
    this.frame = null;
    this.drop();
  }
  private drop(): void {
    this.shown?.texture.dispose();
    this.shown = null;
  }

  /** Value at a place of the plane, NaN outside of the frame. */
  at(x: number, y: number): number {
    const f = this.frame;
    if (!f) return NaN;
    const [w, h] = f.shape;
    const i = Math.floor(((x - this.extent.x0) / (this.extent.x1 - this.extent.x0)) * w);
    const j = Math.floor(((y - this.extent.y0) / (this.extent.y1 - this.extent.y0)) * h);
    return i < 0 || j < 0 || i >= w || j >= h ? NaN : valueAt(f, j * w + i);
  }

  end(): void {
    this.subscription?.end();
    this.coarse?.end();
    this.subscription = this.coarse = null;
    this.spread = null;
    this.drop();
  }
}

/** Cells across a request for a scale: the same whatever the window. */
const SCALE_ACROSS = 256;

/** Whether some values stand for several cells each. */
export function isReduced(frame: Frame): boolean {
  const [x0, y0, z0, x1, y1, z1] = frame.region;
  return frame.shape[0] * frame.shape[1] * frame.shape[2] < (x1 - x0) * (y1 - y0) * (z1 - z0);
}

/** The spread of the values themselves: all of them, or about 8192 evenly spread ones for what needs an order. */
export function spreadOf(frame: Frame): Spread {
  const n = frame.values.length;
  const step = Math.max(1, Math.floor(n / 8192)) | 1; // odd: no column of the raster is taken alone
  const sizes: number[] = [];
  for (let i = 0; i < n; i += step) {
    const v = Math.abs(valueAt(frame, i));
    if (Number.isFinite(v)) sizes.push(v);
  }
  sizes.sort((a, b) => a - b);
  const { low, high } = frame;
  const at = (share: number): number => sizes[Math.floor(share * (sizes.length - 1))] ?? Math.max(Math.abs(low), Math.abs(high));
  return { low, high, median: at(0.5), bright: at(0.998) };
}

/** Largest size of a value that 99.8 % of the cells do not exceed, and whether a few lie far beyond (then the scale ends there). */
export function bright(frame: Frame): { size: number; beyond: boolean } {
  const { low, high } = ends(frame);
  const most = Math.max(Math.abs(low), Math.abs(high));
  if (frame.type === Type.u32 || !Number.isFinite(most) || most === 0) return { size: most, beyond: false };
  const size = (frame.spread ?? spreadOf(frame)).bright;
  return size > 0 && most > 3 * size ? { size, beyond: true } : { size: most, beyond: false };
}
