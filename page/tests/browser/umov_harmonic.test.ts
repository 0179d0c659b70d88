// A time-harmonic cell of `umov fdtd --view` in the page, and its finished folder, where UMOV names the program.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Browser, Page } from 'puppeteer-core';
import { chromium, openProgram, shoot, stateOf, step, under, until } from './browser.ts';
import { programsOfTests, umov } from './program.ts';

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
  const serve = programsOfTests('harmonic', { 'case.toml': CASE }, (b, f) => {
    browser = b;
    folder = f;
  });
  const names = (page: Page): Promise<string[]> => page.$$eval('.panel select.what option', (all) => all.map((o) => o.value));

  it('shows its layers at once, the residual as it falls, rows and fields as they are finished', async () => {
    const { address } = await serve(['fdtd', 'case.toml', '--view-paused', '--view-port', '0', '--output-dir', 'run']);
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
    const { page, problems } = await openProgram(browser, (await serve(['view', 'done', '--port', '0'])).address);
    await page.waitForSelector('.panel.large .image canvas[data-low]', { timeout: 20000 });
    const all = await names(page);
    expect(all).toEqual(expect.arrayContaining(['cuts/0.5um-s/intensity', 'cuts/0.5um-s/absorption', 'results/spectrum_s']));
    await shoot(page, 'umov_harmonic_folder');
    expect(problems).toEqual([]);
  });
});
