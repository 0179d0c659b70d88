// What a dipole run looks like at first, and where the arrows of its beam stand.
import { describe, expect, it } from 'vitest';
import { ddaScene, ENOUGH, inside, residual, squared } from '../../mock/dipoles.ts';
import { folderScene } from '../../mock/finished.ts';
import { fdtdScene, type Scene } from '../../mock/scenes.ts';
import { firstField } from '../../src/panels/first_field.ts';
import { arrowOf, marks3d } from '../../src/panels/scene/marks3d.ts';
import type { ArrayInfo, Mark } from '../../src/protocol/types.ts';

describe('a dipole run', () => {
  it('begins with the intensity', () => {
    expect(firstField(ddaScene().arrays.map((a) => a.info).filter((a) => a.kind === 'field'))?.name).toBe('results/E_Y_squared');
  });
  it('has its pattern and numbers at the end', () => {
    const scene = ddaScene();
    const before = scene.arrays.length;
    for (let i = 0; i < ENOUGH; ++i) scene.advance();
    expect(scene.state().state).toBe('finished');
    expect(scene.arrays.slice(before).map((a) => a.info.role)).toEqual(['pattern', '']);
  });
  it('is told by formulas that its pictures are checked against', () => {
    expect(residual(0)).toBe(1);
    expect(squared(8, 1e9)).toBeCloseTo(Math.E, 12);
    expect([inside(9, 9, 9), inside(0, 0, 0)]).toEqual([true, false]);
    ddaScene().arrays.forEach((a, i) => {
      expect(a.info.id).toBe(i);
    });
  });
  it('leaves other cases as they were: what moves comes first, models last', () => {
    const fields = (scene: Scene): ArrayInfo[] => scene.arrays.map((a) => a.info).filter((a) => a.kind === 'field');
    expect(firstField(fields(fdtdScene()))?.name).toBe('fields/Ez');
    const finished = fields(folderScene()).filter((a) => a.case === 0);
    expect(firstField(finished)?.name).toBe('cuts/middle/E');
    expect(firstField(finished.filter((a) => a.role === 'potential'))?.name).toBe('cuts/middle/potential');
    expect(firstField([])).toBeUndefined();
  });
});

describe('arrows', () => {
  const mark = (role: string, more: Partial<Mark>): Mark => ({ case: 0, role, name: role, text: '', shape: 'box', center: [0, 0, 0], size: [0, 0, 0], ...more });
  it('of a beam end before the model, along the beam', () => {
    const [from, to] = arrowOf(mark('source', { arrow: [0, 0, 2] }), 0.5) ?? [];
    expect(from?.toArray()).toEqual([0, 0, -1.3]);
    expect(to?.z).toBeCloseTo(-0.8, 12);
  });
  it('of polarizations and axes begin where they stand', () => {
    const [from, to] = arrowOf(mark('polarization', { center: [1, 2, 3], arrow: [0, 1, 0] }), 0.5) ?? [];
    expect(from?.toArray()).toEqual([1, 2, 3]);
    expect(to?.toArray()).toEqual([1, 2.5, 3]);
    expect(arrowOf(mark('axis', {}), 1)).toBeNull();
  });
  it('carry their names', () => {
    const { group, names } = marks3d([mark('source', { arrow: [1, 0, 0] }), mark('monitor', { size: [1, 1, 1] })], 1);
    expect(names.map((n) => n.name)).toEqual(['source']);
    expect(group.children).toHaveLength(2);
  });
});
