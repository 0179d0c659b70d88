// The page inside the program: `umov fdtd --view` and `umov view`, where UMOV names the program. UMOV_PAGE=tree shows the page of the tree
// instead of the one that the program holds.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Browser } from 'puppeteer-core';
import { WebSocket } from 'ws';
import { png } from '../../mock/png.ts';
import { readFrame, valueAt, type Frame } from '../../src/protocol/frame.ts';
import { parseMessage, type ArrayInfo } from '../../src/protocol/types.ts';
import { choose, chromium, drawn, openProgram, pause, pixels, print, settled, shoot, stateOf, step, under, until, type Look } from './browser.ts';
import { programsOfTests, umov } from './program.ts';

const helps = (args: string[]): string => (umov ? spawnSync(umov, args, { encoding: 'utf8' }).stdout : '');
const canView = helps(['fdtd', '--help']).includes('--view');
const canOpen = helps(['help']).includes(' view ');
const examples = new URL('../../../examples/', import.meta.url).pathname;

/** Free space, a line source at the left, a block of the highest permittivity in a corner: its colour is what walls are painted with. */
const [W, H] = [160, 100];
const picture = png(W, H, (x, y) => {
  if (x === 20 && y >= 20 && y < 80) return [255, 0, 0];
  return x >= 125 && x < 140 && y >= 14 && y < 24 ? [0, 255, 0] : [0, 0, 0];
});
// 30 cells to the wavelength: waves in a permittivity of 400 would be 1.5 cells long, which no grid carries (hence --force). A wall of it reflects all.
const RUN = ['--eps-max', '400', '--resolution', '30', '--time', '1000000', '--backend', 'serial', '--force'];

/** A field as a viewer of its own gets it, whole and in full precision. */
async function fetched(address: string, name: string): Promise<{ frame: Frame; origin: [number, number]; spacing: [number, number] }> {
  const socket = new WebSocket(address.replace('http:', 'ws:').replace('/?', '/ws?'), { origin: new URL(address).origin });
  socket.binaryType = 'arraybuffer';
  try {
    return await new Promise((resolve, reject) => {
      let info: ArrayInfo | undefined;
      socket.on('error', reject);
      socket.on('message', (data: ArrayBuffer | Buffer, binary) => {
        if (binary) {
          const [x = NaN, y = NaN] = info?.origin ?? [];
          const [dx = NaN, dy = NaN] = info?.spacing ?? [];
          readFrame(data as ArrayBuffer).then((frame) => {
            resolve({ frame, origin: [x, y], spacing: [dx, dy] });
          }, reject);
          return;
        }
        const message = parseMessage(Buffer.from(data as ArrayBuffer).toString('utf8'));
        if (message?.type !== 'catalogue' || info) return;
        info = message.arrays.find((a) => a.name === name);
        socket.send(JSON.stringify({ do: 'subscribe', sub: 1, array: info?.id, encoding: 'f32', pixels: [2048, 2048] }));
      });
    });
  } finally {
    socket.close();
  }
}

