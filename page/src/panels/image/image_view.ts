// A field as a picture: a cut with its scale, zoom and pan, value under the pointer, outline, marks, painting.
import type { Look, Rect } from '../../draw/field_shader.ts';
import { cellsOf, extentOf, fitted, height, inPlane, kept, moved, originOf, spacingOf, width, zoomed } from '../../draw/geometry.ts';
import type { Box } from '../../draw/axes.ts';
import { gpuProblem, whenRestored } from '../../draw/gpu.ts';
import { ends } from '../../protocol/frame.ts';
import type { ArrayInfo } from '../../protocol/types.ts';
import { el, iconButton, popover } from '../../ui/dom.ts';
import { isDark } from '../../ui/theme.ts';
import { History } from '../../export/animation.ts';
import { watchSize, type Animation, type Host, type View } from '../view.ts';
import { drawImage, plotBox, type ImageContent } from './canvas.ts';
import { CutBar } from './cut_bar.ts';
import { filmOf } from './film.ts';
import { FollowingScale } from './follow.ts';
import { Layers } from './layers.ts';
import { marksAt, onCut } from './marks.ts';
import { Painting } from './painting.ts';
import { momentOf, requestOf, wordsAt } from './place.ts';
import { attach } from './pointer.ts';
import { isProfile } from './profile.ts';
import { chooseStretch, firstSettings, lookOf, settingsSheet, type ImageSettings } from './settings.ts';
import { CutSource, pictureOf } from './source.ts';

/** When the first picture stood, for tests and for anyone with the browser's tools. */
const FIRST = 'first picture';

export class ImageView implements View {
  readonly element = el('div', { class: 'image' });
  readonly tools: Node[];
  readonly settings: ImageSettings = firstSettings();
  private readonly canvas = el('canvas', { tabIndex: 0, role: 'img' });
  private readonly cut: CutBar;
  private readonly source: CutSource;
  private readonly layers: Layers;
  private readonly painting: Painting;
  private readonly history = new History();
  private readonly stop: (() => void)[] = [];
  private size = { w: 0, h: 0 };
  private view: Rect | null = null; // while the whole is shown
  private readonly following = new FollowingScale(() => {
    if (this.settings.follow) this.settings.limit = this.following.limit || 1;
    this.redraw();
  });
  private redrawing = 0;
  private asking = 0;
  private hover: { x: number; y: number } | null = null;

  constructor(private readonly host: Host, private array: ArrayInfo) {
    const redraw = (): void => {
      this.redraw();
    };
    this.settings.lines = this.potential();
    this.source = new CutSource(host.session, array, () => {
      this.arrived();
    }, (text) => {
      host.say(text);
    });
    this.layers = new Layers(host.session, redraw);
    this.cut = new CutBar(array, () => {
      this.view = null;
      this.ask();
    });
    this.painting = new Painting(host, () => this.array, redraw);
    const gear = iconButton('settings', 'colours and scale', () => undefined);
    this.tools = [this.painting.tool, popover(gear, () => settingsSheet(this.settings, this.array, this.fields(), isDark(), () => {
      this.layers.levels = this.settings.levels;
      this.ask();
      this.redraw();
    }))];
    this.element.append(this.painting.bar, el('div', { class: 'canvas' }, this.canvas), this.cut.element);
    const problem = gpuProblem('flat');
    if (problem) host.say(problem);
    this.hands();
    this.stop.push(whenRestored(redraw), watchSize(this.canvas.parentElement ?? this.element, (w, h) => {
      this.size = { w, h };
      this.view = this.view && w > 0 ? fitted(this.view, ...this.boxSize()) : null;
      this.askSoon();
      this.redraw();
    }));
    this.describe();
    this.ask();
  }

  /** A potential on the same cells is shown as its lines at first. */
  private potential(): string {
    const same = (a: ArrayInfo): boolean => String(cellsOf(a)) === String(cellsOf(this.array));
    return this.fields().find((a) => a.role === 'potential' && a.name !== this.array.name && same(a))?.name ?? '';
  }
  private fields(): ArrayInfo[] {
    return this.host.session.catalogue.arrays.filter((a) => a.case === this.host.caseId && a.kind === 'field');
  }
  private box(): Box {
    return plotBox(this.size.w, this.size.h, this.aspect());
  }
  private aspect(): number {
    const whole = this.whole();
    return isProfile(this.array) ? 2 : width(whole) / height(whole);
  }
  private boxSize(): [number, number] {
    const { w, h } = this.box();
    return [w, h];
  }
  private whole(): Rect {
    return extentOf(this.array, this.cut.axis);
  }
  private shown(): Rect {
    return this.view ?? fitted(this.whole(), ...this.boxSize());
  }
  private describe(): void {
    this.canvas.setAttribute('aria-label', `${this.array.label || this.array.name}: ${this.array.text}. Arrows move, plus and minus zoom, 0 shows the whole.`);
  }

