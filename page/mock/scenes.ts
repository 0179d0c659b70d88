// Synthetic runs and folders: arrays by formulas whose values a test can check.
import type { ArrayInfo, Catalogue, State } from '../src/protocol/types.ts';
import { png } from './png.ts';

export interface MockArray {
  info: ArrayInfo;
  /** `t` is the moment that is asked for: Infinity is the newest. */
  field?: (i: number, j: number, k: number, t: number) => number;
  columns?: (t: number) => ArrayLike<number>[];
  mesh?: (t: number) => { vertices: number[]; indices: number[]; regions: number[]; values: number[] };
  text?: () => string;
}

export interface Scene {
  mode: 'run' | 'folder';
  title: string;
  commands: string[];
  warnings: string[];
  arrays: MockArray[];
  step: number;
  /** Grows when what is not live changed, too. */
  version: number;
  png?: () => Buffer;
  advance(): void;
  catalogue(): Omit<Catalogue, 'type'>;
  state(): Omit<State, 'type' | 'viewers'>;
  command(m: { do: string; n?: number; rgb?: number[]; rects?: number[][] }): string;
}

let ids = 0;
function info(kind: ArrayInfo['kind'], name: string, label: string, more: Partial<ArrayInfo>): ArrayInfo {
  return { id: ids++, case: 0, name, label, text: label, unit: '1', kind, live: false, role: '', shape: [], ...more };
}

const IDLE: Omit<State, 'type' | 'viewers'> = {
  state: 'finished', stage: '', step: 0, limit: null, fixed: false, time: null, time_unit: '', seconds: null, left: null, rate: null,
  measure: '', text: '',
};

/** A wave from the left edge in a picture of 240 x 160 pixels with a ring; a painted wall stops it. */
export function fdtdScene(): Scene {
  ids = 0;
  const [w, h] = [240, 160];
  const wall = new Uint8Array(w * h);
  const ring = (i: number, j: number): boolean => Math.abs(Math.hypot(i - 130, j - 92) - 42) < 6 || Math.abs(j - 36) < 6;
  const grid = {
    shape: [w, h, 1], origin: [-3, -2, 0] as [number, number, number], spacing: [0.025, 0.025, 0.025] as [number, number, number],
    axes: ['x', 'y', 'z'], length_unit: 'um', signed: true, live: true,
  };
  const scene = { step: 0, paused: false, state: 'running' as State['state'], single: 0 };
  const blocked = (i: number, j: number): boolean => {
    for (let x = 0; x <= i; ++x) if (wall[j * w + x]) return true;
    return false;
  };
  const wave = (i: number, j: number): number => {
    const front = 4 * scene.step;
    if (i > front || blocked(i, j)) return 0;
    return Math.sin(0.35 * (i - front)) * (ring(i, j) ? 1 : 0.25) * Math.exp(-(((j - 80) / 90) ** 2));
  };
  const times = (): number[] => Array.from({ length: Math.max(1, scene.step) }, (_, s) => 0.01 * s);
  const arrays: MockArray[] = [
    { info: info('field', 'fields/Ez', 'Ez', { ...grid, role: 'component', text: 'electric field along z' }), field: wave },
    { info: info('field', 'fields/Hx', 'Hx', { ...grid, role: 'component' }), field: (i, j) => 0.5 * wave(i, j) + (i === 5 ? 0.1 : 0) },
    { info: info('field', 'fields/intensity', '|E|²', { ...grid, role: 'intensity', signed: false }), field: (i, j) => wave(i, j) ** 2 },
    { info: info('field', 'model/permittivity', 'permittivity', { ...grid, role: 'model', signed: false, live: false }), field: (i, j) => (wall[j * w + i] ? 40 : ring(i, j) ? 12.1 : 1) },
    {
      info: info('curve', 'series/drop', 'drop: Ez', { role: 'series', live: true, shape: [1, 2], columns: [{ name: 'time', unit: 'um/c' }, { name: 'Ez', unit: '1' }] }),
      columns: () => [times(), times().map((t) => Math.sin(40 * t) * Math.exp(-((t - 1) ** 2)))],
    },
    {
      info: info('curve', 'spectrum/through', 'through: flux', { role: 'spectrum', live: true, shape: [80, 3], columns: [{ name: 'frequency', unit: 'c/um' }, { name: 'T', unit: '1' }, { name: 'R', unit: '1' }] }),
      columns: () => {
        const f = Array.from({ length: 80 }, (_, i) => 0.6 + 0.001 * i);
        const dip = f.map((x) => 1 - 0.9 / (1 + ((x - 0.645) / 0.003) ** 2));
        return [f, dip, dip.map((x) => 0.1 * (1 - x))];
      },
    },
  ];
  return {
    mode: 'run', title: 'ring_resonator', warnings: [], arrays, version: 0,
    commands: ['subscribe', 'unsubscribe', 'ack', 'pause', 'resume', 'step', 'stop', 'save', 'model', 'paint'],
    get step() { return scene.step; },
    advance() {
      if (scene.state === 'running') ++scene.step;
    },
    png: () => png(w, h, (x, y) => (ring(x, h - 1 - y) ? [0, 128, 0] : [255, 255, 255])),
    catalogue: () => ({
      generation: 1, cases: [{ case: 0, name: 'run003_ring', family: 'fdtd', state: scene.state, text: 'umov fdtd ring.png' }],
      arrays: arrays.map((a) => a.info),
      marks: [
        { case: 0, role: 'source', name: 'in', text: 'pulse, f = 0.645', shape: 'box', center: [-2.6, -1.1, 0], size: [0, 0.6, 0], arrow: [1, 0, 0] },
        { case: 0, role: 'monitor', name: 'through', text: 'flux', shape: 'box', center: [2.4, -1.1, 0], size: [0, 0.8, 0], arrow: [1, 0, 0] },
        { case: 0, role: 'layer', name: 'absorber', text: '', shape: 'box', center: [0, 1.88, 0], size: [6, 0.24, 0] },
        { case: 0, role: 'monitor', name: 'drop', text: 'series', shape: 'box', center: [0.25, 1.3, 0], size: [0, 0, 0] },
      ],
      picture: { width: w, height: h, address: '/picture', origin: [-3, -2], spacing: [0.025, 0.025] },
    }),
    state: () => ({
      ...IDLE, state: scene.state, stage: 'fields', step: scene.step, limit: 20000, fixed: true, time: 0.01 * scene.step, time_unit: 'um/c',
      seconds: 1, left: 190, rate: 99.2, measure: 'energy 1e-3 → 1e-6',
    }),
    command(m) {
      if (m.do === 'pause') scene.state = 'paused';
      else if (m.do === 'resume') scene.state = 'running';
      else if (m.do === 'step') {
        scene.state = 'paused';
        scene.step += m.n ?? 1;
      } else if (m.do === 'stop') scene.state = 'finished';
      else if (m.do === 'paint') {
        for (const [x = 0, y = 0, rw = 0, rh = 0] of m.rects ?? []) {
          for (let j = y; j < y + rh; ++j) for (let i = x; i < x + rw; ++i) wall[(h - 1 - j) * w + i] = 1;
        }
        scene.step = 0;
        scene.state = 'running';
        ++this.version;
      } else return `no command "${m.do}"`;
      return '';
    },
  };
}

