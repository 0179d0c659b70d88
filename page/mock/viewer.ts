// One viewer of the mock server: its subscriptions, at most two messages of each on their way.
import type { WebSocket } from 'ws';
import { cut, encode, type TypeName } from './frames.ts';
import type { MockArray, Scene } from './scenes.ts';

interface Asked {
  sub: number; array: number; axis?: number; index?: number; region?: number[]; pixels?: number[]; every?: number; encoding?: string; time?: number; parts?: string;
}
interface Subscribed extends Asked { sequence: number; acked: number; lastStep: number; version: number }

export class Viewer {
  private readonly subs = new Map<number, Subscribed>();

  constructor(private readonly socket: WebSocket, private readonly scene: Scene, private readonly server: string,
              private readonly heard: { do: string; [key: string]: unknown }[], private readonly changed: () => void) {
    socket.on('message', (data: Buffer) => {
      this.take(data.toString('utf8'));
    });
  }

  private say(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  greet(): void {
    const { scene } = this;
    this.say({
      type: 'hello', protocol: 1, program: 'umov 0.1.0', mode: scene.mode, title: scene.title, server: this.server,
      commands: scene.commands, limits: { subscriptions: 32, pixels: 4194304, message: 16777216 },
    });
    this.catalogue();
    this.tell();
    for (const text of scene.warnings) this.say({ type: 'log', level: 'warning', text });
  }
  catalogue(): void {
    this.say({ type: 'catalogue', ...this.scene.catalogue() });
  }
  tell(): void {
    this.say({ type: 'state', ...this.scene.state(), viewers: 1 });
  }
  drop(): void {
    this.socket.terminate();
  }

  /** Tells that there are no data of an array any more, as when its file is gone. */
  fail(name: string, text: string): void {
    for (const s of this.subs.values()) {
      if (this.scene.arrays[s.array]?.info.name === name) this.say({ type: 'error', do: 'subscribe', sub: s.sub, text });
    }
  }

  private take(text: string): void {
    const m = JSON.parse(text) as Asked & { do: string; ref?: number; sequence?: number; n?: number };
    if (m.do !== 'ack') this.heard.push(m as never);
    let problem = '';
    if (m.do === 'ack') {
      const s = this.subs.get(m.sub);
      if (s) s.acked = Math.max(s.acked, m.sequence ?? 0);
      return;
    }
    if (m.do === 'subscribe') {
      if (!this.scene.arrays[m.array]) problem = `no array ${m.array}`;
      else if (this.subs.size >= 32) problem = 'more than 32 subscriptions';
      else this.subs.set(m.sub, { ...m, sequence: 0, acked: 0, lastStep: -1, version: -1 });
    } else if (m.do === 'unsubscribe') this.subs.delete(m.sub);
    else problem = this.scene.command(m);
    const echo = { do: m.do, ref: m.ref, sub: m.sub };
    this.say(problem ? { type: 'error', ...echo, text: problem } : { type: 'done', ...echo });
    if (!['subscribe', 'unsubscribe'].includes(m.do)) this.changed();
    this.beat();
  }

  /** Sends what is new and not held up by missing acknowledgements. */
  beat(): void {
    const { scene } = this;
    if (scene.step % 10 === 0) this.tell();
    for (const s of this.subs.values()) {
      const a = scene.arrays[s.array];
      if (!a || s.sequence - s.acked >= 2) continue;
      const fresh = s.version !== scene.version || (a.info.live && scene.step >= s.lastStep + Math.max(1, s.every ?? 1));
      if (!fresh) continue;
      s.version = scene.version;
      s.lastStep = scene.step;
      ++s.sequence;
      this.send(s, a);
    }
  }

  private send(s: Subscribed, a: MockArray): void {
    const t = s.time ?? Infinity;
    const time = Number.isFinite(t) ? t : this.scene.step * 0.01;
    const common = { sub: s.sub, array: s.array, sequence: s.sequence, step: this.scene.step, time };
    if (a.text) {
      this.say({ type: 'text', sub: s.sub, array: s.array, sequence: s.sequence, text: a.text() });
    } else if (a.field) this.sendField(s, a, common);
    else if (a.columns) {
      const columns = a.columns(t);
      const values = columns.flatMap((c) => Array.from(c));
      this.socket.send(encode({ ...common, type: s.encoding === 'f64' ? 'f64' : 'f32', values, shape: [columns[0]?.length ?? 0, columns.length, 1] }));
    } else if (a.mesh) {
      const { vertices, indices, regions, values } = a.mesh(t);
      const parts = [
        { type: 'f32' as const, values: vertices, shape: [3, vertices.length / 3, 1] as [number, number, number] },
        { type: 'u32' as const, values: indices, shape: [3, indices.length / 3, 1] as [number, number, number] },
        { type: 'u32' as const, values: regions, shape: [regions.length, 1, 1] as [number, number, number] },
        { type: 'f32' as const, values, shape: [values.length, 1, 1] as [number, number, number] },
      ];
      const sent = s.parts === 'shape' ? parts.slice(0, 3) : s.parts === 'values' ? parts.slice(3) : parts;
      sent.forEach((p, part) => {
        this.socket.send(encode({ ...common, ...p, part, parts: sent.length }));
      });
    }
  }

  private sendField(s: Subscribed, a: MockArray, common: { sub: number; array: number; sequence: number; step: number; time: number }): void {
    const of = a.field;
    const n = a.info.shape;
    if (!of) return;
    const at = (i: number, j: number, k: number): number => of(i, j, k, s.time ?? Infinity);
    const type = (s.encoding ?? 'f16') as TypeName;
    const axis = s.axis ?? 2;
    if (axis === 3) {
      const most = s.pixels?.[0] ?? 64;
      const box = Math.ceil(Math.max(...n) / most);
      const shape = n.map((v) => Math.ceil(v / box)) as [number, number, number];
      const values = new Float64Array(shape[0] * shape[1] * shape[2]);
      for (let k = 0, i = 0; k < shape[2]; ++k) {
        for (let j = 0; j < shape[1]; ++j) for (let x = 0; x < shape[0]; ++x) values[i++] = at(x * box, j * box, k * box);
      }
      this.socket.send(encode({ ...common, type, values, shape, axis, region: [0, 0, 0, ...n], packed: true }));
      return;
    }
    const [p, q] = axis === 0 ? [1, 2] : axis === 1 ? [0, 2] : [0, 1];
    const region = (s.region ?? [0, 0, n[p] ?? 1, n[q] ?? 1]) as [number, number, number, number];
    const index = s.index ?? Math.floor((n[axis] ?? 1) / 2);
    const c = cut(at, axis, index, region, s.pixels?.[0] ?? 512, s.pixels?.[1] ?? 512);
    this.socket.send(encode({ ...common, ...c, type, axis, index, packed: type === 'f16' }));
  }
}
