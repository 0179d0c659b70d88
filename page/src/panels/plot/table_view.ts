// The rows of many cases as numbers: parameters, responses, other results, counts.
import { show, titled } from '../../draw/numbers.ts';
import type { ArrayInfo } from '../../protocol/types.ts';
import { el } from '../../ui/dom.ts';
import type { Host, View } from '../view.ts';
import { tableOrder } from './batch.ts';
import { ColumnSource } from './data_source.ts';

/** More rows are in the file. */
const MOST = 1000;

export class TableView implements View {
  readonly element = el('div', { class: 'numbers', tabIndex: 0 });
  readonly tools: Node[] = [];
  private readonly source: ColumnSource;

  constructor(private readonly host: Host, private array: ArrayInfo) {
    this.source = new ColumnSource(host.session, array, () => {
      this.fill();
    }, (text) => {
      host.say(text);
    });
    this.show(array);
  }

  show(array: ArrayInfo): void {
    this.array = array;
    if (!this.source.alive || array.id !== this.source.array.id) this.source.ask(array, { encoding: 'f64' });
  }

  private fill(): void {
    const values = this.source.columns();
    const columns = this.array.columns ?? [];
    const order = tableOrder(columns, values);
    const count = values[0]?.length ?? 0;
    const rows = Array.from({ length: Math.min(count, MOST) }, (_, r) =>
      el('tr', {}, ...order.map((i) => el('td', { text: show(values[i]?.[r]) }))));
    this.element.replaceChildren(el('table', { class: 'cells' },
      el('thead', {}, el('tr', {}, ...order.map((i) => el('th', { text: titled(columns[i]?.name ?? '', columns[i]?.unit ?? '') })))),
      el('tbody', {}, ...rows)));
    this.element.dataset.rows = String(count);
    if (count > MOST) this.host.say(`the first ${MOST} of ${count} rows; all are in the file`);
  }

  redraw(): void {
    // A table follows the page's colours by itself.
  }
  destroy(): void {
    this.source.end();
  }
}
