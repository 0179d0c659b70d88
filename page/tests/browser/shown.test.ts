// Three dimensions and folders of finished cases on the mock server, in a real browser.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'puppeteer-core';
import { folderScene } from '../../mock/finished.ts';
import { volumeScene } from '../../mock/scenes.ts';
import { startMock } from '../../mock/server.ts';
import { choose, chromium, drawn, launch, open, pause, print, shoot, until } from './browser.ts';

describe.skipIf(chromium === undefined)('results', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
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
    await page.select('.panel.large select[aria-label^="lines of"]', 'cuts/middle/potential');
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
