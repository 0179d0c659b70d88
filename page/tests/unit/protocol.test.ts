// Reading of messages: what the protocol says in bytes comes out as numbers, and what is damaged is refused.
import { describe, expect, it } from 'vitest';
import { encode } from '../../mock/frames.ts';
import { backOff } from '../../src/protocol/connection.ts';
import { column, readFrame, readHeader, valueAt } from '../../src/protocol/frame.ts';
import { fromHalf, toHalf } from '../../src/protocol/half.ts';
import { parseMessage } from '../../src/protocol/types.ts';

function bytes(b: Buffer): ArrayBuffer {
  return b.buffer.slice(b.byteOffset, b.byteOffset + b.byteLength) as ArrayBuffer;
}
const SENT = { sub: 3, array: 5, sequence: 9, shape: [3, 2, 1] as [number, number, number], values: [-2, 0, 0.5, 1, NaN, 4], step: 120, time: 1.5 };

describe('half floats', () => {
  it('have the values of IEEE 754', () => {
    expect([0x3c00, 0xc000, 0x7bff, 0x0001, 0x0400, 0x8000].map(fromHalf)).toEqual([1, -2, 65504, 2 ** -24, 2 ** -14, -0]);
    expect(fromHalf(0x7c00)).toBe(Infinity);
    expect(fromHalf(0x7e00)).toBeNaN();
  });
  it('come back from every one of their 65536 bit patterns', () => {
    const wrong = Array.from({ length: 65536 }, (_, h) => h).filter((h) => !Number.isNaN(fromHalf(h)) && toHalf(fromHalf(h)) !== h);
    expect(wrong).toEqual([]);
  });
  it('round to half of 2^-10 at most', () => {
    for (const v of [0.1, 1 / 3, 1000.3, -0.007]) expect(Math.abs(fromHalf(toHalf(v)) - v)).toBeLessThanOrEqual(Math.abs(v) * 2 ** -11);
  });
});

describe('data messages', () => {
  it('give header and values, packed or not, of every type', async () => {
    for (const packed of [false, true]) {
      for (const type of ['f16', 'f32', 'f64'] as const) {
        const f = await readFrame(bytes(encode({ ...SENT, type, packed, axis: 2, region: [0, 0, 4, 3, 2, 5] })));
        expect([f.sub, f.array, f.sequence, f.step, f.time, f.axis]).toEqual([3, 5, 9, 120, 1.5, 2]);
        expect(f.region).toEqual([0, 0, 4, 3, 2, 5]);
        expect([f.low, f.high]).toEqual([-2, 4]);
        expect(SENT.values.map((_, i) => valueAt(f, i))).toEqual(SENT.values); // all are exact in a half float
      }
    }
  });
  it('quantise to 1/255 of the range in bytes', async () => {
    const f = await readFrame(bytes(encode({ ...SENT, values: [0, 1, 2, 3, 4, 5], type: 'u8' })));
    for (let i = 0; i < 6; ++i) expect(Math.abs(valueAt(f, i) - i)).toBeLessThanOrEqual(5 / 255 / 2 + 1e-9);
  });
  it('have columns one behind the other', async () => {
    const f = await readFrame(bytes(encode({ ...SENT, values: [1, 2, 3, 10, 20, 30], type: 'f32' })));
    expect(Array.from(column(f, 1))).toEqual([10, 20, 30]);
  });
  it('are refused when damaged', async () => {
    const good = encode({ ...SENT, type: 'f32' });
    const broken = (at: number, value: number): ArrayBuffer => {
      const b = Buffer.from(good);
      b.writeUInt8(value, at);
      return bytes(b);
    };
    expect(() => readHeader(bytes(good.subarray(0, 95)))).toThrow('95 bytes');
    expect(() => readHeader(broken(0, 0))).toThrow('without its mark');
    expect(() => readHeader(broken(4, 2))).toThrow('version 2');
    expect(() => readHeader(broken(5, 77))).toThrow('type 77');
    expect(() => readHeader(broken(79, 0xff))).toThrow('values');
    await expect(readFrame(bytes(good.subarray(0, 100)))).rejects.toThrow('cut');
    await expect(readFrame(broken(6, 9))).rejects.toThrow('compression 9');
    const bomb = encode({ ...SENT, shape: [1000, 1000, 1], values: new Float32Array(1000000), type: 'f32', packed: true });
    bomb.writeUInt32LE(1, 24);
    bomb.writeUInt32LE(1, 28);
    bomb.writeUInt32LE(4, 76);
    await expect(readFrame(bytes(bomb))).rejects.toThrow('more values than were announced');
  });
});

describe('text messages', () => {
  it('are known or nothing', () => {
    expect(parseMessage('{"type": "state", "state": "paused"}')).toMatchObject({ state: 'paused' });
    for (const bad of ['', 'null', '[]', '7', '{"type": "weather"}', '{', '{"do": "pause"}']) expect(parseMessage(bad)).toBeNull();
  });
});

describe('back-off', () => {
  it('doubles from a quarter of a second and ends at eight', () => {
    expect([0, 1, 2, 5, 6, 40].map((n) => backOff(n, 0))).toEqual([0.25, 0.5, 1, 8, 8, 8]);
    expect(backOff(5, 1)).toBeCloseTo(9.6);
  });
});
