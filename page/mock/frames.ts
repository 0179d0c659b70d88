// Data messages as the server makes them: header, reduction to boxes, half floats, zlib. Independent of the page's reading of them.
import { deflateSync } from 'node:zlib';

export const TYPES = { u8: 0, f16: 1, f32: 2, f64: 3, u32: 4 } as const;
export type TypeName = keyof typeof TYPES;
const BYTES: Record<TypeName, number> = { u8: 1, f16: 2, f32: 4, f64: 8, u32: 4 };

export interface Sent {
  sub: number; array: number; sequence: number; shape: [number, number, number]; values: ArrayLike<number>; type: TypeName;
  axis?: number; index?: number; region?: number[]; part?: number; parts?: number; step?: number; time?: number; packed?: boolean;
}

/** Half float by the definition: sign, exponent, ten bits. */
function half(v: number): number {
  if (Number.isNaN(v)) return 0x7e00;
  const s = v < 0 || Object.is(v, -0) ? 0x8000 : 0;
  const a = Math.abs(v);
  if (a === 0) return s;
  const e = Math.max(-14, Math.floor(Math.log2(a)));
  const n = Math.round((a / 2 ** e) * 1024);
  if (e > 15) return s | 0x7c00;
  return n < 1024 ? s | n : s | (((e + 15) << 10) + (n - 1024));
}

function range(values: ArrayLike<number>): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const v of Array.from(values)) {
    if (Number.isFinite(v)) [low, high] = [Math.min(low, v), Math.max(high, v)];
  }
  return low <= high ? [low, high] : [0, 0];
}

export function encode(m: Sent): Buffer {
  const [low, high] = range(m.values);
  const largest = Math.max(Math.abs(low), Math.abs(high));
  const factor = m.type === 'f16' && largest > 0 ? 2 ** Math.ceil(Math.log2(largest)) : 1;
  const body = Buffer.alloc(m.values.length * BYTES[m.type]);
  for (let i = 0; i < m.values.length; ++i) {
    const v = m.values[i] ?? 0;
    switch (m.type) {
      case 'u8': body.writeUInt8(Number.isNaN(v) ? 0 : Math.round((255 * (v - low)) / (high - low || 1)), i); break;
      case 'f16': body.writeUInt16LE(half(v / factor), 2 * i); break;
      case 'f32': body.writeFloatLE(v, 4 * i); break;
      case 'f64': body.writeDoubleLE(v, 8 * i); break;
      case 'u32': body.writeUInt32LE(v, 4 * i); break;
    }
  }
  const header = Buffer.alloc(96);
  header.write('UMV1', 0, 'latin1');
  header.writeUInt8(1, 4);
  header.writeUInt8(TYPES[m.type], 5);
  header.writeUInt8(m.packed ? 1 : 0, 6);
  header.writeUInt8(m.part ?? 0, 7);
  header.writeUInt8(m.parts ?? 1, 8);
  header.writeUInt8(m.axis ?? 3, 9);
  [m.sub, m.array, m.sequence, ...m.shape, m.index ?? 0].forEach((v, i) => header.writeUInt32LE(v, 12 + 4 * i));
  (m.region ?? [0, 0, 0, 0, 0, 0]).forEach((v, i) => header.writeUInt32LE(v, 40 + 4 * i));
  header.writeFloatLE(low, 64);
  header.writeFloatLE(high, 68);
  header.writeFloatLE(factor, 72);
  header.writeUInt32LE(body.length, 76);
  header.writeDoubleLE(m.step ?? 0, 80);
  header.writeDoubleLE(m.time ?? 0, 88);
  return Buffer.concat([header, m.packed ? deflateSync(body) : body]);
}

/** A cut of a field given as a function of cells, reduced to at most w x h means over equal boxes. */
export function cut(at: (i: number, j: number, k: number) => number, axis: number, index: number,
                    [i0, j0, i1, j1]: [number, number, number, number], w: number, h: number):
    { values: Float64Array; shape: [number, number, number]; region: number[] } {
  const [p, q] = axis === 0 ? [1, 2] : axis === 1 ? [0, 2] : [0, 1];
  const box = Math.max(1, Math.ceil((i1 - i0) / w), Math.ceil((j1 - j0) / h));
  const [nx, ny] = [Math.ceil((i1 - i0) / box), Math.ceil((j1 - j0) / box)];
  const values = new Float64Array(nx * ny);
  for (let y = 0; y < ny; ++y) {
    for (let x = 0; x < nx; ++x) {
      let [sum, n] = [0, 0];
      for (let j = j0 + y * box; j < Math.min(j1, j0 + (y + 1) * box); ++j) {
        for (let i = i0 + x * box; i < Math.min(i1, i0 + (x + 1) * box); ++i) {
          const cell: [number, number, number] = [index, index, index];
          [cell[p], cell[q]] = [i, j];
          sum += at(...cell);
          ++n;
        }
      }
      values[y * nx + x] = sum / n;
    }
  }
  const region = [index, index, index, index + 1, index + 1, index + 1];
  [region[p], region[q], region[p + 3], region[q + 3]] = [i0, j0, i1, j1];
  return { values, shape: [nx, ny, 1], region };
}
