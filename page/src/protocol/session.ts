// What the page knows of its server: the catalogue, the state of the run, and the arrays it has asked for.
import { connect, type Line, type LineState } from './connection.ts';
import { readFrame, type Frame } from './frame.ts';
import {
  parseMessage, type ArrayInfo, type Catalogue, type CommandName, type Hello, type LogMessage, type Request,
  type Spread, type State,
} from './types.ts';

export type Listener = (event: SessionEvent) => void;
export type SessionEvent = 'line' | 'hello' | 'catalogue' | 'state' | 'log' | 'generation';

/** Parts of one sequence: one for fields and curves, several for triangles. */
export type Parts = Frame[];

export interface Subscription {
  /** False once the server has forgotten it: after a new generation of the catalogue. */
  readonly alive: boolean;
  /** Asks anew for the same array. */
  change(request: Request): void;
  end(): void;
}

interface Wanted {
  sub: number;
  array: number;
  request: Request;
  onParts(parts: Parts): void;
  onText(text: string): void;
  /** Why there are no data; '' when there are some after all. */
  onError(text: string): void;
  parts: Parts;
  newest: Parts | null;
  /** Of data messages to come, by their sequence. */
  spreads: Map<number, Spread>;
  /** The last that was told of it is an error. */
  failed: boolean;
}

export class Session {
  hello: Hello | null = null;
  catalogue: Catalogue = { type: 'catalogue', generation: 0, cases: [], arrays: [], marks: [] };
  state: State | null = null;
  log: LogMessage[] = [];
  line: LineState = 'connecting';
  wait = 0;
  private readonly wanted = new Map<number, Wanted>();
  private readonly answers = new Map<number, { do: string; resolve: () => void; reject: (e: Error) => void }>();
  private readonly listeners = new Set<Listener>();
  private readonly socket: Line;
  /** Per case, the moment that is looked at; none: the newest. */
  private readonly moments = new Map<number, number>();
  private subs = 0;
  private refs = 0;
  private greeted = false;
  private drawing = 0;
  private decoding = Promise.resolve();

  constructor(address: string) {
    this.socket = connect(address, {
      onText: (text) => {
        this.take(text);
      },
      onData: (data) => {
        this.decoding = this.decoding.then(() => this.takeData(data));
      },
      onState: (line, wait) => {
        this.line = line;
        this.wait = wait;
        if (line !== 'open') this.dropAnswers();
        this.tell('line');
      },
    });
  }

  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  can(command: CommandName): boolean {
    return this.line === 'open' && (this.hello?.commands.includes(command) ?? false);
  }

  find(caseId: number, name: string): ArrayInfo | undefined {
    return this.catalogue.arrays.find((a) => a.case === caseId && a.name === name);
  }

  /** Sends a command; resolves when it is done, rejects with the server's words. */
  command(name: CommandName, keys: object = {}): Promise<void> {
    const ref = ++this.refs;
    return new Promise((resolve, reject) => {
      if (this.line !== 'open') {
        reject(new Error('not connected'));
        return;
      }
      this.answers.set(ref, { do: name, resolve, reject });
      this.socket.send({ do: name, ref, ...keys });
    });
  }

  subscribe(array: number, request: Request, receiver: Pick<Wanted, 'onParts' | 'onText' | 'onError'>): Subscription {
    const sub = ++this.subs;
    const wanted: Wanted = { sub, array, request, ...receiver, parts: [], newest: null, spreads: new Map(), failed: false };
    this.wanted.set(sub, wanted);
    this.ask(wanted);
    const alive = (): boolean => this.wanted.get(sub) === wanted;
    return {
      get alive() {
        return alive();
      },
      change: (changed) => {
        wanted.request = changed;
        wanted.parts = [];
        this.ask(wanted);
      },
      end: () => {
        if (!this.wanted.delete(sub)) return;
        this.socket.send({ do: 'unsubscribe', sub });
      },
    };
  }

  moment(caseId: number): number | null {
    return this.moments.get(caseId) ?? null;
  }

  /** All that a case can show of another moment shows it from now on; null: the newest there is. */
  lookAt(caseId: number, moment: number | null): void {
    if (this.moment(caseId) === moment) return;
    if (moment === null) this.moments.delete(caseId);
    else this.moments.set(caseId, moment);
    for (const w of this.wanted.values()) {
      const array = this.catalogue.arrays.find((a) => a.id === w.array);
      if (array?.case !== caseId || array.instants === undefined || w.request.parts === 'shape') continue;
      w.parts = [];
      this.ask(w);
    }
  }

