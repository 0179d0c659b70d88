// Small makers of elements; what is shown comes in as text, never as markup.

type Props = Partial<{
  class: string; title: string; text: string; type: string; value: string; min: string; max: string; step: string;
  tabIndex: number; label: string; role: string; checked: boolean; disabled: boolean; hidden: boolean; accept: string;
  name: string; pressed: boolean; id: string;
}>;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K, props: Props = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  const { class: name, text, label, role, pressed, ...rest } = props;
  if (name) e.className = name;
  if (text !== undefined) e.textContent = text;
  if (label !== undefined) e.setAttribute('aria-label', label);
  if (role !== undefined) e.setAttribute('role', role);
  if (pressed !== undefined) e.setAttribute('aria-pressed', String(pressed));
  Object.assign(e, rest);
  e.append(...children);
  return e;
}

export function button(text: string, title: string, onClick: () => void, name = ''): HTMLButtonElement {
  const b = el('button', { type: 'button', text, title, label: title, class: name });
  b.addEventListener('click', onClick);
  return b;
}

/** Paths on a raster of 16 x 16: drawn with the colour of the text. */
const ICONS = {
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  play: 'M4 2.5v11l9-5.5z',
  step: 'M3 3v10l6-5zM10 3h2.5v10H10z',
  stop: 'M3.5 3.5h9v9h-9z',
  close: 'M3.6 4.6l1-1L8 7l3.4-3.4 1 1L9 8l3.4 3.4-1 1L8 9l-3.4 3.4-1-1L7 8z',
  whole: 'M2 2h5v1.6H3.6V7H2zM9 2h5v5h-1.6V3.6H9zM2 9h1.6v3.4H7V14H2zM12.4 9H14v5H9v-1.6h3.4z',
  settings: 'M2 4h6.2a2 2 0 0 1 3.6 0H14v1.4h-2.2a2 2 0 0 1-3.6 0H2zM2 10.6h2.2a2 2 0 0 1 3.6 0H14V12H7.8a2 2 0 0 1-3.6 0H2z',
  save: 'M7.2 2h1.6v6.2l2.3-2.3 1.1 1.1L8 11.2 3.8 7l1.1-1.1 2.3 2.3zM2.5 12.6h11V14h-11z',
  record: 'M8 3.4a4.6 4.6 0 1 1 0 9.2 4.6 4.6 0 0 1 0-9.2z',
  film: 'M2 3h12v10H2zM5 4.4v7.2h6V4.4zM3 4.6v1.4h1V4.6zM3 7.3v1.4h1V7.3zM3 10v1.4h1V10zM12 4.6v1.4h1V4.6zM12 7.3v1.4h1V7.3zM12 10v1.4h1V10z',
  keep: 'M2.5 2.5h9l2 2v9h-11zM5 2.5v4h5v-4zM4.5 9v3.5h7V9z',
  paint: 'M11.6 1.8l2.6 2.6-7.4 7.4-3.6 1 1-3.6z',
  add: 'M7.2 3h1.6v4.2H13v1.6H8.8V13H7.2V8.8H3V7.2h4.2z',
  theme: 'M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12V12.6a4.6 4.6 0 0 0 0-9.2z',
  reset: 'M8 3a5 5 0 1 1-4.7 3.3l1.4.5A3.5 3.5 0 1 0 8 4.5V7L4.6 3.8 8 .6z',
} as const;
export type Icon = keyof typeof ICONS;

export function icon(name: Icon): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}

export function iconButton(name: Icon, title: string, onClick: () => void): HTMLButtonElement {
  const b = button('', title, onClick, 'icon');
  b.append(icon(name));
  return b;
}

export function setIcon(b: HTMLButtonElement, name: Icon, title: string): void {
  if (b.title === title) return;
  b.replaceChildren(icon(name));
  b.title = title;
  b.setAttribute('aria-label', title);
}

export interface Choice<T extends string> { value: T; text: string; group?: string }

export function select<T extends string>(label: string, choices: Choice<T>[], value: T, onChange: (v: T) => void): HTMLSelectElement {
  const s = el('select', { label, title: label });
  let group: HTMLOptGroupElement | null = null;
  for (const c of choices) {
    const option = el('option', { value: c.value, text: c.text });
    if (c.group !== undefined && group?.label !== c.group) {
      group = el('optgroup');
      group.label = c.group;
      s.append(group);
    }
    (c.group === undefined ? s : (group ?? s)).append(option);
  }
  s.value = value;
  s.addEventListener('change', () => {
    onChange(s.value as T);
  });
  return s;
}

export function check(text: string, on: boolean, onChange: (on: boolean) => void): HTMLLabelElement {
  const box = el('input', { type: 'checkbox', checked: on });
  box.addEventListener('change', () => {
    onChange(box.checked);
  });
  return el('label', { class: 'check' }, box, el('span', { text }));
}

/** A line of the settings: a word, then what is set. */
export function setting(text: string, ...controls: Node[]): HTMLElement {
  return el('div', { class: 'setting' }, el('span', { text }), el('div', {}, ...controls));
}

/** A button that opens a small sheet under it; Escape or a click elsewhere closes it. */
export function popover(b: HTMLButtonElement, fill: () => Node[]): HTMLElement {
  const sheet = el('div', { class: 'sheet', hidden: true });
  const outside = (event: Event): void => {
    if (event.target instanceof Node && !sheet.contains(event.target) && !b.contains(event.target)) toggle(false);
  };
  const escape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    toggle(false);
    b.focus();
  };
  const toggle = (open: boolean): void => {
    sheet.hidden = !open;
    b.setAttribute('aria-expanded', String(open));
    document.removeEventListener('pointerdown', outside);
    document.removeEventListener('keydown', escape, true);
    if (!open) return;
    sheet.replaceChildren(...fill());
    document.addEventListener('pointerdown', outside);
    document.addEventListener('keydown', escape, true);
  };
  b.setAttribute('aria-expanded', 'false');
  b.addEventListener('click', () => {
    toggle(sheet.hidden);
  });
  return el('div', { class: 'pop' }, b, sheet);
}

export function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
