// Triangles: the surfaces of a mesh by region, hidden and cut, coloured by region or by a value at their vertices; the largest values marked.
import { Box3, BufferAttribute, BufferGeometry, Color, DoubleSide, Mesh, MeshLambertMaterial } from 'three';
import { drawColourBar, FONT } from '../../draw/axes.ts';
import { position, type Look } from '../../draw/field_shader.ts';
import { mapNamed, seriesColour } from '../../draw/colours.ts';
import { show, titled, unit } from '../../draw/numbers.ts';
import { valueAt, type Frame } from '../../protocol/frame.ts';
import type { Parts, Subscription } from '../../protocol/session.ts';
import type { ArrayInfo, Region } from '../../protocol/types.ts';
import { css, el, select } from '../../ui/dom.ts';
import { firstStretch } from '../image/settings.ts';
import { bright, spreadOf } from '../image/source.ts';
import { ColumnSource } from '../plot/data_source.ts';
import type { Host } from '../view.ts';
import { peaksOf } from './peaks_view.ts';
import { roleOfColumn, ScaleSteps } from './scale_steps.ts';
import { SceneView } from './scene_view.ts';

/** Indices of the triangles of each region. */
export function byRegion(indices: ArrayLike<number>, regions: ArrayLike<number>): Map<number, number[]> {
  const out = new Map<number, number[]>();
  for (let t = 0; t < indices.length / 3; ++t) {
    const region = regions[t] ?? 0;
    let list = out.get(region);
    if (!list) out.set(region, (list = []));
    list.push(indices[3 * t] ?? 0, indices[3 * t + 1] ?? 0, indices[3 * t + 2] ?? 0);
  }
  return out;
}

/** Pixels from one line of words to the next. */
const LINE = 15;

/** Heights of words beside places so that none lies over another: from above, each where it is or below those it would touch. */
export function apart(words: { x: number; y: number; wide: number }[]): number[] {
  const heights = words.map((w) => w.y);
  const order = words.map((_, i) => i).sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0));
  const placed: { x: number; y: number; wide: number }[] = [];
  for (const i of order) {
    const w = words[i];
    if (!w) continue;
    let y = w.y;
    for (const p of placed) if (w.x < p.x + p.wide && p.x < w.x + w.wide && Math.abs(y - p.y) < LINE) y = p.y + LINE;
    heights[i] = y;
    placed.push({ ...w, y });
    placed.sort((a, b) => a.y - b.y);
  }
  return heights;
}

/** Regions that lie around the model and would hide it, by their names; none where there is nothing else. */
export function around(regions: Region[]): number[] {
  const air = regions.filter((r) => /^(air|vacuum|background|surroundings?)$/i.test(r.name));
  return air.length < regions.length ? air.map((r) => r.id) : [];
}

export class MeshView extends SceneView {
  private subscriptions: Subscription[] = [];
  private shape: Parts = [];
  private values: Parts = [];
  private peaks: ColumnSource | null = null;
  private by = -1;
  private range: [number, number] | null = null;
  private beyond = false;
  private colour: BufferAttribute | null = null;
  private readonly off: Set<number>;
  private ringed = true;
  private readonly choice = el('span');
  private readonly steps = new ScaleSteps(() => {
    this.recolour();
  });

  constructor(host: Host, array: ArrayInfo) {
    super(host, array);
    this.off = new Set(around(array.regions ?? []));
    this.tools = [this.choice, this.steps.tool];
    this.show(array);
  }