  private ask(w: Wanted): void {
    if (this.line !== 'open') return;
    const array = this.catalogue.arrays.find((a) => a.id === w.array);
    const moment = array?.instants === undefined ? null : this.moment(array.case);
    this.command('subscribe', { sub: w.sub, array: w.array, ...w.request, ...(moment === null ? {} : { time: moment }) }).catch((e: unknown) => {
      if (this.wanted.get(w.sub) === w) this.fail(w.sub, e instanceof Error ? e.message : String(e));
    });
  }

  /** Why a subscription has no data: when it was asked for, or later (a file that is gone, say). */
  private fail(sub: number, text: string): void {
    const w = this.wanted.get(sub);
    if (!w) return;
    w.failed = true;
    w.onError(text);
  }

  private tell(event: SessionEvent): void {
    for (const listener of [...this.listeners]) listener(event);
  }

  private dropAnswers(): void {
    for (const answer of this.answers.values()) answer.reject(new Error('the line dropped'));
    this.answers.clear();
  }

  private take(text: string): void {
    const message = parseMessage(text);
    if (!message) return;
    switch (message.type) {
      case 'hello':
        this.log = [];
        this.hello = message;
        this.greeted = true;
        this.tell('hello');
        break;
      case 'catalogue':
        this.takeCatalogue(message);
        break;
      case 'state':
        this.state = message;
        this.tell('state');
        break;
      case 'log':
        this.log = [...this.log.slice(-199), message];
        this.tell('log');
        break;
      case 'range':
        this.wanted.get(message.sub)?.spreads.set(message.sequence, message);
        break;
      case 'text':
        this.wanted.get(message.sub)?.onText(message.text);
        this.socket.send({ do: 'ack', sub: message.sub, sequence: message.sequence });
        break;
      case 'done':
        this.takeAnswer(message.ref, null);
        break;
      case 'error':
        if (message.ref !== undefined) this.takeAnswer(message.ref, message.text);
        else if (message.sub !== undefined) this.fail(message.sub, message.text);
        break;
    }
  }

  /** After hello the server knows no subscription: all are asked for by the panels that hear of a generation. */
  private takeCatalogue(catalogue: Catalogue): void {
    const key = (): string => `${this.hello?.server ?? ''} ${this.catalogue.generation}`;
    const before = key();
    const first = this.greeted;
    this.greeted = false;
    this.catalogue = catalogue;
    if (this.hello && catalogue.commands) this.hello.commands = catalogue.commands;
    if (this.hello && catalogue.title) this.hello.title = catalogue.title;
    if (first || key() !== before) {
      this.wanted.clear();
      this.moments.clear();
      this.tell('generation');
    }
    this.tell('catalogue');
  }
  private takeAnswer(ref: number | undefined, problem: string | null): void {
    if (ref === undefined) return;
    const answer = this.answers.get(ref);
    this.answers.delete(ref);
    if (problem === null) answer?.resolve();
    else answer?.reject(new Error(problem));
  }

  private async takeData(data: ArrayBuffer): Promise<void> {
    let frame: Frame;
    try {
      frame = await readFrame(data);
    } catch {
      return;
    }
    const w = this.wanted.get(frame.sub);
    if (w?.array !== frame.array) return;
    if (frame.part === 0) w.parts = [];
    const spread = w.spreads.get(frame.sequence);
    if (spread) frame.spread = spread;
    for (const sequence of w.spreads.keys()) if (sequence <= frame.sequence) w.spreads.delete(sequence);
    if (frame.part !== w.parts.length) return;
    w.parts.push(frame);
    if (w.parts.length < frame.parts) return;
    w.newest = w.parts;
    w.parts = [];
    this.drawSoon();
  }

  /** Acknowledged when drawn, so that the server sends what the page can show; a hidden page draws nothing. */
  private drawSoon(): void {
    if (this.drawing) return;
    const draw = (): void => {
      this.drawing = 0;
      for (const w of [...this.wanted.values()]) this.deliver(w);
    };
    this.drawing = document.hidden ? window.setTimeout(draw, 200) : requestAnimationFrame(draw);
  }

  private deliver(w: Wanted): void {
    const parts = w.newest;
    const last = parts?.at(-1);
    if (!parts || !last) return;
    w.newest = null;
    if (w.failed) {
      w.failed = false;
      w.onError('');
    }
    try {
      w.onParts(parts);
    } finally {
      this.socket.send({ do: 'ack', sub: w.sub, sequence: last.sequence });
    }
  }
}
