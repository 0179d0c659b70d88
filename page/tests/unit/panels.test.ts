// What a panel decides without drawing: painted pixels, labels, layouts, circles.
import { describe, expect, it } from 'vitest';
import { folderScene } from '../../mock/finished.ts';
import { fdtdScene, volumeScene } from '../../mock/scenes.ts';
import { frequent, rectangles, strokePixels } from '../../src/panels/image/pixels.ts';
import { roomy } from '../../src/draw/axes.ts';
import { show, tickLabels } from '../../src/draw/numbers.ts';
import { axisGroups, axisTitle } from '../../src/panels/plot/axis_groups.ts';
import { abscissas, arranged, tableOrder } from '../../src/panels/plot/batch.ts';
import { apartTicks, firstShown, isAngle, leftOut, logFloor, logRange, logTicks, placesOf, seriesLooks, spanOf } from '../../src/panels/plot/columns.ts';
import { radial } from '../../src/panels/plot/polar.ts';
import { choices, layout } from '../../src/panels/layout.ts';
import { apart, around } from '../../src/panels/scene/mesh_view.ts';
import { peaksOf } from '../../src/panels/scene/peaks_view.ts';
import { firstPhase, listOf, wordsOf } from '../../src/ui/time_bar.ts';
import { onCut } from '../../src/panels/image/marks.ts';
import type { ArrayInfo, Column, Mark } from '../../src/protocol/types.ts';
import { History } from '../../src/export/animation.ts';
import { ends, Type, type Frame } from '../../src/protocol/frame.ts';
import { bright, isReduced } from '../../src/panels/image/source.ts';

describe('an animation so far', () => {
  const frame = (step: number, array = 1): Frame => ({ array, axis: 2, index: 0, step, values: new Uint16Array(50) }) as never;
  it('spreads what it keeps evenly from the first frame to the newest', () => {
    const history = new History(100 * 64); // 64 frames of 100 bytes
    for (let step = 0; step < 1000; ++step) history.add(frame(step));
    const steps = history.frames.map((f) => f.step);
    expect(steps.length).toBeGreaterThan(30);
    expect(steps.length).toBeLessThanOrEqual(64);
    expect(steps[0]).toBe(0);
    expect(new Set(steps.slice(1).map((s, i) => s - (steps[i] ?? 0)))).toEqual(new Set([16]));
    expect(1000 - (steps.at(-1) ?? 0)).toBeLessThanOrEqual(16);
  });
  it('begins anew with another array and with a run that did', () => {
    const history = new History();
    for (const step of [5, 6, 7]) history.add(frame(step));
    history.add(frame(7)); // another region of the same moment
    expect(history.frames).toHaveLength(3);
    history.add(frame(8, 2));
    expect(history.frames.map((f) => f.step)).toEqual([8]);
    history.add(frame(0, 2));
    expect(history.frames.map((f) => f.step)).toEqual([0]);
  });
});

describe('the scale of a picture', () => {
  // One bright cell of 64 in a line: means over boxes of 8 make 8 of it, the cells know 64.
  const cells = Array.from({ length: 64 }, (_, i) => (i === 20 ? 64 : 0.5));
  const shown = (size: number): Frame => {
    const box = 64 / size;
    const values = Float32Array.from({ length: size }, (_, b) => cells.slice(b * box, (b + 1) * box).reduce((a, v) => a + v, 0) / box);
    return { type: Type.f32, factor: 1, low: Math.min(...values), high: Math.max(...values), shape: [size, 1, 1], region: [0, 0, 0, 64, 1, 1], values } as never;
  };
  const spread = { low: 0.5, high: 64, median: 0.5, bright: 64 };
  it('is that of the cells, however few pixels there are for them', () => {
    for (const size of [64, 8, 2]) {
      expect(isReduced(shown(size))).toBe(size < 64);
      expect(bright({ ...shown(size), spread })).toEqual({ size: 64, beyond: false });
      expect(ends({ ...shown(size), spread })).toMatchObject({ low: 0.5, high: 64 });
    }
    expect(bright(shown(8)).size).toBeLessThan(10);
  });
  it('leaves out what a few cells have far beyond the rest', () => {
    expect(bright({ ...shown(64), spread: { ...spread, bright: 2 } })).toEqual({ size: 2, beyond: true });
  });
});

