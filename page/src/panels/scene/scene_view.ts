// What all views in three dimensions share: a camera that the hand turns, a cut, axes in the corner, a canvas that is drawn when something changed.
import {
  AmbientLight, ArrowHelper, Box3, Box3Helper, Color, DirectionalLight, Group, OrthographicCamera, PerspectiveCamera, Plane, Scene, Vector3, Mesh, type Object3D,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { drawScene, gpuProblem, whenRestored } from '../../draw/gpu.ts';
import { FONT } from '../../draw/axes.ts';
import { show, unit } from '../../draw/numbers.ts';
import type { ArrayInfo } from '../../protocol/types.ts';
import { css, el, select } from '../../ui/dom.ts';
import { marks3d, type Named } from './marks3d.ts';
import { watchSize, type Host, type View } from '../view.ts';

/** Okabe and Ito's blue, orange and green for x, y, z; letters say it, too. */
const AXES = [['x', '#d55e00', 1, 0, 0], ['y', '#009e73', 0, 1, 0], ['z', '#2a8fd0', 0, 0, 1]] as const;

export abstract class SceneView implements View {
  readonly element = el('div', { class: 'scene' });
  tools: Node[] = [];
  protected readonly scene = new Scene();
  protected readonly things = new Group();
  /** Edges of the model's box, marks. */
  private readonly around = new Group();
  private names: Named[] = [];
  private marked = '';
  protected readonly clip = new Plane(new Vector3(-1, 0, 0), 1e9);
  protected readonly bar = el('div', { class: 'cut' });
  protected readonly legend = el('div', { class: 'legend' });
  protected note = '';
  private readonly canvas = el('canvas', { tabIndex: 0, role: 'img' });
  private readonly camera = new PerspectiveCamera(35, 1, 0.01, 1000);
  private readonly controls: OrbitControls;
  private readonly corner = new Scene();
  private readonly cornerCamera = new OrthographicCamera(-1.5, 1.5, 1.5, -1.5, 0.1, 10);
  private readonly stop: (() => void)[];
  private readonly slider = el('input', { type: 'range', min: '0', max: '1', step: '0.005', value: '1', label: 'place of the cut' });
  private readonly words = el('output');
  private cutAxis = -1;
  protected box = new Box3();
  private drawing = 0;
  private size = { w: 0, h: 0 };

  constructor(protected readonly host: Host, protected array: ArrayInfo) {
    const light = new DirectionalLight(0xffffff, 2.2);
    light.position.set(-1.2, 2.2, 1.2); // beside the camera: faces of a box differ
    this.camera.add(light);
    this.scene.add(this.things, this.around, new AmbientLight(0xffffff, 1.3), this.camera);
    for (const [, colour, x, y, z] of AXES) this.corner.add(new ArrowHelper(new Vector3(x, y, z), new Vector3(), 1, colour, 0.35, 0.22));
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.camera.up.set(0, 0, 1);
    this.controls.addEventListener('change', () => {
      this.redraw();
    });
    this.canvas.setAttribute('aria-label', `${array.label || array.name} in three dimensions. Drag turns, arrows turn, plus and minus zoom.`);
    const problem = gpuProblem('solid');
    if (problem) host.say(problem);
    this.element.append(el('div', { class: 'canvas' }, this.canvas), this.legend, this.bar);
    this.fillCut();
    this.stop = [whenRestored(() => {
      this.redraw();
    }), host.session.listen((event) => {
      if (event === 'catalogue') this.mark();
    }), watchSize(this.canvas.parentElement ?? this.element, (w, h) => {
      this.size = { w, h };
      this.redraw();
    })];
  }

  private fillCut(): void {
    const choices = [{ value: '-1', text: 'no cut' }, ...AXES.map(([n], i) => ({ value: String(i), text: `cut across ${n}` }))];
    this.slider.disabled = true;
    this.slider.addEventListener('input', () => {
      this.moveCut();
    });
    this.bar.append(select('cut', choices, '-1', (v) => {
      this.cutAxis = Number(v);
      this.slider.disabled = this.cutAxis < 0;
      this.slider.value = '0.5';
      this.moveCut();
    }), this.slider, this.words);
  }

  private moveCut(): void {
    const a = this.cutAxis;
    if (a < 0) {
      this.clip.set(new Vector3(-1, 0, 0), 1e9);
      this.words.textContent = '';
    } else {
      const [low, high] = [this.box.min.getComponent(a), this.box.max.getComponent(a)];
      const at = low + (high - low) * this.slider.valueAsNumber;
      this.clip.normal.set(0, 0, 0).setComponent(a, -1);
      this.clip.constant = at + (high - low) * 1e-6;
      this.words.textContent = `${'xyz'.charAt(a)} ${show(at)} ${unit(this.array.length_unit ?? '')}`;
    }
    this.cutMoved();
    this.redraw();
  }
  protected cutMoved(): void {
    // Materials hold the plane itself.
  }

  /** The camera looks at all of a new thing; it stays for a new time of the same one. */
  protected frame(box: Box3): void {
    const same = box.equals(this.box);
    this.box = box.clone();
    if (same || box.isEmpty()) return;
    const center = box.getCenter(new Vector3());
    const radius = box.getSize(new Vector3()).length() / 2 || 1;
    this.marked = '';
    this.mark();
    this.controls.target.copy(center);
    const room = this.names.length > 0 ? 1.2 : 1.05; // a beam comes from outside
    this.camera.position.copy(center).addScaledVector(new Vector3(1.2, -1.7, 1.05).normalize(), (room * radius) / Math.sin((17.5 * Math.PI) / 180) / Math.min(1, this.size.w / this.size.h || 1));
    this.camera.near = radius / 50;
    this.camera.far = radius * 50;
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  /** The box and the marks around it: a beam may turn while the thing stays. */
  private mark(): void {
    const marks = this.host.session.catalogue.marks.filter((m) => m.case === this.host.caseId);
    const key = JSON.stringify(marks);
    if (this.box.isEmpty() || key === this.marked) return;
    this.marked = key;
    const radius = this.box.getSize(new Vector3()).length() / 2 || 1;
    const { group, names } = marks3d(marks, 0.45 * radius);
    this.names = names;
    this.around.clear();
    this.around.add(new Box3Helper(this.box, new Color(css('--line'))), group);
    this.element.dataset.marks = names.map((n) => n.name).join(' ');
    this.redraw();
  }

  redraw(): void {
    if (this.drawing) return;
    this.drawing = requestAnimationFrame(() => {
      this.drawing = 0;
      this.draw();
    });
  }

  private draw(): void {
    const c = this.canvas.getContext('2d');
    const { w, h } = this.size;
    if (!c || w < 20 || h < 20) return;
    const ratio = window.devicePixelRatio || 1;
    const [pw, ph] = [Math.round(w * ratio), Math.round(h * ratio)];
    if (this.canvas.width !== pw || this.canvas.height !== ph) [this.canvas.width, this.canvas.height] = [pw, ph];
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.fillStyle = css('--panel');
    c.fillRect(0, 0, pw, ph);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    drawScene('solid', this.scene, this.camera, c, 0, 0, pw, ph);
    this.drawCorner(c, ratio, ph);
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.font = FONT;
    c.fillStyle = css('--soft');
    c.textAlign = 'left';
    c.textBaseline = 'top';
    c.fillText(this.note || this.sizeText(), 10, 4); // the corner that neither names nor the bar of colours need
    this.drawNames(c, w, h);
    this.decorate(c, w, h);
  }
  /** Where a place of the model is on the canvas, in pixels of the page. */
  protected onCanvas(x: number, y: number, z: number): { x: number; y: number } {
    const p = new Vector3(x, y, z).project(this.camera);
    return { x: ((p.x + 1) / 2) * this.size.w, y: ((1 - p.y) / 2) * this.size.h };
  }
  private drawNames(c: CanvasRenderingContext2D, w: number, h: number): void {
    c.textAlign = 'left';
    c.textBaseline = 'middle';
    const taken: { x: number; y: number; w: number }[] = [];
    for (const { name, colour, at } of this.names) {
      const p = at.clone().project(this.camera);
      if (Math.abs(p.z) > 1) continue;
      const wide = c.measureText(name).width;
      const x = Math.min(w - wide - 4, ((p.x + 1) / 2) * w + 6);
      const at0 = Math.min(h - 8, Math.max(8, ((1 - p.y) / 2) * h));
      // Names of arrows that begin together stand below each other, or above where there is no room.
      const free = (y: number): boolean =>
        y >= 8 && y <= h - 8 && !taken.some((t) => Math.abs(t.y - y) < 13 && x < t.x + t.w && t.x < x + wide);
      const y = [0, 1, 2, 3, -1, -2, -3].map((n) => at0 + 13 * n).find(free) ?? at0;
      taken.push({ x, y, w: wide });
      c.lineWidth = 3;
      c.strokeStyle = css('--panel');
      c.strokeText(name, x, y);
      c.fillStyle = colour;
      c.fillText(name, x, y);
    }
  }
  protected decorate(_c: CanvasRenderingContext2D, _w: number, _h: number): void {
    // Views with a scale draw it here.
  }

  private sizeText(): string {
    if (this.box.isEmpty()) return '';
    const s = this.box.getSize(new Vector3());
    return `${[s.x, s.y, s.z].map(show).join(' × ')} ${unit(this.array.length_unit ?? '')}`;
  }

  private drawCorner(c: CanvasRenderingContext2D, ratio: number, ph: number): void {
    const size = Math.round(72 * ratio);
    const away = this.camera.position.clone().sub(this.controls.target).normalize();
    this.cornerCamera.up.copy(this.camera.up);
    this.cornerCamera.position.copy(away.multiplyScalar(4));
    this.cornerCamera.lookAt(0, 0, 0);
    this.cornerCamera.updateMatrixWorld();
    drawScene('solid', this.corner, this.cornerCamera, c, 0, ph - size, size, size);
    c.font = `${Math.round(12 * ratio)}px system-ui`;
    c.fillStyle = css('--text');
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    for (const [name, , x, y, z] of AXES) {
      const p = new Vector3(x, y, z).multiplyScalar(1.28).project(this.cornerCamera);
      c.fillText(name, ((p.x + 1) / 2) * size, ph - size + ((1 - p.y) / 2) * size);
    }
  }

  protected clear(): void {
    this.things.traverse((o: Object3D) => {
      if (!(o instanceof Mesh)) return;
      (o as Mesh).geometry.dispose();
      for (const m of [(o as Mesh).material].flat()) m.dispose();
    });
    this.things.clear();
  }

  key(event: KeyboardEvent): boolean {
    const turn = 0.12;
    const offset = this.camera.position.clone().sub(this.controls.target);
    const z = this.camera.up;
    const right = new Vector3().crossVectors(z, offset).normalize();
    const keys: Record<string, () => void> = {
      ArrowLeft: () => offset.applyAxisAngle(z, -turn), ArrowRight: () => offset.applyAxisAngle(z, turn),
      ArrowUp: () => offset.applyAxisAngle(right, -turn), ArrowDown: () => offset.applyAxisAngle(right, turn),
      '+': () => offset.multiplyScalar(0.85), '=': () => offset.multiplyScalar(0.85), '-': () => offset.multiplyScalar(1 / 0.85),
      '0': () => {
        const box = this.box.clone();
        this.box = new Box3();
        this.frame(box);
      },
    };
    if (!(event.key in keys)) return false;
    keys[event.key]?.();
    if (event.key !== '0') this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.redraw();
    return true;
  }

  abstract show(array: ArrayInfo): void;

  picture(): HTMLCanvasElement {
    return this.canvas;
  }
  destroy(): void {
    for (const stop of this.stop) stop();
    cancelAnimationFrame(this.drawing);
    this.controls.dispose();
    this.clear();
  }
}

export function colourOf(rgb: [number, number, number]): Color {
  return new Color(rgb[0] / 255, rgb[1] / 255, rgb[2] / 255);
}
