// What a panel decides without drawing: painted pixels, labels, layouts, circles.
import { describe, expect, it } from 'vitest';
import { folderScene } from '../../mock/finished.ts';
import { fdtdScene, volumeScene } from '../../mock/scenes.ts';
import { frequent, rectangles, strokePixels } from '../../src/panels/image/pixels.ts';
import { firstShown, isAngle, logRange } from '../../src/panels/plot/columns.ts';
import { radial } from '../../src/panels/plot/polar.ts';
import { choices, layout } from '../../src/panels/layout.ts';
import { peaksOf } from '../../src/panels/scene/peaks_view.ts';
import { listOf } from '../../src/ui/time_bar.ts';
import type { Column } from '../../src/protocol/types.ts';

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
  it('show few of many at first', () => {
    const named = (names: string[]): Column[] => names.map((name) => ({ name, unit: '1' }));
    expect(firstShown(named(['T', 'R']))).toEqual(['T', 'R']);
    expect(firstShown(named(['S11', 'S12', 'S21']))).toEqual(['S11']);
    expect(firstShown(named('abcdefgh'.split('')))).toHaveLength(4);
    expect(firstShown([{ name: 'step', unit: 's' }, ...named(['newton', 'linear']), { name: 'energy', unit: 'J' }])).toEqual(['newton', 'linear']);
    expect(firstShown([])).toEqual([]);
  });
  it('know angles and decades', () => {
    expect([isAngle({ name: 'theta', unit: 'degree' }), isAngle({ name: 'x', unit: 'um' }), isAngle(undefined)]).toEqual([true, false, false]);
    expect([logRange(0.02, 700), logRange(null, null), logRange(10, 10)]).toEqual([[0.01, 1000], [0.1, 1], [10, 100]]);
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

describe('a model over time', () => {
  const arrays = folderScene().arrays.map((a) => a.info).filter((a) => a.case === 0);
  it('has one list of instants, which is no curve to choose', () => {
    expect(listOf(arrays)?.name).toBe('instants');
    expect(listOf(arrays.filter((a) => a.instants === undefined))).toBeUndefined();
    expect(choices(arrays).map((c) => c.value)).not.toContain('instants');
  });
  it('begins with the field on a cut, the surfaces, the largest values, iterations and the path', () => {
    expect(layout(arrays, false).map((s) => s.name)).toEqual(['cuts/middle/E', 'model', 'largest', 'history/newton', 'paths/creepage']);
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
