// Pictures of a panel as files, made in the browser.
import { css } from '../ui/dom.ts';

export function download(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const a = document.createElement('a');
  a.href = address;
  a.download = name;
  a.click();
  window.setTimeout(() => {
    URL.revokeObjectURL(address);
  }, 10000);
}

/** Letters, digits, dots and dashes of a name; the rest becomes an underscore. */
export function fileName(...parts: string[]): string {
  return parts.filter((p) => p !== '').join('-').replace(/[^\p{L}\p{N}.-]+/gu, '_').slice(0, 120);
}

/** A canvas as PNG, on the ground of the page: uPlot's is transparent. */
export function savePicture(canvas: HTMLCanvasElement, name: string): void {
  const copy = document.createElement('canvas');
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const c = copy.getContext('2d');
  if (!c) return;
  c.fillStyle = css('--panel');
  c.fillRect(0, 0, copy.width, copy.height);
  c.drawImage(canvas, 0, 0);
  copy.toBlob((blob) => {
    if (blob) download(blob, `${name}.png`);
  }, 'image/png');
}
