// Which view shows an array: by its kind and role, not by families.
import type { ArrayInfo } from '../protocol/types.ts';
import { isVolume } from '../draw/geometry.ts';
import { ImageView } from './image/image_view.ts';
import { NumbersView } from './numbers_view.ts';
import type { Shown } from './layout.ts';
import { CurveView } from './plot/curve_view.ts';
import { TableView } from './plot/table_view.ts';
import { MeshView } from './scene/mesh_view.ts';
import { PeaksView } from './scene/peaks_view.ts';
import { PointsView } from './scene/points_view.ts';
import { VolumeView } from './scene/volume_view.ts';
import { TextView } from './text_view.ts';
import type { Host, View } from './view.ts';

export function makeView(host: Host, array: ArrayInfo | null, shown: Shown): View {
  if (!array) return new NumbersView(host);
  switch (array.kind) {
    case 'field': return shown.solid && isVolume(array) ? new VolumeView(host, array) : new ImageView(host, array);
    case 'curve':
    case 'scalar': return shown.table ? new TableView(host, array) : new CurveView(host, array, shown.over);
    case 'points': return array.role === 'peaks' ? new PeaksView(host, array) : new PointsView(host, array);
    case 'triangles': return new MeshView(host, array);
    case 'text': return new TextView(host, array);
  }
}
