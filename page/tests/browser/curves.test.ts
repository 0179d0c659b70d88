// Curves and panels whose data are awkward, on the mock server, in a real browser.
import { describe, expect, it } from 'vitest';
import type { Browser } from 'puppeteer-core';
import { fdtdScene, volumeScene } from '../../mock/scenes.ts';
import type { Column } from '../../src/protocol/types.ts';
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

  it('opens many cases with their responses, one axis a unit, and their table', async () => {
    const scene = fdtdScene();
    const n = 12;
    const gap = Array.from({ length: n }, (_, i) => 1 + ((5 * i) % n));
    const columns: [Column, number[]][] = [
      [{ name: 'variant', unit: '1' }, gap.map((_, i) => i + 1)], [{ name: 'gap', unit: 'mm', role: 'parameter' }, gap],
      [{ name: 'width', unit: 'mm', role: 'parameter' }, gap.map((_, i) => i % 4)], [{ name: 'tip peak', unit: 'V/m', role: 'response' }, gap.map((g) => 1e6 / g)],
      [{ name: 'oil power', unit: 'W', role: 'response' }, gap.map((g) => 1e-6 * g)], [{ name: 'energy', unit: 'J' }, gap.map((g) => 1e-9 * g)],
      [{ name: 'newton', unit: '1', role: 'count' }, gap.map(() => 200)],
    ];
    const info = { id: 0, case: 0, name: 'results/variants', label: 'variants', text: '', unit: '1', kind: 'curve' as const, live: false, role: 'batch', shape: [n, columns.length], columns: columns.map(([c]) => c) };
    scene.arrays.splice(0, scene.arrays.length, { info, columns: () => columns.map(([, v]) => v) });
    const own = await startMock(scene);
    const { page, problems } = await open(browser, own.address);
    const large = '.panel.large .plot';
    await page.waitForSelector(`${large}[data-axes="2"]`);
    expect(await page.$$eval(`${large} .uplot`, (all) => all.length)).toBe(1);
    const pressed = (side: string): Promise<string[]> => page.$$eval(`${large} .chip[data-side="${side}"]`, (all) => all.map((b) => b.textContent));
    expect([await pressed('left'), await pressed('right')]).toEqual([['tip peak'], ['oil power']]);
    expect(await page.$eval('.panel.large select[aria-label="drawn over"]', (e) => [e.value, ...Array.from(e.options, (o) => o.value)])).toEqual(['gap', 'gap', 'width', 'variant']);
    const head = await page.$$eval('.panel:has(.cells) thead th', (all) => all.map((e) => e.textContent));
    expect(head).toEqual(['variant', 'gap (mm)', 'width (mm)', 'tip peak (V/m)', 'oil power (W)', 'energy (J)', 'newton']);
    expect(await page.$$eval('.panel .plot', (all) => all.length)).toBe(2); // over the width, too
    await page.$$eval(`${large} .chip`, (all) => {
      const b = all.find((e) => e.textContent === 'energy');
      if (b instanceof HTMLElement) b.click();
    });
    await page.waitForSelector(`${large}[data-axes="3"]`);
    expect(await page.$$eval(`${large} .uplot`, (all) => all.length)).toBe(3);
    await pause(300);
    await shoot(page, 'batch');
    expect(problems).toEqual([]);
    await page.close();
    await own.close();
  });

  it('bends the scale of a volume, too', async () => {
    const scene = volumeScene();
    const volume = scene.arrays.find((a) => a.info.name === 'fields/magnitude');
    if (!volume) throw new Error('no volume');
    Object.assign(volume.info, { live: false });
    volume.field = (i) => 1000 * Math.exp(-i / 4); // five decades
    scene.advance = () => undefined;
    const own = await startMock(scene);
    const { page, problems } = await open(browser, own.address);
    const scenePanel = '.panel:has(.scene)';
    await page.waitForSelector(`${scenePanel} .scene[data-steps="log"]`);
    await pause(500);
    await shoot(page, 'volume_log');
    await page.click(`${scenePanel} button[aria-label="steps of the scale"]`);
    await page.select(`${scenePanel} select[aria-label="steps of the scale"]`, 'linear');
    await page.waitForSelector(`${scenePanel} .scene[data-steps="linear"]`);
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
