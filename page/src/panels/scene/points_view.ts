// Points as boxes, one instance each: dipoles of a particle, coloured by their material or by a value.
import { Box3, BoxGeometry, Color, InstancedMesh, Matrix4, MeshLambertMaterial, Vector3 } from 'three';
import { drawColourBar } from '../../draw/axes.ts';
import { position, type Look } from '../../draw/field_shader.ts';
import { mapNamed, seriesColour } from '../../draw/colours.ts';
import { pretty, titled } from '../../draw/numbers.ts';
import type { ArrayInfo } from '../../protocol/types.ts';
import { el, select } from '../../ui/dom.ts';
import { ColumnSource } from '../plot/data_source.ts';
import type { Host } from '../view.ts';
import { ScaleSteps } from './scale_steps.ts';
import { colourOf, SceneView } from './scene_view.ts';

/** The grid constant of points on a lattice: the least distance between two planes of them. */
export function spacingOfPoints(x: ArrayLike<number>): number {
  const sorted = [...new Set(Array.from(x, (v) => Number(v.toPrecision(6))))].sort((a, b) => a - b);
  let least = Infinity;
  for (let i = 1; i < sorted.length; ++i) least = Math.min(least, (sorted[i] ?? 0) - (sorted[i - 1] ?? 0));
  return Number.isFinite(least) ? least : 0;
}

/** Few whole numbers are labels of something. */
export function labels(values: ArrayLike<number>): number[] | null {
  const seen = new Set<number>();
  for (const v of Array.from(values)) {
    if (!Number.isInteger(v) || v < 0 || v > 255) return null;
    seen.add(v);
    if (seen.size > 32) return null;
  }
  return [...seen].sort((a, b) => a - b);
}

export class PointsView extends SceneView {
  private readonly source: ColumnSource;
  private readonly choice = el('span');
  private by = 3;
  private range: [number, number] | null = null;
  private readonly off = new Set<number>();
  private readonly steps = new ScaleSteps(() => {
    this.build();
  });

  constructor(host: Host, array: ArrayInfo) {
    super(host, array);
    this.source = new ColumnSource(host.session, array, () => {
      this.build();
    }, (text) => {
      host.say(text);
    });
    this.tools = [this.choice, this.steps.tool];
    this.show(array);
  }

  show(array: ArrayInfo): void {
    this.array = array;
    const more = (array.columns ?? []).slice(3);
    this.choice.replaceChildren();
    if (more.length > 1) {
      this.choice.append(select('coloured by', more.map((c, i) => ({ value: String(i + 3), text: pretty(c.name) })), String(this.by), (v) => {
        this.by = Number(v);
        this.build();
      }));
    }
    if (!this.source.alive || array.id !== this.source.array.id) this.source.ask(array, { pixels: [400000, 1] });
  }

  private build(): void {
    const columns = this.source.columns();
    const [x, y, z] = columns;
    if (!x || !y || !z) return;
    this.clear();
    const d = Math.min(...[x, y, z].map(spacingOfPoints).filter((s) => s > 0)) || 1;
    const side = Number.isFinite(d) ? d : 1;
    const values = columns[this.by];
    const names = values ? labels(values) : [];
    const colour = this.colours(values, names);
    this.fillLegend(names);
    const rows = Array.from(x.keys()).filter((i) => !names || !values || !this.off.has(values[i] ?? 0));
    const mesh = new InstancedMesh(new BoxGeometry(side * 0.96, side * 0.96, side * 0.96), new MeshLambertMaterial(), rows.length);
    const matrix = new Matrix4();
    const box = new Box3();
    const p = new Vector3();
    rows.forEach((i, k) => {
      p.set(x[i] ?? 0, y[i] ?? 0, z[i] ?? 0);
      mesh.setMatrixAt(k, matrix.makeTranslation(p.x, p.y, p.z));
      mesh.setColorAt(k, colour(i));
    });
    for (const i of x.keys()) box.expandByPoint(p.set(x[i] ?? 0, y[i] ?? 0, z[i] ?? 0));
    mesh.material.clippingPlanes = [this.clip];
    mesh.frustumCulled = false;
    this.things.add(mesh);
    this.element.dataset.points = String(rows.length);
    this.frame(box.expandByScalar(side / 2));
    this.redraw();
  }

  private colours(values: Float64Array | undefined, names: number[] | null): (i: number) => Color {
    this.range = null;
    this.steps.tool.hidden = true;
    if (!values || names) {
      const of = (names ?? []).map((_, k) => new Color(seriesColour(k)));
      return (i) => of[names?.indexOf(values?.[i] ?? 0) ?? 0] ?? new Color(seriesColour(0));
    }
    let [low, high] = [Infinity, -Infinity];
    for (const v of values) {
      if (Number.isFinite(v)) [low, high] = [Math.min(low, v), Math.max(high, v)];
    }
    this.range = [low, high];
    this.steps.tool.hidden = low < 0;
    const look = this.look([low, high]);
    const table = Array.from({ length: 256 }, (_, k) => colourOf(look.map.at(k / 255)));
    const grey = new Color(0x888888);
    return (i) => {
      const v = values[i] ?? NaN;
      return Number.isFinite(v) ? table[Math.round(255 * position(v, look))] ?? grey : grey;
    };
  }
  private look([low, high]: [number, number]): Look {
    const stretch = low < 0 ? 'linear' : this.steps.stretch;
    return { map: mapNamed('inferno'), stretch, low: stretch === 'linear' ? low : 0, high };
  }

  /** Materials are switched off and on by their chips. */
  private fillLegend(names: number[] | null): void {
    this.legend.replaceChildren(...(names && names.length > 1 ? names : []).map((n, k) => {
      const name = this.array.regions?.find((r) => r.id === n)?.name ?? `${this.array.columns?.[this.by]?.name ?? ''} ${n}`;
      const b = el('button', { type: 'button', class: 'chip', text: name, pressed: !this.off.has(n) });
      b.style.setProperty('--chip', seriesColour(k));
      b.addEventListener('click', () => {
        if (!this.off.delete(n)) this.off.add(n);
        this.build();
      });
      return b;
    }));
  }

  protected override decorate(c: CanvasRenderingContext2D, w: number, h: number): void {
    if (!this.range) return;
    const column = this.array.columns?.[this.by];
    drawColourBar(c, { x: w - 86, y: 30, w: 10, h: Math.min(220, h - 76) }, this.look(this.range), titled(pretty(column?.name ?? ''), column?.unit ?? ''), false);
  }

  override destroy(): void {
    this.source.end();
    super.destroy();
  }
}
