// Puts what vite built into one file, built/index.html, and writes the policy that lets exactly this script and this style run.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';

const at = (path) => new URL(`../${path}`, import.meta.url);
const html = readFileSync(at('dist/index.html'), 'utf8');
const files = readdirSync(at('dist')).filter((f) => f !== 'index.html');
if (files.sort().join() !== 'page.css,page.js') throw new Error(`one script and one style expected, not ${files.join(', ')}`);
// A script ends at the first "</script", wherever it stands; of HTML's comments the same is true.
const script = `\n${readFileSync(at('dist/page.js'), 'utf8').trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')}\n`;
const style = `\n${readFileSync(at('dist/page.css'), 'utf8').trim()}\n`;
const licences = readFileSync(at('LICENSES.txt'), 'utf8').trim().replaceAll('--', '- -');

// Replacements are functions: a "$&" in minified code is no pattern.
const page = html
  .replace(/\s*<link rel="stylesheet"[^>]*>/, () => '')
  .replace(/\s*<script type="module"[^>]*><\/script>/, () => '')
  .replace('</head>', () => `  <style>${style}</style>\n  </head>`)
  .replace('</body>', () => `<script type="module">${script}</script>\n  </body>`)
  .replace('<html lang="en">', () => `<!--\n${licences}\n-->\n<html lang="en">`);
if (/(src|href)="(?!data:)/.test(page.replace(script, '').replace(style, '').replace(licences, ''))) throw new Error('the page refers to another file');

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const policy = [
  "default-src 'none'", `script-src ${hash(script)}`, `style-src ${hash(style)}`, "img-src 'self' data: blob:", 'media-src blob:',
  "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
].join('; ');
mkdirSync(at('built'), { recursive: true });
writeFileSync(at('built/index.html'), page);
writeFileSync(at('built/csp.txt'), `${policy}\n`);
process.stdout.write(`built/index.html: ${(page.length / 1024).toFixed(0)} KiB\n`);
