// What the page says under the pointer, against the files of the same run, where UMOV names the program.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'puppeteer-core';
import { choose, chromium, launch, openProgram, pause, shoot, under, until } from './browser.ts';

const umov = process.env.UMOV;
const canOpen = umov ? spawnSync(umov, ['help'], { encoding: 'utf8' }).stdout.includes(' view ') : false;

/** A monitor at a node of the grid: the last row of its table is the last field there. */
const [X, Y] = [0.5, 0.3];
const CASE = `
[domain]
size = [4, 3]
resolution = 10
[[source]]
frequency = 1
center = [-1, 0, 0]
[[monitor]]
name = "point"
kind = "series"
center = [${X}, ${Y}, 0]
[stop]
steps = 150
`;

describe.skipIf(chromium === undefined || !canOpen)('umov view and the files of a run', () => {
  let browser: Browser;
  let folder: string;
  let server: ChildProcess | undefined;

  beforeAll(async () => {
    browser = await launch();
    folder = mkdtempSync(join(tmpdir(), 'umov-files-'));
    writeFileSync(join(folder, 'point.toml'), CASE);
  });
  afterAll(async () => {
    server?.kill('SIGKILL');
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('agree on the field at a place, and on the curve of the monitor there', async () => {
    const run = spawnSync(umov ?? '', ['fdtd', 'point.toml', '--cpu', '--quiet', '--output-dir', 'point'], { cwd: folder, encoding: 'utf8' });
    expect(run.status, run.stderr).toBe(0);
    const rows = readFileSync(join(folder, 'point', 'series-point.csv'), 'utf8').split('\n').filter((l) => /^[\d.]/.test(l)).map((l) => l.split(',').map(Number));
    const values = rows.map((r) => r[1] ?? NaN);
    const last = values.at(-1) ?? NaN;
    const largest = Math.max(...values.map(Math.abs));
    expect(Math.abs(last)).toBeGreaterThan(0.1 * largest);

    let said = '';
    const process = server = spawn(umov ?? '', ['view', 'point', '--port', '0'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    process.stdout.on('data', (d: Buffer) => {
      said += d.toString('utf8');
    });
    const address = (): string => /http:\/\/127\.0\.0\.1:\d+\/\?token=\w+/.exec(said)?.[0] ?? '';
    await until('an address', () => address() !== '', 20000);
    const { page, problems } = await openProgram(browser, address());
    await page.waitForSelector('.panel.large .image canvas');
    const names = await page.$$eval('.panel.large select.what option', (all) => all.map((o) => o.value));
    await choose(page, names.find((n) => /\bEz$/.test(n)) ?? '');
    await pause(1500);

    // The pointer goes to the node by what the foot says of where it is.
    const read = async (fx: number, fy: number): Promise<[number, number, number]> => {
      const text = (await under(page, fx, fy)).replace(/−/g, '-');
      const [x = NaN, y = NaN, value = NaN] = (/x (-?[\d.e+-]+), y (-?[\d.e+-]+).*?= (-?[\d.e+-]+)/.exec(text) ?? []).slice(1).map(Number);
      return [x, y, value];
    };
    expect(await under(page, 0.5, 0.5), 'places have the unit that they have while the run goes on').toContain(' unit ·');
    let [fx, fy] = [0.5, 0.5];
    let [x, y, value] = await read(fx, fy);
    for (let tries = 0; tries < 8 && !(Math.hypot(x - X, y - Y) < 0.02); ++tries) {
      const [right] = await read(fx + 0.05, fy);
      const [, down] = await read(fx, fy + 0.05);
      fx += (0.05 * (X - x)) / (right - x);
      fy += (0.05 * (Y - y)) / (down - y);
      [x, y, value] = await read(fx, fy);
    }
    expect(Math.hypot(x - X, y - Y), `the pointer is at x ${x}, y ${y}`).toBeLessThan(0.02);
    // A half float has 11 bits of the picture's largest, the foot four digits.
    expect(Math.abs(value - last)).toBeLessThan(1e-3 * Math.max(largest, 1));
    await shoot(page, 'umov_point');

    // A curve under the pointer is a row of its table.
    const plot = '.panel:has(.plot)';
    const text = (await under(page, 0.6, 0.5, plot)).replace(/−/g, '-');
    const [time = NaN, ez = NaN] = (/time (-?[\d.e+-]+).*?Ez (-?[\d.e+-]+)/.exec(text) ?? []).slice(1).map(Number);
    const row = rows.find((r) => Math.abs((r[0] ?? NaN) - time) < 6e-4 * Math.abs(time));
    expect(row, text).toBeDefined();
    expect(Math.abs(ez - (row?.[1] ?? NaN)), text).toBeLessThan(6e-4 * Math.abs(ez) + 1e-6 * largest);
    expect(problems).toEqual([]);
  });
});
