// A server that speaks the view's protocol, version 1, with fields from formulas: for the browser tests and for work on the page.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Scene } from './scenes.ts';
import { Viewer } from './viewer.ts';

export interface Mock {
  port: number;
  address: string;
  scene: Scene;
  viewers: Set<Viewer>;
  /** Every command that came, newest last. */
  heard: { do: string; [key: string]: unknown }[];
  close(): Promise<void>;
  refresh(): void;
}

function page(answer: ServerResponse): void {
  const at = new URL('../built/', import.meta.url);
  answer.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': readFileSync(new URL('csp.txt', at), 'utf8').trim(),
    'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store',
  });
  answer.end(readFileSync(new URL('index.html', at)));
}

export async function startMock(scene: Scene, port = 0, token = 'secret'): Promise<Mock> {
  const id = randomBytes(8).toString('hex');
  const viewers = new Set<Viewer>();
  const heard: Mock['heard'] = [];
  const allowed = (r: IncomingMessage): boolean => new URL(r.url ?? '/', 'http://h').searchParams.get('token') === token;
  const http: Server = createServer((request, answer) => {
    const path = new URL(request.url ?? '/', 'http://h').pathname;
    if (path !== '/favicon.ico' && !allowed(request)) {
      answer.writeHead(403).end('403');
    } else if (path === '/') page(answer);
    else if (path === '/picture' && scene.png) answer.writeHead(200, { 'content-type': 'image/png' }).end(scene.png());
    else answer.writeHead(404).end();
  });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 16 << 20, handleProtocols: (p) => (p.has('umov.view.1') ? 'umov.view.1' : false) });
  http.on('upgrade', (request, socket, head) => {
    if (!allowed(request)) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (ws: WebSocket) => {
      const viewer = new Viewer(ws, scene, id, heard, () => {
        for (const v of viewers) v.tell();
      });
      viewers.add(viewer);
      ws.on('close', () => viewers.delete(viewer));
      viewer.greet();
    });
  });
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  const clock = setInterval(() => {
    scene.advance();
    for (const v of viewers) v.beat();
  }, 33);
  const { port: bound } = http.address() as AddressInfo;
  return {
    port: bound, address: `http://127.0.0.1:${bound}/?token=${token}`, scene, viewers, heard,
    refresh: () => {
      for (const v of viewers) v.catalogue();
    },
    close: () => new Promise((resolve) => {
      clearInterval(clock);
      for (const v of viewers) v.drop();
      sockets.close();
      http.closeAllConnections();
      http.close(() => {
        resolve();
      });
    }),
  };
}
