// `umov eqs --view` and `umov view` of its results in a real browser, where UMOV names the program: numbers of a ball's field by its formula.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Browser, Page } from 'puppeteer-core';
import { chromium, drawn, openProgram, pause, print, shoot, stateOf, step, until } from './browser.ts';
import { programsOfTests, umov } from './program.ts';

const canView = umov ? spawnSync(umov, ['eqs', '--help'], { encoding: 'utf8' }).stdout.includes('--view') : false;

/** A sector between balls of 10 and 30 mm of one material: E = U r1 r2 / ((r2 - r1) r^2) at every instant. */
const CASE = `
[geometry]
kind = "spherical"
inner_radius = 10e-3
angle = 40
elements_across = 6
[[layer]]
region = "near"
thickness = 5e-3
elements = 8
[[layer]]
region = "far"
thickness = 15e-3
elements = 12
[[material]]
name = "oil"
regions = ["near", "far"]
permittivity = 2.2
conductivity = 1e-12
[[electrode]]
name = "core"
groups = ["inner"]
amplitude = 1000
[[electrode]]
name = "shell"
groups = ["outer"]
kind = "ground"
[time]
periods = 1
[output]
pictures = false
[[line]]
name = "ray"
points = [[0, 0, 10e-3], [0, 0, 30e-3]]
samples = 41
`;

describe.skipIf(chromium === undefined || !canView)('umov eqs', () => {
  let browser: Browser;
  let folder: string;
  const serve = programsOfTests('eqs', { 'case.toml': CASE }, (b, f) => {
    browser = b;
    folder = f;
  });

  const high = (page: Page): Promise<number> => page.$eval('.panel.large canvas', (e) => Number(e.dataset.high));
  const instant = (page: Page): Promise<number> => page.$eval('div.time', (e) => Number(e.dataset.time));
  async function slide(page: Page, to: number): Promise<void> {
    await page.$eval('.time input', (e, v) => {
      e.value = String(v);
      e.dispatchEvent(new Event('input'));
    }, to);
  }

  /** Largest |E| in the middles of elements: below that at the core, by half a layer of 0.6 mm at most (and elements of first order). */
  const largest = (t: number): number => (Math.abs(1000 * Math.sin(2 * Math.PI * 50 * t)) * 0.01 * 0.03) / (0.02 * 0.01 ** 2);

  async function check(page: Page): Promise<void> {
    const t = await instant(page);
    const ratio = (await high(page)) / largest(t);
    expect(ratio).toBeGreaterThan(0.85);
    expect(ratio).toBeLessThan(1.02);
  }

  it('shows the model at once, fields step by step, and every instant when it has ended', async () => {
    const s = await serve(['eqs', 'case.toml', '--view-paused', '--view-port', '0', '--output-dir', 'live']);
    const { page, problems } = await openProgram(browser, s.address);
    await page.waitForSelector('.scene[data-triangles]', { timeout: 30000 });
    const chips = await page.$$eval('.panel:has(.scene) .chip', (all) => all.map((b) => b.textContent));
    expect(chips).toEqual(['oil', 'core', 'shell', 'largest values']);
    expect(await page.$eval('section.panel.large', (e) => e.dataset.array)).toBe('fields/E');
    await page.$eval('.controls input', (e) => {
      e.value = '4';
    });
    await page.click('button[aria-label^="step"]');
    await until('four steps', async () => (await step(page)) === 4);
    await until('their field', async () => (await instant(page)) > 0 && (await high(page)) > 0);
    await until('iterations of five records', () => page.$$eval('div.plot', (all) => all.some((p) => p.dataset.rows === '5')));
    await pause(400);
    await check(page);
    await page.select('.panel:has(.scene) select[aria-label="coloured by"]', '0');
    await pause(600);
    await shoot(page, 'umov_eqs_paused');
    await page.click('button[aria-label^="resume"]');
    await until('finished', async () => (await stateOf(page)) === 'finished', 90000);
    await until('all instants', () => page.$eval('.time input', (e) => e.max === '40'));
    await slide(page, 10);
    await until('a quarter of the period', async () => Math.abs((await instant(page)) - 0.005) < 1e-9);
    await until('its field', async () => Math.abs((await high(page)) / largest(0.005) - 0.93) < 0.09);
    await check(page);
    await pause(800);
    await shoot(page, 'umov_eqs_finished');
    expect(problems).toEqual([]);
  }, 180000);

  it('shows the same of a finished folder', async () => {
    const run = spawnSync(umov ?? '', ['eqs', 'case.toml', '--quiet', '--output-dir', 'done'], { cwd: folder, encoding: 'utf8' });
    expect(run.status, run.stderr).toBe(0);
    const s = await serve(['view', 'done']);
    const { page, problems } = await openProgram(browser, s.address);
    await page.waitForSelector('.scene[data-triangles]', { timeout: 30000 });
    await drawn(page);
    expect(await page.$$eval('.panel:has(.scene) .chip', (all) => all.map((b) => b.textContent))).toEqual(['oil', 'core', 'shell', 'largest values']);
    await until('the list of instants', () => page.$eval('.time input', (e) => e.max === '40'));
    await slide(page, 10);
    await until('its field', async () => Math.abs((await high(page)) / largest(0.005) - 0.93) < 0.09);
    await check(page);
    const shown = await page.$$eval('section.panel', (all) => all.map((e) => e.dataset.array ?? ''));
    expect(shown).toEqual(expect.arrayContaining(['fields/E', 'fields/surfaces', 'peaks/materials', 'results/line_ray']));
    const before = await print(page);
    await page.select('.panel.large select[aria-label="normal of the cut"]', '0');
    await until('another cut', async () => (await print(page)) !== before);
    await pause(800);
    await shoot(page, 'umov_eqs_folder');
    expect(problems).toEqual([]);
  }, 180000);
});
