// Colours, places, lines and words: what the page draws, without a browser.
import { describe, expect, it } from 'vitest';
import type { ArrayInfo } from '../../src/protocol/types.ts';
import { mapNamed, MAPS, oklab, seriesColour, table } from '../../src/draw/colours.ts';
import { firstStretch } from '../../src/panels/image/settings.ts';
import { position, valueOf } from '../../src/draw/field_shader.ts';
import { cellsIn, cutAxes, extentOf, fitted, kept, zoomed } from '../../src/draw/geometry.ts';
import { duration, exact, pretty, show, tickLabels, titled, unit } from '../../src/draw/numbers.ts';
import { isProfile, profilePoints, profileView } from '../../src/panels/image/profile.ts';
import { roleOfColumn } from '../../src/panels/scene/scale_steps.ts';
import { halfWay, isolines, roundLevels } from '../../src/draw/outline.ts';

/** L* of CIE 1976 of an sRGB colour, by its definition. */
function lightness([r, g, b]: [number, number, number]): number {
  const [lr, lg, lb] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4)) as [number, number, number];
  const y = 0.2126 * lr + 0.7152 * lg + 0.0722 * lb;
  return y > 0.008856 ? 116 * Math.cbrt(y) - 16 : 903.3 * y;
}
/** What a deuteranope sees, roughly: red and green in one (Viénot, Brettel, Mollon 1999, simplified to their mean). */
function withoutRedGreen([r, g, b]: [number, number, number]): [number, number] {
  return [0.3 * r + 0.7 * g, b];
}

const FIELD: ArrayInfo = {
  id: 0, case: 0, name: 'f', label: 'f', text: '', unit: '1', kind: 'field', live: true, role: '', shape: [40, 20, 10],
  origin: [-2, -1, 0], spacing: [0.1, 0.1, 0.2],
};

describe('colour maps', () => {
  it('run evenly in lightness, those that say so', () => {
    for (const name of ['viridis', 'cividis', 'inferno', 'grey']) {
      const l = Array.from({ length: 33 }, (_, i) => lightness(mapNamed(name).at(i / 32)));
      for (let i = 1; i < l.length; ++i) expect((l[i] ?? 0) - (l[i - 1] ?? 0), `${name} at ${i}`).toBeGreaterThan(0);
    }
  });
  it('diverge with equal lightness on both sides, falling away from the middle', () => {
    for (const [name, sign] of [['blue–orange', -1], ['blue–orange, dark', 1]] as const) {
      const map = mapNamed(name);
      for (let i = 1; i <= 16; ++i) {
        const [a, b] = [lightness(map.at(0.5 + i / 32)), lightness(map.at(0.5 - i / 32))];
        // OKLab and L* are two measures of the same thing; they differ by a few units in saturated colours.
        expect(Math.abs(a - b), `${name} at ${i}`).toBeLessThan(7);
        expect(sign * (a - lightness(map.at(0.5 + (i - 1) / 32)))).toBeGreaterThan(0);
      }
    }
  });
  it('tell signs apart without red and green', () => {
    for (const map of MAPS.filter((m) => m.diverging)) {
      const [p, n] = [withoutRedGreen(map.at(0.9)), withoutRedGreen(map.at(0.1))];
      expect(Math.hypot(p[0] - n[0], p[1] - n[1]), map.name).toBeGreaterThan(80);
    }
  });
  it('has white, black and grey where OKLab has them', () => {
    expect(oklab(1, 0, 0)).toEqual([255, 255, 255]);
    expect(oklab(0, 0, 0)).toEqual([0, 0, 0]);
    expect(table(mapNamed('viridis'))).toHaveLength(1024);
    expect(mapNamed('no such map')).toBe(MAPS[0]);
    expect(seriesColour(8)).toBe(seriesColour(0));
  });
  it('places values as the scale says', () => {
    const look = { map: mapNamed('blue–orange'), stretch: 'linear' as const, low: -2, high: 2 };
    expect([-2, 0, 1, 9].map((v) => position(v, look))).toEqual([0, 0.5, 0.75, 1]);
    const plain = { ...look, map: mapNamed('viridis'), low: 0, high: 100 };
    expect(position(25, { ...plain, stretch: 'root' })).toBe(0.5);
    expect(position(1, { ...plain, stretch: 'log' })).toBeCloseTo(0.5); // two of four decades
  });
});

