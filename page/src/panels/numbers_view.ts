// All single numbers of a case in one table: scalars of one row, newest values.
import type { ArrayInfo } from '../protocol/types.ts';
import { show, unit } from '../draw/numbers.ts';
import { el } from '../ui/dom.ts';
import { ColumnSource } from './plot/data_source.ts';
import type { Host, View } from './view.ts';

export function isNumber(a: ArrayInfo): boolean {
  return a.kind === 'scalar' && (a.shape[0] ?? 0) <= 1 && !a.live;
}

/** A long name may go on in the next line behind a slash or an underscore, not within a word. */
export function breakable(name: string): (Node | string)[] {
  return name.split(/(?<=[/_])/).flatMap((part, i) => (i === 0 ? [part] : [el('wbr'), part]));
}

export class NumbersView implements View {
  readonly element = el('div', { class: 'numbers', tabIndex: 0 });
  readonly tools: Node[] = [];
  private ids = '';
  private source: ColumnSource | null = null;

  constructor(private readonly host: Host) {
    this.show();
  }
  show(): void {
    const { session, caseId } = this.host;
    const arrays = session.catalogue.arrays.filter((a) => a.case === caseId && isNumber(a));
    const ids = `${session.catalogue.generation} ${arrays.map((a) => a.id).join(' ')}`;
    if (ids === this.ids && (this.source === null || this.source.alive)) return;
    this.ids = ids;
    this.source?.end();
    const body = el('tbody');
    this.element.replaceChildren(el('table', {}, body));
    const cells = arrays.map((a) => {
      const value = el('td', { text: '–' });
      body.append(el('tr', { title: a.text }, el('th', {}, ...breakable(a.label || a.name)), value, el('td', { text: unit(a.unit) })));
      return value;
    });
    this.fetch(arrays, cells, 0);
  }

  /** One after the other: a viewer has few subscriptions, and these numbers do not change. */
  private fetch(arrays: ArrayInfo[], cells: HTMLElement[], i: number): void {
    const [array, cell] = [arrays[i], cells[i]];
    this.source = null;
    if (!array || !cell) return;
    const source = new ColumnSource(this.host.session, array, () => {
      if (this.source !== source) return;
      cell.textContent = show(source.columns().at(-1)?.at(-1));
      source.end();
      this.fetch(arrays, cells, i + 1);
    }, () => {
      if (this.source !== source) return;
      source.end();
      this.fetch(arrays, cells, i + 1);
    });
    this.source = source;
    source.ask(array, {});
  }
  redraw(): void {
    // A table follows the page's colours by itself.
  }
  destroy(): void {
    this.source?.end();
    this.source = null;
  }
}
