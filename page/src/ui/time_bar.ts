// The instants of a case: a slider over those there are so far, one step earlier or later, playing; at its end it follows the newest.
import { show, unit } from '../draw/numbers.ts';
import { ColumnSource } from '../panels/plot/data_source.ts';
import type { Session } from '../protocol/session.ts';
import type { ArrayInfo } from '../protocol/types.ts';
import { el, iconButton, setIcon } from './dom.ts';

/** The list of instants of a case: that of its fields or surfaces, else of whatever has some. */
export function listOf(arrays: ArrayInfo[]): ArrayInfo | undefined {
  const having = arrays.filter((a) => a.instants !== undefined);
  const lists = [...having.filter((a) => a.kind === 'triangles' || a.kind === 'field'), ...having]
    .map((a) => arrays.find((b) => b.name === a.instants));
  return lists.find((a) => a !== undefined);
}

/** Where one begins among phases of a period (degrees): a sine without phase has its peak at 90, and at 0 nothing to show. */
export function firstPhase(phases: number[]): number {
  const away = phases.map((p) => Math.abs(p - 90));
  return Math.max(0, away.indexOf(Math.min(...away)));
}

/** Which instant is shown, in words. */
export function wordsOf(time: number | undefined, unitOfTime: string, phase: number | undefined, i: number, n: number, newest: boolean): string {
  const at = phase === undefined ? `t = ${show(time)} ${unit(unitOfTime)}` : `phase ${show(phase)}°`;
  return `${at} · ${newest && phase === undefined ? 'newest' : `${i + 1} of ${n}`}`;
}

/** Milliseconds between pictures that are played. */
const PACE = 250;

export class TimeBar {
  readonly element = el('div', { class: 'time', hidden: true });
  private readonly slider = el('input', { type: 'range', min: '0', max: '0', step: '1', value: '0', label: 'instant that is shown' });
  private readonly words = el('output');
  private readonly play: HTMLButtonElement;
  private source: ColumnSource | null = null;
  private times: number[] = [];
  /** Degrees, where the instants are phases of one period. */
  private phases: number[] = [];
  private readonly newest = el('button', { type: 'button', text: 'newest', title: 'the newest instant, and those that follow' });
  private timer = 0;
  private asking = 0;

  constructor(private readonly session: Session, private readonly caseId: () => number) {
    this.play = iconButton('play', 'play the instants', () => {
      this.playOrStop();
    });
    this.slider.addEventListener('input', () => {
      this.stop();
      this.choose(this.slider.valueAsNumber);
    });
    this.newest.addEventListener('click', () => {
      this.stop();
      this.choose(this.times.length - 1);
    });
    this.element.append(this.play, this.slider, this.words, this.newest);
    this.refresh();
  }

  /** The catalogue changed. */
  refresh(): void {
    const list = listOf(this.session.catalogue.arrays.filter((a) => a.case === this.caseId()));
    if (!list) {
      this.source?.end();
      this.source = null;
      this.element.hidden = true;
      return;
    }
    if (this.source?.alive && this.source.array.id === list.id) return;
    this.source?.end();
    this.phases = [];
    const source = new ColumnSource(this.session, list, () => {
      if (this.source === source) this.take();
    }, () => undefined);
    this.source = source;
    source.ask(list, { encoding: 'f64', pixels: [0, 1] });
  }

  private take(): void {
    const columns = this.source?.columns() ?? [];
    this.times = Array.from(columns[1] ?? []);
    const known = this.phases.length;
    this.phases = Array.from(columns[2] ?? []);
    this.newest.hidden = this.phases.length > 0;
    this.element.hidden = this.times.length < 2;
    this.slider.max = String(Math.max(0, this.times.length - 1));
    if (this.phases.length > known && this.session.moment(this.caseId()) === null) this.choose(firstPhase(this.phases));
    this.tell();
  }

  private get index(): number {
    const moment = this.session.moment(this.caseId());
    if (moment === null) return this.times.length - 1;
    const later = this.times.findIndex((t) => t > moment);
    return Math.max(0, (later < 0 ? this.times.length : later) - 1);
  }

  private tell(): void {
    const i = this.index;
    this.slider.value = String(i);
    const newest = this.session.moment(this.caseId()) === null;
    this.words.textContent = wordsOf(this.times[i], this.source?.array.columns?.[1]?.unit ?? '', this.phases[i], i, this.times.length, newest);
    this.element.dataset.instant = String(i);
    this.element.dataset.time = String(this.times[i] ?? '');
    this.element.dataset.newest = String(newest);
  }

  /** At the last instant whatever comes is followed. A hand on the slider asks at most once a picture. */
  private choose(i: number): void {
    const moment = i >= this.times.length - 1 ? null : (this.times[Math.max(0, i)] ?? null);
    if (this.asking) cancelAnimationFrame(this.asking);
    this.asking = requestAnimationFrame(() => {
      this.asking = 0;
      this.session.lookAt(this.caseId(), moment);
      this.tell();
    });
  }

  move(by: number): void {
    if (this.element.hidden) return;
    this.stop();
    this.choose(this.index + by);
  }

  private playOrStop(): void {
    if (this.timer) {
      this.stop();
      return;
    }
    if (this.index >= this.times.length - 1) this.choose(0);
    this.timer = window.setInterval(() => {
      this.choose(this.index + 1);
      if (this.index >= this.times.length - 2) this.stop();
    }, PACE);
    setIcon(this.play, 'pause', 'stop playing');
  }
  private stop(): void {
    window.clearInterval(this.timer);
    this.timer = 0;
    setIcon(this.play, 'play', 'play the instants');
  }

  destroy(): void {
    this.stop();
    if (this.asking) cancelAnimationFrame(this.asking);
    this.source?.end();
  }
}
