// A field in three dimensions: rays through it, as a surface of equal size or as the largest value on the way.
import {
  BackSide, Box3, BoxGeometry, Data3DTexture, GLSL3, HalfFloatType, LinearFilter, Mesh, RedFormat, ShaderMaterial, Vector3, Vector4,
} from 'three';
import { drawColourBar } from '../../draw/axes.ts';
import { mapNamed } from '../../draw/colours.ts';
import { valueOf } from '../../draw/field_shader.ts';
import { halves, mapTexture } from '../../draw/gpu.ts';
import { cellsOf, originOf, spacingOf } from '../../draw/geometry.ts';
import { show, titled, unit } from '../../draw/numbers.ts';
import { FollowingScale } from '../image/follow.ts';
import { firstStretch, STRETCHES } from '../image/settings.ts';
import { spreadOf } from '../image/source.ts';
import type { Frame } from '../../protocol/frame.ts';
import type { Subscription } from '../../protocol/session.ts';
import type { ArrayInfo } from '../../protocol/types.ts';
import { el, select } from '../../ui/dom.ts';
import type { Host } from '../view.ts';
import { ScaleSteps } from './scale_steps.ts';
import { SceneView } from './scene_view.ts';

const vertex = `
out vec3 place;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  place = world.xyz;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

const fragment = `
precision highp float;
precision highp sampler3D;
in vec3 place;
out vec4 colour;
uniform sampler3D field;
uniform sampler2D map;
uniform vec3 low, high;
uniform vec4 plane;
uniform float scale, level, vivid, steps;
uniform bool surface, diverging;
uniform int stretch;
float bend(float t) {
  if (stretch == 1) return sqrt(t);
  if (stretch == 2) return max(0.0, 1.0 + log(max(t, 1e-4)) / (4.0 * log(10.0)));
  return t;
}
float at(vec3 p) {
  float v = texture(field, (p - low) / (high - low)).r / scale;
  return isnan(v) ? 0.0 : v;
}
vec3 tint(float v) {
  float size = bend(clamp(abs(v), 0.0, 1.0));
  float t = diverging ? 0.5 + 0.5 * sign(v) * size : (v > 0.0 ? size : 0.0);
  return texture(map, vec2((t * 255.0 + 0.5) / 256.0, 0.5)).rgb;
}
void main() {
  vec3 ray = normalize(place - cameraPosition);
  vec3 safe = mix(vec3(1e-9), ray, step(1e-9, abs(ray)));
  vec3 a = (low - cameraPosition) / safe;
  vec3 b = (high - cameraPosition) / safe;
  vec3 n = min(a, b);
  vec3 f = max(a, b);
  float from = max(0.0, max(n.x, max(n.y, n.z)));
  float to = min(f.x, min(f.y, f.z));
  if (to <= from) discard;
  float h = length(high - low) / steps;
  float best = 0.0;
  for (float t = from + 0.5 * h; t < to; t += h) {
    vec3 p = cameraPosition + t * ray;
    if (dot(plane.xyz, p) + plane.w < 0.0) continue;
    float v = at(p);
    if (surface && abs(v) > level) {
      float back = t - h;
      for (int i = 0; i < 5; ++i) {
        float m = 0.5 * (back + t);
        if (abs(at(cameraPosition + m * ray)) > level) t = m; else back = m;
      }
      p = cameraPosition + t * ray;
      vec3 d = (high - low) / steps;
      vec3 g = vec3(
        abs(at(p + vec3(d.x, 0, 0))) - abs(at(p - vec3(d.x, 0, 0))),
        abs(at(p + vec3(0, d.y, 0))) - abs(at(p - vec3(0, d.y, 0))),
        abs(at(p + vec3(0, 0, d.z))) - abs(at(p - vec3(0, 0, d.z)))) / d;
      float shade = length(g) > 0.0 ? abs(dot(normalize(g), ray)) : 1.0;
      colour = vec4(tint(v > 0.0 ? vivid : -vivid) * (0.35 + 0.65 * shade), 1.0);
      return;
    }
    if (abs(v) > abs(best)) best = v;
  }
  if (surface) discard;
  float dense = bend(clamp(abs(best), 0.0, 1.0));
  colour = vec4(tint(best), dense < 0.03 ? 0.0 : sqrt(dense));
}`;

/** Values across the volume each way: what a browser's GPU takes every frame. */
const ACROSS = 96;

export class VolumeView extends SceneView {
  private readonly uniforms = {
    field: { value: null as Data3DTexture | null }, map: { value: mapTexture(mapNamed('inferno')) },
    low: { value: new Vector3() }, high: { value: new Vector3(1, 1, 1) }, plane: { value: new Vector4(0, 0, 0, 1) },
    scale: { value: 1 }, level: { value: 0.35 }, steps: { value: 192 }, surface: { value: true }, diverging: { value: false },
    stretch: { value: 0 }, vivid: { value: 0.75 },
  };
  private subscription: Subscription | null = null;
  private limit = 0;
  private factor = 1;
  private first = true;
  private readonly level = el('input', { type: 'range', min: '0.02', max: '0.98', step: '0.02', value: '0.35', label: 'level of the surface, along the scale' });
  private readonly levelWords = el('output');
  private readonly bent = new ScaleSteps(() => {
    this.scale();
    this.redraw();
  });
  private readonly following = new FollowingScale(() => {
    this.scale();
    this.redraw();
  });

  constructor(host: Host, array: ArrayInfo) {
    super(host, array);
    this.tools = [this.bent.tool];
    this.bent.tool.hidden = false;
    this.level.addEventListener('input', () => {
      this.scale();
      this.redraw();
    });
    this.bar.prepend(select('drawn as', [{ value: 'surface', text: 'surface' }, { value: 'volume', text: 'volume' }], 'surface', (v) => {
      this.uniforms.surface.value = v === 'surface';
      this.level.hidden = this.levelWords.hidden = v !== 'surface';
      this.redraw();
    }), this.level, this.levelWords);
    this.show(array);
  }

  show(array: ArrayInfo): void {
    if (this.subscription?.alive && array.id === this.array.id) return;
    this.subscription?.end();
    this.array = array;
    this.limit = 0;
    this.uniforms.diverging.value = array.signed ?? false;
    this.uniforms.map.value = mapTexture(mapNamed(this.mapName));
    this.subscription = this.host.session.subscribe(array.id, { axis: 3, pixels: [ACROSS, ACROSS, ACROSS] }, {
      onParts: (parts) => {
        const frame = parts[0];
        if (frame) this.take(frame);
      },
      onText: () => undefined,
      onError: (text) => {
        this.host.say(text);
      },
    });
  }
  private get mapName(): string {
    return this.array.signed ? 'blue–orange' : 'inferno';
  }

  private take(frame: Frame): void {
    const half = halves(frame);
    this.uniforms.field.value?.dispose();
    const texture = new Data3DTexture(half.data, ...frame.shape);
    texture.format = RedFormat;
    texture.type = HalfFloatType;
    texture.minFilter = LinearFilter;
    texture.magFilter = LinearFilter;
    texture.unpackAlignment = 1;
    texture.needsUpdate = true;
    this.uniforms.field.value = texture;
    this.factor = half.factor;
    this.following.take(frame, performance.now());
    if (frame.high > 0 || frame.low < 0) this.bent.begin(this.array.name, () => firstStretch(this.array, frame.spread ?? spreadOf(frame)));
    this.scale();
    this.uniforms.steps.value = 2 * Math.max(...frame.shape);
    if (this.first) this.build();
    this.redraw();
  }

  /** The scale of cuts: what comes down there comes down here. The level is a place on it; its colour is vivid wherever that is. */
  private scale(): void {
    const { stretch } = this.bent;
    this.limit = this.following.limit || 1;
    this.uniforms.scale.value = this.limit / this.factor;
    this.uniforms.stretch.value = STRETCHES.findIndex((s) => s.value === stretch);
    const bar = { map: mapNamed('inferno'), stretch, low: 0, high: 1 };
    const level = valueOf(this.level.valueAsNumber, bar);
    this.uniforms.level.value = level;
    this.uniforms.vivid.value = valueOf(0.75, bar);
    this.levelWords.textContent = `${show(level * this.limit)} ${unit(this.array.unit)}`;
    this.element.dataset.limit = String(this.limit);
    this.element.dataset.steps = stretch;
  }

  private build(): void {
    this.first = false;
    const [n, o, d] = [cellsOf(this.array), originOf(this.array), spacingOf(this.array)];
    const low = new Vector3(...o);
    const high = new Vector3(o[0] + n[0] * d[0], o[1] + n[1] * d[1], o[2] + n[2] * d[2]);
    this.uniforms.low.value = low;
    this.uniforms.high.value = high;
    const size = high.clone().sub(low);
    const mesh = new Mesh(new BoxGeometry(size.x, size.y, size.z), new ShaderMaterial({
      vertexShader: vertex, fragmentShader: fragment, glslVersion: GLSL3, uniforms: this.uniforms, side: BackSide, transparent: true,
    }));
    mesh.position.copy(low).add(high).multiplyScalar(0.5);
    mesh.frustumCulled = false;
    this.things.add(mesh);
    this.frame(new Box3(low, high));
  }

  protected override cutMoved(): void {
    this.uniforms.plane.value.set(this.clip.normal.x, this.clip.normal.y, this.clip.normal.z, this.clip.constant);
  }

  protected override decorate(c: CanvasRenderingContext2D, w: number, h: number): void {
    const look = { map: mapNamed(this.mapName), stretch: this.bent.stretch, low: 0, high: this.limit };
    drawColourBar(c, { x: w - 86, y: 30, w: 10, h: Math.min(220, h - 76) }, look, titled(this.array.label, this.array.unit), false);
  }

  override destroy(): void {
    this.following.end();
    this.subscription?.end();
    this.uniforms.field.value?.dispose();
    super.destroy();
  }
}