  /** A panel that has no size yet is taken to be as large as the window: the first picture comes while the page is laid out. */
  private ask(): void {
    this.element.style.setProperty('--aspect', String(this.aspect()));
    const laidOut = this.size.w > 0;
    const view = laidOut ? this.shown() : this.whole();
    const size = laidOut ? this.boxSize() : [window.innerWidth, window.innerHeight] as [number, number];
    const place = requestOf(this.array, this.cut.axis, this.cut.index, view, size);
    this.source.ask({ ...place, every: this.settings.every });
    const fields = this.fields();
    const same = (a: ArrayInfo): boolean => String(cellsOf(a)) === String(cellsOf(this.array));
    const model = this.array.role === 'model' || !this.settings.outline ? undefined : fields.find((a) => a.role === 'model' && same(a));
    this.layers.ask(model, fields.find((a) => a.name === this.settings.lines), place);
  }

  /** After the hand rests: every step of a wheel need not be asked for. */
  private askSoon(): void {
    window.clearTimeout(this.asking);
    this.asking = window.setTimeout(() => {
      this.ask();
    }, 120);
  }

  private arrived(): void {
    const frame = this.source.frame;
    if (frame) chooseStretch(this.settings, this.array, frame);
    if (frame && this.array.live) this.history.add(frame);
    if (frame && this.settings.follow) {
      this.following.take(frame, performance.now());
      this.settings.limit = this.following.limit || 1;
    }
    this.redraw();
    if (this.hover) this.tell(this.hover.x, this.hover.y);
  }

  private look(limit = this.settings.limit, { low, high } = this.source.frame ? ends(this.source.frame) : { low: 0, high: 1 }): Look {
    return lookOf(this.settings, this.array, isDark(), limit, low, high);
  }

  redraw(): void {
    if (this.redrawing) return;
    this.redrawing = requestAnimationFrame(() => {
      this.redrawing = 0;
      const frame = this.source.frame;
      drawImage(this.canvas, this.size.w, this.size.h, window.devicePixelRatio || 1, this.box(), {
        ...this.around(), picture: this.source.picture(this.settings.smooth), look: this.look(), beyond: this.settings.follow && this.following.beyond,
        lines: this.layers.lines, caption: frame ? [momentOf(this.array, frame, this.host.session.state), this.layers.words].filter((w) => w !== '').join(' · ') : 'waiting for the field',
      });
      if (frame && performance.getEntriesByName(FIRST).length === 0) performance.mark(FIRST);
      Object.assign(this.canvas.dataset, frame ? { step: String(frame.step), low: String(ends(frame).low), high: String(ends(frame).high) } : {});
      this.painting.draw(this.canvas, this.shown(), this.box());
    });
  }

  /** All of a picture but its field. */
  private around(): Omit<ImageContent, 'picture' | 'look' | 'beyond' | 'lines' | 'caption'> {
    const { outline, marks } = this.settings;
    const { session, caseId } = this.host;
    return {
      array: this.array, axis: this.cut.axis, view: this.shown(), model: outline ? this.layers.modelPicture() : null,
      outline: outline ? this.layers.outline : [], marks: marks ? session.catalogue.marks.filter((m) => m.case === caseId && onCut(m, this.cut.axis, this.cut.place)) : [],
    };
  }
  animation(): Animation | null {
    const { size } = this;
    const ratio = window.devicePixelRatio || 1;
    return filmOf([...this.history.frames], this.settings.follow ? null : this.settings.limit, (canvas, frame, { limit, low, high, beyond }) => {
      const picture = pictureOf(this.array, frame, this.settings.smooth);
      drawImage(canvas, size.w, size.h, ratio, this.box(), {
        ...this.around(), picture, look: this.look(limit, { low, high }), beyond, lines: [], caption: momentOf(this.array, frame, this.host.session.state),
      });
      picture.texture.dispose();
    });
  }