  show(array: ArrayInfo): void {
    if (this.subscriptions[0]?.alive && array.id === this.array.id) return;
    this.endAll();
    this.array = array;
    const columns = array.columns ?? [];
    this.by = Math.min(this.by, columns.length - 1);
    this.choice.replaceChildren(select('coloured by', [
      { value: '-1', text: 'regions' }, ...columns.map((c, i) => ({ value: String(i), text: titled(c.name, c.unit) })),
    ], String(this.by), (v) => {
      this.by = Number(v);
      this.build();
    }));
    this.choice.hidden = columns.length === 0;
    const ask = (parts: 'shape' | 'values', take: (p: Parts) => void): Subscription => this.host.session.subscribe(array.id, { parts }, {
      onParts: take,
      onText: () => undefined,
      onError: (text) => {
        this.host.say(text);
      },
    });
    this.subscriptions = [ask('shape', (parts) => {
      this.shape = parts;
      this.build();
    })];
    if (columns.length > 0) {
      this.subscriptions.push(ask('values', (parts) => {
        this.values = parts;
        this.recolour();
      }));
    }
    this.askPeaks();
  }

  private askPeaks(): void {
    const array = this.host.session.catalogue.arrays.find((a) => a.case === this.host.caseId && a.role === 'peaks');
    if (!array) return;
    this.peaks = new ColumnSource(this.host.session, array, () => {
      this.redraw();
    }, () => undefined);
    this.peaks.ask(array, { encoding: 'f64' });
  }

  private endAll(): void {
    for (const s of this.subscriptions) s.end();
    this.subscriptions = [];
    this.peaks?.end();
    this.peaks = null;
    this.shape = [];
    this.values = [];
  }

  private build(): void {
    const [vertices, indices, regions] = this.shape;
    if (!vertices || !indices) return;
    this.clear();
    const position = new BufferAttribute(Float32Array.from(vertices.values), 3);
    this.colour = this.colours(this.values[this.by], position.count);
    const groups = byRegion(indices.values, regions?.values ?? []);
    const ids = [...groups.keys()].sort((a, b) => a - b);
    ids.forEach((id, k) => {
      if (this.off.has(id)) return;
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', position);
      if (this.colour) geometry.setAttribute('color', this.colour);
      geometry.setIndex(groups.get(id) ?? []);
      const material = new MeshLambertMaterial({
        side: DoubleSide, flatShading: true, clippingPlanes: [this.clip], vertexColors: this.colour !== null,
        color: this.colour ? 0xffffff : new Color(seriesColour(k)),
      });
      const mesh = new Mesh(geometry, material);
      mesh.frustumCulled = false;
      this.things.add(mesh);
    });
    this.fillLegend(ids);
    this.element.dataset.triangles = String(indices.shape[1]);
    this.frame(new Box3().setFromBufferAttribute(position));
    this.tellTime();
    this.redraw();
  }

  /** Values of another moment on the same surfaces. */
  private recolour(): void {
    if (this.shape.length === 0) return;
    const fresh = this.by < 0 ? null : this.colours(this.values[this.by], this.colour?.count ?? 0);
    if (this.by >= 0 && (!fresh || this.colour?.count !== fresh.count)) this.build();
    else if (fresh && this.colour) {
      this.colour.array.set(fresh.array);
      this.colour.needsUpdate = true;
    }
    this.tellTime();
    this.redraw();
  }
  private tellTime(): void {
    const frame = this.values[0];
    if (frame) this.element.dataset.time = String(frame.time);
    if (this.range) [this.element.dataset.low, this.element.dataset.high] = this.range.map(String);
    this.element.dataset.steps = this.range ? this.look(this.range).stretch : '';
  }

  private colours(frame: Frame | undefined, vertices: number): BufferAttribute | null {
    this.range = null;
    this.steps.tool.hidden = true;
    if (!frame || (vertices > 0 && frame.values.length !== vertices)) return null;
    const b = bright(frame);
    this.beyond = b.beyond;
    this.range = b.beyond ? [Math.max(frame.low, -b.size), Math.min(frame.high, b.size)] : [frame.low, frame.high];
    this.chooseSteps(frame);
    const look = this.look(this.range);
    const out = new Float32Array(3 * frame.values.length);
    for (let i = 0; i < frame.values.length; ++i) {
      const v = valueAt(frame, i);
      const [r, g, bl] = Number.isFinite(v) ? look.map.at(position(v, look)) : [128, 128, 128];
      out.set([r / 255, g / 255, bl / 255], 3 * i);
    }
    return new BufferAttribute(out, 3);
  }

