// Curves over a common abscissa, drawn by uPlot; patterns over an angle also around a circle.
import uPlot from 'uplot';
import { exact, show, titled } from '../../draw/numbers.ts';
import type { ArrayInfo } from '../../protocol/types.ts';
import { css, el, popover, iconButton, check, setting } from '../../ui/dom.ts';
import { watchSize, type Host, type View } from '../view.ts';
import { ColumnSource } from './data_source.ts';
import { drawPolar } from './polar.ts';
import {
  apartTicks, firstShown, isAngle, leftOut, logFloor, logRange, logTicks, placesOf, seriesLooks, spanOf, type SeriesLook,
} from './columns.ts';

export class CurveView implements View {
  readonly element = el('div', { class: 'plot' });
  readonly tools: Node[];
  private readonly area = el('div', { class: 'canvas' });
  private readonly legend = el('div', { class: 'legend' });
  private readonly hint = el('p', { class: 'hint', hidden: true });
  private readonly source: ColumnSource;
  private readonly stop: () => void;
  private plot: uPlot | null = null;
  private polarCanvas: HTMLCanvasElement | null = null;
  private hidden = new Set<string>();
  private log: boolean;
  private polar: boolean;
  private scaled = false;
  private size = { w: 0, h: 0 };
  private shape = '';

  constructor(private readonly host: Host, private array: ArrayInfo) {
    this.log = array.log ?? false;
    this.polar = this.angular && array.role === 'pattern';
    this.source = new ColumnSource(host.session, array, () => {
      this.redraw();
    }, (text) => {
      host.say(text);
    });
    const gear = iconButton('settings', 'axes and columns', () => undefined);
    this.tools = [popover(gear, () => this.sheet())];
    this.element.append(this.area, this.hint, this.legend);
    this.stop = watchSize(this.area, (w, h) => {
      this.size = { w, h };
      if (this.plot) this.plot.setSize({ width: w, height: h });
      this.redraw();
    });
    this.hideMost();
    this.source.ask(array, { pixels: [1200, 1] });
  }

