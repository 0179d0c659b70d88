// `umov dda --view` and `umov view` of its results in a real browser, where UMOV names the program.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'puppeteer-core';
import { choose, chromium, drawn, launch, open, pause, print, settled, shoot, stateOf, step, until } from './browser.ts';

const umov = process.env.UMOV;
const canView = umov ? spawnSync(umov, ['dda', '--help'], { encoding: 'utf8' }).stdout.includes('--view') : false;

/** A coated sphere that takes some dozen iterations of a few milliseconds for each polarization, in mirror sectors. */
const CASE = ['--shape', 'coated', '--shape-arguments', '0.5', '--shape-grid', '24', '--eq-radius', '0.8', '--lambda', '1', '--m', '1.7,0.01', '--m', '1.3',
  '--alpha', '20', '--beta', '30', '--preconditioner', 'none', '--cpu', '--incident-field'];

describe.skipIf(chromium === undefined || !canView)('umov dda', () => {
  let browser: Browser;
  let folder: string;
  const running: { process: ChildProcess; ended: Promise<number | null> }[] = [];

  beforeAll(async () => {
    browser = await launch();
    folder = mkdtempSync(join(tmpdir(), 'umov-dipoles-'));
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

  async function serve(args: string[]): Promise<{ address: string; ended: Promise<number | null> }> {
    const process = spawn(umov ?? '', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [process.stdout, process.stderr]) {
      stream.on('data', (d: Buffer) => {
        text += d.toString('utf8');
      });
    }
    const ended = new Promise<number | null>((resolve) => process.on('exit', resolve));
    running.push({ process, ended });
    const found = (): string | undefined => /http:\/\/127\.0\.0\.1:\d+\/\?token=\w+/.exec(text)?.[0];
    await until(`an address from umov ${args.join(' ')}; it said: ${text}`, () => found() !== undefined, 30000);
    return { address: found() ?? '', ended };
  }

  it('shows particle, residual and field while the run goes on, and the pattern when it has ended', async () => {
    const s = await serve(['dda', ...CASE, '--view-paused', '--view-port', '0', '--output-dir', 'live']);
    const { page, problems } = await open(browser, s.address);
    await page.waitForSelector('.scene[data-points]', { timeout: 30000 });
    expect(await page.$eval('div.scene', (e) => e.dataset.marks)).toBe('beam Y X lab x lab y lab z');
    expect(await page.$eval('section.panel.large', (e) => e.dataset.array)).toBe('results/E_Y_squared');
    await page.$eval('.controls input', (e) => {
      e.value = '4';
    });
    await page.click('button[aria-label^="step"]');
    await until('four iterations', async () => (await step(page)) === 4);
    const first = await settled(page, 4);
    const seen = async (): Promise<number> => page.$eval('.panel.large canvas', (e) => Number(e.dataset.high));
    expect(await seen()).toBeGreaterThan(0);
    await until('a residual of four rows', () => page.$$eval('div.plot', (all) => all.some((p) => p.dataset.rows === '4')));
    await page.click('button[aria-label^="step"]');
    await until('eight iterations', async () => (await step(page)) === 8);
    expect(await settled(page, 8)).not.toBe(first);
    await pause(400);
    await shoot(page, 'umov_dda_paused');
    await page.click('button[aria-label^="resume"]'); // the space bar would press the button that has the focus: one step more
    await until('finished', async () => (await stateOf(page)) === 'finished', 90000);
    await until('the pattern', () => page.$$eval('div.plot', (all) => all.some((p) => Number(p.dataset.rows) > 30 && p.querySelector('canvas') !== null)));
    await until('numbers', () => page.$eval('div.numbers', (e) => e.textContent.includes('Cext')));
    await page.select('.panel:has(.scene) select[aria-label="coloured by"]', '4');
    await pause(1000);
    await shoot(page, 'umov_dda_finished');
    await choose(page, 'results/E_scattered_Y_squared');
    await drawn(page);
    expect(problems).toEqual([]);
  });

  it('shows the same of a finished folder', async () => {
    const run = spawnSync(umov ?? '', ['dda', ...CASE, '--quiet', '--output-dir', 'done'], { cwd: folder, encoding: 'utf8' });
    expect(run.status, run.stderr).toBe(0);
    // log: iterations of the solve, as the program itself says them
    expect(readFileSync(join(folder, 'done', 'log'), 'utf8')).toContain('coated');
    const s = await serve(['view', 'done']);
    const { page, problems } = await open(browser, s.address);
    await page.waitForSelector('.scene[data-points]', { timeout: 30000 });
    await drawn(page);
    expect(await page.$eval('section.panel.large', (e) => e.dataset.array)).toMatch(/_squared$/);
    expect(await page.$eval('div.scene', (e) => e.dataset.marks)).toContain('beam');
    const shown = await page.$$eval('section.panel', (all) => all.map((e) => e.dataset.array ?? ''));
    expect(shown).toContain('solver/Y/residual');
    expect(shown).toContain('results/scattering_plane');
    const before = await print(page);
    await choose(page, 'results/E_scattered_Y_squared');
    await until('another field', async () => (await print(page)) !== before);
    await choose(page, 'results/E_Y_squared');
    await pause(1000);
    await shoot(page, 'umov_dda_folder');
    expect(problems).toEqual([]);
  });
});
