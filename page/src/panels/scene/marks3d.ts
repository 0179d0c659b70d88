// Sources, monitors, layers and beams of a model in three dimensions: boxes as edges, directions as arrows with their names.
import { ArrowHelper, Box3, Box3Helper, Color, Group, Vector3 } from 'three';
import type { Mark } from '../../protocol/types.ts';
import { markColour } from '../image/marks.ts';

export interface Named { name: string; colour: string; at: Vector3 }

/** Where the arrow of a mark begins and ends: a beam's ends where it meets the model, so that it is seen. */
export function arrowOf(mark: Mark, reach: number): [Vector3, Vector3] | null {
  const arrow = new Vector3(...(mark.arrow ?? [0, 0, 0]));
  if (!mark.center || arrow.length() === 0) return null;
  const from = new Vector3(...mark.center);
  const along = arrow.normalize();
  const far = mark.role === 'source' && new Vector3(...(mark.size ?? [0, 0, 0])).length() === 0;
  if (far) from.addScaledVector(along, -2.6 * reach);
  return [from, from.clone().addScaledVector(along, reach)];
}

/** All marks that have a place; `reach` is the length of an arrow. */
export function marks3d(marks: Mark[], reach: number): { group: Group; names: Named[] } {
  const group = new Group();
  const names: Named[] = [];
  for (const mark of marks) {
    if (!mark.center) continue;
    const size = new Vector3(...(mark.size ?? [0, 0, 0]));
    const colour = new Color(markColour(mark));
    if (size.length() > 0) group.add(new Box3Helper(new Box3().setFromCenterAndSize(new Vector3(...mark.center), size), colour));
    const ends = arrowOf(mark, reach);
    if (!ends) continue;
    const [from, to] = ends;
    group.add(new ArrowHelper(to.clone().sub(from).normalize(), from, reach, colour, 0.28 * reach, 0.16 * reach));
    names.push({ name: mark.name, colour: markColour(mark), at: mark.role === 'source' ? from : to });
  }
  return { group, names };
}