describe('painted pixels', () => {
  it('are covered by rectangles exactly', () => {
    const w = 50;
    const pixels = new Set(strokePixels([5, 5], [40, 22], 6, w, 40));
    const covered: number[] = [];
    for (const [x, y, rw, rh] of rectangles(pixels, w)) {
      for (let j = y; j < y + rh; ++j) for (let i = x; i < x + rw; ++i) covered.push(j * w + i);
    }
    expect(covered.length).toBe(pixels.size); // none twice
    expect(new Set(covered)).toEqual(pixels);
  });
  it('of a straight wall are one rectangle', () => {
    const pixels = [3, 4, 5].flatMap((x) => Array.from({ length: 20 }, (_, y) => y * 30 + x));
    expect(rectangles(pixels, 30)).toEqual([[3, 0, 3, 20]]);
  });
  it('stay in the picture and have no holes for a fast hand', () => {
    const pixels = strokePixels([-5, 10], [60, 10], 1, 50, 40);
    expect(new Set(pixels.filter((p) => Math.floor(p / 50) === 10).map((p) => p % 50)).size).toBe(50);
    expect(pixels.every((p) => p >= 0 && p < 50 * 40)).toBe(true);
  });
  it('take the most frequent colours', () => {
    const rgba = new Uint8ClampedArray([1, 2, 3, 255, 9, 9, 9, 255, 9, 9, 9, 255]);
    expect(frequent(rgba, 2)).toEqual([[9, 9, 9], [1, 2, 3]]);
  });
});