  private get angular(): boolean {
    return isAngle(this.array.columns?.[0]);
  }
  private get names(): string[] {
    return (this.array.columns ?? []).map((c) => c.name);
  }
  private get places(): string[] {
    return placesOf(this.array.columns ?? []);
  }
  private get looks(): SeriesLook[] {
    return seriesLooks(this.names.slice(1), this.places);
  }
  private hideMost(): void {
    const shown = firstShown(this.array.columns ?? []);
    this.hidden = new Set(this.names.slice(1).filter((n) => !shown.includes(n)));
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

  private fillLegend(): void {
    const places = this.places;
    const looks = this.looks;
    this.legend.replaceChildren(...this.names.slice(1).flatMap((name, i) => {
      if (places.includes(name)) return [];
      const b = el('button', { type: 'button', class: 'chip', text: name, pressed: !this.hidden.has(name), title: `show or hide ${name}` });
      b.style.setProperty('--chip', looks[i]?.colour ?? '');
      b.addEventListener('click', () => {
        if (!this.hidden.delete(name)) this.hidden.add(name);
        this.shape = '';
        this.redraw();
      });
      return [b];
    }));
  }

  redraw(): void {
    const columns = this.source.columns();
    if (columns.length < 2) this.clear();
    if (columns.length < 2 || this.size.w < 40 || this.size.h < 40) return;
    this.chooseScale(columns);
    const key = JSON.stringify([this.names, [...this.hidden], this.log, this.polar, css('--text')]);
    if (key !== this.shape) {
      this.shape = key;
      this.fillLegend();
      this.rebuild(columns);
    }
    this.element.dataset.rows = String(columns[0]?.length ?? 0);
    this.area.classList.toggle('empty', columns[0]?.length === 0);
    if (this.polarCanvas) this.drawCircle(columns);
    else this.plot?.setData(this.cleaned(columns));
  }

  /** Of a pattern over many decades a linear radius shows one needle. */
  private chooseScale(columns: Float64Array[]): void {
    if (this.scaled || !this.polar || (columns[0]?.length ?? 0) < 3) return;
    this.scaled = true;
    const values = columns.filter((_, i) => i > 0 && !this.hidden.has(this.names[i] ?? '')).flatMap((y) => Array.from(y)).filter(Number.isFinite);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    if (low > 0 && high > 100 * low) this.log = true;
  }

  /** A logarithmic axis has no place for what is not positive, nor for what is but rounding beside the largest. */
  private cleaned(columns: Float64Array[]): uPlot.AlignedData {
    const [x, ...ys] = columns;
    const seen = logFloor(ys.filter((_, i) => !this.hidden.has(this.names[i + 1] ?? '')));
    this.hint.textContent = this.log ? leftOut(seen) : '';
    this.hint.hidden = this.hint.textContent === '';
    const bad = (v: number): boolean => !Number.isFinite(v) || (this.log && v < seen.floor);
    return [Array.from(x ?? []), ...ys.map((y) => Array.from(y, (v) => (bad(v) ? null : v)))];
  }

  private rebuild(columns: Float64Array[]): void {
    this.plot?.destroy();
    this.plot = null;
    this.polarCanvas?.remove();
    this.polarCanvas = null;
    if (this.polar && this.angular) {
      this.polarCanvas = el('canvas', { class: 'polar', role: 'img', label: `${this.array.label} over the angle` });
      this.area.append(this.polarCanvas);
    } else this.plot = new uPlot(this.options(), this.cleaned(columns), this.area);
  }

  private drawCircle(columns: Float64Array[]): void {
    const canvas = this.polarCanvas;
    if (!canvas) return;
    const looks = this.looks;
    const ys = columns.slice(1).map((y, i) => ({ y, colour: looks[i]?.colour ?? '', name: this.names[i + 1] ?? '' }));
    drawPolar(canvas, this.size.w, this.size.h, columns[0] ?? new Float64Array(), ys.filter((s) => !this.hidden.has(s.name)),
      this.log, this.array.columns?.[0]?.unit === 'rad');
  }

  private options(): uPlot.Options {
    const columns = this.array.columns ?? [];
    const looks = this.looks;
    const axis = { stroke: css('--soft'), grid: { stroke: css('--grid'), width: 1 }, ticks: { stroke: css('--line'), width: 1 },
      // The ticks are the page's own: a step that the library takes for every range, or it draws no axis.
      incrs: [1e300] };
    const first = columns[0];
    const shown = columns.slice(1).filter((c) => !this.hidden.has(c.name));
    const same = shown.every((c) => c.unit === shown[0]?.unit);
    const label = shown.length === 1 && shown[0] ? titled(shown[0].name, shown[0].unit) : titled(this.array.label, same ? (shown[0]?.unit ?? '') : '');
    return {
      width: this.size.w, height: this.size.h, legend: { show: false },
      cursor: { drag: { x: true, y: false }, points: { size: 6 } },
      scales: {
        x: { time: false, range: (_, low, high) => spanOf(low, high) },
        y: this.log ? { distr: 3, range: (_, low, high) => logRange(low, high) } : { range: (_, low, high) => spanOf(low, high, 0.05) },
      },
      axes: [
        { ...axis, label: titled(first?.name ?? '', first?.unit ?? ''), labelSize: 20, size: 34, labelFont: '12px system-ui', font: '12px system-ui', values: (_, v) => v.map(show),
          splits: (_u, _axis, low, high) => apartTicks(low, high, Math.max(40, this.size.w - 80), (t) => 7 * t.length) },
        { ...axis, label, labelSize: 20, size: 62, labelFont: '12px system-ui', font: '12px system-ui',
          filter: (_, splits) => splits, splits: (_u, _axis, low, high) => this.yTicks(low, high),
          values: (_, v) => v.map((t) => (t === null as unknown ? '' : show(t))) },
      ],
      series: [{}, ...columns.slice(1).map((c, i): uPlot.Series => ({
        label: c.name, stroke: looks[i]?.colour ?? '', width: 1.6, show: !this.hidden.has(c.name), spanGaps: false,
        points: { show: (u) => u.data[0].length < 3 },
        ...(looks[i]?.dashed ? { dash: [6, 4] } : {}),
      }))],
      hooks: {
        setCursor: [(u) => {
          this.tell(u);
        }],
      },
    };
  }

  /** Bounded in number whatever the values are: those of a library need not be. */
  private yTicks(low: number, high: number): number[] {
    const pixels = Math.max(30, this.size.h - 60);
    const most = Math.max(2, Math.round(pixels / (pixels < 200 ? 20 : 32)));
    return this.log ? logTicks(low, high, most) : apartTicks(low, high, 60 * most, () => 20, most);
  }

  private tell(u: uPlot): void {
    const i = u.cursor.idx;
    const columns = this.array.columns ?? [];
    if (i === null || i === undefined) {
      this.host.say('');
      return;
    }
    const words = columns.filter((c, k) => k === 0 || !this.hidden.has(c.name))
      .map((c) => `${c.name} ${exact(u.data[columns.indexOf(c)]?.[i])}`);
    this.host.say(words.slice(0, 6).join(' · '));
  }

  show(array: ArrayInfo): void {
    const other = array.name !== this.array.name;
    this.array = array;
    if (other) {
      this.log = array.log ?? false;
      this.polar = this.angular && array.role === 'pattern';
      this.scaled = false;
      this.hideMost();
    }
    if (other || !this.source.alive || array.id !== this.source.array.id) this.source.ask(array, { pixels: [1200, 1] });
    if (other) this.redraw();
  }

  /** Another array was chosen, and its values have not come: nothing of the old one stays. */
  private clear(): void {
    this.plot?.destroy();
    this.plot = null;
    this.polarCanvas?.remove();
    this.polarCanvas = null;
    this.shape = '';
    this.legend.replaceChildren();
    this.hint.hidden = true;
    Reflect.deleteProperty(this.element.dataset, 'rows');
    this.area.classList.add('empty');
  }

  picture(): HTMLCanvasElement | null {
    return this.polarCanvas ?? this.area.querySelector('canvas');
  }
  destroy(): void {
    this.stop();
    this.plot?.destroy();
    this.source.end();
  }
}
