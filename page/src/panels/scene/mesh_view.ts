// Triangles: the surfaces of a mesh by region, hidden and cut, coloured by region or by a value at their vertices.
import { Box3, BufferAttribute, BufferGeometry, Color, DoubleSide, Mesh, MeshLambertMaterial } from 'three';
import { drawColourBar } from '../../draw/axes.ts';
import { mapNamed, seriesColour } from '../../draw/colours.ts';
import { titled } from '../../draw/numbers.ts';
import type { Frame } from '../../protocol/frame.ts';
import type { Parts, Subscription } from '../../protocol/session.ts';
import type { ArrayInfo } from '../../protocol/types.ts';
import { el, select } from '../../ui/dom.ts';
import type { Host } from '../view.ts';
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

export class MeshView extends SceneView {
  private subscription: Subscription | null = null;
  private parts: Parts = [];
  private by = -1;
  private range: [number, number] | null = null;
  private readonly off = new Set<number>();
  private readonly choice = el('span');

  constructor(host: Host, array: ArrayInfo) {
    super(host, array);
    this.tools = [this.choice];
    this.show(array);
  }

  show(array: ArrayInfo): void {
    if (this.subscription?.alive && array.id === this.array.id) return;
    this.subscription?.end();
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
    this.subscription = this.host.session.subscribe(array.id, {}, {
      onParts: (parts) => {
        this.parts = parts;
        this.build();
      },
      onText: () => undefined,
      onError: (text) => {
        this.host.say(text);
      },
    });
  }

  private build(): void {
    const [vertices, indices, regions, ...values] = this.parts;
    if (!vertices || !indices) return;
    this.clear();
    const position = new BufferAttribute(Float32Array.from(vertices.values), 3);
    const colours = this.colours(values[this.by]);
    const groups = byRegion(indices.values, regions?.values ?? []);
    [...groups.keys()].sort((a, b) => a - b).forEach((id, k) => {
      if (this.off.has(id)) return;
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', position);
      if (colours) geometry.setAttribute('color', colours);
      geometry.setIndex(groups.get(id) ?? []);
      const material = new MeshLambertMaterial({
        side: DoubleSide, flatShading: true, clippingPlanes: [this.clip], vertexColors: colours !== null,
        color: colours ? 0xffffff : new Color(seriesColour(k)),
      });
      const mesh = new Mesh(geometry, material);
      mesh.frustumCulled = false;
      this.things.add(mesh);
    });
    this.fillLegend([...groups.keys()].sort((a, b) => a - b));
    this.element.dataset.triangles = String(indices.shape[1]);
    this.frame(new Box3().setFromBufferAttribute(position));
    this.redraw();
  }

  private colours(frame: Frame | undefined): BufferAttribute | null {
    this.range = null;
    if (!frame) return null;
    this.range = [frame.low, frame.high];
    const map = mapNamed('inferno');
    const out = new Float32Array(3 * frame.values.length);
    frame.values.forEach((v, i) => {
      const t = (v - frame.low) / (frame.high - frame.low || 1);
      const [r, g, b] = Number.isFinite(t) ? map.at(Math.min(1, Math.max(0, t))) : [128, 128, 128];
      out.set([r / 255, g / 255, b / 255], 3 * i);
    });
    return new BufferAttribute(out, 3);
  }

  private fillLegend(ids: number[]): void {
    this.legend.replaceChildren(...ids.map((id, k) => {
      const name = this.array.regions?.find((r) => r.id === id)?.name ?? `region ${id}`;
      const b = el('button', { type: 'button', class: 'chip', text: name, pressed: !this.off.has(id), title: `show or hide ${name}` });
      b.style.setProperty('--chip', this.range ? 'var(--soft)' : seriesColour(k));
      b.addEventListener('click', () => {
        if (!this.off.delete(id)) this.off.add(id);
        this.build();
      });
      return b;
    }));
  }

  protected override decorate(c: CanvasRenderingContext2D, w: number, h: number): void {
    const column = this.array.columns?.[this.by];
    if (!this.range || !column) return;
    const look = { map: mapNamed('inferno'), stretch: 'linear' as const, low: this.range[0], high: this.range[1] };
    drawColourBar(c, { x: w - 72, y: 30, w: 10, h: Math.min(220, h - 76) }, look, titled(column.name, column.unit), false);
  }

  override destroy(): void {
    this.subscription?.end();
    super.destroy();
  }
}
