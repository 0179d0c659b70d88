// Texts of a run: logs, notes, resolved cases.
import type { Subscription } from '../protocol/session.ts';
import type { ArrayInfo } from '../protocol/types.ts';
import { el } from '../ui/dom.ts';
import type { Host, View } from './view.ts';

export class TextView implements View {
  readonly element = el('pre', { class: 'words', tabIndex: 0 });
  readonly tools: Node[] = [];
  private subscription: Subscription | null = null;
  private array: ArrayInfo | null = null;

  constructor(private readonly host: Host, array: ArrayInfo) {
    this.show(array);
  }
  show(array: ArrayInfo): void {
    if (this.subscription?.alive && this.array?.id === array.id) return;
    this.subscription?.end();
    this.array = array;
    this.subscription = this.host.session.subscribe(array.id, {}, {
      onParts: () => undefined,
      onText: (text) => {
        const atEnd = this.element.scrollTop + this.element.clientHeight > this.element.scrollHeight - 20;
        this.element.textContent = text;
        if (atEnd && array.live) this.element.scrollTop = this.element.scrollHeight;
      },
      onError: (text) => {
        this.host.say(text);
      },
    });
  }
  redraw(): void {
    // Text follows the page's colours by itself.
  }
  destroy(): void {
    this.subscription?.end();
  }
}
