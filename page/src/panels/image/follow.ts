// A scale that follows the field: rises at once, falls by half in three quarters of a second, and is the frame's own where nothing comes any more.
import type { Frame } from '../../protocol/frame.ts';
import { bright } from './source.ts';

const HALF_LIFE = 750;
/** After so long without a frame a picture stands still. */
const STILL = 300;

export class FollowingScale {
  /** 0 while nothing but zeros was seen. */
  limit = 0;
  beyond = false;
  private own = 0;
  private step = -1;
  private time = 0;
  private timer = 0;

  /** `settled` is called when the scale has become that of a frame that stays. */
  constructor(private readonly settled: () => void) {}

  /** `now`: milliseconds of any clock. */
  take(frame: Frame, now: number): void {
    const b = bright(frame);
    // A frame of another step goes on; what was asked for anew has its own scale.
    const on = frame.sequence > 1 && frame.step !== this.step;
    this.own = b.size;
    this.limit = Math.max(b.size, on ? this.limit * 2 ** ((this.time - now) / HALF_LIFE) : 0);
    this.beyond = b.beyond;
    this.step = frame.step;
    this.time = now;
    window.clearTimeout(this.timer);
    if (this.limit > this.own) {
      this.timer = window.setTimeout(() => {
        this.limit = this.own;
        this.settled();
      }, STILL);
    }
  }

  end(): void {
    window.clearTimeout(this.timer);
  }
}
