// Which of the fields of a case says most at first.
import type { ArrayInfo } from '../protocol/types.ts';

/** Real and imaginary parts by themselves say little: where they are, the intensity comes first; else what moves. Models and materials come last. */
export function firstField(fields: ArrayInfo[]): ArrayInfo | undefined {
  const background = (a: ArrayInfo): boolean => a.role === 'model' || a.role === 'material';
  const plain = fields.filter((a) => !background(a) && a.role !== 'potential');
  const complex = plain.some((a) => a.role === 'component' && /_(re|im)(_|$)/.test(a.label));
  const intensity = complex ? plain.find((a) => a.role === 'intensity') : undefined;
  return intensity ?? plain.find((a) => a.live) ?? plain[0] ?? fields.find((a) => !background(a)) ?? fields[0];
}
