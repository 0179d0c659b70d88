// A dipole run on the mock server, in a real browser: the particle, the residual as it falls, the field as it builds up, the pattern at the end.
import { describe, expect, it } from 'vitest';
import type { Browser } from 'puppeteer-core';
import { ddaScene, squared } from '../../mock/dipoles.ts';
import { startMock } from '../../mock/server.ts';
import { browserOfTests, choose, chromium, drawn, open, pause, print, settled, shoot, stateOf, step, under, until } from './browser.ts';

describe.skipIf(chromium === undefined)('a dipole run', () => {
  let browser: Browser;
  browserOfTests((b) => {
    browser = b;
  });

  it('shows its particle with beam and materials, its residual, and the intensity inside', async () => {
    const mock = await startMock(ddaScene(20000));
    const { page, problems } = await open(browser, mock.address);
    await drawn(page);
    expect(await page.$eval('section.panel.large', (e) => e.dataset.array)).toBe('results/E_Y_squared');
    await page.waitForSelector('.scene[data-points]');
    expect(await page.$eval('div.scene', (e) => e.dataset.marks)).toBe('beam Y');
    expect(await page.$$eval('.scene .chip', (all) => all.map((e) => e.textContent))).toEqual(['m = 1.5+0i', 'm = 2+0.1i']);
    await until('the residual grows', async () => page.$$eval('div.plot', (all) => all.some((p) => Number(p.dataset.rows) > 20)));
    const words = await page.$eval('header.run', (e) => e.textContent);
    expect(words).toContain('case 2 of 3');
    expect(words).toMatch(/iteration \d+/);
    expect(words).toMatch(/residual .* left/);
    await page.keyboard.press('Space');
    await until('paused', async () => (await stateOf(page)) === 'paused');
    await settled(page, await step(page));
    // The middle of the cut normal to z: layer 10 of 20, a formula of the iteration.
    const shown = Number(/= ([\d.]+)/.exec(await under(page, 0.47, 0.5))?.[1] ?? NaN);
    const expected = squared(10, await step(page));
    expect(Math.abs(shown - expected)).toBeLessThan(2e-3 * expected); // sixteen bits, and four digits in the foot
    await shoot(page, 'dda_run');
    expect(problems).toEqual([]);
    await page.close();
    await mock.close();
  });

  it('turns the beam with the orientation, and hides a material', async () => {
    const mock = await startMock(ddaScene(20000));
    const { page } = await open(browser, mock.address);
    await page.waitForSelector('.scene[data-points]');
    await page.keyboard.press('Space');
    await until('paused', async () => (await stateOf(page)) === 'paused');
    await pause(600);
    const scene = '.panel:has(.scene)';
    const before = await print(page, scene);
    const all = Number(await page.$eval('div.scene', (e) => e.dataset.points));
    await page.keyboard.press('n');
    mock.refresh();
    await until('the beam turns', async () => (await print(page, scene)) !== before);
    await page.click('.scene .chip');
    await until('one material less', async () => Number(await page.$eval('div.scene', (e) => e.dataset.points)) < all / 2);
    await page.close();
    await mock.close();
  });

  it('adds the pattern and the numbers when it has ended, and colours the particle by the field', async () => {
    const mock = await startMock(ddaScene());
    const { page, problems } = await open(browser, mock.address, { dark: true });
    await drawn(page);
    await until('finished', async () => (await stateOf(page)) === 'finished', 20000);
    mock.refresh();
    await page.waitForSelector('.plot[data-rows="181"] canvas');
    await until('numbers', async () => page.$eval('div.numbers', (e) => e.textContent.includes('1.25')));
    await page.select('.panel:has(.scene) select[aria-label="coloured by"]', '4');
    await pause(800);
    await shoot(page, 'dda_finished');
    await choose(page, 'results/material');
    await drawn(page);
    expect(problems).toEqual([]);
    await page.close();
    await mock.close();
  });
});