describe('columns', () => {
  it('have the colour of what they are of when they are its error, and take none from the others', () => {
    const [flux, doubt] = seriesLooks(['flux', 'record error']);
    const both = seriesLooks(['forward', 'forward record error', 'backward', 'backward grid error']);
    expect(doubt).toEqual({ colour: '#7f7f7f', dashed: true });
    expect(both.map((l) => l.dashed)).toEqual([false, true, false, true]);
    expect(both[1]?.colour).toBe(both[0]?.colour);
    expect(both[3]?.colour).toBe(both[2]?.colour);
    expect(both[0]?.colour).toBe(flux?.colour);
    expect(both[2]?.colour).toBe(seriesLooks(['forward', 'backward'])[1]?.colour);
  });

  it('show few of many at first', () => {
    const named = (names: string[]): Column[] => names.map((name) => ({ name, unit: '1' }));
    const over = (...columns: Column[]): Column[] => [{ name: 'length', unit: 'm' }, ...columns];
    expect(firstShown(over(...named(['T', 'R'])))).toEqual(['T', 'R']);
    expect(firstShown(over(...named(['S11', 'S12', 'S21'])))).toEqual(['S11']);
    expect(firstShown(over(...named('abcdefgh'.split(''))))).toHaveLength(4);
    expect(firstShown(over({ name: 'step', unit: 's' }, ...named(['newton', 'linear']), { name: 'energy', unit: 'J' }))).toEqual(['energy']); // results before counts
    expect(firstShown(over({ name: 'step', unit: 's' }, ...named(['newton', 'linear'])))).toEqual(['newton', 'linear']);
    expect(firstShown(over({ name: 'flux', unit: 'W' }, { name: 'reference', unit: 'W' }, ...named(['T', 'R', 'record error'])))).toEqual(['T', 'R']);
    expect(firstShown(over(...named(['intensity', 'E_theta_re', 'E_theta_im'])))).toEqual(['intensity']);
    const path = over(...['x', 'y', 'z'].map((name) => ({ name, unit: 'm' })), { name: 'E', unit: 'V/m' });
    expect(firstShown(path)).toEqual(['E']);
    expect(placesOf(path)).toEqual(['x', 'y', 'z']);
    expect(seriesLooks(['x', 'y', 'z', 'E'], placesOf(path))[3]).toEqual(seriesLooks(['E'])[0]);
    expect(placesOf(over({ name: 'x', unit: 'm' }))).toEqual([]);
    expect(firstShown([{ name: 'time', unit: 's' }, { name: 'oil peak', unit: 'V/m' }, { name: 'oil x', unit: 'm' }, { name: 'oil y', unit: 'm' }])).toEqual(['oil peak']);
    expect(firstShown([])).toEqual([]);
  });
  it('have a span where there is one value, or none', () => {
    expect([spanOf(0, 0), spanOf(-3, -3), spanOf(null, null), spanOf(1, 3)]).toEqual([[0, 1], [-6, -3], [0, 1], [1, 3]]);
  });
  it('know angles and decades', () => {
    expect([isAngle({ name: 'theta', unit: 'degree' }), isAngle({ name: 'x', unit: 'um' }), isAngle(undefined)]).toEqual([true, false, false]);
    expect([logRange(0.02, 700), logRange(null, null), logRange(10, 10)]).toEqual([[0.01, 1000], [0.1, 1], [10, 100]]);
  });
  it('have ticks of a bounded number on a logarithmic axis, whatever the values', () => {
    for (const [low, high] of [[1e-22, 3], [1e-60, 1e-50], [5e-324, 1e308], [1, 1]] as const) {
      const [down, up] = logRange(low, high);
      expect(down, `${low}`).toBeGreaterThan(0);
      expect(up / down).toBeLessThanOrEqual(1.001e14);
      for (const most of [2, 6, 20]) expect(logTicks(down, up, most).length, `${low} to ${high}`).toBeLessThanOrEqual(most + 1);
      expect(logTicks(down, up, 6).length).toBeGreaterThan(1);
    }
    expect(logTicks(0.01, 1000, 10)).toEqual([0.01, 0.1, 1, 10, 100, 1000]);
    expect(logTicks(1, 10, 9)).toEqual([1, 2, 5, 10]);
    expect([logTicks(0, 1, 5), logTicks(NaN, 1, 5), logTicks(1, Infinity, 5)]).toEqual([[], [], []]);
  });
  it('say what a logarithmic axis leaves out', () => {
    const seen = logFloor([Float64Array.from([0, 1e-22, -1, 2, NaN]), Float64Array.from([0, 1e-3])]);
    expect(seen).toEqual({ floor: 1e-13, negative: 3, small: 1 });
    expect(leftOut(seen)).toBe('not on the logarithmic axis: 3 of 0 or less, 1 below 1e-14 of the largest');
    expect(leftOut(logFloor([Float64Array.from([1, 2])]))).toBe('');
    expect(logFloor([Float64Array.from([0, 0])])).toMatchObject({ negative: 2 });
  });
  it('have labels along x that do not touch', () => {
    const wide = (t: string): number => 7 * t.length;
    for (const make of [apartTicks, roomy]) {
      for (const [low, high] of [[-2.5, 2.5], [0, 1.2345e-5], [100000, 120000]] as const) {
        for (const pixels of [60, 120, 300, 900]) {
          const at = make(low, high, pixels, wide);
          const gap = at.length > 1 ? (((at[1] ?? 0) - (at[0] ?? 0)) / (high - low)) * pixels : Infinity;
          const labels = make === roomy ? tickLabels(at) : at.map(show);
          expect(gap, `${pixels} px: ${labels.join(' ')}`).toBeGreaterThan(Math.max(...labels.map(wide)));
        }
      }
    }
  });
  it('reach the rim of a circle', () => {
    const log = radial([Float64Array.from([1, 10, 100])], true);
    expect([1, 10, 100].map(log.radius)).toEqual([0, 0.5, 1]);
    expect(log.rings).toEqual([10, 100]);
    const plain = radial([Float64Array.from([0, -4])], false);
    expect(plain.radius(-4)).toBe(1);
    expect(radial([Float64Array.from([0, NaN])], true).radius(1)).toBe(0);
  });
});

