// Half-float numbers (IEEE 754 binary16): the only reading and writing of them, for values under the pointer and the mock server.

const number = new Float32Array(1);
const bits = new Uint32Array(number.buffer);

/** The number of 16 bits. */
export function fromHalf(h: number): number {
  const sign = h & 0x8000 ? -1 : 1;
  const exponent = (h >> 10) & 0x1f;
  const fraction = h & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** The nearest half float, ties away from zero; too large becomes infinite. */
export function toHalf(value: number): number {
  number[0] = value;
  const b = bits[0] ?? 0;
  const sign = (b >> 16) & 0x8000;
  if (Number.isNaN(value)) return 0x7e00;
  const size = Math.abs(value);
  if (size >= 65520) return sign | 0x7c00;
  if (size < 2 ** -14) return sign | Math.round(size * 2 ** 24);
  const rounded = (b & 0x7fffffff) + 0x1000;
  return sign | ((rounded - 0x38000000) >> 13);
}
