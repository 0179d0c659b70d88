// Draw and go: pixels of the run's picture painted over the field; the run restarts with them when the hand is lifted.
import { placeX, placeY, type Box } from '../../draw/axes.ts';
import type { Rect } from '../../draw/field_shader.ts';
import { extentOf, height, width } from '../../draw/geometry.ts';
import type { ArrayInfo, Picture, Triple } from '../../protocol/types.ts';
import { el, iconButton } from '../../ui/dom.ts';
import type { Host } from '../view.ts';
import { palette, rectangles, strokePixels, type Swatch } from './pixels.ts';

function hex(rgb: Triple): string {
  return `#${rgb.map((v) => v.toString(16).padStart(2, '0')).join('')}`;
}

export class Painting {
  on = false;
  readonly tool: HTMLButtonElement;
  readonly bar = el('div', { class: 'paint', hidden: true });
  private colour: Triple | null = null;
  private brush = 4;
  private swatches: Swatch[] = [];
  private readonly pixels = new Set<number>();
  private last: [number, number] | null = null;

  constructor(private readonly host: Host, private readonly array: () => ArrayInfo, private readonly redraw: () => void) {
    this.tool = iconButton('paint', 'paint the model: the run restarts with it', () => {
      this.turn(!this.on);
    });
    this.refresh();
  }

  private get model(): Picture | undefined {
    return this.host.session.catalogue.picture;
  }

  /** Offered where the run was made from a picture, on cuts along its plane. */
  refresh(): void {
    const possible = this.model !== undefined && (this.array().shape[2] ?? 1) === 1
      && this.host.session.can('paint');
    this.tool.hidden = !possible;
    if (!possible) this.turn(false);
  }

  private turn(on: boolean): void {
    this.on = on;
    this.tool.setAttribute('aria-pressed', String(on));
    this.bar.hidden = !on;
    if (!on || !this.model) return;
    this.bar.replaceChildren(el('span', { text: 'reading the picture …' }));
    palette(this.model).then((swatches) => {
      this.swatches = swatches;
      // Not the ground, which is the most frequent colour: a first stroke should be seen.
      this.colour ??= (swatches[1] ?? swatches[0])?.rgb ?? null;
      this.fill();
    }, (e: unknown) => {
      this.bar.replaceChildren(el('span', { text: `no picture: ${e instanceof Error ? e.message : String(e)}` }));
    });
  }

  private fill(): void {
    // Colours that no eye tells apart (0 0 0 is the ground, 0 0 1 a metal): the second is striped.
    const alike = (a: Triple, b: Triple): boolean => Math.max(...a.map((v, k) => Math.abs(v - (b[k] ?? 0)))) < 8;
    const marked = (i: number): boolean => this.swatches.some(({ rgb }, j) => {
      const own = this.swatches[i]?.rgb ?? rgb;
      return j !== i && alike(rgb, own) && (rgb[0] + rgb[1] + rgb[2] < own[0] + own[1] + own[2]);
    });
    const swatches = this.swatches.map(({ rgb, name }, i) => {
      const b = el('button', { type: 'button', class: `swatch${marked(i) ? ' metal' : ''}`, title: name, label: name, pressed: String(rgb) === String(this.colour) });
      b.style.setProperty('background-color', `rgb(${rgb.join(' ')})`);
      b.addEventListener('click', () => {
        this.colour = rgb;
        this.fill();
      });
      return b;
    });
    const size = el('input', { type: 'range', min: '1', max: '24', step: '1', value: String(this.brush), label: 'width of the brush in pixels' });
    const words = el('output', { text: `${this.brush} px` });
    size.addEventListener('input', () => {
      this.brush = size.valueAsNumber;
      words.textContent = `${this.brush} px`;
    });
    const file = el('input', { type: 'file', accept: '.png,.bmp,.jpg,.jpeg,.tif,.tiff,.tga', hidden: true });
    file.addEventListener('change', () => {
      const chosen = file.files?.[0];
      if (chosen) void this.replace(chosen);
    });
    const pick = el('button', { type: 'button', text: 'Other picture …', title: 'restart with another picture' });
    pick.addEventListener('click', () => {
      file.click();
    });
    const any = el('input', { type: 'color', value: hex(this.colour ?? [0, 0, 0]), label: 'any colour', title: 'any colour' });
    any.addEventListener('change', () => {
      this.colour = [1, 3, 5].map((i) => parseInt(any.value.slice(i, i + 2), 16)) as Triple;
      this.fill();
    });
    this.bar.replaceChildren(...swatches, any, size, words, pick, file);
  }

  private async replace(file: File): Promise<void> {
    const bytes = new Uint8Array(await file.arrayBuffer());
    let binary = '';
    for (const b of bytes) binary += String.fromCharCode(b);
    this.host.session.command('model', { png: btoa(binary), name: file.name }).catch((e: unknown) => {
      this.host.say(e instanceof Error ? e.message : String(e));
    });
  }

  /** The rectangle of the plane that the picture covers. */
  private extent(): Rect {
    const m = this.model;
    const [[x = NaN, y = NaN], [dx = NaN, dy = NaN]] = [m?.origin ?? [], m?.spacing ?? []];
    if (!m || Number.isNaN(x + y + dx + dy)) return extentOf(this.array(), 2);
    return { x0: x, y0: y, x1: x + dx * m.width, y1: y + dy * m.height };
  }

  stroke(x: number, y: number, first: boolean): void {
    const m = this.model;
    if (!m) return;
    const r = this.extent();
    const at: [number, number] = [((x - r.x0) / width(r)) * m.width, ((r.y1 - y) / height(r)) * m.height];
    for (const p of strokePixels(first ? at : (this.last ?? at), at, this.brush, m.width, m.height)) this.pixels.add(p);
    this.last = at;
    this.redraw();
  }

  send(): void {
    const m = this.model;
    if (!m || !this.colour || this.pixels.size === 0) return;
    const rects = rectangles(this.pixels, m.width);
    this.host.session.command('paint', { rgb: this.colour, rects }).then(() => {
      this.host.say(`${this.pixels.size} pixels painted: the run restarts`);
    }, (e: unknown) => {
      this.host.say(e instanceof Error ? e.message : String(e));
    }).finally(() => {
      this.pixels.clear();
      this.redraw();
    });
  }

  /** What is painted and not yet taken over, above the field. */
  draw(canvas: HTMLCanvasElement, view: Rect, box: Box): void {
    const c = canvas.getContext('2d');
    const m = this.model;
    if (!c || !m || this.pixels.size === 0 || !this.colour) return;
    const r = this.extent();
    c.fillStyle = `rgb(${this.colour.join(' ')} / 0.85)`;
    for (const [x, y, w, h] of rectangles(this.pixels, m.width)) {
      const at = (px: number, py: number): [number, number] => [
        placeX(view, box, r.x0 + (px / m.width) * width(r)), placeY(view, box, r.y1 - (py / m.height) * height(r)),
      ];
      const [[x0, y0], [x1, y1]] = [at(x, y), at(x + w, y + h)];
      c.fillRect(x0, y0, x1 - x0, y1 - y0);
    }
  }
}
