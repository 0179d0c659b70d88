// Which of the fields of a case says most at first.
import type { ArrayInfo } from '../protocol/types.ts';

/** What lies beneath a field: it says something while there is no field yet. */
export function isBackground(a: ArrayInfo): boolean {
  return a.role === 'model' || a.role === 'material';
}

/** Real and imaginary parts by themselves say little: where they are, the intensity comes first; else what moves. Models and materials come last. */
export function firstField(fields: ArrayInfo[]): ArrayInfo | undefined {
  const plain = fields.filter((a) => !isBackground(a) && a.role !== 'potential');
  const complex = plain.some((a) => a.role === 'component' && /_(re|im)(_|$)/.test(a.label));
  const intensity = complex ? plain.find((a) => a.role === 'intensity') : undefined;
  return intensity ?? plain.find((a) => a.live) ?? plain[0] ?? fields.find((a) => !isBackground(a)) ?? fields[0];
}
