// Sources, monitors, layers and beams of a model in three dimensions: boxes as edges, directions as arrows.
import { ArrowHelper, Box3, Box3Helper, Color, Group, Vector3 } from 'three';
import type { Mark } from '../../protocol/types.ts';
import { markColour } from '../image/marks.ts';

/** All marks that have a place; `reach` is the length of an arrow. */
export function marks3d(marks: Mark[], reach: number): Group {
  const group = new Group();
  for (const mark of marks) {
    if (!mark.center) continue;
    const center = new Vector3(...mark.center);
    const size = new Vector3(...(mark.size ?? [0, 0, 0]));
    const colour = new Color(markColour(mark));
    if (size.length() > 0) group.add(new Box3Helper(new Box3().setFromCenterAndSize(center, size), colour));
    const arrow = new Vector3(...(mark.arrow ?? [0, 0, 0]));
    if (arrow.length() > 0) {
      const along = arrow.normalize();
      // A beam's arrow ends where it meets the model, so that it is seen.
      const from = mark.role === 'source' && size.length() === 0 ? center.clone().addScaledVector(along, -2.6 * reach) : center;
      group.add(new ArrowHelper(along, from, reach, colour, 0.28 * reach, 0.16 * reach));
    }
  }
  return group;
}
