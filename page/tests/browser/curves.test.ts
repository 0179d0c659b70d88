// Curves and panels whose data are awkward, on the mock server, in a real browser.
import { describe, expect, it } from 'vitest';
import type { Browser } from 'puppeteer-core';
import { fdtdScene, volumeScene } from '../../mock/scenes.ts';
import { startMock } from '../../mock/server.ts';
import { browserOfTests, choose, chromium, drawn, open, pause, shoot, until } from './browser.ts';

describe.skipIf(chromium === undefined)('curves', () => {
  let browser: Browser;
  browserOfTests((b) => {
    browser = b;
  });

  it('draws zeros and tiny values of a logarithmic curve as gaps, and says so', async () => {
    for (const [lowest, said] of [[0, '40 of 0 or less'], [1e-22, '40 below 1e-14 of the largest'], [1e-38, '40 below 1e-14 of the largest']] as const) {
      const scene = fdtdScene();
      const curve = scene.arrays.find((a) => a.info.role === 'spectrum');
      if (!curve) throw new Error('no spectrum');
      Object.assign(curve.info, { log: true, live: false });
      const f = Array.from({ length: 80 }, (_, i) => 0.6 + 0.001 * i);
      curve.columns = () => [f, f.map((_, i) => (i < 40 ? lowest : i)), f.map((_, i) => 1 + i)];
      const own = await startMock(scene);
      const { page, problems } = await open(browser, own.address);
      const panel = '.panel[data-array="spectrum/through"]';
      await page.waitForSelector(`${panel} .plot[data-rows="80"]`);
      await until('it is said', () => page.$eval(`${panel} .plot > .hint`, (e, t) => e.textContent.includes(t), said));
      await pause(300);
      await shoot(page, `run_log_${lowest}`);
      // Numbers beside both axes, in the colour of soft text: the canvas left of the box and below it is not empty.
      const inked = await page.$$eval('.plot canvas', (all) => all.map((e) => {
        const c = e.getContext('2d');
        const ink = (x: number, y: number, w: number, h: number): boolean => new Set(c?.getImageData(x, y, w, h).data).size > 4;
        return [ink(22, 0, 30, e.height - 60), ink(60, e.height - 50, e.width - 70, 24)];
      }));
      expect(inked).toEqual([[true, true], [true, true]]);
      expect(problems).toEqual([]);
      await page.close();
      await own.close();
    }
  });

  it('shows nothing of the old array under the name of another until its frame comes', async () => {
    const scene = fdtdScene();
    const own = await startMock(scene);
    const { page, problems } = await open(browser, own.address);
    await drawn(page);
    const hx = scene.arrays.find((a) => a.info.name === 'fields/Hx');
    const later = hx?.field;
    if (!hx || !later) throw new Error('no Hx');
    delete hx.field; // the server has none yet
    await choose(page, 'fields/Hx');
    await until('the old picture is gone', () => page.$eval('.panel.large canvas', (e) => e.dataset.step === undefined));
    await pause(300);
    expect(await page.$eval('.panel.large canvas', (e) => e.dataset.step)).toBeUndefined();
    await shoot(page, 'run_waiting');
    hx.field = later;
    await choose(page, 'fields/Ez');
    await drawn(page);
    await choose(page, 'fields/Hx');
    await drawn(page);
    expect(problems).toEqual([]);
    await page.close();
    await own.close();
  });

  it('lets the scale of a volume come down with its field', async () => {
    const scene = volumeScene();
    const volume = scene.arrays.find((a) => a.info.name === 'fields/magnitude');
    if (!volume) throw new Error('no volume');
    let size = 1000;
    volume.field = (i) => size * (1 + i / 48);
    const own = await startMock(scene);
    const { page, problems } = await open(browser, own.address);
    const limit = (): Promise<number> => page.$eval('.scene', (e) => Number((e as HTMLElement).dataset.limit));
    await page.waitForSelector('.scene[data-limit]');
    await until('the high scale', async () => (await limit()) > 1000);
    size = 1;
    scene.advance = () => undefined; // the last frame is one before it; the newest stands still
    ++scene.version;
    // One frame of it is enough: where nothing comes any more, the scale is the frame's own.
    await until('the low one', async () => (await limit()) < 2.1);
    expect(problems).toEqual([]);
    await page.close();
    await own.close();
  });
});
