// A cut of a field in colours, on the GPU: half floats -> scale -> colour map, the model beneath or mixed in.
import { GLSL3, Mesh, OrthographicCamera, PlaneGeometry, Scene, ShaderMaterial, Vector2, Vector4, type DataTexture } from 'three';
import { drawScene, fieldTexture, gpuProblem, mapTexture } from './gpu.ts';
import type { ColourMap } from './colours.ts';

export type Stretch = 'linear' | 'root' | 'log';
/** Left, bottom, right, top in the length unit of the field. */
export interface Rect { x0: number; y0: number; x1: number; y1: number }

export interface Look {
  map: ColourMap;
  stretch: Stretch;
  low: number;
  high: number;
}

/** Position in the colour map of a value: the shader below says the same. `log` shows four decades. */
export function position(value: number, look: Look): number {
  const bend = (t: number): number => {
    if (look.stretch === 'root') return Math.sqrt(t);
    return look.stretch === 'log' ? Math.max(0, 1 + Math.log10(Math.max(t, 1e-4)) / 4) : t;
  };
  const clamp = (t: number): number => Math.min(1, Math.max(0, t));
  if (look.map.diverging) {
    const t = value / Math.max(Math.abs(look.low), Math.abs(look.high), 1e-300);
    return 0.5 + 0.5 * Math.sign(t) * bend(clamp(Math.abs(t)));
  }
  return bend(clamp((value - look.low) / (look.high - look.low || 1)));
}

/** The value at a position of the colour map: the inverse of the above. */
export function valueOf(t: number, look: Look): number {
  const unbend = (s: number): number => {
    if (look.stretch === 'root') return s * s;
    return look.stretch === 'log' ? 10 ** (4 * (s - 1)) : s;
  };
  if (!look.map.diverging) return look.low + (look.high - look.low) * unbend(t);
  const s = 2 * t - 1;
  return s === 0 ? 0 : Math.sign(s) * Math.max(Math.abs(look.low), Math.abs(look.high)) * unbend(Math.abs(s));
}

const vertex = `
out vec2 place;
uniform vec4 view;
void main() {
  place = mix(view.xy, view.zw, uv);
  gl_Position = vec4(position.xy, 0.0, 1.0);
}`;

const fragment = `
precision highp float;
precision highp sampler2D;
in vec2 place;
out vec4 colour;
uniform sampler2D field, map, model;
uniform vec4 extent, modelExtent;
uniform vec2 scale, modelScale;
uniform float diverging, tint, thesis, bright;
uniform int stretch;
float bend(float t) {
  if (stretch == 1) return sqrt(t);
  if (stretch == 2) return max(0.0, 1.0 + log(max(t, 1e-4)) / (4.0 * log(10.0)));
  return t;
}
void main() {
  vec2 at = (place - extent.xy) / (extent.zw - extent.xy);
  if (any(lessThan(at, vec2(0.0))) || any(greaterThan(at, vec2(1.0)))) { colour = vec4(0.0); return; }
  float v = texture(field, at).r;
  float body = 0.0;
  if (tint > 0.0) {
    vec2 m = (place - modelExtent.xy) / (modelExtent.zw - modelExtent.xy);
    if (all(greaterThanEqual(m, vec2(0.0))) && all(lessThanEqual(m, vec2(1.0)))) {
      float e = texture(model, m).r;
      body = isnan(e) ? 1.0 : clamp((e - modelScale.x) / max(modelScale.y - modelScale.x, 1e-9), 0.0, 1.0);
    }
  }
  if (isnan(v)) { colour = vec4(vec3(0.5), 0.3); return; }
  float t;
  if (diverging > 0.5) {
    float s = v / max(max(abs(scale.x), abs(scale.y)), 1e-30);
    t = 0.5 + 0.5 * sign(s) * bend(clamp(abs(s), 0.0, 1.0));
  } else {
    t = bend(clamp((v - scale.x) / max(scale.y - scale.x, 1e-30), 0.0, 1.0));
  }
  vec3 c = texture(map, vec2((t * 255.0 + 0.5) / 256.0, 0.5)).rgb;
  if (thesis > 0.5) c.g = max(c.g, 0.55 * body);
  else c = bright > 0.5 ? c * (1.0 - tint * body) : c + tint * body * (1.0 - c);
  colour = vec4(c, 1.0);
}`;

export interface Picture {
  texture: DataTexture;
  factor: number;
  extent: Rect;
}

/** Whether the colour of nothing is bright: above it the model is drawn darker, else brighter. */
export function brightGround(map: ColourMap): boolean {
  const [r, g, b] = map.at(map.diverging ? 0.5 : 0.35);
  return 0.3 * r + 0.6 * g + 0.1 * b > 128;
}

function four(r: Rect): Vector4 {
  return new Vector4(r.x0, r.y0, r.x1, r.y1);
}

/** Draws cuts; one for all image panels. */
class FieldPainter {
  private readonly blank = fieldTexture(new Uint16Array(1), 1, 1, false);
  private readonly uniforms = {
    view: { value: new Vector4() }, extent: { value: new Vector4() }, modelExtent: { value: new Vector4() },
    field: { value: this.blank }, map: { value: this.blank }, model: { value: this.blank },
    scale: { value: new Vector2() }, modelScale: { value: new Vector2() },
    diverging: { value: 0 }, tint: { value: 0 }, thesis: { value: 0 }, bright: { value: 0 }, stretch: { value: 0 },
  };
  private readonly scene = new Scene();
  private readonly camera = new OrthographicCamera();

  constructor() {
    const material = new ShaderMaterial({
      vertexShader: vertex, fragmentShader: fragment, glslVersion: GLSL3, uniforms: this.uniforms,
      depthTest: false, transparent: true,
    });
    const mesh = new Mesh(new PlaneGeometry(2, 2), material);
    mesh.frustumCulled = false;
    this.scene.add(mesh);
  }

  draw(to: CanvasRenderingContext2D, at: { x: number; y: number; w: number; h: number }, view: Rect, picture: Picture,
       look: Look, model: (Picture & { low: number; high: number }) | null): void {
    const u = this.uniforms;
    u.view.value = four(view);
    u.extent.value = four(picture.extent);
    u.field.value = picture.texture;
    u.map.value = mapTexture(look.map);
    u.scale.value.set(look.low / picture.factor, look.high / picture.factor);
    u.diverging.value = look.map.diverging ? 1 : 0;
    u.stretch.value = ['linear', 'root', 'log'].indexOf(look.stretch);
    u.thesis.value = look.map.name === 'thesis' ? 1 : 0;
    u.tint.value = model ? 0.14 : 0;
    u.bright.value = brightGround(look.map) ? 1 : 0;
    if (model) {
      u.model.value = model.texture;
      u.modelExtent.value = four(model.extent);
      u.modelScale.value.set(model.low / model.factor, model.high / model.factor);
    }
    drawScene('flat', this.scene, this.camera, to, at.x, at.y, at.w, at.h);
  }
}

let painter: FieldPainter | null = null;
export function fieldPainter(): FieldPainter {
  return (painter ??= new FieldPainter());
}

/** Compiles the shaders before the first frame comes, so that the first picture is not late. */
export function warmUp(): void {
  if (!gpuProblem('flat')) fieldPainter();
}
