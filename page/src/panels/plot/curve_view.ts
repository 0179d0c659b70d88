// Curves over a common abscissa, drawn by uPlot; patterns over an angle also around a circle; many cases over one of their parameters.
import type uPlot from 'uplot';
import { exact } from '../../draw/numbers.ts';
import type { ArrayInfo, Column } from '../../protocol/types.ts';
import { css, el, popover, iconButton, check, select, setting } from '../../ui/dom.ts';
import { watchSize, type Host, type View } from '../view.ts';
import { axisGroups, type AxisGroup } from './axis_groups.ts';
import { abscissas, arranged, isBatch, isInput, tableOrder } from './batch.ts';
import { ColumnSource } from './data_source.ts';
import { drawPolar } from './polar.ts';
import { firstShown, isAngle, leftOut, logFloor, placesOf, seriesLooks, type SeriesLook } from './columns.ts';
import { PlotStack } from './stack.ts';

export class CurveView implements View {
  readonly element = el('div', { class: 'plot' });
  readonly tools: Node[];
  private readonly area = el('div', { class: 'canvas' });
  private readonly legend = el('div', { class: 'legend' });
  private readonly hint = el('p', { class: 'hint', hidden: true });
  private readonly abscissa = el('span');
  private readonly source: ColumnSource;
  private readonly stop: () => void;
  private stack: PlotStack | null = null;
  private data: uPlot.AlignedData = [[]];
  private polarCanvas: HTMLCanvasElement | null = null;
  private hidden = new Set<string>();
  private log: boolean;
  private polar: boolean;
  private scaled = false;
  private size = { w: 0, h: 0 };
  private shape = '';

  /** `over`: the column that many cases are drawn over, where it is not the first. */
  constructor(private readonly host: Host, private array: ArrayInfo, private over = '') {
    this.log = array.log ?? false;
    this.polar = this.angular && array.role === 'pattern';
    this.source = new ColumnSource(host.session, array, () => {
      this.redraw();
    }, (text) => {
      host.say(text);
    });
    const gear = iconButton('settings', 'axes and columns', () => undefined);
    this.tools = [this.abscissa, popover(gear, () => this.sheet())];
    this.element.append(this.area, this.hint, this.legend);
    this.stop = watchSize(this.area, (w, h) => {
      this.size = { w, h };
      this.shape = '';
      this.redraw();
    });
    this.fillAbscissa([]);
    this.hideMost();
    this.ask();
  }

  /** All columns, the abscissa first. */
  private get columns(): Column[] {
    const all = this.array.columns ?? [];
    return isBatch(this.array) ? arranged(all, [], this.over).columns : all;
  }
  private get angular(): boolean {
    return isAngle(this.array.columns?.[0]);
  }
  private get names(): string[] {
    return this.columns.map((c) => c.name);
  }
  private get places(): string[] {
    return placesOf(this.columns);
  }
  private get looks(): SeriesLook[] {
    return seriesLooks(this.names.slice(1), [...this.places, ...this.columns.filter(isInput).map((c) => c.name)]);
  }
  private hideMost(): void {
    const shown = firstShown(this.columns);
    this.hidden = new Set((this.array.columns ?? []).map((c) => c.name).filter((n) => !shown.includes(n)));
  }
  /** Rows that have no order cannot be thinned by the server. */
  private ask(): void {
    this.source.ask(this.array, isBatch(this.array) ? { encoding: 'f64' } : { pixels: [1200, 1] });
  }

  /** What many cases may be drawn over. */
  private fillAbscissa(values: Float64Array[]): void {
    const columns = this.array.columns ?? [];
    const names = isBatch(this.array) ? abscissas(columns, values) : [];
    const first = columns[0]?.name ?? '';
    if (isBatch(this.array) && this.over !== first && !names.includes(this.over)) this.over = names[0] ?? first;
    const listed = [...new Set([...names, first])];
    const key = JSON.stringify([listed, this.over]);
    if (this.abscissa.dataset.listed === key) return;
    this.abscissa.dataset.listed = key;
    this.abscissa.hidden = names.length === 0 || listed.length < 2;
    this.abscissa.replaceChildren(select('drawn over', listed.map((n) => ({ value: n, text: `over ${n}` })), this.over, (name) => {
      this.over = name;
      this.redraw();
    }));
  }

  private sheet(): Node[] {
    const again = (): void => {
      this.shape = '';
      this.redraw();
    };
    const out: Node[] = [setting('Axis', check('logarithmic', this.log, (on) => { this.log = on; again(); }))];
    if (this.angular) out.push(setting('', check('around a circle', this.polar, (on) => { this.polar = on; again(); })));
    return out;
  }

  /** Parameters stay out of the legend of many cases: they are what is drawn over. Of two axes each chip says which is its own. */
  private fillLegend(groups: AxisGroup[]): void {
    const [places, looks, columns] = [this.places, this.looks, this.columns];
    const order = isBatch(this.array) ? tableOrder(columns, []) : columns.map((_, i) => i);
    this.legend.replaceChildren(...order.flatMap((at) => {
      const [c, i] = [columns[at], at - 1];
      if (!c || at === 0 || places.includes(c.name) || isInput(c)) return [];
      const b = el('button', { type: 'button', class: 'chip', text: c.name, pressed: !this.hidden.has(c.name), title: `show or hide ${c.name}` });
      b.style.setProperty('--chip', looks[i]?.colour ?? '');
      const side = groups.findIndex((g) => g.at.includes(i + 1));
      if (groups.length === 2 && side >= 0 && !this.polarCanvas) b.dataset.side = side === 0 ? 'left' : 'right';
      b.addEventListener('click', () => {
        if (!this.hidden.delete(c.name)) this.hidden.add(c.name);
        this.shape = '';
        this.redraw();
      });
      return [b];
    }));
  }

