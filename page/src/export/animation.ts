// The animation so far: the frames that a picture has shown, kept by the page, and how they become a file.
import type { Frame } from '../protocol/frame.ts';
import { download } from './save.ts';

/** What the frames of one picture may take. */
const MOST_BYTES = 128 * 2 ** 20;
const MOST_FRAMES = 600;

/**
 * Frames of one cut as it goes on in time, spread evenly from its first to its newest: where they become too many, every second one goes, and from
 * then on half as many are kept. Another cut, or a time before the last, begins anew.
 */
export class History {
  frames: Frame[] = [];
  private stride = 1;
  private since = 0;
  private bytes = 0;

  constructor(private readonly mostBytes = MOST_BYTES, private readonly mostFrames = MOST_FRAMES) {}

  add(frame: Frame): void {
    const last = this.frames.at(-1);
    const same = last?.array === frame.array && last.axis === frame.axis && last.index === frame.index && frame.step >= last.step;
    if (!same) this.clear();
    else if (frame.step === last.step) {
      // The same moment asked for again, in another region say: the newer frame is what one looks at.
      this.bytes += frame.values.byteLength - last.values.byteLength;
      this.frames[this.frames.length - 1] = frame;
      return;
    } else if (++this.since < this.stride) return;
    this.since = 0;
    this.frames.push(frame);
    this.bytes += frame.values.byteLength;
    while (this.frames.length > 2 && (this.bytes > this.mostBytes || this.frames.length > this.mostFrames)) this.thin();
  }

  private thin(): void {
    this.frames = this.frames.filter((_, i) => i % 2 === 0);
    this.bytes = this.frames.reduce((sum, f) => sum + f.values.byteLength, 0);
    this.stride *= 2;
  }

  clear(): void {
    this.frames = [];
    this.stride = 1;
    this.since = 0;
    this.bytes = 0;
  }
}

/** Frames a second of an animation that is saved. */
const PACE = 25;

export function canRecord(): boolean {
  return typeof MediaRecorder !== 'undefined' && MediaRecorder.isTypeSupported('video/webm');
}

function recorderOf(stream: MediaStream, name: string): MediaRecorder {
  const recorder = new MediaRecorder(stream, { mimeType: 'video/webm', videoBitsPerSecond: 12e6 });
  const pieces: Blob[] = [];
  recorder.ondataavailable = (event) => {
    if (event.data.size > 0) pieces.push(event.data);
  };
  recorder.onstop = () => {
    download(new Blob(pieces, { type: 'video/webm' }), `${name}.webm`);
  };
  recorder.start(500);
  return recorder;
}

/** Records what the canvas shows until it is told to stop; then the file is saved. */
export function record(canvas: HTMLCanvasElement, name: string): () => void {
  const recorder = recorderOf(canvas.captureStream(30), name);
  return () => {
    if (recorder.state !== 'inactive') recorder.stop();
  };
}

/** Draws `count` pictures on the canvas, 25 a second, and saves them as one file; `told` hears how far it is. */
export async function saveAnimation(canvas: HTMLCanvasElement, count: number, draw: (i: number) => void, name: string,
                                    told: (done: number) => void): Promise<void> {
  const pause = (ms: number): Promise<void> => new Promise((resolve) => {
    window.setTimeout(resolve, ms);
  });
  draw(0);
  const recorder = recorderOf(canvas.captureStream(PACE), name);
  for (let i = 0; i < count; ++i) {
    draw(i);
    told(i + 1);
    await pause(1000 / PACE);
  }
  draw(count - 1); // a recorder may leave out the picture that nothing follows
  await pause(2000 / PACE);
  recorder.stop();
}