describe('places', () => {
  it('of cells and cuts', () => {
    expect(extentOf(FIELD, 1)).toEqual({ x0: -2, x1: 2, y0: 0, y1: 2 });
    expect(cellsIn(FIELD, 2, { x0: -0.05, x1: 0.05, y0: -9, y1: 9 })).toEqual([19, 0, 21, 20]);
    expect(cellsIn(FIELD, 2, { x0: 50, x1: 60, y0: 0, y1: 0.1 })).toEqual([39, 10, 40, 11]);
    expect(cutAxes(FIELD)).toEqual([2, 1, 0]);
    expect(cutAxes({ ...FIELD, shape: [5, 1, 6] })).toEqual([1]);
  });
  it('keep their proportions', () => {
    const r = fitted({ x0: 0, y0: 0, x1: 4, y1: 2 }, 100, 100);
    expect(r).toEqual({ x0: 0, x1: 4, y0: -1, y1: 3 });
    expect(zoomed(r, 2, 0, -1)).toEqual({ x0: 0, x1: 2, y0: -1, y1: 1 });
  });
  it('hold the view over the model', () => {
    const whole = { x0: 0, y0: 0, x1: 4, y1: 4 };
    expect(kept({ x0: 10, y0: 0, x1: 14, y1: 4 }, whole, 0.1)).toEqual({ x0: 2, y0: 0, x1: 6, y1: 4 });
    const far = kept({ x0: -98, y0: -98, x1: 102, y1: 102 }, whole, 0.1);
    expect(far.x1 - far.x0).toBeCloseTo(8);
    const near = kept({ x0: 1, y0: 1, x1: 1.001, y1: 1.001 }, whole, 0.1);
    expect(near.x1 - near.x0).toBeCloseTo(0.4);
  });
});

describe('a field along one axis', () => {
  const line: ArrayInfo = { ...FIELD, shape: [4, 1, 1], origin: [-2, 0, 0], spacing: [1, 1, 1] };
  it('is a curve through the middles of its cells', () => {
    expect([isProfile(line), isProfile(FIELD), isProfile({ ...line, shape: [1, 4, 1] })]).toEqual([true, false, false]);
    const frame = { type: 2, factor: 1, shape: [4, 1, 1], values: Float32Array.of(0, 1, -1, NaN) } as never;
    const points = profilePoints({ frame, extent: extentOf(line, 2) });
    expect(points).toEqual([[-1.5, 0], [-0.5, 1], [0.5, -1], [1.5, NaN]]);
    const view = profileView({ x0: -2, x1: 2, y0: 7, y1: 9 }, -1, 1);
    expect([view.x0, view.x1, view.y0, view.y1]).toEqual([-2, 2, -1.12, 1.12]);
    expect(profileView(view, 0, 1).y0).toBe(0);
  });
});