  redraw(): void {
    const all = this.source.columns();
    if (all.length < 2) this.clear();
    if (all.length < 2 || this.size.w < 40 || this.size.h < 40) return;
    if (isBatch(this.array)) this.fillAbscissa(all);
    const { columns, values, line } = isBatch(this.array) ? arranged(this.array.columns ?? [], all, this.over)
      : { columns: this.array.columns ?? [], values: all, line: true };
    this.chooseScale(values);
    const shown = columns.map((_, i) => i).filter((i) => i > 0 && !this.hidden.has(columns[i]?.name ?? ''));
    const groups = axisGroups(columns, values, shown, this.log);
    this.data = this.cleaned(values, groups);
    const key = JSON.stringify([this.names, groups, line, this.log, this.polar, css('--text')]);
    if (key !== this.shape) {
      this.shape = key;
      this.rebuild(groups, line);
      this.fillLegend(groups);
    }
    this.element.dataset.rows = String(values[0]?.length ?? 0);
    this.element.dataset.axes = String(groups.length);
    this.area.classList.toggle('empty', values[0]?.length === 0);
    if (this.polarCanvas) this.drawCircle(values);
    else this.stack?.setData(this.data);
  }

  /** Of a pattern over many decades a linear radius shows one needle. */
  private chooseScale(columns: Float64Array[]): void {
    if (this.scaled || !this.polar || (columns[0]?.length ?? 0) < 3) return;
    this.scaled = true;
    const values = columns.filter((_, i) => i > 0 && !this.hidden.has(this.names[i] ?? '')).flatMap((y) => Array.from(y)).filter(Number.isFinite);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    if (low > 0 && high > 100 * low) this.log = true;
  }

  /** A logarithmic axis has no place for what is not positive, nor for what is but rounding beside the largest on it. */
  private cleaned(columns: Float64Array[], groups: AxisGroup[]): uPlot.AlignedData {
    const [x, ...ys] = columns;
    const seen = groups.map((g) => ({ at: g.at, ...logFloor(g.at.map((i) => columns[i] ?? [])) }));
    const sum = (of: 'negative' | 'small'): number => seen.reduce((n, s) => n + s[of], 0);
    this.hint.textContent = this.log ? leftOut({ negative: sum('negative'), small: sum('small') }) : '';
    this.hint.hidden = this.hint.textContent === '';
    return [Array.from(x ?? []), ...ys.map((y, i) => {
      const floor = this.log ? seen.find((s) => s.at.includes(i + 1))?.floor ?? -Infinity : -Infinity;
      return Array.from(y, (v) => (Number.isFinite(v) && v >= floor ? v : null));
    })];
  }

  private rebuild(groups: AxisGroup[], line: boolean): void {
    this.empty();
    if (this.polar && this.angular) {
      this.polarCanvas = el('canvas', { class: 'polar', role: 'img', label: `${this.array.label} over the angle` });
      this.area.append(this.polarCanvas);
      return;
    }
    this.stack = new PlotStack(this.area, {
      columns: this.columns, looks: this.looks, groups, label: this.array.label, log: this.log, scattered: !line,
      dotted: isBatch(this.array) && this.data[0].length <= 100,
    }, this.size, this.data, (row) => {
      this.tell(row);
    });
    this.area.classList.toggle('stacked', this.stack.count > 1);
  }
  private empty(): void {
    this.stack?.destroy();
    this.stack = null;
    this.polarCanvas?.remove();
    this.polarCanvas = null;
    this.area.classList.remove('stacked');
  }

  private drawCircle(columns: Float64Array[]): void {
    const canvas = this.polarCanvas;
    if (!canvas) return;
    const looks = this.looks;
    const ys = columns.slice(1).map((y, i) => ({ y, colour: looks[i]?.colour ?? '', name: this.names[i + 1] ?? '' }));
    drawPolar(canvas, this.size.w, this.size.h, columns[0] ?? new Float64Array(), ys.filter((s) => !this.hidden.has(s.name)),
      this.log, this.array.columns?.[0]?.unit === 'rad');
  }

  private tell(row: number | null | undefined): void {
    if (row === null || row === undefined) {
      this.host.say('');
      return;
    }
    const words = this.columns.flatMap((c, k) => (k === 0 || !this.hidden.has(c.name) ? [`${c.name} ${exact(this.data[k]?.[row])}`] : []));
    this.host.say(words.slice(0, 6).join(' · '));
  }

  show(array: ArrayInfo): void {
    const other = array.name !== this.array.name;
    this.array = array;
    if (other) {
      this.log = array.log ?? false;
      this.polar = this.angular && array.role === 'pattern';
      this.scaled = false;
      this.fillAbscissa([]);
      this.hideMost();
    }
    if (other || !this.source.alive || array.id !== this.source.array.id) this.ask();
    if (other) this.redraw();
  }

  /** Another array was chosen, and its values have not come: nothing of the old one stays. */
  private clear(): void {
    this.empty();
    this.shape = '';
    this.legend.replaceChildren();
    this.hint.hidden = true;
    for (const key of ['rows', 'axes']) Reflect.deleteProperty(this.element.dataset, key);
    this.area.classList.add('empty');
  }

  picture(): HTMLCanvasElement | null {
    return this.polarCanvas ?? this.stack?.picture() ?? null;
  }
  destroy(): void {
    this.stop();
    this.empty();
    this.source.end();
  }
}
