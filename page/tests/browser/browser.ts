// A real headless Chromium for the tests; screenshots go to the folder in PAGE_SCREENSHOTS.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll } from 'vitest';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';

const PLACES = [process.env.CHROMIUM ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
export const chromium = PLACES.find((p) => p !== '' && existsSync(p));

export async function launch(): Promise<Browser> {
  if (chromium === undefined) throw new Error('no chromium: install it (tools/setup.sh page), or name it in CHROMIUM');
  return puppeteer.launch({
    executablePath: chromium, headless: true, protocolTimeout: 120000,
    // Runs as root in containers. Without a GPU the page is put together by the processor, and only WebGL2 goes through SwiftShader, as on
    // a desk without one: a GPU that is emulated for all of the page takes a second to draw its first letters.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--use-gl=angle', '--use-angle=swiftshader-webgl', '--enable-unsafe-swiftshader', '--hide-scrollbars',
      // A page that the test puts in the program's place has no address of its own.
      ...(process.env.UMOV_PAGE === 'tree' ? ['--disable-features=LocalNetworkAccessChecks'] : [])],
  });
}

/** A browser for the tests of a block, from before the first to after the last of them. */
export function browserOfTests(use: (browser: Browser) => void): void {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
    use(browser);
  });
  afterAll(async () => {
    await browser.close();
  });
}

export interface Look { width?: number; height?: number; dark?: boolean; phone?: boolean }

/** A page at an address; what goes wrong in it, requests to anywhere else among them, gathers in `problems`. */
export async function open(browser: Browser, address: string, look: Look = {}): Promise<{ page: Page; problems: string[] }> {
  const page = await browser.newPage();
  const problems: string[] = [];
  await page.setViewport({
    width: look.width ?? 1280, height: look.height ?? 800, deviceScaleFactor: look.phone ? 2 : 1, isMobile: look.phone ?? false, hasTouch: look.phone ?? false,
  });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: look.dark ? 'dark' : 'light' }]);
  const host = new URL(address).host;
  page.on('pageerror', (e) => problems.push(String(e)));
  page.on('console', (m) => {
    if (m.type() === 'error' && !/WebSocket|favicon|ERR_CONNECTION/.test(m.text())) problems.push(m.text());
  });
  page.on('request', (r) => {
    const url = new URL(r.url());
    if (!['data:', 'blob:'].includes(url.protocol) && url.host !== host) problems.push(`a request to ${r.url()}`);
  });
  await page.goto(address, { waitUntil: 'domcontentloaded' });
  return { page, problems };
}

/** The page of a program; with UMOV_PAGE=tree the page of the tree in place of the one that the program holds. */
export async function openProgram(browser: Browser, address: string, look: Look = {}): Promise<{ page: Page; problems: string[] }> {
  if (process.env.UMOV_PAGE !== 'tree') return open(browser, address, look);
  const built = new URL('../../built/', import.meta.url);
  const result = await open(browser, `${address}&empty`.replace(/\?.*/, 'nothing'), look);
  await result.page.setRequestInterception(true);
  result.page.on('request', (r) => {
    if (new URL(r.url()).pathname !== '/') void r.continue();
    else {
      void r.respond({
        contentType: 'text/html', body: readFileSync(new URL('index.html', built), 'utf8'),
        headers: { 'content-security-policy': readFileSync(new URL('csp.txt', built), 'utf8').trim() },
      });
    }
  });
  await result.page.goto(address, { waitUntil: 'domcontentloaded' });
  result.problems.length = 0; // the page that was not there
  return result;
}

export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.PAGE_SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until a condition in node holds. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, ms = 15000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited ${ms} ms in vain: ${what}`);
    await pause(50);
  }
}

/** Step of the run as the head of the page shows it. */
export async function step(page: Page): Promise<number> {
  return page.$eval('header.run', (e) => Number(e.dataset.step ?? -1));
}
export async function stateOf(page: Page): Promise<string> {
  return page.$eval('header.run', (e) => e.dataset.state ?? '');
}

/** A drawn frame in a panel: waits for a canvas that says the step of its field. */
export async function drawn(page: Page, panel = '.panel.large'): Promise<void> {
  await page.waitForSelector(`${panel} .image canvas[data-step]`, { timeout: 20000 });
}

/** Text of the foot of a panel with the pointer at a fraction of its plotted box. */
export async function under(page: Page, fx: number, fy: number, panel = '.panel.large'): Promise<string> {
  const canvas = await page.waitForSelector(`${panel} canvas`);
  const box = await canvas?.boundingBox();
  if (!box) throw new Error('no canvas');
  await page.mouse.move(box.x + box.width * fx, box.y + box.height * fy);
  await pause(120);
  return page.$eval(`${panel} > footer`, (e) => e.textContent ?? '');
}

/** Red, green, blue of a canvas at a fraction of its size. */
export async function pixel(page: Page, fx: number, fy: number, panel = '.panel.large'): Promise<number[]> {
  return page.$eval(`${panel} canvas`, (e, x, y) => {
    const c = e.getContext('2d');
    return Array.from(c?.getImageData(Math.round(e.width * x), Math.round(e.height * y), 1, 1).data ?? []).slice(0, 3);
  }, fx, fy);
}

/** Bytes of the whole canvas as one number: equal pictures give equal ones. */
export async function print(page: Page, panel = '.panel.large'): Promise<number> {
  return page.$eval(`${panel} canvas`, (e) => {
    const data = e.getContext('2d')?.getImageData(0, 0, e.width, e.height).data ?? new Uint8ClampedArray();
    let sum = 7;
    for (let i = 0; i < data.length; i += 3) sum = (sum * 31 + (data[i] ?? 0)) | 0;
    return sum;
  });
}

/** Some thousand values of the picture, for comparisons that allow for the rounding of 16 bits. */
export async function pixels(page: Page, panel = '.panel.large'): Promise<number[]> {
  return page.$eval(`${panel} canvas`, (e) => {
    const data = e.getContext('2d')?.getImageData(0, 0, e.width, e.height).data ?? new Uint8ClampedArray();
    return Array.from(data).filter((_, i) => i % 101 === 0);
  });
}

/** Waits until the picture shows this step and no longer changes; its print. */
export async function settled(page: Page, atStep: number, panel = '.panel.large'): Promise<number> {
  await until(`the picture of step ${atStep}`, () => page.$eval(`${panel} canvas`, (e, s) => e.dataset.step === String(s), atStep));
  let last = await print(page, panel);
  await until('a picture that stays', async () => {
    await pause(400);
    const now = await print(page, panel);
    const same = now === last;
    last = now;
    return same;
  });
  return last;
}

/** Turns a panel to another array. */
export async function choose(page: Page, name: string, panel = '.panel.large'): Promise<void> {
  await page.select(`${panel} select.what`, name);
}