  private place(px: number, py: number): { x: number; y: number } {
    const [box, v] = [this.box(), this.shown()];
    return { x: v.x0 + ((px - box.x) / box.w) * width(v), y: isProfile(this.array) ? (v.y0 + v.y1) / 2 : v.y1 - ((py - box.y) / box.h) * height(v) };
  }

  /** Coordinates and values under the pointer, in the panel's foot. */
  private tell(px: number, py: number): void {
    const { x, y } = this.place(px, py);
    const whole = this.whole();
    if (x < whole.x0 || x > whole.x1 || y < whole.y0 || y > whole.y1) {
      this.host.say('');
      return;
    }
    const near = marksAt(this.host.session.catalogue.marks.filter((m) => m.case === this.host.caseId), this.cut.axis, this.shown(), this.box(), px, py);
    this.host.say(wordsAt(this.array, this.cut.axis, x, y, this.source.at(x, y), this.layers.modelAt(x, y), near));
  }

  private change(view: Rect): void {
    const d = spacingOf(this.array);
    const [p, q] = inPlane(this.cut.axis);
    this.view = kept(view, this.whole(), Math.min(d[p] ?? 1, d[q] ?? 1));
    this.redraw();
    this.askSoon();
  }
  private move(dx: number, dy: number): void {
    const [w, h] = this.boxSize();
    const v = this.shown();
    this.change(moved(v, (-dx / w) * width(v), (dy / h) * height(v)));
  }
  private zoom(factor: number, px: number, py: number): void {
    const p = this.place(px, py);
    this.change(zoomed(this.shown(), factor, p.x, p.y));
  }
  private showWhole(): void {
    this.view = null;
    this.redraw();
    this.askSoon();
  }

  private hands(): void {
    attach(this.canvas, {
      move: (dx, dy) => { this.move(dx, dy); },
      zoom: (factor, x, y) => { this.zoom(factor, x, y); },
      whole: () => { this.showWhole(); },
      hover: (x, y) => {
        this.hover = { x, y };
        this.tell(x, y);
      },
      leave: () => {
        this.hover = null;
        this.host.say('');
      },
      paints: () => this.painting.on,
      paint: (x, y, first) => {
        const p = this.place(x, y);
        this.painting.stroke(p.x, p.y, first);
      },
      painted: () => { this.painting.send(); },
    });
  }

  key(event: KeyboardEvent): boolean {
    const { w, h } = this.size;
    const far = 40;
    const keys: Record<string, () => void> = {
      ArrowLeft: () => { this.move(far, 0); }, ArrowRight: () => { this.move(-far, 0); },
      ArrowUp: () => { this.move(0, far); }, ArrowDown: () => { this.move(0, -far); },
      '+': () => { this.zoom(1.25, w / 2, h / 2); }, '=': () => { this.zoom(1.25, w / 2, h / 2); },
      '-': () => { this.zoom(0.8, w / 2, h / 2); }, '0': () => { this.showWhole(); },
      PageUp: () => { this.cut.step(1); }, PageDown: () => { this.cut.step(-1); },
      '[': () => { this.brighten(1.25); }, ']': () => { this.brighten(0.8); },
    };
    keys[event.key]?.();
    return event.key in keys;
  }
  private brighten(factor: number): void {
    this.settings.follow = false;
    this.settings.limit *= factor;
    this.redraw();
  }

  show(array: ArrayInfo): void {
    const elsewhere = String([array.shape, originOf(array), spacingOf(array)]) !== String([this.array.shape, originOf(this.array), spacingOf(this.array)]);
    if (array.name !== this.array.name) this.forget();
    this.array = array;
    this.source.turnTo(array);
    if (elsewhere) {
      this.view = null;
      this.cut.turnTo(array);
    }
    this.describe();
    this.painting.refresh();
    this.ask();
  }

  /** The picture of one array does not stand under the name of another: until a frame comes there is none. */
  private forget(): void {
    this.source.forget(this.canvas);
    this.redraw();
  }

  picture(): HTMLCanvasElement {
    return this.canvas;
  }
  destroy(): void {
    for (const stop of this.stop) stop();
    this.following.end();
    window.clearTimeout(this.asking);
    cancelAnimationFrame(this.redrawing);
    this.source.end();
    this.layers.end();
  }
}