describe('lines', () => {
  it('of a disc have its circumference', () => {
    const n = 80;
    const values = Float64Array.from({ length: n * n }, (_, i) => (Math.hypot((i % n) + 0.5 - 40, Math.floor(i / n) + 0.5 - 40) < 20 ? 12 : 1));
    const lines = isolines({ values, w: n, h: n }, halfWay(values), { x0: 0, y0: 0, x1: 8, y1: 8 });
    expect(lines).toHaveLength(1);
    for (const [x, y] of lines[0] ?? []) expect(Math.abs(Math.hypot(x - 4, y - 4) - 2)).toBeLessThan(0.1); // one cell
  });
  it('leave the border out', () => {
    const values = Float64Array.from({ length: 100 }, (_, i) => (i % 10 < 5 ? 0 : 1));
    const lines = isolines({ values, w: 10, h: 10 }, [0.5], { x0: 0, y0: 0, x1: 10, y1: 10 });
    for (const [x] of lines.flat()) expect(x).toBeCloseTo(5);
  });
  it('lie half-way between few values, in the middle of many', () => {
    expect(halfWay([1, 1, 12, 3, NaN])).toEqual([2, 7.5]);
    expect(halfWay(Array.from({ length: 50 }, (_, i) => i))).toEqual([24.5]);
    expect(halfWay([3, 3])).toEqual([]);
  });
});

describe('lines of equal value', () => {
  it('have round values, the ends left out', () => {
    expect(roundLevels(0, 1000, 10)).toEqual({ levels: [100, 200, 300, 400, 500, 600, 700, 800, 900], step: 100 });
    const odd = roundLevels(-3.7, 412.3, 14);
    expect(odd.step).toBe(20);
    for (const v of odd.levels) expect(v % 20).toBe(0);
    expect(roundLevels(2, 2, 14).levels).toEqual([]);
  });
});

describe('a bent scale', () => {
  it('has the values of its colours in its bar', () => {
    for (const stretch of ['linear', 'root', 'log'] as const) {
      for (const name of ['inferno', 'blue–orange']) {
        const look = { map: mapNamed(name), stretch, low: name === 'inferno' ? 0 : -5, high: 5 };
        for (const t of [0.1, 0.5, 0.75, 1]) expect(position(valueOf(t, look), look)).toBeCloseTo(t, 9);
      }
    }
  });
  it('is what sizes with a wide range begin with, but no run that goes on', () => {
    const array = { ...FIELD, role: 'magnitude', live: false, signed: false };
    const spread = { low: 0, high: 100, median: 1, bright: 60 };
    expect(firstStretch(array, spread)).toBe('log');
    expect(firstStretch(array, { ...spread, bright: 8 })).toBe('linear');
    expect(firstStretch({ ...array, role: 'intensity' }, spread)).toBe('linear');
    expect(firstStretch({ ...array, role: 'component', signed: true }, spread)).toBe('linear');
    expect(firstStretch({ ...array, live: true }, spread)).toBe('linear');
    expect(firstStretch({ ...array, live: true, instants: 'instants' }, spread)).toBe('log');
    expect(['|E|', 'loss density', 'potential'].map(roleOfColumn)).toEqual(['magnitude', 'intensity', 'component']);
  });
});

describe('words', () => {
  it('for numbers, units, times', () => {
    expect([0, 1.23456, -0.0001, 1234567, NaN, null].map((v) => show(v))).toEqual(['0', '1.235', '−1e-4', '1.235e+6', '–', '–']);
    expect([135.0449, 1e-22, 0, -0.00123456, null].map((v) => exact(v))).toEqual(['135.045', '1e-22', '0', '−0.00123456', '–']);
    expect([unit('um^2'), unit('1'), unit('unit^(d-1)'), unit('degree')]).toEqual(['µm²', '', 'unit^(d-1)', '°']);
    expect(['E_Y_squared', 'H_magnitude', 'E_intensity', 'E_rms', 'Ez'].map(pretty)).toEqual(['|E_Y|²', '|H|', '|E|²', 'rms |E|', 'Ez']);
    expect(titled('Cext', 'um^2')).toBe('Cext (µm²)');
    expect([42, 200, 7500, 270000, null].map(duration)).toEqual(['42 s', '3 min 20 s', '2 h 5 min', '3 d 3 h', '–']);
    expect(tickLabels([-0.5, 0, 0.5])).toEqual(['−0.5', '0.0', '0.5']);
    expect(tickLabels([-4e-4, 0, 4e-4])).toEqual(['−4e-4', '0', '4e-4']);
  });
});
