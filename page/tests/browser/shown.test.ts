// Three dimensions and folders of finished cases on the mock server, in a real browser.
import { describe, expect, it } from 'vitest';
import type { Browser } from 'puppeteer-core';
import { folderScene } from '../../mock/finished.ts';
import { volumeScene } from '../../mock/scenes.ts';
import { startMock } from '../../mock/server.ts';
import { browserOfTests, choose, chromium, drawn, open, pause, print, shoot, until } from './browser.ts';

describe.skipIf(chromium === undefined)('results', () => {
  let browser: Browser;
  browserOfTests((b) => {
    browser = b;
  });

  it('cuts a volume along any axis and shows it in three dimensions', async () => {
    const mock = await startMock(volumeScene());
    const { page, problems } = await open(browser, mock.address, { dark: true });
    await drawn(page);
    await page.waitForSelector('.scene canvas');
    await page.select('.panel.large select[aria-label="normal of the cut"]', '0');
    await page.$eval('.panel.large input[type=range]', (e) => {
      e.value = '10';
      e.dispatchEvent(new Event('input'));
    });
    await until('that cut is asked for', () => mock.heard.some((m) => m.axis === 0 && m.index === 10 && m.array === 0));
    await until('the volume is asked for', () => mock.heard.some((m) => m.axis === 3));
    await pause(1500);
    await shoot(page, 'volume_dark');
    const scene = '.panel:has(.scene)';
    const before = await print(page, scene);
    await page.focus(`${scene} canvas`);
    await page.keyboard.press('ArrowLeft');
    await until('the camera turns', async () => (await print(page, scene)) !== before);
    expect(problems).toEqual([]);
    await page.close();
    await mock.close();
  });

  it('opens finished cases of each family, one by one and side by side', async () => {
    const mock = await startMock(folderScene());
    const { page, problems } = await open(browser, mock.address);
    await page.waitForSelector('.scene[data-triangles="1728"]');
    await drawn(page);
    await page.click('.panel.large .pop button');
    expect(await page.$eval('.panel.large select[aria-label^="lines of"]', (e) => e.value)).toBe('cuts/middle/potential');
    await page.keyboard.press('Escape');
    await pause(800);
    await shoot(page, 'folder_eqs');
    await page.select('.panel:has(.scene) select[aria-label="coloured by"]', '0');
    await pause(400);
    const cases = await page.$$('.cases button');
    await cases[1]?.click();
    await page.waitForSelector('.scene[data-points]');
    await page.waitForSelector('.plot[data-rows="361"]');
    await until('numbers are there', async () => page.$eval('.numbers', (e) => e.textContent.includes('0.7345')));
    await pause(600);
    await shoot(page, 'folder_dda');
    await choose(page, 'internal/E_Y_squared', '.panel.large');
    await (await page.$$('.cases button'))[2]?.click();
    await drawn(page);
    await pause(400);
    await shoot(page, 'folder_fdtd');
    await page.click('.cases input');
    await (await page.$$('.cases button'))[1]?.click();
    await page.waitForFunction(() => document.querySelectorAll('.case').length === 2);
    await pause(1200);
    await shoot(page, 'folder_together');
    expect(problems).toEqual([]);
    await page.close();
    await mock.close();
  });

  it('shows every instant of a model: surfaces, cut, curve along a path, largest values', async () => {
    const mock = await startMock(folderScene());
    const { page, problems } = await open(browser, mock.address);
    await page.waitForSelector('.scene[data-triangles="1728"]');
    await page.waitForSelector('.time[data-newest="true"]');
    await page.select('.panel:has(.scene) select[aria-label="coloured by"]', '0');
    await page.waitForSelector('.scene[data-high]');
    await page.waitForSelector('.plot[data-rows="40"]');
    await page.waitForSelector('.peaks');
    await drawn(page);
    await pause(600);
    await shoot(page, 'folder_eqs_newest');
    // A table is no picture: nothing offers to save or record it as one.
    const offers = (panel: string): Promise<string[]> => page.$$eval(`${panel} > header button`, (all) => all.map((b) => b.title).filter((t) => /save|record/.test(t)));
    expect(await offers('.panel:has(.peaks)')).toEqual([]);
    expect(await offers('.panel.large')).not.toEqual([]);
    const high = async (): Promise<number> => page.$eval('.scene', (e) => Number((e as HTMLElement).dataset.high));
    const field = async (): Promise<number> => page.$eval('.panel.large canvas', (e) => Number(e.dataset.high));
    const largest = async (): Promise<string> => page.$eval('.peaks tbody td .value', (e) => e.textContent ?? '');
    const [whole, cut] = [await high(), await field()];
    expect(await largest()).toBe('2e+5');
    // The first of four instants has a quarter of the field; f16 on the cut: 11 bits.
    await page.$eval('.time input', (e) => {
      e.value = '0';
      e.dispatchEvent(new Event('input'));
    });
    await until('the surfaces are those of the first instant', async () => Math.abs((await high()) - whole / 4) < 1e-3 * whole);
    await until('the cut, too', async () => Math.abs((await field()) - cut / 4) < 1e-3 * cut);
    await until('and the table', async () => (await largest()) === '5e+4');
    expect(await page.$eval('.time', (e) => (e as HTMLElement).dataset.newest)).toBe('false');
    const shapes = mock.heard.filter((m) => m.parts === 'shape').length;
    await page.focus('.panel.large canvas');
    await page.keyboard.press('.');
    await until('the second', async () => Math.abs((await high()) - whole / 2) < 1e-3 * whole);
    await page.click('.time button[title^="play"]');
    await until('played to the newest', async () => (await high()) === whole, 30000);
    expect(mock.heard.filter((m) => m.parts === 'shape')).toHaveLength(shapes);
    await page.select('.panel:has(.scene) select[aria-label="cut"]', '0');
    const ring = await print(page, '.panel:has(.scene)');
    await page.$$eval('.panel:has(.scene) .chip', (all) => {
      (all.find((b) => b.textContent === 'porcelain') as HTMLElement | undefined)?.click();
    });
    await until('a hidden region is gone', async () => (await print(page, '.panel:has(.scene)')) !== ring);
    await shoot(page, 'folder_eqs_cut');
    expect(problems).toEqual([]);
    await page.close();
    await mock.close();
  }, 120000);

  it('breaks no word and no number of a narrow table', async () => {
    const scene = folderScene();
    const peaks = scene.arrays.find((a) => a.info.role === 'peaks');
    if (!peaks) throw new Error('no largest values');
    peaks.info.rows = ['oil', 'gas'];
    const where = peaks.columns;
    // Places of many digits make the other columns wide.
    peaks.columns = (t) => (where?.(t) ?? []).map((c) => Array.from(c, (v) => v * 1.23456e-5 - 1e-7));
    const mock = await startMock(scene);
    const { page, problems } = await open(browser, mock.address, { width: 300, height: 700 });
    await page.waitForSelector('.peaks tbody td');
    const lines = await page.$$eval('.peaks thead th:first-child, .peaks tbody th, .peaks .value, .peaks .at span', (all) => all.map((e) => {
      const range = document.createRange();
      range.selectNodeContents(e);
      return `${e.textContent ?? ''}: ${range.getClientRects().length}`;
    }));
    expect(lines).toHaveLength(1 + 2 + 2 * 2 + 2 * 7);
    expect(lines.filter((l) => !l.endsWith(': 1'))).toEqual([]);
    const names = await page.$$eval('.panel > header .what', (all) => all.map((e) => e.clientWidth));
    expect(Math.min(...names), String(names)).toBeGreaterThan(60);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(300);
    await shoot(page, 'folder_narrow_table');
    expect(problems).toEqual([]);
    await page.close();
    await mock.close();
  });

  it('says in its panel why an array has no data any more, until there are some', async () => {
    const mock = await startMock(folderScene());
    const { page, problems } = await open(browser, mock.address);
    await page.waitForSelector('.plot[data-rows="40"]');
    const foot = (): Promise<string> => page.$eval('.panel[data-array="paths/creepage"] > footer', (e) => e.textContent ?? '');
    for (const v of mock.viewers) v.fail('paths/creepage', 'line.csv cannot be read');
    await until('it is said', async () => (await foot()) === 'line.csv cannot be read');
    expect(await page.$eval('.panel.large > footer', (e) => e.textContent)).toBe('');
    ++mock.scene.version;
    await until('and no longer', async () => (await foot()) === '');
    expect(problems).toEqual([]);
    await page.close();
    await mock.close();
  });

  it('fits results into a phone in the dark', async () => {
    const mock = await startMock(folderScene());
    const { page, problems } = await open(browser, mock.address, { width: 390, height: 844, phone: true, dark: true });
    await page.waitForSelector('.scene[data-triangles]');
    await pause(1200);
    await shoot(page, 'folder_phone_dark');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(problems).toEqual([]);
    await page.close();
    await mock.close();
  });
});
