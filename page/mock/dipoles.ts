// A dipole run by formulas: a ball of two materials, a residual that falls, a field that builds up, a pattern at the end.
import type { ArrayInfo, Mark, State } from '../src/protocol/types.ts';
import type { MockArray, Scene } from './scenes.ts';

const N = 20;
const SIDE = 0.05;
/** Iterations until the residual is small enough. */
export const ENOUGH = 120;

const far = (i: number, j: number, k: number): number => Math.hypot(i - 9.5, j - 9.5, k - 9.5);
export const inside = (i: number, j: number, k: number): boolean => far(i, j, k) < 10;
/** |E|^2 after so many iterations: it grows to its end along the beam. */
export const squared = (k: number, step: number): number => (1 - Math.exp(-step / 20)) * Math.exp(k / 8);
export const residual = (step: number, enough = ENOUGH): number => 10 ** ((-5 * step) / enough);

/** `enough`: iterations until the end; a test that looks while it runs takes more of them than a busy machine needs. */
export function ddaScene(enough = ENOUGH): Scene {
  let id = 0;
  const scene = { step: 0, state: 'running' as State['state'], turned: false };
  const info = (kind: ArrayInfo['kind'], name: string, label: string, more: Partial<ArrayInfo>): ArrayInfo => ({
    id: id++, case: 0, name, label, text: label, unit: '1', kind, live: false, role: '', shape: [], ...more,
  });
  const grid = {
    shape: [N, N, N], origin: [-0.5, -0.5, -0.5] as [number, number, number], spacing: [SIDE, SIDE, SIDE] as [number, number, number],
    axes: ['x', 'y', 'z'], length_unit: 'um', live: true, signed: false,
  };
  const points = (): number[][] => {
    const out: number[][] = [[], [], [], [], []];
    for (let k = 0; k < N; ++k) for (let j = 0; j < N; ++j) for (let i = 0; i < N; ++i) {
      if (!inside(i, j, k)) continue;
      const row = [(i - 9.5) * SIDE, (j - 9.5) * SIDE, (k - 9.5) * SIDE, far(i, j, k) < 5 ? 2 : 1, scene.state === 'finished' ? squared(k, scene.step) : NaN];
      row.forEach((v, c) => out[c]?.push(v));
    }
    return out;
  };
  const um = (name: string): { name: string; unit: string } => ({ name, unit: 'um' });
  const one = (name: string): { name: string; unit: string } => ({ name, unit: '1' });
  const steps = (): number[] => Array.from({ length: Math.max(1, scene.step) }, (_, i) => i + 1);
  const arrays: MockArray[] = [
    { info: info('field', 'results/E_Y_re_x', 'E_Y_re_x', { ...grid, role: 'component', signed: true }), field: (i, j, k) => (inside(i, j, k) ? Math.cos(k / 2) : NaN) },
    { info: info('field', 'results/E_Y_squared', 'E_Y_squared', { ...grid, role: 'intensity' }), field: (i, j, k) => (inside(i, j, k) ? squared(k, scene.step) : NaN) },
    { info: info('scalar', 'solver/Y/residual', 'residual, Y', { role: 'residual', log: true, live: true, shape: [0, 2], columns: [one('iteration'), one('residual')] }), columns: () => [steps(), steps().map((s) => residual(s, enough))] },
    { info: info('field', 'results/material', 'material', { ...grid, role: 'material', live: false }), field: (i, j, k) => (!inside(i, j, k) ? NaN : far(i, j, k) < 5 ? 2 : 1) },
    {
      info: info('points', 'results/material in 3D', 'material in 3D', {
        role: 'material', shape: [points()[0]?.length ?? 0, 5], length_unit: 'um', columns: [um('x'), um('y'), um('z'), one('material'), one('|E_Y|^2')],
        regions: [{ id: 1, name: 'm = 1.5+0i' }, { id: 2, name: 'm = 2+0.1i' }],
      }), columns: points,
    },
  ];
  const finish = (): void => {
    scene.state = 'finished';
    const theta = Array.from({ length: 181 }, (_, i) => 2 * i);
    const names = ['S11', 'S12', 'S33'];
    arrays.push(
      { info: info('curve', 'results/scattering_plane', 'scattering_plane', { role: 'pattern', log: true, shape: [181, 4], columns: [{ name: 'theta', unit: 'degree' }, ...names.map(one)] }), columns: () => [theta, ...names.map((_, n) => theta.map((t) => Math.exp(-n) * (0.01 + 100 * Math.exp(-((Math.min(t, 360 - t) / 20) ** 2)))))] },
      { info: info('scalar', 'numbers/cross_sections/Y/Cext', 'cross_sections/Y/Cext', { unit: 'um^2', shape: [1, 2], columns: [one('row'), { name: 'Cext', unit: 'um^2' }] }), columns: () => [[0], [1.25]] },
    );
  };
  const marks = (): Mark[] => [
    { case: 0, role: 'source', name: 'beam', text: 'plane wave along z', shape: 'box', center: [0, 0, 0], size: [0, 0, 0], arrow: scene.turned ? [1, 0, 0] : [0, 0, 1] },
    { case: 0, role: 'polarization', name: 'Y', text: 'electric field of incidence Y', shape: 'box', center: [0, 0, -1.04], size: [0, 0, 0], arrow: [0, 1, 0] },
  ];
  return {
    mode: 'run', title: 'sphere_g20_m1.5', warnings: [], arrays, version: 0, commands: ['subscribe', 'unsubscribe', 'ack', 'pause', 'resume', 'step', 'stop'],
    get step() { return scene.step; },
    advance() {
      if (scene.state !== 'running') return;
      if (++scene.step >= enough) {
        finish();
        ++this.version;
      }
    },
    catalogue: () => ({
      generation: 1, cases: [{ case: 0, name: 'sphere_g20_m1.5', family: 'dda', state: scene.state, text: 'umov dda' }],
      arrays: arrays.map((a) => a.info), marks: marks(),
    }),
    state: () => ({
      state: scene.state, stage: 'case 2 of 3: solve, Y polarization', counts: 'iteration', step: scene.step, limit: 0, fraction: scene.step / enough, fixed: false,
      time: 0, time_unit: '', seconds: 1, left: (enough - scene.step) / 30, rate: 30, measure: `residual ${residual(scene.step, enough).toExponential(2)} -> 1e-05`,
      text: scene.state === 'finished' ? 'the results are written' : '',
    }),
    command(m) {
      if (m.do === 'pause') scene.state = 'paused';
      else if (m.do === 'resume') scene.state = 'running';
      else if (m.do === 'step') {
        scene.state = 'paused';
        scene.step += m.n ?? 1;
        scene.turned = true;
      } else if (m.do === 'stop') finish();
      return '';
    },
  };
}
