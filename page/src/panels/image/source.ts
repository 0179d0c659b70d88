// A cut of a field as it comes from the server: its newest frame, the texture of it, its range.
import { Type, valueAt, type Frame } from '../../protocol/frame.ts';
import type { Session, Subscription } from '../../protocol/session.ts';
import type { ArrayInfo, Request } from '../../protocol/types.ts';
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

  constructor(private readonly session: Session, public array: ArrayInfo,
              private readonly onFrame: () => void, private readonly onError: (text: string) => void) {}

  get alive(): boolean {
    return this.subscription?.alive ?? false;
  }

  /** Asks for a cut, anew where the server has forgotten. */
  ask(request: Request): void {
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
    this.subscription?.end();
    this.subscription = null;
    this.array = array;
  }

  private take(frame: Frame): void {
    this.frame = frame;
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
    this.subscription = null;
    this.drop();
  }
}

/** Largest size of a value that 99.8 % of the frame does not exceed, and whether a few lie far beyond (then the scale ends there). */
export function bright(frame: Frame): { size: number; beyond: boolean } {
  const most = Math.max(Math.abs(frame.low), Math.abs(frame.high));
  if (frame.type === Type.u32 || !Number.isFinite(most) || most === 0) return { size: most, beyond: false };
  const n = frame.values.length;
  const step = Math.max(1, Math.floor(n / 8192)) | 1; // odd: no column of the raster is taken alone
  const sizes: number[] = [];
  for (let i = 0; i < n; i += step) {
    const v = Math.abs(valueAt(frame, i));
    if (Number.isFinite(v)) sizes.push(v);
  }
  sizes.sort((a, b) => a - b);
  const size = sizes[Math.floor(0.998 * (sizes.length - 1))] ?? most;
  return size > 0 && most > 3 * size ? { size, beyond: true } : { size: most, beyond: false };
}
