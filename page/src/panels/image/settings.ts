// What can be set of an image, and the sheet that sets it.
import { firstMap, mapNamed, MAPS } from '../../draw/colours.ts';
import type { Look, Stretch } from '../../draw/field_shader.ts';
import type { Frame } from '../../protocol/frame.ts';
import type { ArrayInfo, Spread } from '../../protocol/types.ts';
import { bright, spreadOf } from './source.ts';
import { check, el, select, setting } from '../../ui/dom.ts';

export interface ImageSettings {
  /** Empty: the one that fits the array and the ground. */
  map: string;
  stretch: Stretch;
  /** Name of the array that the stretch was chosen for, empty before there is one; `CHOSEN` once the reader did. */
  stretchOf: string;
  follow: boolean;
  limit: number;
  smooth: boolean;
  outline: boolean;
  marks: boolean;
  /** Name of the array whose lines of equal value are drawn, or empty. */
  lines: string;
  levels: number;
  every: number;
}

export const STRETCHES: { value: Stretch; text: string }[] = [
  { value: 'linear', text: 'linear' }, { value: 'root', text: 'square root' }, { value: 'log', text: 'logarithmic, 4 decades' },
];

const CHOSEN = '#';
/** Largest over median size from which a linear scale shows the largest alone: half of the picture in the darkest tenth, which is black. */
const WIDE = 10;

/** The steps that a scale of sizes begins with; while a run goes on they stay linear. */
export function firstStretch(array: ArrayInfo, spread: Spread): Stretch {
  const still = !array.live || array.instants !== undefined;
  const sizes = array.role === 'magnitude' || array.role === 'rms' || array.role === 'intensity';
  const wide = array.role === 'intensity' ? WIDE * WIDE : WIDE;
  return still && sizes && array.signed !== true && spread.median > 0 && spread.bright > wide * spread.median ? 'log' : 'linear';
}

/** Once for each array, unless the reader chose. */
export function chooseStretch(s: ImageSettings, array: ArrayInfo, frame: Frame): void {
  if (s.stretchOf === CHOSEN || s.stretchOf === array.name || bright(frame).size === 0) return;
  s.stretch = firstStretch(array, frame.spread ?? spreadOf(frame));
  s.stretchOf = array.name;
}

export function firstSettings(): ImageSettings {
  return {
    map: '', stretch: 'linear', stretchOf: '', follow: true, limit: 1, smooth: false, outline: true, marks: true, lines: '', levels: 14,
    every: 0,
  };
}

export function mapFor(s: ImageSettings, array: ArrayInfo, dark: boolean): string {
  return s.map === '' ? firstMap(array.signed ?? false, dark, array.role) : s.map;
}

/** Colours for values from low to high; `limit` is where a scale ends that begins at zero or runs to both signs. */
export function lookOf(s: ImageSettings, array: ArrayInfo, dark: boolean, limit: number, low: number, high: number): Look {
  const map = mapNamed(mapFor(s, array, dark));
  if (map.diverging) return { map, stretch: s.stretch, low: -limit, high: limit };
  const spreads = low < 0 || (low > 0.2 * high && high > low);
  return { map, stretch: s.stretch, low: spreads ? low : 0, high: s.follow && spreads ? high : limit };
}

function numberField(label: string, value: number, onChange: (v: number) => void): HTMLInputElement {
  const input = el('input', { type: 'number', value: String(value), label, step: 'any' });
  input.addEventListener('change', () => {
    if (Number.isFinite(input.valueAsNumber)) onChange(input.valueAsNumber);
  });
  return input;
}

/** The lines of the sheet; `changed` is called after each change. */
export function settingsSheet(s: ImageSettings, array: ArrayInfo, fields: ArrayInfo[], dark: boolean, changed: () => void): Node[] {
  const limit = numberField('end of the scale', Number(s.limit.toPrecision(4)), (v) => {
    s.limit = Math.abs(v) || 1;
    s.follow = false;
    changed();
  });
  limit.disabled = s.follow;
  const scale = select<'follow' | 'fixed'>('scale', [
    { value: 'follow', text: 'follows the field' }, { value: 'fixed', text: 'fixed' },
  ], s.follow ? 'follow' : 'fixed', (v) => {
    s.follow = v === 'follow';
    limit.disabled = s.follow;
    limit.value = String(Number(s.limit.toPrecision(4)));
    changed();
  });
  const maps = MAPS.filter((m) => array.signed === true || !m.diverging || m.name === 'thesis');
  const lines = [{ value: '', text: 'none' }, ...fields.map((f) => ({ value: f.name, text: f.label === '' ? f.name : f.label }))];
  const out: Node[] = [
    setting('Colours', select('colours', maps.map((m) => ({ value: m.name, text: m.name })), mapFor(s, array, dark), (v) => {
      s.map = v;
      changed();
    })),
    setting('Scale', scale, limit),
    setting('Steps', select<Stretch>('steps of the scale', STRETCHES, s.stretch, (v) => {
      s.stretch = v;
      s.stretchOf = CHOSEN;
      changed();
    })),
    setting('Lines of', select('lines of equal value of', lines, s.lines, (v) => {
      s.lines = v;
      changed();
    })),
    setting('Show',
      check('outline', s.outline, (on) => { s.outline = on; changed(); }),
      check('sources, monitors', s.marks, (on) => { s.marks = on; changed(); }),
      check('smooth', s.smooth, (on) => { s.smooth = on; changed(); })),
  ];
  if (array.live) {
    const every = numberField('steps between pictures', s.every, (v) => {
      s.every = Math.max(0, Math.round(v));
      changed();
    });
    every.min = '0';
    every.step = '1';
    out.push(setting('Every', every, el('span', { class: 'hint', text: 'steps (0: 30 a second)' })));
  }
  return out;
}
