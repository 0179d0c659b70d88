// A running case on the mock server, in a real browser: what is seen agrees with the formulas of the fields.
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Browser } from 'puppeteer-core';
import { png } from '../../mock/png.ts';
import { fdtdScene } from '../../mock/scenes.ts';
import { startMock, type Mock } from '../../mock/server.ts';
import { browserOfTests, choose, chromium, drawn, open, pause, pixel, pixels, print, settled, shoot, stateOf, step, under, until } from './browser.ts';

describe.skipIf(chromium === undefined)('a run', () => {
  let browser: Browser;
  let mock: Mock;
  browserOfTests((b) => {
    browser = b;
  });
  beforeEach(async () => {
    mock = await startMock(fdtdScene());
  });
  afterEach(async () => {
    for (const p of await browser.pages()) if (p.url().startsWith('http')) await p.close();
    await mock.close();
  });

  it('shows a field that moves, and asks nobody else', async () => {
    const { page, problems } = await open(browser, mock.address);
    await drawn(page);
    await shoot(page, 'run_first');
    const before = await print(page);
    await until('the picture changes', async () => (await print(page)) !== before);
    await pause(2500);
    await shoot(page, 'run_light');
    expect(problems).toEqual([]);
    expect(await page.$$eval('.panel', (all) => all.length)).toBeGreaterThanOrEqual(3);
    expect(await page.evaluate(() => document.cookie)).toBe('');
  });

  it('pauses, steps as many as asked, resumes', async () => {
    const { page } = await open(browser, mock.address);
    await drawn(page);
    await page.keyboard.press('Space');
    await until('paused', async () => (await stateOf(page)) === 'paused');
    const held = await step(page);
    expect(held).toBe(mock.scene.step);
    await page.$eval('.controls input', (e) => {
      e.value = '7';
    });
    await page.click('button[aria-label^="step"]');
    await until('seven steps more', async () => (await step(page)) === held + 7);
    await page.click('button[aria-label^="resume"]');
    await until('goes on', async () => (await step(page)) > held + 10);
  });

  it('shows the values of the field under the pointer, and in its colours', async () => {
    const { page } = await open(browser, mock.address);
    await drawn(page);
    await until('the wave has passed', () => mock.scene.step > 70);
    await page.keyboard.press('Space');
    await until('paused', async () => (await stateOf(page)) === 'paused');
    await settled(page, mock.scene.step);
    for (const [fx, fy] of [[0.3, 0.5], [0.5, 0.4], [0.6, 0.6], [0.4, 0.7]] as const) {
      const text = await under(page, fx, fy);
      const n = (text.replace(/−/g, '-').match(/-?\d+(\.\d+)?(e[+-]?\d+)?/g) ?? []).map(Number);
      const [x = NaN, y = NaN, value = NaN] = n;
      const cell = [Math.floor((x + 3) / 0.025), Math.floor((y + 2) / 0.025)] as const;
      const field = mock.scene.arrays[0]?.field;
      // The foot rounds the place to four digits: neighbours of the cell are meant, too.
      const near = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => field?.(cell[0] + dx, cell[1] + dy, 0, Infinity) ?? NaN));
      const [low, high] = [Math.min(...near), Math.max(...near)];
      // A half float has 11 bits.
      expect(value).toBeGreaterThanOrEqual(low - 1e-3);
      expect(value).toBeLessThanOrEqual(high + 1e-3);
      const [r = 0, , b = 0] = await pixel(page, fx, fy);
      if (value > 0.1) expect(r).toBeGreaterThan(b); // orange
      if (value < -0.1) expect(b).toBeGreaterThan(r); // blue
    }
  });

  it('switches components and colour maps, zooms and returns', async () => {
    const { page } = await open(browser, mock.address);
    await drawn(page);
    await page.keyboard.press('Space');
    await until('paused', async () => (await stateOf(page)) === 'paused');
    await choose(page, 'fields/Hx');
    await until('asked for', () => mock.heard.some((m) => m.do === 'subscribe' && m.array === 1));
    await choose(page, 'fields/Ez');
    await page.focus('.panel.large canvas');
    // A scale that follows falls slowly from step to step; asked for again, a step has its own.
    await page.keyboard.press('0');
    const whole = await settled(page, mock.scene.step);
    const all = await pixels(page);
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await until('a smaller region is asked for', () => {
      const last = mock.heard.filter((m) => m.do === 'subscribe' && m.array === 0).at(-1);
      const region = last?.region as number[] | undefined;
      return region !== undefined && (region[2] ?? 240) - (region[0] ?? 0) < 240;
    });
    expect(await print(page)).not.toBe(whole);
    await page.keyboard.press('0');
    await settled(page, mock.scene.step);
    const again = await pixels(page);
    expect(Math.max(...again.map((v, i) => Math.abs(v - (all[i] ?? 999))))).toBeLessThanOrEqual(4); // of 255: rounding of 16 bits
    await page.click('.panel.large .pop button');
    await page.select('.panel.large select[aria-label="colours"]', 'thesis');
    await pause(300);
    await shoot(page, 'run_thesis_settings');
    // The thesis's green is the dielectric, whatever the field is there; free space has none.
    await page.keyboard.press('Escape');
    let [inside, outside] = [0, 0];
    for (let fx = 0.15; fx < 0.85; fx += 0.02) {
      const text = await under(page, fx, 0.5);
      const [, g = 0] = await pixel(page, fx, 0.5);
      if (text.includes('model 12.1')) {
        expect(g, text).toBeGreaterThan(120);
        ++inside;
      } else if (/model 1(?![.\d])/.test(text)) {
        expect(g, text).toBeLessThan(60);
        ++outside;
      }
    }
    expect(Math.min(inside, outside)).toBeGreaterThan(2);
  });

  it('moves the view, keeps a fixed scale, asks for every n-th step, changes its theme and its width', async () => {
    const { page, problems } = await open(browser, mock.address);
    await drawn(page);
    const asked = (): Record<string, unknown> | undefined => mock.heard.filter((m) => m.do === 'subscribe' && m.array === 0).at(-1);
    const region = (): number[] => (asked()?.region as number[] | undefined) ?? [0, 0, 240, 160];
    const left = (): number => region()[0] ?? 0;
    await page.focus('.panel.large canvas');
    for (const key of ['+', '+', '+', '+'] as const) await page.keyboard.press(key);
    // Four times 1.25: a page that is late asks for what lies between, too, and that is not waited for.
    await until('zoomed', () => (region()[2] ?? 240) - left() < 240 / 1.25 ** 3.5);
    const before = left();
    await page.keyboard.press('ArrowRight');
    await until('further to the right', () => left() > before);
    const box = await (await page.waitForSelector('.panel.large canvas'))?.boundingBox();
    if (!box) throw new Error('no canvas');
    const then = left();
    await page.mouse.move(box.x + box.width * 0.4, box.y + box.height * 0.5);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.5, { steps: 4 });
    await page.mouse.up();
    await until('dragged to the left', () => left() < then);
    await page.keyboard.press('0');
    await page.click('.panel.large .pop button');
    await page.select('.panel.large select[aria-label="scale"]', 'fixed');
    await page.$eval('.panel.large input[aria-label="end of the scale"]', (e) => {
      e.value = '1e9';
      e.dispatchEvent(new Event('change'));
    });
    await page.$eval('.panel.large input[aria-label="steps between pictures"]', (e) => {
      e.value = '5';
      e.dispatchEvent(new Event('change'));
    });
    await until('every fifth step is asked for', () => asked()?.every === 5);
    // Against a scale of 1e9 the wave has no colour: the middle of the map is nearly white.
    await until('a picture without colour', async () => Math.min(...(await pixel(page, 0.3, 0.5))) > 200);
    await page.keyboard.press('Escape');
    const theme = (): Promise<string> => page.evaluate(() => document.documentElement.dataset.theme ?? '');
    const first = await theme();
    await page.focus('.panel.large canvas');
    await page.keyboard.press('t');
    await until('the other theme', async () => (await theme()) !== first);
    await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true, deviceScaleFactor: 2 });
    await pause(600);
    await drawn(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await shoot(page, 'run_turned_phone');
    expect(problems).toEqual([]);
  });

  it('sends another picture as the model, and saves the state', async () => {
    const { page } = await open(browser, mock.address);
    await drawn(page);
    const folder = mkdtempSync(join(tmpdir(), 'page-model-'));
    writeFileSync(join(folder, 'other.png'), png(20, 10, () => [0, 0, 0]));
    await page.click('.panel.large button[title^="paint"]');
    await page.waitForSelector('.swatch');
    const input = await page.$('.paint input[type=file]');
    await input?.uploadFile(join(folder, 'other.png'));
    await until('the server has it', () => mock.heard.some((m) => m.do === 'model'));
    const model = mock.heard.find((m) => m.do === 'model') as unknown as { png: string; name: string };
    expect(model.name).toBe('other.png');
    expect(Buffer.from(model.png, 'base64').equals(readFileSync(join(folder, 'other.png')))).toBe(true);
    await page.click('button[title^="save the state"]');
    await until('the state is saved', () => mock.heard.some((m) => m.do === 'save'));
    rmSync(folder, { recursive: true });
  });

  it('paints a wall and the wave stops there', async () => {
    const { page } = await open(browser, mock.address);
    await drawn(page);
    await until('the wave has passed', () => mock.scene.step > 65);
    await page.click('.panel.large button[title^="paint"]');
    await page.waitForSelector('.swatch');
    const canvas = await page.waitForSelector('.panel.large canvas');
    const box = await canvas?.boundingBox();
    if (!box) throw new Error('no canvas');
    const x = box.x + box.width * 0.4;
    await page.mouse.move(x, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(x, box.y + box.height - 50, { steps: 12 });
    await shoot(page, 'run_painting');
    await page.mouse.up();
    await until('the server is told', () => mock.heard.some((m) => m.do === 'paint'));
    const paint = mock.heard.find((m) => m.do === 'paint');
    expect(paint?.rgb).toEqual([0, 128, 0]);
    await until('the run starts anew and reaches the right', () => mock.scene.step > 62 && mock.scene.step < 2000, 20000);
    await page.keyboard.press('Space');
    await pause(500);
    const field = mock.scene.arrays[0]?.field;
    expect(field?.(200, 80, 0, Infinity)).toBe(0);
    const text = await under(page, 0.75, 0.5);
    expect(text).toMatch(/Ez = 0(?![.\d])/);
    await shoot(page, 'run_wall');
  });

  it('comes back when the server does', async () => {
    const { page, problems } = await open(browser, mock.address);
    await drawn(page);
    const port = mock.port;
    await mock.close();
    await until('the page says so', async () => (await stateOf(page)) === 'lost');
    await shoot(page, 'run_lost');
    mock = await startMock(fdtdScene(), port);
    await until('connected again', async () => (await stateOf(page)) === 'running', 20000);
    const before = await print(page);
    await until('the picture moves again', async () => (await print(page)) !== before);
    expect(problems).toEqual([]);
  });

  it('serves two viewers, and both see a pause', async () => {
    const [a, b] = [await open(browser, mock.address), await open(browser, mock.address)];
    await a.page.bringToFront();
    await drawn(a.page);
    await a.page.keyboard.press('Space');
    await until('both paused', async () => (await stateOf(a.page)) === 'paused' && (await stateOf(b.page)) === 'paused');
    expect(mock.viewers.size).toBe(2);
  });

  it('fits a phone', async () => {
    const { page, problems } = await open(browser, mock.address, { width: 390, height: 844, phone: true });
    await drawn(page);
    await pause(1500);
    await shoot(page, 'run_phone');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(problems).toEqual([]);
  });

  it('saves a picture and the animation so far', async () => {
    const { page } = await open(browser, mock.address);
    const folder = mkdtempSync(join(tmpdir(), 'page-saved-'));
    const client = await page.createCDPSession();
    await client.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder });
    await drawn(page);
    await page.focus('.panel.large canvas');
    await page.keyboard.press('s');
    await until('a PNG', () => readdirSync(folder).some((f) => f.endsWith('.png')));
    const shown = new Set<string>();
    await until('six pictures', async () => shown.add(await page.$eval('.panel.large canvas', (e) => e.dataset.step ?? '')).size >= 6);
    await page.keyboard.press('Space');
    await until('paused', async () => (await stateOf(page)) === 'paused');
    await settled(page, mock.scene.step);
    // Nothing moves any more: all that is saved was seen before.
    await page.click('.panel.large button[title^="save the animation so far"]');
    await until('a WebM', () => readdirSync(folder).some((f) => f.endsWith('.webm')), 30000);
    const said = await page.$eval('.panel.large > footer', (e) => e.textContent ?? '');
    expect(Number(/(\d+) pictures saved/.exec(said)?.[1] ?? 0), said).toBeGreaterThanOrEqual(5);
    await pause(300);
    for (const f of readdirSync(folder)) {
      const head = readFileSync(join(folder, f)).subarray(0, 4).toString('hex');
      expect(f).toMatch(/^run003_ring-fields_Ez-\d+\.(png|webm)$/);
      expect(head).toBe(f.endsWith('png') ? '89504e47' : '1a45dfa3'); // the marks of PNG and of Matroska
      expect(statSync(join(folder, f)).size).toBeGreaterThan(5000);
    }
    rmSync(folder, { recursive: true });
  });

  it('stops only when it is asked twice', async () => {
    const { page } = await open(browser, mock.address);
    await drawn(page);
    await page.click('button[aria-label="stop the run"]');
    await pause(200);
    expect(mock.heard.some((m) => m.do === 'stop')).toBe(false);
    await page.click('button[aria-label="stop the run"]');
    await until('stopped', async () => (await stateOf(page)) === 'finished');
    await pause(200);
    await shoot(page, 'run_finished');
  });
});
