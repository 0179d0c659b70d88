// Curves over one abscissa in as many plots as their axes need: two axes are left and right of one plot, more are plots below each other.
import uPlot from 'uplot';
import { show, titled } from '../../draw/numbers.ts';
import type { Column } from '../../protocol/types.ts';
import { css } from '../../ui/dom.ts';
import { axisTitle, type AxisGroup } from './axis_groups.ts';
import { apartTicks, logRange, logTicks, spanOf, type SeriesLook } from './columns.ts';

export interface StackContent {
  columns: Column[];
  /** Those of the columns after the first. */
  looks: SeriesLook[];
  groups: AxisGroup[];
  label: string;
  log: boolean;
  /** Rows as points, not as lines. */
  scattered: boolean;
  /** Points on the lines, too. */
  dotted: boolean;
}

/** Below each other plots are as high at least; what does not fit is scrolled to. */
const LEAST = 110;
const FONT = '12px system-ui';
let stacks = 0;

export class PlotStack {
  private readonly plots: { plot: uPlot; at: number[] }[] = [];
  private readonly key = `stack ${++stacks}`;

  constructor(private readonly area: HTMLElement, private readonly content: StackContent, private readonly size: { w: number; h: number },
              data: uPlot.AlignedData, private readonly tell: (row: number | null | undefined) => void) {
    const { groups } = content;
    const parts = groups.length <= 2 ? [groups] : groups.map((g) => [g]);
    parts.forEach((part, k) => {
      const at = part.flatMap((g) => g.at);
      this.plots.push({ at, plot: new uPlot(this.options(part, k, parts.length), pick(data, at), area) });
    });
  }

  get count(): number {
    return this.plots.length;
  }
  private height(k: number, count: number): number {
    const each = Math.max(count > 1 ? LEAST : 0, Math.floor((this.size.h - (count > 1 ? 22 : 0)) / count));
    return k === count - 1 && count > 1 ? each + 22 : each; // the words of the abscissa
  }

  setData(data: uPlot.AlignedData): void {
    for (const { plot, at } of this.plots) plot.setData(pick(data, at));
  }

  private options(part: AxisGroup[], k: number, count: number): uPlot.Options {
    const content = this.content;
    const columns = content.columns;
    const height = this.height(k, count);
    const first = columns[0];
    const last = k === count - 1;
    // The ticks are the page's own: a step that the library takes for every range, or it draws no axis.
    const axis = { stroke: css('--soft'), ticks: { stroke: css('--line'), width: 1 }, grid: { stroke: css('--grid'), width: 1 }, incrs: [1e300],
      labelSize: 20, labelGap: 0, labelFont: FONT, font: FONT };
    const several = content.groups.length > 1;
    const range = (low: number | null, high: number | null): uPlot.Range.MinMax => (content.log ? logRange(low, high) : spanOf(low, high, 0.05));
    return {
      width: this.size.w, height, legend: { show: false },
      cursor: { drag: { x: true, y: false }, points: { size: 6 }, sync: { key: this.key, scales: ['x', null] } },
      scales: Object.fromEntries([
        ['x', { time: false, range: (_, low, high) => spanOf(low, high) } satisfies uPlot.Scale],
        ...part.map((_, g): [string, uPlot.Scale] => [`y${g}`, { ...(content.log ? { distr: 3 } : {}), range: (_u, low, high) => range(low, high) }]),
      ]),
      axes: [
        { ...axis, ...(last ? { label: titled(first?.name ?? '', first?.unit ?? '') } : {}), size: last ? 34 : 10,
          values: (_, v) => v.map((t) => (last ? show(t) : '')),
          splits: (_u, _axis, low, high) => apartTicks(low, high, Math.max(40, this.size.w - 80), (t) => 7 * t.length) },
        ...part.map((group, g): uPlot.Axis => ({
          ...axis, scale: `y${g}`, side: g === 0 ? 3 : 1, size: (_, labels) => 20 + room(labels), label: axisTitle(columns, group, content.label, height - 50),
          grid: { ...axis.grid, show: g === 0 },
          // Of one curve alone the axis has its colour.
          stroke: several && group.at.length === 1 ? (content.looks[(group.at[0] ?? 1) - 1]?.colour ?? axis.stroke) : axis.stroke,
          filter: (_, splits) => splits, splits: (_u, _axis, low, high) => this.yTicks(low, high, height),
          values: (_, v) => v.map((t) => (t === null as unknown ? '' : show(t))),
        })),
      ],
      series: [{}, ...part.flatMap((group, g) => group.at.map((i) => this.series(i, `y${g}`)))],
      hooks: {
        setCursor: [(u) => {
          this.tell(u.cursor.idx);
        }],
      },
    };
  }

  private series(i: number, scale: string): uPlot.Series {
    const look = this.content.looks[i - 1];
    const { scattered, dotted } = this.content;
    return {
      label: this.content.columns[i]?.name ?? '', stroke: look?.colour ?? '', width: 1.6, spanGaps: false, scale,
      points: { show: (u) => scattered || dotted || u.data[0].length < 3, size: scattered ? 7 : 5, fill: look?.colour ?? '' },
      ...(scattered ? { paths: () => null } : {}),
      ...(look?.dashed ? { dash: [6, 4] } : {}),
    };
  }

  /** Bounded in number whatever the values are: those of a library need not be. */
  private yTicks(low: number, high: number, height: number): number[] {
    const pixels = Math.max(30, height - 60);
    const most = Math.max(2, Math.round(pixels / (pixels < 200 ? 26 : 32)));
    return this.content.log ? logTicks(low, high, most) : apartTicks(low, high, 60 * most, () => 20, most);
  }

  /** All plots as one picture. */
  picture(): HTMLCanvasElement | null {
    const all = [...this.area.querySelectorAll('canvas')];
    const first = all[0];
    if (!first || all.length === 1) return first ?? null;
    const whole = document.createElement('canvas');
    [whole.width, whole.height] = [first.width, all.reduce((h, c) => h + c.height, 0)];
    const c = whole.getContext('2d');
    let y = 0;
    for (const canvas of all) {
      c?.drawImage(canvas, 0, y);
      y += canvas.height;
    }
    return whole;
  }

  destroy(): void {
    for (const { plot } of this.plots) plot.destroy();
    this.plots.length = 0;
  }
}

/** Pixels that the longest label and its tick take. */
function room(labels: string[] | null): number {
  return Math.max(24, 7 * Math.max(0, ...(labels ?? []).map((t) => t.length)));
}

function pick(data: uPlot.AlignedData, at: number[]): uPlot.AlignedData {
  return [data[0], ...at.map((i) => data[i] ?? [])];
}
