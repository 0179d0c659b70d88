// Colour maps as tables of 256 colours, and the colours of curves and labels.
import { interpolateCividis, interpolateInferno, interpolateViridis } from 'd3-scale-chromatic';

export interface ColourMap {
  name: string;
  text: string;
  /** The middle of the table is zero. */
  diverging: boolean;
  /** Position 0 to 1 -> r, g, b from 0 to 255. */
  at(t: number): [number, number, number];
}

/** OKLab (Ottosson 2020) -> sRGB bytes; a and b of the two ends are chosen inside sRGB. */
export function oklab(l: number, a: number, b: number): [number, number, number] {
  const [x, y, z] = [
    (l + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (l - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (l - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ];
  const linear = [
    4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
    -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
    -0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z,
  ];
  const byte = (c: number): number => {
    const s = c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055;
    return Math.round(255 * Math.min(1, Math.max(0, s)));
  };
  return [byte(linear[0] ?? 0), byte(linear[1] ?? 0), byte(linear[2] ?? 0)];
}

/** Lightness runs linearly from the middle to both ends and is the same at both: blue and orange differ for everybody. */
function diverging(middle: number, end: number): ColourMap['at'] {
  return (t) => {
    const s = 2 * t - 1;
    const size = Math.abs(s);
    const hue = ((s < 0 ? 255 : 55) * Math.PI) / 180;
    const chroma = 0.135 * Math.sin(Math.min(1, size * 1.25) * (Math.PI / 2));
    return oklab(middle + (end - middle) * size, chroma * Math.cos(hue), chroma * Math.sin(hue));
  };
}

function parse(colour: string): [number, number, number] {
  const hex = /^#(..)(..)(..)$/.exec(colour);
  if (hex) return [parseInt(hex[1] ?? '0', 16), parseInt(hex[2] ?? '0', 16), parseInt(hex[3] ?? '0', 16)];
  const n = colour.match(/\d+/g)?.map(Number) ?? [];
  return [n[0] ?? 0, n[1] ?? 0, n[2] ?? 0];
}

export const MAPS: readonly ColourMap[] = [
  { name: 'blue–orange', text: 'perceptually uniform, white at zero', diverging: true, at: diverging(0.975, 0.45) },
  { name: 'blue–orange, dark', text: 'perceptually uniform, black at zero', diverging: true, at: diverging(0.14, 0.8) },
  {
    name: 'thesis', text: 'red positive, blue negative, green dielectric (Lively 2016)', diverging: true,
    at: (t) => {
      const s = 2 * t - 1;
      return [Math.round(255 * Math.max(0, s)), 0, Math.round(255 * Math.max(0, -s))];
    },
  },
  { name: 'viridis', text: 'perceptually uniform', diverging: false, at: (t) => parse(interpolateViridis(t)) },
  { name: 'cividis', text: 'the same for all kinds of colour vision', diverging: false, at: (t) => parse(interpolateCividis(t)) },
  { name: 'inferno', text: 'perceptually uniform, black at zero', diverging: false, at: (t) => parse(interpolateInferno(t)) },
  {
    name: 'grey', text: 'lightness alone', diverging: false,
    at: (t) => oklab(0.1 + 0.88 * t, 0, 0),
  },
];

export function mapNamed(name: string): ColourMap {
  const found = MAPS.find((m) => m.name === name) ?? MAPS[0];
  if (!found) throw new Error('no colour maps');
  return found;
}

/** RGBA bytes of 256 colours. */
export function table(map: ColourMap): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(4 * 256);
  for (let i = 0; i < 256; ++i) out.set([...map.at(i / 255), 255], 4 * i);
  return out;
}

/** The map that an array begins with: by its sign, and by the ground it stands on. */
export function firstMap(signed: boolean, dark: boolean, role: string): string {
  if (role === 'model') return 'grey';
  if (signed) return dark ? 'blue–orange, dark' : 'blue–orange';
  return role === 'rms' || role === 'intensity' || role === 'magnitude' ? 'inferno' : 'viridis';
}

/** Okabe and Ito (2008): told apart with every kind of colour vision. */
const OKABE_ITO = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00', '#7f7f7f', '#b5a900'];
/** Of what belongs to no series. */
export const GREY = '#7f7f7f';
export function seriesColour(i: number): string {
  return OKABE_ITO[i % OKABE_ITO.length] ?? '#0072b2';
}
