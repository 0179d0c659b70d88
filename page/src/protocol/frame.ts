// Data messages: 96 bytes of header, then values (docs/view_protocol.md, "Data messages").
import { fromHalf } from './half.ts';
import type { Spread } from './types.ts';

export type Values = Uint8Array | Uint16Array | Float32Array | Float64Array | Uint32Array;
export const HEADER = 96;
const MAGIC = 0x31564d55; // "UMV1", little-endian
export enum Type { u8, f16, f32, f64, u32 }

export interface Header {
  type: Type;
  compression: number;
  part: number;
  parts: number;
  axis: number;
  sub: number;
  array: number;
  sequence: number;
  shape: [number, number, number];
  index: number;
  /** Cells that are covered: low x, y, z, high x, y, z. */
  region: [number, number, number, number, number, number];
  low: number;
  high: number;
  factor: number;
  bytes: number;
  step: number;
  time: number;
}

export interface Frame extends Header {
  values: Values;
  /** Of the cells behind the values, where it is known. */
  spread?: Spread;
}

/** Smallest and largest of the cells where they are known, else of the values that came. */
export function ends(frame: Frame): { low: number; high: number } {
  return frame.spread ?? frame;
}

const BYTES = [1, 2, 4, 8, 4];
/** No message of a server is larger: what says so is damaged. */
const MOST = 1 << 28;

function triple(view: DataView, at: number): [number, number, number] {
  return [view.getUint32(at, true), view.getUint32(at + 4, true), view.getUint32(at + 8, true)];
}

/** The header of a message; throws an Error that says what is wrong with it. */
export function readHeader(message: ArrayBuffer): Header {
  if (message.byteLength < HEADER) throw new Error(`a data message of ${message.byteLength} bytes`);
  const view = new DataView(message);
  if (view.getUint32(0, true) !== MAGIC) throw new Error('a data message without its mark');
  if (view.getUint8(4) !== 1) throw new Error(`a data message of version ${view.getUint8(4)}`);
  const type = view.getUint8(5);
  const size = BYTES[type];
  if (size === undefined) throw new Error(`values of type ${type}`);
  const shape = triple(view, 24);
  const bytes = view.getUint32(76, true);
  if (bytes > MOST || shape[0] * shape[1] * shape[2] * size !== bytes) {
    throw new Error(`${bytes} bytes for ${shape.join(' x ')} values`);
  }
  return {
    type, compression: view.getUint8(6), part: view.getUint8(7), parts: Math.max(1, view.getUint8(8)),
    axis: view.getUint8(9), sub: view.getUint32(12, true), array: view.getUint32(16, true),
    sequence: view.getUint32(20, true), shape, index: view.getUint32(36, true),
    region: [...triple(view, 40), ...triple(view, 52)],
    low: view.getFloat32(64, true), high: view.getFloat32(68, true), factor: view.getFloat32(72, true), bytes,
    step: view.getFloat64(80, true), time: view.getFloat64(88, true),
  };
}

async function inflate(data: Uint8Array<ArrayBuffer>, bytes: number): Promise<ArrayBuffer> {
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate'));
  const out = new Uint8Array(bytes);
  const reader = stream.getReader();
  let at = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const piece = next.value;
    if (at + piece.length > bytes) throw new Error('more values than were announced');
    out.set(piece, at);
    at += piece.length;
  }
  if (at !== bytes) throw new Error('fewer values than were announced');
  return out.buffer;
}

function typed(type: Type, buffer: ArrayBuffer): Values {
  switch (type) {
    case Type.u8: return new Uint8Array(buffer);
    case Type.f16: return new Uint16Array(buffer);
    case Type.f32: return new Float32Array(buffer);
    case Type.f64: return new Float64Array(buffer);
    case Type.u32: return new Uint32Array(buffer);
  }
}

/** Header and values, inflated where they are compressed. */
export async function readFrame(message: ArrayBuffer): Promise<Frame> {
  const header = readHeader(message);
  if (header.compression === 1) {
    const packed = new Uint8Array(message, HEADER);
    return { ...header, values: typed(header.type, await inflate(packed, header.bytes)) };
  }
  if (header.compression !== 0) throw new Error(`compression ${header.compression}`);
  if (message.byteLength - HEADER !== header.bytes) throw new Error('a cut data message');
  return { ...header, values: typed(header.type, message.slice(HEADER)) };
}

/** Value i of a frame as a number of the array. */
export function valueAt(frame: Frame, i: number): number {
  const stored = frame.values[i] ?? NaN;
  switch (frame.type) {
    case Type.u8: return frame.low + ((frame.high - frame.low) * stored) / 255;
    case Type.f16: return frame.factor * fromHalf(stored);
    case Type.f32:
    case Type.f64: return frame.factor * stored;
    case Type.u32: return stored;
  }
}

/** Column c of a curve, scalars or points: columns lie one behind the other. */
export function column(frame: Frame, c: number): Float64Array {
  const rows = frame.shape[0];
  return Float64Array.from({ length: rows }, (_, i) => valueAt(frame, c * rows + i));
}