describe('axes of a chart', () => {
  const columns: Column[] = [
    { name: 'time', unit: 's' }, { name: 'a current', unit: 'A' }, { name: 'b current', unit: 'A' }, { name: 'a potential', unit: 'V' },
    { name: 'energy', unit: 'J' }, { name: 'linear', unit: '1' }, { name: 'error', unit: '1' }, { name: 'T', unit: '1' }, { name: 'T record error', unit: '1' },
  ];
  const values = [[0, 1], [1e-9, 2e-9], [5, 6], [1000, 2], [1e-6, 1e-7], [300, 200], [1e-3, 1e-5], [0.9, 0.8], [1e-9, 1e-9]];
  const groups = (shown: number[], log = false): number[][] => axisGroups(columns, values, shown, log).map((g) => g.at);
  it('are one a unit, whatever the sizes of what is on it', () => {
    expect(groups([1, 2])).toEqual([[1, 2]]);
    expect(groups([1, 3])).toEqual([[1], [3]]);
    expect(groups([1, 2, 3, 4])).toEqual([[1, 2], [3], [4]]);
  });
  it('are several of numbers without a unit whose sizes lie orders apart, one where they are logarithmic', () => {
    expect(groups([5, 6])).toEqual([[5], [6]]);
    expect(groups([5, 7])).toEqual([[5, 7]]);
    expect(groups([5, 6], true)).toEqual([[5, 6]]);
  });
  it('have errors where they have what these are of', () => {
    expect(groups([5, 7, 8])).toEqual([[5, 7, 8]]);
    expect(groups([6, 8])).toEqual([[6], [8]]);
  });
  it('are named by what is on them where there is room', () => {
    const [left] = axisGroups(columns, values, [1, 2], false);
    if (!left) throw new Error('no axis');
    expect(axisTitle(columns, left, 'electrodes', 300)).toBe('a current, b current (A)');
    expect(axisTitle(columns, left, 'electrodes', 100)).toBe('electrodes (A)');
  });
});

describe('many cases', () => {
  const columns: Column[] = [
    { name: 'variant', unit: '1' }, { name: 'gap', unit: 'm', role: 'parameter' }, { name: 'width', unit: 'm', role: 'parameter' },
    { name: 'kind', unit: '1', role: 'given' }, { name: 'energy', unit: 'J' }, { name: 'peak', unit: 'V/m', role: 'response' },
    { name: 'power', unit: 'W', role: 'response' }, { name: 'newton', unit: '1', role: 'count' },
  ];
  const values = [[1, 2, 3], [3, 1, 2], [5, 5, 6], [7, 7, 7], [1, 1, 1], [30, 10, 20], [1, NaN, 3], [9, 9, 9]].map((v) => Float64Array.from(v));
  const batch: ArrayInfo = { id: 0, case: 0, name: 'results/variants', label: 'variants', text: '', unit: '1', kind: 'curve', live: false, role: 'batch', shape: [3, 8], columns };
  it('open with their responses over the parameters, then the table', () => {
    expect(layout([batch], false).slice(0, 3)).toEqual([
      { name: 'results/variants', solid: false, large: true, over: 'gap' }, { name: 'results/variants', solid: false, large: false, table: true },
      { name: 'results/variants', solid: false, large: false, over: 'width' },
    ]);
    expect(firstShown(columns)).toEqual(['peak', 'power']);
    expect(firstShown(columns.filter((c) => c.role !== 'response'))).toEqual(['energy']);
  });
  it('are drawn over parameters that vary, in the order of these', () => {
    expect(abscissas(columns, values)).toEqual(['gap', 'width']);
    expect(abscissas(columns.slice(0, 1), [])).toEqual(['variant']);
    const over = arranged(columns, values, 'gap');
    expect(over.columns.map((c) => c.name).slice(0, 3)).toEqual(['gap', 'variant', 'width']);
    expect([over.values[0], over.values[5]].map((v) => Array.from(v ?? []))).toEqual([[1, 2, 3], [10, 20, 30]]);
    expect([over.line, arranged(columns, values, 'variant').line]).toEqual([false, true]);
  });
  it('have a table that ends with counts and what is the same everywhere', () => {
    expect(tableOrder(columns, values).map((i) => columns[i]?.name)).toEqual(['variant', 'gap', 'width', 'peak', 'power', 'energy', 'newton', 'kind']);
  });
});

