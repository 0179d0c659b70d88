// What lies above a field: the outline of the model and lines of equal value, each from an array of its own on the same cut.
import { pretty, show, unit } from '../../draw/numbers.ts';
import { ends } from '../../protocol/frame.ts';
import type { Session } from '../../protocol/session.ts';
import type { ArrayInfo, Request } from '../../protocol/types.ts';
import { halfWay, isolines, rasterOf, roundLevels, type Polyline } from '../../draw/outline.ts';
import { CutSource, type CutPicture } from './source.ts';

/** Points across a raster that lines are drawn from: finer ones cost more than they show. */
const ACROSS = 400;

/** One array as lines; asks only when it is shown. */
class LinesOf {
  source: CutSource | null = null;
  lines: Polyline[] = [];
  private asked = '';

  constructor(private readonly session: Session, private readonly levels: (s: CutSource) => number[],
              private readonly changed: () => void) {}

  ask(array: ArrayInfo | undefined, request: Request): void {
    const key = array ? `${array.id} ${JSON.stringify(request)}` : '';
    if (key === this.asked && (!array || this.source?.alive)) return;
    if (!array) {
      this.end();
      return;
    }
    this.asked = key;
    if (this.source?.array.id !== array.id) {
      this.source?.end();
      this.source = new CutSource(this.session, array, () => {
        this.trace();
      }, () => undefined, false);
    }
    this.source.ask({ ...request, every: 0, pixels: [ACROSS, ACROSS] });
  }

  private trace(): void {
    const s = this.source;
    if (!s?.frame) return;
    this.lines = isolines(rasterOf(s.frame), this.levels(s), s.extent);
    this.changed();
  }

  end(): void {
    this.source?.end();
    this.source = null;
    this.lines = [];
    this.asked = '';
  }
}

export class Layers {
  levels = 14;
  private step = 0;
  private readonly model: LinesOf;
  private readonly equal: LinesOf;

  constructor(session: Session, changed: () => void) {
    this.model = new LinesOf(session, (s) => (s.frame ? halfWay(rasterOf(s.frame).values) : []), changed);
    this.equal = new LinesOf(session, (s) => {
      if (!s.frame) return [];
      const { low, high } = ends(s.frame);
      const { levels, step } = roundLevels(low, high, this.levels);
      this.step = step;
      return levels;
    }, changed);
  }

  ask(model: ArrayInfo | undefined, lines: ArrayInfo | undefined, request: Request): void {
    this.model.ask(model, request);
    this.equal.ask(lines, request);
  }
  get outline(): Polyline[] {
    return this.model.lines;
  }
  get lines(): Polyline[] {
    return this.equal.lines;
  }
  /** What the lines of equal value are, for the caption. */
  get words(): string {
    const array = this.equal.source?.array;
    if (!array || this.equal.lines.length === 0) return '';
    return `lines of ${pretty(array.label || array.name)} every ${show(this.step)} ${unit(array.unit)}`.trim();
  }
  modelPicture(): (CutPicture & { low: number; high: number }) | null {
    const s = this.model.source;
    const picture = s?.picture(true);
    return s?.frame && picture && s.frame.high > s.frame.low ? { ...picture, low: s.frame.low, high: s.frame.high } : null;
  }
  /** Value of the model at a place, NaN without one. */
  modelAt(x: number, y: number): number {
    return this.model.source?.at(x, y) ?? NaN;
  }
  end(): void {
    this.model.end();
    this.equal.end();
  }
}
