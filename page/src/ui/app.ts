// The page: head, cases, panels, messages, keys.
import { Session } from '../protocol/session.ts';
import type { State } from '../protocol/types.ts';
import { CaseBar } from './case_bar.ts';
import { CaseView } from './case_view.ts';
import { el } from './dom.ts';
import { RunBar } from './run_bar.ts';
import { onTheme, toggleTheme } from './theme.ts';

const KEYS: [string, string][] = [
  ['space', 'pause and resume'], ['n', 'one step (or as many as the field beside the button says)'],
  ['arrows, + −, 0', 'move or turn, zoom, show the whole; click or tab to a picture first'],
  ['page up, page down', 'next and previous cut'], [', .', 'earlier and later instant'], ['[ ]', 'darker, brighter'], ['f', 'picture as large as the window'],
  ['s', 'save the picture'], ['a', 'save the animation so far'], ['t', 'light or dark'], ['?', 'this list'],
];

function plural(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}

/** What stands where no case is. */
export function wordsForNothing(state: State | null): string {
  const text = state?.text ?? '';
  return text === '' ? 'nothing to show yet' : text;
}

function helpDialog(): HTMLDialogElement {
  const rows = KEYS.map(([key, what]) => el('tr', {}, el('th', {}, el('kbd', { text: key })), el('td', { text: what })));
  const close = el('button', { type: 'button', text: 'Close' });
  const dialog = el('dialog', {}, el('h2', { text: 'Keys' }), el('table', {}, el('tbody', {}, ...rows)), close);
  close.addEventListener('click', () => {
    dialog.close();
  });
  return dialog;
}

export class App {
  private readonly session: Session;
  private readonly runBar: RunBar;
  private readonly caseBar: CaseBar;
  private readonly main = el('main');
  private readonly messages = el('details', { class: 'messages', hidden: true });
  private readonly help = helpDialog();
  private views: CaseView[] = [];
  private readonly nothing = el('p', { class: 'waiting', role: 'status' });

  constructor(address: string) {
    this.session = new Session(address);
    this.runBar = new RunBar(this.session, () => {
      this.help.showModal();
    });
    this.caseBar = new CaseBar(this.session, () => {
      this.arrange();
    });
    document.body.append(this.runBar.element, this.caseBar.element, this.main, this.messages, this.help);
    this.session.listen((event) => {
      if (event === 'catalogue') this.arrange();
      if (event === 'state' || event === 'catalogue') this.nothing.textContent = wordsForNothing(this.session.state);
      if (event === 'log' || event === 'hello') this.tell();
    });
    onTheme(() => {
      for (const v of this.views) v.redraw();
    });
    document.addEventListener('keydown', (event) => {
      this.key(event);
    });
  }

  private arrange(): void {
    const names = this.caseBar.names();
    const small = names.length > 1;
    this.main.classList.toggle('together', small);
    const before = this.views;
    const keep = before.length > 1 === small ? before.filter((v) => names.includes(v.name)) : [];
    for (const v of before) if (!keep.includes(v)) v.destroy();
    for (const v of keep) v.refresh();
    this.views = names.map((n) => keep.find((v) => v.name === n) ?? new CaseView(this.session, n, small));
    this.main.replaceChildren(...(names.length > 0 ? this.views.map((v) => v.element) : [this.nothing]));
  }

  private tell(): void {
    const log = this.session.log;
    const warnings = log.filter((m) => m.level === 'warning').length;
    const open = this.messages.open;
    this.messages.hidden = log.length === 0;
    this.messages.replaceChildren(
      el('summary', { text: [[warnings, 'warning'] as const, [log.length - warnings, 'message'] as const].filter(([n]) => n > 0).map(([n, what]) => plural(n, what)).join(', ') }),
      el('ul', {}, ...log.map((m) => el('li', { class: m.level, text: m.text }))),
    );
    this.messages.open = open;
  }

  private key(event: KeyboardEvent): void {
    const at = event.target;
    const typing = at instanceof HTMLInputElement || at instanceof HTMLSelectElement || at instanceof HTMLTextAreaElement;
    if (typing || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || this.help.open) return;
    const current = (): ReturnType<CaseView['current']> => {
      const own = this.views.find((v) => v.element.contains(document.activeElement)) ?? this.views[0];
      return own?.current();
    };
    const move = (by: number): void => {
      (this.views.find((v) => v.element.contains(document.activeElement)) ?? this.views[0])?.move(by);
    };
    const keys: Record<string, () => void> = {
      ',': () => { move(-1); }, '.': () => { move(1); },
      n: () => { this.runBar.stepOnce(); }, t: toggleTheme, '?': () => { this.help.showModal(); },
      f: () => { current()?.enlarge(); }, s: () => { current()?.save(); }, a: () => { current()?.saveSoFar(); },
    };
    if (event.key === ' ' && !(at instanceof HTMLButtonElement) && !(at instanceof HTMLElement && at.tagName === 'SUMMARY')) {
      this.runBar.pauseOrResume();
      event.preventDefault();
    } else if (event.key === 'Escape') {
      document.querySelector('.panel.whole')?.querySelector<HTMLButtonElement>('button[title^="as large"]')?.click();
    } else keys[event.key]?.();
  }
}
