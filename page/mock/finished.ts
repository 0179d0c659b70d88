// A folder of finished cases, one of each family, with formulas for numbers.
import type { ArrayInfo, State } from '../src/protocol/types.ts';
import type { MockArray, Scene } from './scenes.ts';

const STATE: Omit<State, 'type' | 'viewers'> = {
  state: 'following', stage: '', step: 0, limit: null, fixed: false, time: null, time_unit: '', seconds: null, left: null, rate: null,
  measure: '', text: '',
};

type Maker = (kind: ArrayInfo['kind'], name: string, label: string, more: Partial<ArrayInfo>) => ArrayInfo;

/** A ball of two materials: 2 within half the radius. */
function particle(info: Maker): MockArray[] {
  const points: number[][] = [[], [], [], [], []];
  for (let i = -8; i < 8; ++i) for (let j = -8; j < 8; ++j) for (let k = -8; k < 8; ++k) {
    const r = Math.hypot(i + 0.5, j + 0.5, k + 0.5);
    if (r < 8 && !(i > 0 && j < 0 && k > 0)) [i + 0.5, j + 0.5, k + 0.5].map((v) => 0.05 * v).concat([r < 4 ? 2 : 1, Math.exp(i / 6)]).forEach((v, c) => points[c]?.push(v));
  }
  const theta = Array.from({ length: 361 }, (_, i) => i);
  const s11 = theta.map((t) => 0.02 + 40 * Math.exp(-((Math.min(t, 360 - t) / 25) ** 2)) + Math.cos((t * Math.PI) / 20) ** 2);
  const mueller = ['S11', 'S12', 'S21', 'S22', 'S33', 'S34', 'S43', 'S44'];
  return [
    { info: info('points', 'particle', 'particle', { role: 'material', shape: [points[0]?.length ?? 0, 5], length_unit: 'um', columns: ['x', 'y', 'z'].map((name) => ({ name, unit: 'um' })).concat([{ name: 'material', unit: '1' }, { name: '|E|²', unit: '1' }]) }), columns: () => points },
    { info: info('scalar', 'solver/Y/residual', 'residual', { role: 'residual', log: true, shape: [40, 2], columns: [{ name: 'iteration', unit: '1' }, { name: 'residual', unit: '1' }] }), columns: () => [Array.from({ length: 40 }, (_, i) => i), Array.from({ length: 40 }, (_, i) => 10 ** (-i / 7))] },
    { info: info('curve', 'scattering_plane/mueller', 'Mueller matrix', { role: 'pattern', log: true, shape: [361, 9], columns: [{ name: 'theta', unit: 'degree' }, ...mueller.map((name) => ({ name, unit: '1' }))] }), columns: () => [theta, ...mueller.map((_, i) => s11.map((v) => v / (i + 1)))] },
    { info: info('scalar', 'cross_sections/Y/Cext', 'Cext, Y', { unit: 'um^2', shape: [1, 2], columns: [{ name: 'step', unit: '1' }, { name: 'Cext', unit: 'um^2' }] }), columns: () => [[0], [0.734512]] },
    { info: info('scalar', 'cross_sections/Y/Qext', 'Qext, Y', { shape: [1, 2], columns: [{ name: 'step', unit: '1' }, { name: 'Qext', unit: '1' }] }), columns: () => [[0], [1.46092]] },
    { info: info('field', 'internal/E_Y_squared', '|E|², Y', { unit: '1', role: 'intensity', shape: [16, 16, 16], origin: [-0.4, -0.4, -0.4], spacing: [0.05, 0.05, 0.05], axes: ['x', 'y', 'z'], length_unit: 'um', signed: false }), field: (i, j, k) => (Math.hypot(i - 7.5, j - 7.5, k - 7.5) < 8 ? Math.exp(i / 6) : NaN) },
  ];
}

