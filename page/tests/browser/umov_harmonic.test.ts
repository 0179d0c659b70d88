// A time-harmonic cell of `umov fdtd --view` in the page, and its finished folder, where UMOV names the program.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'puppeteer-core';
import { chromium, launch, openProgram, shoot, stateOf, step, under, until } from './browser.ts';

const umov = process.env.UMOV;
const canView = umov !== undefined && spawnSync(umov, ['fdtd', '--harmonic', '--help'], { encoding: 'utf8' }).stdout.includes('--view');

/** Ridges of glass 0.4 um high, every 0.8 um. */
const CASE = `[harmonic]
wavelengths = [0.5, 0.55, 0.6, 0.65]
substrate = "glass"
period = 0.8
cell = 0.02
fields_at = [0.5]
polarization = "s"

[[material]]
name = "glass"
index = 1.5

[[layer]]
name = "film"
material = "glass"
thickness = 0.6

[[texture]]
above = "film"
kind = "lamellar"
height = 0.4
fill = 0.5

[machine]
backend = "serial"
`;

describe.skipIf(chromium === undefined || !canView)('umov fdtd, time-harmonic', () => {
  let browser: Browser;
  let folder: string;
  const running: { process: ChildProcess; ended: Promise<unknown> }[] = [];

  beforeAll(async () => {
    browser = await launch();
    folder = mkdtempSync(join(tmpdir(), 'umov-harmonic-'));
    writeFileSync(join(folder, 'case.toml'), CASE);
  });
  afterEach(async () => {
    for (const s of running.splice(0)) {
      s.process.kill('SIGKILL');
      await s.ended;
    }
    for (const p of await browser.pages()) if (p.url().startsWith('http')) await p.close();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function serve(args: string[]): Promise<string> {
    const process = spawn(umov ?? '', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [process.stdout, process.stderr]) {
      stream.on('data', (d: Buffer) => {
        said += d.toString('utf8');
      });
    }
    running.push({ process, ended: new Promise((resolve) => process.on('exit', resolve)) });
    const found = (): string | undefined => /http:\/\/127\.0\.0\.1:\d+\/\?token=\w+/.exec(said)?.[0];
    await until(`an address from umov ${args.join(' ')}`, () => found() !== undefined, 20000);
    return found() ?? '';
  }
  const names = (page: Page): Promise<string[]> => page.$$eval('.panel select.what option', (all) => all.map((o) => o.value));

  it('shows its layers at once, the residual as it falls, rows and fields as they are finished', async () => {
    const address = await serve(['fdtd', 'case.toml', '--view-paused', '--view-port', '0', '--output-dir', 'run']);
    const { page, problems } = await openProgram(browser, address);
    await page.waitForSelector('.panel.large .image canvas[data-low]', { timeout: 20000 });
    expect(await names(page)).toContain('layers');
    // Above is what the light comes from (medium 0), below the substrate (2).
    expect(await under(page, 0.5, 0.12)).toMatch(/layers = 0/);
    expect(await under(page, 0.5, 0.86)).toMatch(/layers = 2/);
    await page.$eval('.controls input', (e) => {
      e.value = '3';
    });
    await page.click('button[aria-label^="step"]');
    await until('three iterations', async () => (await step(page)) === 3);
    await page.click('button[aria-label^="resume"]');
    await until('finished', async () => (await stateOf(page)) === 'finished', 60000);
    const all = await names(page);
    expect(all).toEqual(expect.arrayContaining(['results/spectrum_s', 'cuts/0.5um-s/intensity', 'cuts/0.5um-s/absorption', 'solver/residual']));
    // The first field takes the place of the layers, and has their outline.
    await until('the field', async () => (await under(page, 0.5, 0.5)).includes('|E|²'));
    await shoot(page, 'umov_harmonic');
    expect(problems).toEqual([]);
  });

  it('shows the same of a finished folder', async () => {
    const run = spawnSync(umov ?? '', ['fdtd', 'case.toml', '--quiet', '--output-dir', 'done'], { cwd: folder, encoding: 'utf8' });
    expect(run.status, run.stderr).toBe(0);
    const { page, problems } = await openProgram(browser, await serve(['view', 'done', '--port', '0']));
    await page.waitForSelector('.panel.large .image canvas[data-low]', { timeout: 20000 });
    const all = await names(page);
    expect(all).toEqual(expect.arrayContaining(['cuts/0.5um-s/intensity', 'cuts/0.5um-s/absorption', 'results/spectrum_s']));
    await shoot(page, 'umov_harmonic_folder');
    expect(problems).toEqual([]);
  });
});
