// The largest values and where they are: a table with a row for each region, now and of all times so far.
import { show, titled, unit } from '../../draw/numbers.ts';
import type { ArrayInfo } from '../../protocol/types.ts';
import { el } from '../../ui/dom.ts';
import { ColumnSource } from '../plot/data_source.ts';
import type { Host, View } from '../view.ts';

export interface Peak { name: string; x: number; y: number; z: number; value: number }

/** Rows of an array of role `peaks`: three columns of places, then the value there. */
export function peaksOf(array: ArrayInfo, columns: ArrayLike<number>[]): Peak[] {
  const [x, y, z, value] = columns;
  if (!x || !y || !z || !value) return [];
  return Array.from(value, (v, i) => ({ name: array.rows?.[i] ?? `${i + 1}`, x: x[i] ?? NaN, y: y[i] ?? NaN, z: z[i] ?? NaN, value: v }));
}

export class PeaksView implements View {
  readonly element = el('div', { class: 'numbers', tabIndex: 0 });
  readonly tools: Node[] = [];
  private readonly source: ColumnSource;

  constructor(host: Host, private array: ArrayInfo) {
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
    const columns = this.source.columns();
    const names = this.array.columns ?? [];
    const head = (i: number): string => titled(names[i]?.name ?? '', names[i]?.unit ?? '');
    // A line may end between two numbers, not at the minus of an exponent.
    const place = (from: number, i: number): (Node | string)[] => [0, 1, 2].flatMap((a) => [
      el('span', { text: `${show(columns[from + a]?.[i])}${a < 2 ? ',' : ''}` }), ...(a < 2 ? [' '] : [])]);
    const so_far = columns.length >= 9;
    const length = names[0]?.unit ?? '';
    const cell = (value: number | undefined, ...where: (Node | string)[][]): HTMLElement => el('td', {},
      el('div', { class: 'value', text: show(value) }), ...where.map((words) => el('div', { class: 'at' }, ...words)));
    const rows = peaksOf(this.array, columns).map((p, i) => el('tr', {}, el('th', { text: p.name }), cell(p.value, place(0, i)),
      ...(so_far ? [cell(columns[4]?.[i], place(5, i), [el('span', { text: `t = ${show(columns[8]?.[i])} ${unit(names[8]?.unit ?? '')}` })])] : [])));
    const top = (text: string): HTMLElement => el('th', {}, el('div', { text }), el('div', { class: 'at', text: titled('at x, y, z', length) }));
    this.element.replaceChildren(el('table', { class: 'peaks' },
      el('thead', {}, el('tr', {}, el('th', { text: 'region' }), top(head(3)), ...(so_far ? [top(head(4))] : []))),
      el('tbody', {}, ...rows)));
    this.element.dataset.rows = String(rows.length);
  }

  redraw(): void {
    // A table follows the page's colours by itself.
  }
  destroy(): void {
    this.source.end();
  }
}
