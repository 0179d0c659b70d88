// Numbers for people: values with a few digits, units in symbols, times in words.
import { format } from 'd3-format';

const plain = format('.4~g');
const exponent = format('.3~e');

/** 4 digits, powers of ten outside of 1e-3 to 1e5; U+2212 is the minus. */
export function show(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-3 || size >= 1e5) ? exponent(value) : plain(value);
}

const fine = format('.6~g');
const fineExponent = format('.5~e');
/** 6 digits, for values under the pointer: as many as single precision has. */
export function exact(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return show(value);
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-3 || size >= 1e6) ? fineExponent(value) : fine(value);
}

/** Three digits, for places where there is little room. */
export function short(value: number): string {
  return show(Number(value.toPrecision(3)));
}

const SUPER: Record<string, string> = {
  '-': '⁻', '0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸', '9': '⁹',
};

/** "um^2" -> "µm²"; "1" -> "". */
export function unit(text: string): string {
  if (text === '1' || text === '') return '';
  return text
    .replace(/\bum\b/g, 'µm')
    .replace(/\bdegrees?\b/g, '°')
    .replace(/\^(-?\d+)/g, (_, n: string) => [...n].map((c) => SUPER[c] ?? c).join(''))
    .replace(/\*/g, '·');
}

/** Names of results as they are written: "E_Y_squared" -> "|E_Y|²", "H_magnitude" -> "|H|", "E_rms" -> "rms |E|", "|E|^2" -> "|E|²". */
export function pretty(label: string): string {
  return label.replace(/^(.+)_(squared|intensity)$/, '|$1|²').replace(/^(.+)_magnitude$/, '|$1|').replace(/^(.+)_rms$/, 'rms |$1|').replace(/\^2$/, '²');
}

/** "label (unit)". */
export function titled(label: string, units: string): string {
  const u = unit(units);
  return u ? `${label} (${u})` : label;
}

/** Seconds as "42 s", "3 min 20 s", "2 h 5 min", "3 d 4 h". */
export function duration(seconds: number | null): string {
  if (seconds === null || !Number.isFinite(seconds)) return '–';
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  if (s < 86400) return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
  return `${Math.floor(s / 86400)} d ${Math.floor((s % 86400) / 3600)} h`;
}

export function counted(n: number): string {
  return Math.round(n).toLocaleString('en-US').replace(/,/g, ' ');
}

/** Places of ticks from low to high, about one per `gap` pixels of `length`, with a label for each. */
export function tickLabels(ticks: number[]): string[] {
  const step = Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0)) || 1;
  const largest = Math.max(...ticks.map(Math.abs), 0);
  if (largest >= 1e5 || (largest > 0 && largest < 1e-3)) return ticks.map((t) => (t === 0 ? '0' : exponent(t)));
  const digits = Math.max(0, Math.min(8, -Math.floor(Math.log10(step) + 1e-9)));
  return ticks.map((t) => t.toFixed(digits).replace('-', '−'));
}
