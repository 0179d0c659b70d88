// `umov dda --view` and `umov view` of its results in a real browser, where UMOV names the program.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Browser } from 'puppeteer-core';
import { choose, chromium, drawn, open, pause, print, settled, shoot, stateOf, step, until } from './browser.ts';
import { programsOfTests, umov } from './program.ts';

const canView = umov ? spawnSync(umov, ['dda', '--help'], { encoding: 'utf8' }).stdout.includes('--view') : false;

/** A coated sphere that takes some dozen iterations of a few milliseconds for each polarization, in mirror sectors. */
const CASE = ['--shape', 'coated', '--shape-arguments', '0.5', '--shape-grid', '24', '--eq-radius', '0.8', '--lambda', '1', '--m', '1.7,0.01', '--m', '1.3',
  '--alpha', '20', '--beta', '30', '--preconditioner', 'none', '--cpu', '--incident-field'];

describe.skipIf(chromium === undefined || !canView)('umov dda', () => {
  let browser: Browser;
  let folder: string;
  const serve = programsOfTests('dipoles', {}, (b, f) => {
    browser = b;
    folder = f;
  });

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
