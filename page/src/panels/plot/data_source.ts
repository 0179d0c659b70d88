// Columns of numbers as they come from the server: curves, series, points.
import { column, type Frame } from '../../protocol/frame.ts';
import type { Session, Subscription } from '../../protocol/session.ts';
import type { ArrayInfo, Request } from '../../protocol/types.ts';

export class ColumnSource {
  frame: Frame | null = null;
  private subscription: Subscription | null = null;

  constructor(private readonly session: Session, public array: ArrayInfo,
              private readonly onFrame: () => void, private readonly onError: (text: string) => void) {}

  ask(array: ArrayInfo, request: Request): void {
    if (this.subscription?.alive && array.id === this.array.id) {
      this.subscription.change(request);
      return;
    }
    this.subscription?.end();
    if (array.name !== this.array.name || array.case !== this.array.case) this.frame = null;
    this.array = array;
    this.subscription = this.session.subscribe(array.id, request, {
      onParts: (parts) => {
        this.frame = parts[0] ?? null;
        this.onFrame();
      },
      onText: () => undefined,
      onError: this.onError,
    });
  }
  get alive(): boolean {
    return this.subscription?.alive ?? false;
  }

  /** All columns; nothing before the first message. */
  columns(): Float64Array[] {
    const f = this.frame;
    return f ? Array.from({ length: f.shape[1] }, (_, c) => column(f, c)) : [];
  }

  end(): void {
    this.subscription?.end();
  }
}