/** Three dimensions: a ball of radius 12 in 48 x 40 x 32 cells, a wave that spreads around it. */
export function volumeScene(): Scene {
  ids = 0;
  let step = 40;
  const grid = {
    shape: [48, 40, 32], origin: [-2.4, -2, -1.6] as [number, number, number], spacing: [0.1, 0.1, 0.1] as [number, number, number],
    axes: ['x', 'y', 'z'], length_unit: 'um', live: true,
  };
  const far = (i: number, j: number, k: number): number => Math.hypot(i - 23.5, j - 19.5, k - 15.5);
  const wave = (i: number, j: number, k: number): number => Math.cos(0.6 * (far(i, j, k) - 0.1 * step)) * Math.exp(-far(i, j, k) / 9);
  const arrays: MockArray[] = [
    { info: info('field', 'fields/Ex', 'Ex', { ...grid, signed: true, role: 'component' }), field: wave },
    { info: info('field', 'fields/magnitude', '|E|', { ...grid, signed: false, role: 'magnitude' }), field: (i, j, k) => Math.abs(wave(i, j, k)) },
    { info: info('field', 'model/permittivity', 'permittivity', { ...grid, live: false, signed: false, role: 'model' }), field: (i, j, k) => (far(i, j, k) < 12 ? 2.25 : 1) },
  ];
  return {
    mode: 'run', title: 'sphere_in_time', warnings: ['the source lies in an absorbing layer'], arrays, version: 0,
    commands: ['subscribe', 'unsubscribe', 'ack', 'pause', 'resume', 'step', 'stop'],
    get step() { return step; },
    advance() { ++step; },
    catalogue: () => ({ generation: 1, cases: [{ case: 0, name: 'sphere_in_time', family: 'fdtd', state: 'running' }], arrays: arrays.map((a) => a.info), marks: [] }),
    state: () => ({ ...IDLE, state: 'running', step, limit: 800, time: 0.05 * step, time_unit: 'um/c', rate: 30, left: 25 }),
    command: () => '',
  };
}