  /** Of what has one sign a scale may be bent; it begins as that of a cut does. */
  private chooseSteps(frame: Frame): void {
    const name = this.array.columns?.[this.by]?.name ?? '';
    this.steps.tool.hidden = frame.low < 0;
    if (frame.high > 0) {
      this.steps.begin(name, () => firstStretch({ ...this.array, role: roleOfColumn(name), signed: frame.low < 0 }, spreadOf(frame)));
    }
  }
  /** Decades are those below the largest value. */
  private look([low, high]: [number, number]): Look {
    const stretch = low < 0 ? 'linear' : this.steps.stretch;
    return { map: mapNamed('inferno'), stretch, low: stretch === 'linear' ? low : 0, high };
  }

  private fillLegend(ids: number[]): void {
    const chip = (text: string, on: boolean, title: string, toggle: () => void): HTMLButtonElement => {
      const b = el('button', { type: 'button', class: 'chip', text, pressed: on, title });
      b.addEventListener('click', () => {
        toggle();
        this.build();
      });
      return b;
    };
    this.legend.replaceChildren(...ids.map((id, k) => {
      const name = this.array.regions?.find((r) => r.id === id)?.name ?? `region ${id}`;
      const b = chip(name, !this.off.has(id), `show or hide ${name}`, () => {
        if (!this.off.delete(id)) this.off.add(id);
      });
      b.style.setProperty('--chip', this.range ? 'var(--soft)' : seriesColour(k));
      return b;
    }), ...(this.peaks ? [chip('largest values', this.ringed, 'show or hide where values are largest', () => {
      this.ringed = !this.ringed;
    })] : []));
  }

  protected override decorate(c: CanvasRenderingContext2D, w: number, h: number): void {
    this.drawPeaks(c);
    const column = this.array.columns?.[this.by];
    if (!this.range || !column) return;
    drawColourBar(c, { x: w - 86, y: 30, w: 10, h: Math.min(220, h - 76) }, this.look(this.range), titled(column.name, column.unit), this.beyond);
  }

  /** A ring where a region that is shown has its largest value, seen through the model. */
  private drawPeaks(c: CanvasRenderingContext2D): void {
    if (!this.peaks || !this.ringed) return;
    const hidden = (name: string): boolean => (this.array.regions ?? []).some((r) => r.name === name && this.off.has(r.id));
    const units = unit(this.peaks.array.unit);
    c.font = FONT;
    c.textAlign = 'left';
    c.textBaseline = 'middle';
    const seen = peaksOf(this.peaks.array, this.peaks.columns()).filter((p) => !hidden(p.name) && Number.isFinite(p.x + p.y + p.z) && p.value > 0)
      .map((p) => ({ at: this.onCanvas(p.x, p.y, p.z), text: `${p.name} ${show(p.value)} ${units}` }));
    const heights = apart(seen.map(({ at, text }) => ({ x: at.x, y: at.y, wide: c.measureText(text).width + 10 })));
    seen.forEach(({ at, text }, i) => {
      const y = heights[i] ?? at.y;
      for (const [colour, wide] of [[css('--panel'), 4], [css('--text'), 1.5]] as const) {
        c.strokeStyle = colour;
        c.lineWidth = wide;
        c.beginPath();
        c.arc(at.x, at.y, 5, 0, 2 * Math.PI);
        c.stroke();
        if (wide === 4) c.strokeText(text, at.x + 10, y);
      }
      c.fillStyle = css('--text');
      c.fillText(text, at.x + 10, y);
    });
  }

  override destroy(): void {
    this.endAll();
    super.destroy();
  }
}