describe('a model over time', () => {
  const arrays = folderScene().arrays.map((a) => a.info).filter((a) => a.case === 0);
  it('has one list of instants, which is no curve to choose', () => {
    expect(listOf(arrays)?.name).toBe('instants');
    expect(listOf(arrays.filter((a) => a.instants === undefined))).toBeUndefined();
    expect(choices(arrays).map((c) => c.value)).not.toContain('instants');
  });
  it('begins at the peak of a sine where its instants are phases, and says the phase', () => {
    const phases = Array.from({ length: 24 }, (_, i) => 15 * i);
    expect(phases[firstPhase(phases)]).toBe(90);
    expect([firstPhase([0]), firstPhase([0, 15])]).toEqual([0, 1]);
    expect(wordsOf(0.005, 's', 90, 6, 24, false)).toBe('phase 90° · 7 of 24');
    expect(wordsOf(0.02, 's', 345, 23, 24, true)).toBe('phase 345° · 24 of 24');
    expect(wordsOf(0.02, 's', undefined, 23, 24, true)).toBe('t = 0.02 s · newest');
  });
  it('begins with the field on a cut, the surfaces, the largest values, iterations and the path', () => {
    expect(layout(arrays, false).map((s) => s.name)).toEqual(['cuts/middle/E', 'model', 'largest', 'history/newton', 'paths/creepage']);
  });
  it('leaves coordinates and parameters out of what is shown at first', () => {
    const over = (name: string, role = 'spectrum'): ArrayInfo => ({
      id: 0, case: 0, name, label: name, text: '', unit: '1', kind: 'curve', live: false, role, shape: [9, 2], columns: [{ name: 'row', unit: '1' }, { name, unit: '1' }],
    });
    const names = [over('m'), over('depth/depth'), over('cuts/x'), over('radius', 'parameter'), over('peak'), over('forward')];
    expect(layout(names, false).map((s) => s.name)).toEqual(['peak', 'forward']);
  });
  it('hatches the absorbing layers that a cut passes through, no others', () => {
    const layer = (center: [number, number, number], size: [number, number, number]): Mark => ({ case: 0, role: 'layer', name: '', text: '', shape: 'box', center, size });
    const [below, beside] = [layer([0, 0, -1.9], [4, 4, 0.2]), layer([-1.9, 0, 0], [0.2, 4, 4])];
    expect([below, beside].map((m) => onCut(m, 2, 0))).toEqual([false, true]);
    expect(onCut(below, 2, -1.85)).toBe(true);
    expect([below, beside].map((m) => onCut(m, 0, 0))).toEqual([true, false]);
    expect(onCut({ ...below, role: 'source' }, 2, 0)).toBe(true);
  });
  it('names its largest values by their rows', () => {
    const array = arrays.find((a) => a.role === 'peaks');
    if (!array) throw new Error('no largest values');
    expect(peaksOf(array, [[1, 2], [3, 4], [5, 6], [7, 8]])).toEqual([
      { name: 'porcelain', x: 1, y: 3, z: 5, value: 7 }, { name: 'high voltage', x: 2, y: 4, z: 6, value: 8 },
    ]);
    expect(peaksOf(array, [])).toEqual([]);
  });
});

describe('surfaces of a model', () => {
  it('have words beside their largest values that do not lie over each other', () => {
    const words = [{ x: 10, y: 100, wide: 80 }, { x: 12, y: 101, wide: 80 }, { x: 20, y: 109, wide: 80 }, { x: 300, y: 100, wide: 80 }];
    const heights = apart(words);
    expect(heights).toEqual([100, 115, 130, 100]);
  });
  it('begin without the air around them', () => {
    const named = (...names: string[]): { id: number; name: string }[] => names.map((name, id) => ({ id, name }));
    expect(around(named('air', 'porcelain', 'Vacuum', 'airgap'))).toEqual([0, 2]);
    expect(around(named('air'))).toEqual([]);
  });
});

describe('the mock server', () => {
  it('has scenes whose arrays know their ids', () => {
    for (const scene of [fdtdScene(), volumeScene(), folderScene()]) {
      scene.arrays.forEach((a, i) => {
        expect(a.info.id).toBe(i);
        expect([a.field, a.columns, a.mesh, a.text].filter(Boolean)).toHaveLength(1);
      });
    }
  });
});