describe.skipIf(chromium === undefined || !canView)('umov', () => {
  let browser: Browser;
  let folder: string;
  const serve = programsOfTests('page', { 'model.png': picture }, (b, f) => {
    browser = b;
    folder = f;
  });

  const look = (address: string, how: Look = {}): ReturnType<typeof openProgram> => openProgram(browser, address, how);

  const args = (port = '0'): string[] => ['fdtd', 'model.png', ...RUN, '--view', '--view-port', port, '--output-dir', mkdtempSync(join(folder, 'run-'))];

  it('shows a run: it moves, pauses, steps, resumes, changes component, zooms', async () => {
    const s = await serve(args());
    const { page, problems } = await look(s.address);
    await drawn(page);
    const before = await print(page);
    await until('the picture changes', async () => (await print(page)) !== before);
    await page.keyboard.press('Space');
    await until('paused', async () => (await stateOf(page)) === 'paused');
    const held = await step(page);
    await settled(page, held);
    await page.keyboard.press('n');
    await until('one step', async () => (await step(page)) === held + 1);
    await page.focus('.panel.large canvas');
    // A scale that follows falls slowly from step to step; asked for again, a step has its own.
    await page.keyboard.press('0');
    const whole = await settled(page, held + 1);
    const all = await pixels(page);
    await shoot(page, 'umov_fdtd');
    // What the page says of a place is what the program holds there, asked for by another viewer in full precision.
    const ez = await fetched(s.address, 'fields/Ez');
    const [nx, ny] = ez.frame.shape;
    let largest = 0;
    for (const [fx, fy] of [[0.3, 0.5], [0.35, 0.4], [0.45, 0.55], [0.6, 0.35], [0.7, 0.6]] as const) {
      const text = (await under(page, fx, fy)).replace(/−/g, '-');
      const [x = NaN, y = NaN] = (/x (-?[\d.e+-]+), y (-?[\d.e+-]+)/.exec(text) ?? []).slice(1).map(Number);
      const value = Number(/= (-?[\d.e+-]+)/.exec(text)?.[1] ?? NaN);
      const [i, j] = [Math.floor((x - ez.origin[0]) / ez.spacing[0]), Math.floor((y - ez.origin[1]) / ez.spacing[1])];
      // The foot rounds the place to four digits: neighbours of the cell are meant, too. A half float has 11 bits.
      const near = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => valueAt(ez.frame, Math.min(nx - 1, i + dx) + nx * Math.min(ny - 1, j + dy))));
      const rounding = 1e-3 * Math.max(Math.abs(ez.frame.low), Math.abs(ez.frame.high));
      expect(value, text).toBeGreaterThanOrEqual(Math.min(...near) - rounding);
      expect(value, text).toBeLessThanOrEqual(Math.max(...near) + rounding);
      largest = Math.max(largest, Math.abs(value));
    }
    expect(largest).toBeGreaterThan(0);
    await page.keyboard.press('+');
    await until('zoomed', async () => (await print(page)) !== whole);
    await page.keyboard.press('0');
    await settled(page, held + 1);
    const again = await pixels(page);
    const furthest = Math.max(...again.map((v, i) => Math.abs(v - (all[i] ?? 999))));
    expect(furthest).toBeLessThanOrEqual(4);
    const names = await page.$$eval('.panel.large select.what option', (all) => all.map((o) => o.value));
    const other = names.find((n) => /Hx|Hy/.test(n));
    expect(other).toBeDefined();
    await choose(page, other ?? '');
    await until('another picture', async () => (await print(page)) !== whole);
    await page.keyboard.press('Space');
    await until('goes on', async () => (await step(page)) > held + 20);
    await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true, deviceScaleFactor: 2 });
    await pause(500);
    await drawn(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(problems).toEqual([]);
  });

  it('restarts with a painted wall, and the wave stops there', async () => {
    const s = await serve(args());
    const { page } = await look(s.address);
    await drawn(page);
    await page.click('.panel.large button[title^="paint"]');
    const wall = await page.waitForSelector('.swatch[title="rgb 0 255 0"], .swatch[title*="eps"]');
    await wall?.click();
    const box = await (await page.waitForSelector('.panel.large canvas'))?.boundingBox();
    if (!box) throw new Error('no canvas');
    await page.mouse.move(box.x + box.width * 0.5, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height - 5, { steps: 20 });
    // Some ten thousand steps go by in a second: the step falls where the run began anew, and is seen to.
    await until('many steps', async () => (await step(page)) > 40000, 60000);
    await page.mouse.up();
    await until('the run restarts', async () => (await step(page)) < 30000, 30000);
    await until('and runs on', async () => (await step(page)) > 3000, 60000);
    await page.keyboard.press('Space');
    await until('paused', async () => (await stateOf(page)) === 'paused');
    await settled(page, await step(page));
    await shoot(page, 'umov_wall');
    const size = async (fx: number, fy: number): Promise<number> => {
      const text = (await under(page, fx, fy)).replace(/−/g, '-');
      return Math.abs(Number(/= (-?[\d.e+-]+)/.exec(text)?.[1] ?? NaN));
    };
    const across = [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65];
    let [left, right] = [0, 0];
    for (const fy of across) {
      for (const dx of [0, 0.02, 0.04]) {
        left = Math.max(left, await size(0.3 + dx, fy));
        right = Math.max(right, await size(0.7 + dx, fy));
      }
    }
    expect(left).toBeGreaterThan(0);
    // Through a wall that reflects all comes what leaks around its ends: measured below a tenth.
    expect(right).toBeLessThan(0.1 * left);
  });

  it('serves two viewers, and a phone', async () => {
    const s = await serve(args());
    const a = await look(s.address);
    await drawn(a.page);
    const b = await look(s.address, { width: 390, height: 844, phone: true });
    await drawn(b.page);
    expect(await b.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await b.page.keyboard.press('Space');
    await until('both paused', async () => (await stateOf(a.page)) === 'paused' && (await stateOf(b.page)) === 'paused');
    await shoot(b.page, 'umov_phone');
  });

  it('is found again by the page after it was killed and started on the same address', async () => {
    const s = await serve(args());
    const { page } = await look(s.address);
    await drawn(page);
    s.process.kill('SIGKILL');
    await s.ended;
    await until('the page says so', async () => (await stateOf(page)) === 'lost');
    const port = new URL(s.address).port;
    const again = await serve(args(port));
    expect(new URL(again.address).port).toBe(port);
    // Its token is a new one: the page cannot come in, and says what to do; the new address works.
    const fresh = await look(again.address);
    await drawn(fresh.page);
    expect(await stateOf(fresh.page)).toBe('running');
  });

  it('comes back by itself where the token is the same', async () => {
    const token = 'a_token_of_this_test';
    const s = await serve(args(), token);
    const { page } = await look(s.address);
    await drawn(page);
    s.process.kill('SIGKILL');
    await s.ended;
    await until('the page says so', async () => (await stateOf(page)) === 'lost');
    const again = await serve(args(new URL(s.address).port), token);
    expect(again.address).toBe(s.address);
    await until('connected again', async () => (await stateOf(page)) === 'running', 30000);
    const before = await print(page);
    await until('the picture moves again', async () => (await print(page)) !== before);
  });

  it.skipIf(!canOpen)('opens finished folders of each family', async () => {
    const small: [string, string[]][] = [
      ['sphere', ['dda', '--shape-grid', '8']], ['eqs_two_layers', ['eqs']], ['slab_etalon', ['fdtd']],
    ];
    const results = mkdtempSync(join(folder, 'results-'));
    for (const [name, [family, ...more]] of small) {
      const source = join(examples, name);
      if (!existsSync(join(source, 'case.toml'))) throw new Error(`no example ${name}`);
      const work = join(folder, name);
      cpSync(source, work, { recursive: true });
      const run = spawnSync(umov ?? '', [family ?? '', 'case.toml', ...more, '--quiet', '--output-dir', join(results, name)], { cwd: work, encoding: 'utf8' });
      expect(run.status, run.stderr).toBe(0);
    }
    const s = await serve(['view', results]);
    const { page, problems } = await look(s.address);
    await page.waitForSelector('.cases button');
    for (const [name] of small) {
      await page.$$eval('.cases button', (all, n) => {
        all.find((b) => b.textContent.includes(n))?.click();
      }, name);
      await page.waitForSelector('.panel');
      await until(`something of ${name} is drawn`, () => page.$$eval('.panel', (all) => all.some((p) => p.querySelector('canvas') !== null)));
      await pause(1500);
      await shoot(page, `umov_${name}`);
    }
    await page.click('.cases input');
    await page.$$eval('.cases button', (all) => {
      all.find((b) => b.getAttribute('aria-pressed') === 'false')?.click();
    });
    await page.waitForFunction(() => document.querySelectorAll('.case').length === 2);
    await pause(1500);
    await shoot(page, 'umov_together');
    // The folder is followed: what comes later stands first.
    cpSync(join(results, 'sphere'), join(results, 'later'), { recursive: true });
    await until('a case that came later', () => page.$eval('.cases button', (b) => b.textContent.includes('later')), 15000);
    expect(problems).toEqual([]);
  }, 180000);
});
