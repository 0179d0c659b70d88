// The page's WebGL contexts: every panel is drawn in one of two and copied to the panel's own canvas, because browsers end contexts beyond a few.
import {
  ColorManagement, DataTexture, HalfFloatType, LinearFilter, LinearSRGBColorSpace, NearestFilter, RedFormat, RGBAFormat, WebGLRenderer,
  type Camera, type Scene,
} from 'three';
import { Type, valueAt, type Frame } from '../protocol/frame.ts';
import { toHalf } from '../protocol/half.ts';
import { table, type ColourMap } from './colours.ts';

/** Cuts need neither smooth edges nor depth, which cost most of a picture where the processor draws; the other context is made when it is needed. */
export type Use = 'flat' | 'solid';

const renderers = new Map<Use, WebGLRenderer>();
let failed = '';
const onRestored = new Set<() => void>();

function create(use: Use): WebGLRenderer | null {
  const there = renderers.get(use);
  if (there || failed) return there ?? null;
  try {
    const solid = use === 'solid';
    const made = new WebGLRenderer({ antialias: solid, depth: solid, alpha: true, premultipliedAlpha: true });
    ColorManagement.enabled = false;
    made.localClippingEnabled = true;
    made.outputColorSpace = LinearSRGBColorSpace; // tables are sRGB bytes already
    made.setPixelRatio(1);
    made.setClearColor(0, 0);
    made.domElement.addEventListener('webglcontextrestored', () => {
      for (const redraw of onRestored) redraw();
    });
    renderers.set(use, made);
    return made;
  } catch (e) {
    failed = `no pictures: this browser gives no WebGL2 (${e instanceof Error ? e.message : String(e)})`;
    return null;
  }
}

/** Why nothing is drawn, or an empty text. */
export function gpuProblem(use: Use): string {
  create(use);
  return failed;
}

/** Calls back after the context was lost and given back. Returns how to stop that. */
export function whenRestored(redraw: () => void): () => void {
  onRestored.add(redraw);
  return () => onRestored.delete(redraw);
}

/** Draws a scene of w x h pixels and copies it to (x, y) of a canvas. */
export function drawScene(use: Use, scene: Scene, camera: Camera, to: CanvasRenderingContext2D, x: number, y: number, w: number, h: number): void {
  const gl = create(use);
  if (!gl || w < 1 || h < 1) return;
  const canvas = gl.domElement;
  if (canvas.width < w || canvas.height < h) gl.setSize(Math.max(canvas.width, w), Math.max(canvas.height, h), false);
  gl.setViewport(0, 0, w, h);
  gl.setScissor(0, 0, w, h);
  gl.setScissorTest(true);
  gl.clear();
  gl.render(scene, camera);
  to.drawImage(canvas, 0, canvas.height - h, w, h, x, y, w, h);
}

/** Bits of half floats of a frame: as they came where they are half floats, or scaled to the largest value. */
export function halves(frame: Frame): { data: Uint16Array<ArrayBuffer>; factor: number } {
  if (frame.type === Type.f16) return { data: frame.values as Uint16Array<ArrayBuffer>, factor: frame.factor };
  const largest = Math.max(Math.abs(frame.low), Math.abs(frame.high));
  const factor = largest > 0 && Number.isFinite(largest) ? largest : 1;
  const data = new Uint16Array(frame.values.length);
  for (let i = 0; i < data.length; ++i) data[i] = toHalf(valueAt(frame, i) / factor);
  return { data, factor };
}

export function fieldTexture(data: Uint16Array<ArrayBuffer>, w: number, h: number, smooth: boolean): DataTexture {
  const texture = new DataTexture(data, w, h, RedFormat, HalfFloatType);
  texture.unpackAlignment = 1;
  texture.minFilter = LinearFilter;
  texture.magFilter = smooth ? LinearFilter : NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

const maps = new Map<string, DataTexture>();
export function mapTexture(map: ColourMap): DataTexture {
  let texture = maps.get(map.name);
  if (!texture) {
    texture = new DataTexture(table(map), 256, 1, RGBAFormat);
    texture.minFilter = LinearFilter;
    texture.magFilter = LinearFilter;
    texture.needsUpdate = true;
    maps.set(map.name, texture);
  }
  return texture;
}
