// The frame of a view: what it shows, its tools, saving, its foot with values under the pointer.
import { isVolume } from '../draw/geometry.ts';
import { canRecord, record, saveAnimation } from '../export/animation.ts';
import { fileName, savePicture } from '../export/save.ts';
import type { Session } from '../protocol/session.ts';
import type { ArrayInfo } from '../protocol/types.ts';
import { el, iconButton, select } from '../ui/dom.ts';
import { makeView } from './choose.ts';
import { choices, NUMBERS, type Shown } from './layout.ts';
import { isBatch } from './plot/batch.ts';
import type { View } from './view.ts';

export class Panel {
  readonly element: HTMLElement;
  private readonly head = el('header');
  private readonly body = el('div', { class: 'body' });
  private readonly foot = el('footer', { role: 'status' });
  private view: View | null = null;
  private kind = '';
  private stopRecording: (() => void) | null = null;
  private listed = '';
  private filming = false;
  /** Whether the reader chose what is shown. */
  chosen = false;

  constructor(private readonly session: Session, private readonly caseId: () => number, public shown: Shown,
              private readonly closed: (p: Panel) => void) {
    this.element = el('section', { class: `panel${shown.large ? ' large' : ''}`, tabIndex: -1 }, this.head, this.body, this.foot);
    this.element.addEventListener('keydown', (event) => {
      if (event.target instanceof HTMLCanvasElement && this.view?.key?.(event)) event.preventDefault();
    });
    this.refresh();
  }

  private arrays(): ArrayInfo[] {
    return this.session.catalogue.arrays.filter((a) => a.case === this.caseId());
  }

  /** The catalogue changed: the same name may have another id or shape. False when there is none of the name. */
  refresh(): boolean {
    const array = this.session.find(this.caseId(), this.shown.name) ?? null;
    if (!array && this.shown.name !== NUMBERS) return false;
    this.element.dataset.array = this.shown.name;
    const kind = array ? `${array.kind} ${this.shown.solid && isVolume(array)} ${this.shown.table === true && isBatch(array)}` : NUMBERS;
    if (this.view && kind === this.kind) {
      if (array) this.view.show(array);
      else this.view.show(undefined as never);
    } else {
      this.view?.destroy();
      this.kind = kind;
      this.say('');
      this.view = makeView({ session: this.session, caseId: this.caseId(), say: (t) => { this.say(t); } }, array, isBatch(array) ? this.shown : { ...this.shown, table: false });
      this.body.replaceChildren(this.view.element);
      this.listed = '';
    }
    this.fillHead(array);
    return true;
  }

  turnTo(name: string): void {
    this.shown = { ...this.shown, name };
    this.refresh();
  }

  private say(text: string): void {
    this.foot.textContent = text;
  }

  private fillHead(array: ArrayInfo | null): void {
    const list = choices(this.arrays());
    const key = JSON.stringify([list, this.shown.name, this.stopRecording !== null]);
    if (key === this.listed) return;
    this.listed = key;
    const what = select('what this panel shows', list, this.shown.name, (name) => {
      this.chosen = true;
      this.turnTo(name);
    });
    what.className = 'what';
    const tools: Node[] = [what, ...(this.view?.tools ?? [])];
    if (array?.kind === 'field' && isVolume(array)) {
      tools.push(select('cut or solid', [{ value: 'cut', text: 'cut' }, { value: '3d', text: '3D' }], this.shown.solid ? '3d' : 'cut', (v) => {
        this.shown = { ...this.shown, solid: v === '3d' };
        this.refresh();
      }));
    }
    if (isBatch(array)) {
      tools.push(select('chart or table', [{ value: 'chart', text: 'chart' }, { value: 'table', text: 'table' }], this.shown.table ? 'table' : 'chart', (v) => {
        this.shown = { ...this.shown, table: v === 'table' };
        this.refresh();
      }));
    }
    const space = el('span', { class: 'space' });
    tools.push(space, ...this.saving());
    tools.push(iconButton('whole', 'as large as the window (f)', () => {
      this.enlarge();
    }), iconButton('close', 'close this panel', () => {
      this.closed(this);
    }));
    this.head.replaceChildren(...tools);
  }

  private get name(): string {
    const title = this.session.catalogue.cases.find((c) => c.case === this.caseId())?.name ?? '';
    return fileName(title, this.shown.name, String(this.session.state?.step ?? ''));
  }

  private saving(): Node[] {
    if (!this.view?.picture) return [];
    const out: Node[] = [iconButton('save', 'save this picture as PNG (s)', () => {
      this.save();
    })];
    const live = this.session.find(this.caseId(), this.shown.name)?.live ?? false;
    if (live && canRecord() && this.view.animation) {
      out.push(iconButton('film', 'save the animation so far as WebM (a)', () => {
        this.saveSoFar();
      }));
    } else if (live && canRecord()) {
      const b = iconButton('record', this.stopRecording ? 'stop recording and save' : 'record an animation (WebM)', () => {
        this.recordOrStop();
      });
      b.setAttribute('aria-pressed', String(this.stopRecording !== null));
      b.classList.add('record');
      out.push(b);
    }
    return out;
  }

  save(): void {
    const canvas = this.view?.picture?.();
    if (canvas) savePicture(canvas, this.name);
  }

  /** The pictures that this panel has shown since it was opened, as one film. */
  saveSoFar(): void {
    const animation = this.view?.animation?.();
    if (this.filming) return;
    if (!animation || !canRecord()) {
      this.say(canRecord() ? 'no animation yet: two pictures make one' : 'this browser records no animations');
      return;
    }
    this.filming = true;
    const canvas = document.createElement('canvas');
    saveAnimation(canvas, animation.count, (i) => {
      animation.draw(canvas, i);
    }, this.name, (done) => {
      this.say(`saving picture ${done} of ${animation.count}`);
    }).then(() => {
      this.say(`${animation.count} pictures saved`);
    }, (e: unknown) => {
      this.say(`no animation: ${e instanceof Error ? e.message : String(e)}`);
    }).finally(() => {
      this.filming = false;
    });
  }

  private recordOrStop(): void {
    if (this.stopRecording) {
      this.stopRecording();
      this.stopRecording = null;
    } else {
      const canvas = this.view?.picture?.();
      if (canvas) this.stopRecording = record(canvas, this.name);
    }
    this.refresh();
  }

  enlarge(): void {
    const whole = this.element.classList.toggle('whole');
    document.body.classList.toggle('has-whole', whole);
  }

  redraw(): void {
    this.view?.redraw();
  }
  destroy(): void {
    this.stopRecording?.();
    if (this.element.classList.contains('whole')) this.enlarge();
    this.view?.destroy();
    this.element.remove();
  }
}
