// The program behind the page, where UMOV names it: in a folder of the tests of a block, ended after each of them.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Browser } from 'puppeteer-core';
import { browserOfTests, until } from './browser.ts';

export const umov = process.env.UMOV;

export interface Served { address: string; process: ChildProcess; ended: Promise<number | null>; said: () => string }

/** Starts `umov ...args` in the folder and waits for its address; `token`: the one that its page is to have. */
export type Serve = (args: string[], token?: string) => Promise<Served>;

/** A browser, and a folder with these files; `use` gets both before the tests. */
export function programsOfTests(name: string, files: Record<string, string | Uint8Array>, use: (browser: Browser, folder: string) => void): Serve {
  let browser: Browser;
  let folder: string;
  const running: Served[] = [];
  browserOfTests((b) => {
    browser = b;
  });
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), `umov-${name}-`));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    use(browser, folder);
  });
  afterEach(async () => {
    for (const s of running.splice(0)) {
      s.process.kill('SIGKILL');
      await s.ended;
    }
    for (const p of await browser.pages()) if (p.url().startsWith('http')) await p.close();
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return async (args, token = '') => {
    const env = token ? { ...globalThis.process.env, UMOV_VIEW_TOKEN: token } : globalThis.process.env;
    const process = spawn(umov ?? '', args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [process.stdout, process.stderr]) {
      stream.on('data', (d: Buffer) => {
        text += d.toString('utf8');
      });
    }
    const ended = new Promise<number | null>((resolve) => process.on('exit', resolve));
    const found = (): string | undefined => /http:\/\/127\.0\.0\.1:\d+\/\?token=\w+/.exec(text)?.[0];
    const served = { address: '', process, ended, said: () => text };
    running.push(served);
    await until(`an address from umov ${args.join(' ')}; it said: ${text}`, () => found() !== undefined, 30000);
    served.address = found() ?? '';
    return served;
  };
}
