// What a panel decides without drawing: painted pixels, labels, layouts, circles.
import { describe, expect, it } from 'vitest';
import { folderScene } from '../../mock/finished.ts';
import { fdtdScene, volumeScene } from '../../mock/scenes.ts';
import { frequent, rectangles, strokePixels } from '../../src/panels/image/pixels.ts';
import { firstShown, isAngle, logRange } from '../../src/panels/plot/columns.ts';
import { radial } from '../../src/panels/plot/polar.ts';

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
    expect(firstShown(['T', 'R'])).toEqual(['T', 'R']);
    expect(firstShown(['S11', 'S12', 'S21'])).toEqual(['S11']);
    expect(firstShown('abcdefgh'.split(''))).toHaveLength(4);
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