/** A box with an electrode above and below, the field between them. */
function insulator(info: Maker): MockArray[] {
  const [n, m] = [24, 12];
  // The field rises over four instants; the newest is whole.
  const times = [0, 0.005, 0.01, 0.015];
  const rise = (t: number): number => 0.25 * (times.filter((x) => x <= t).length || 1);
  const mesh = (t: number): { vertices: number[]; indices: number[]; regions: number[]; values: number[] } => {
    const [vertices, indices, regions, values] = [[] as number[], [] as number[], [] as number[], [] as number[]];
    for (const [region, radius, low, high] of [[1, 1, -1, 1], [2, 1.2, 1, 1.2], [3, 1.2, -1.2, -1]] as const) {
      const first = vertices.length / 3;
      for (let j = 0; j <= m; ++j) for (let i = 0; i < n; ++i) {
        const [a, z] = [(2 * Math.PI * i) / n, low + ((high - low) * j) / m];
        const r = region === 1 ? radius * (0.75 + 0.2 * Math.cos(12 * z)) : radius;
        vertices.push(r * Math.cos(a), r * Math.sin(a), z);
        values.push(rise(t) * (Math.abs(z) + 0.2 * Math.cos(a)));
      }
      for (let j = 0; j < m; ++j) for (let i = 0; i < n; ++i) {
        const [p, q] = [first + j * n + i, first + j * n + ((i + 1) % n)];
        indices.push(p, q, p + n, q, q + n, p + n);
        regions.push(region, region);
      }
    }
    return { vertices, indices, regions, values };
  };
  const grid = { shape: [60, 1, 80], origin: [-1.5, 0, -2] as [number, number, number], spacing: [0.05, 0.05, 0.05] as [number, number, number], axes: ['x', 'y', 'z'], length_unit: 'm', signed: false };
  return [
    { info: info('triangles', 'model', 'model', { length_unit: 'm', shape: [936, 1728], regions: [{ id: 1, name: 'porcelain' }, { id: 2, name: 'high voltage' }, { id: 3, name: 'ground' }], columns: [{ name: '|E|', unit: 'V/m' }], instants: 'instants' }), mesh },
    { info: info('field', 'cuts/middle/E', '|E|', { ...grid, unit: 'V/m', role: 'magnitude', instants: 'instants' }), field: (i, _j, k, t) => rise(t) * 1e5 * Math.exp(-(((i - 30) / 20) ** 2)) * (1 + Math.abs(k - 40) / 40) },
    { info: info('field', 'cuts/middle/potential', 'potential', { ...grid, unit: 'V', role: 'potential', instants: 'instants' }), field: (i, _j, k, t) => rise(t) * 1000 * (k / 79 + 0.1 * Math.sin(i / 12) * Math.sin((Math.PI * k) / 79)) },
    { info: info('curve', 'instants', 'instants', { role: 'instants', shape: [4, 2], columns: [{ name: 'number', unit: '1' }, { name: 'time', unit: 's' }] }), columns: () => [times.map((_, i) => i), times] },
    {
      info: info('points', 'largest', 'largest values', { role: 'peaks', unit: 'V/m', length_unit: 'm', shape: [2, 9], rows: ['porcelain', 'high voltage'], instants: 'instants', columns: ['x', 'y', 'z', 'now', 'largest', 'x of largest', 'y of largest', 'z of largest', 'time of largest'].map((name) => ({ name, unit: name.includes('time') ? 's' : /^[xyz]/.test(name) ? 'm' : 'V/m' })) }),
      columns: (t) => [[0.95, 0.4], [0, 0.2], [0.9, 1.2], [rise(t) * 2e5, rise(t) * 1e5], [2e5, 1e5], [0.95, 0.4], [0, 0.2], [0.9, 1.2], [0.015, 0.015]],
    },
    { info: info('curve', 'paths/creepage', 'creepage', { role: 'path', unit: 'V/m', shape: [40, 3], instants: 'instants', columns: [{ name: 'length', unit: 'm' }, { name: 'E', unit: 'V/m' }, { name: 'tangential', unit: 'V/m' }] }), columns: (t) => [Array.from({ length: 40 }, (_, i) => 0.05 * i), Array.from({ length: 40 }, (_, i) => rise(t) * 1e5 * (1 + Math.sin(i / 5))), Array.from({ length: 40 }, (_, i) => rise(t) * 5e4 * Math.cos(i / 7))] },
    { info: info('scalar', 'history/newton', 'Newton', { role: 'iterations', shape: [30, 3], columns: [{ name: 'time', unit: 's' }, { name: 'newton', unit: '1' }, { name: 'linear', unit: '1' }] }), columns: () => [Array.from({ length: 30 }, (_, i) => i * 1e-3), Array.from({ length: 30 }, (_, i) => 2 + (i % 3)), Array.from({ length: 30 }, (_, i) => 12 + (i % 7))] },
  ];
}

function slab(info: Maker): MockArray[] {
  const grid = { shape: [120, 80, 1], origin: [0, 0, 0] as [number, number, number], spacing: [0.02, 0.02, 0.02] as [number, number, number], axes: ['x', 'y', 'z'], length_unit: 'um' };
  return [
    { info: info('field', 'VTKHDF/PointData/Ez', 'Ez', { ...grid, signed: true, role: 'component' }), field: (i, j) => Math.sin(i / 5) * Math.cos(j / 9) },
    { info: info('curve', 'flux/behind', 'behind', { role: 'spectrum', shape: [50, 2], columns: [{ name: 'frequency', unit: 'c/um' }, { name: 'T', unit: '1' }] }), columns: () => [Array.from({ length: 50 }, (_, i) => 0.5 + 0.01 * i), Array.from({ length: 50 }, (_, i) => Math.cos(i / 8) ** 2)] },
    { info: info('text', 'log', 'log', {}), text: () => Array.from({ length: 60 }, (_, i) => `line ${i} of the log`).join('\n') },
  ];
}

export function folderScene(): Scene {
  let id = 0;
  const names = ['run002_insulator', 'run001_sphere', 'run000_slab'];
  const families = ['eqs', 'dda', 'fdtd'];
  const makers = [insulator, particle, slab];
  const arrays = makers.flatMap((make, c) => make((kind, name, label, more) => ({
    id: id++, case: c, name, label, text: label, unit: '1', kind, live: false, role: '', shape: [], ...more,
  })));
  return {
    mode: 'folder', title: 'results', commands: ['subscribe', 'unsubscribe', 'ack'], warnings: [], arrays, step: 1, version: 0,
    advance: () => undefined,
    catalogue: () => ({
      generation: 1, marks: [{ case: 1, role: 'source', name: 'beam', text: 'plane wave', shape: 'box', center: [0, 0, 0], size: [0, 0, 0], arrow: [0, 0, 1] }], arrays: arrays.map((a) => a.info),
      cases: names.map((name, c) => ({ case: c, name, family: families[c] ?? '', state: 'finished' as const, changed: 1.7e9 - 1000 * c })),
    }),
    state: () => STATE,
    command: () => 'a finished folder takes no commands',
  };
}
