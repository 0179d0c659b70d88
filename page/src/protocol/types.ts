// Messages of the view's protocol, version 1: docs/view_protocol.md says what each key means.

export type Kind = 'field' | 'curve' | 'scalar' | 'points' | 'triangles' | 'text';
export type RunState =
  | 'preparing' | 'running' | 'paused' | 'stopping' | 'finished' | 'failed' | 'following';
export type CommandName =
  | 'subscribe' | 'unsubscribe' | 'ack' | 'pause' | 'resume' | 'step' | 'stop' | 'save' | 'model' | 'paint';

export interface Hello {
  type: 'hello';
  protocol: number;
  program: string;
  mode: 'run' | 'folder';
  title: string;
  server: string;
  commands: string[];
  limits?: { subscriptions: number; pixels: number; message: number };
}

export interface Case {
  case: number;
  name: string;
  family: string;
  state: RunState;
  changed?: number | null;
  folder?: string;
  text?: string;
}

/** `role` in the table of many cases: varied, given with that, asked for, or a count of the computation. */
export interface Column { name: string; unit: string; role?: 'parameter' | 'given' | 'response' | 'count' }
export interface Region { id: number; name: string }
export type Triple = [number, number, number];

export interface ArrayInfo {
  id: number;
  case: number;
  name: string;
  label: string;
  text: string;
  unit: string;
  kind: Kind;
  live: boolean;
  role: string;
  shape: number[];
  origin?: Triple;
  spacing?: Triple;
  axes?: string[];
  length_unit?: string;
  signed?: boolean;
  /** The cut to begin with: its normal and its place. */
  cut?: [number, number];
  columns?: Column[];
  log?: boolean;
  regions?: Region[];
  /** Names of the rows of points. */
  rows?: string[];
  /** Name of the list of times that it can be asked for. */
  instants?: string;
}

export interface Mark {
  case: number;
  role: string;
  name: string;
  text: string;
  shape: string;
  center?: Triple;
  size?: Triple;
  arrow?: Triple;
  dashed?: boolean;
  cells?: Triple[];
  raster?: Triple;
}

export interface Picture {
  width: number;
  height: number;
  address: string;
  origin?: number[];
  spacing?: number[];
  up?: boolean;
  colours?: { rgb: Triple; name: string }[];
}

export interface Catalogue {
  type: 'catalogue';
  generation: number;
  /** Commands that are taken now, in place of those of hello. */
  commands?: string[];
  /** In place of that of hello, where the run has become one of another model. */
  title?: string;
  cases: Case[];
  arrays: ArrayInfo[];
  marks: Mark[];
  picture?: Picture;
}

export interface State {
  type: 'state';
  state: RunState;
  stage: string;
  /** What a step is called. */
  counts?: string;
  step: number;
  limit: number | null;
  fixed: boolean;
  time: number | null;
  time_unit: string;
  /** How much of the run is done, 0 to 1, where the limit does not say. */
  fraction?: number | null;
  seconds: number | null;
  left: number | null;
  rate: number | null;
  measure: string;
  text: string;
  viewers: number;
}

/** What the cells that a data message covers are, however few values stand for them; median and bright end of their magnitudes. */
export interface Spread { low: number; high: number; median: number; bright: number }
export interface RangeMessage extends Spread { type: 'range'; sub: number; array: number; sequence: number }
export interface TextMessage { type: 'text'; sub: number; array: number; sequence: number; text: string }
export interface LogMessage { type: 'log'; level: 'warning' | 'note'; text: string }
export interface Done { type: 'done'; do: string; ref?: number }
/** `sub`: the subscription that it is about, and without `ref` one that went well until now. */
export interface Failure { type: 'error'; do: string; ref?: number; sub?: number; text: string }
export type ServerMessage = Hello | Catalogue | State | RangeMessage | TextMessage | LogMessage | Done | Failure;

/** What is asked of an array; sub, array and ref are added by the session. */
export interface Request {
  axis?: 0 | 1 | 2 | 3;
  index?: number;
  region?: number[];
  pixels?: number[];
  every?: number;
  time?: number;
  parts?: 'all' | 'shape' | 'values';
  encoding?: 'f16' | 'f32' | 'u8' | 'f64';
}

/** A message of the server, or null where it is none that this version knows. */
export function parseMessage(text: string): ServerMessage | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || !('type' in value)) return null;
  const known = ['hello', 'catalogue', 'state', 'range', 'text', 'log', 'done', 'error'];
  return known.includes(String(value.type)) ? (value as ServerMessage) : null;
}
