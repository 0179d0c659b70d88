// The cases of a folder, newest first: one at a time, or several side by side.
import type { Session } from '../protocol/session.ts';
import { check, el } from './dom.ts';

export class CaseBar {
  readonly element = el('nav', { class: 'cases', label: 'cases', hidden: true });
  /** Names of the cases that are shown; empty: the newest. */
  private chosen: string[] = [];
  private together = false;

  constructor(private readonly session: Session, private readonly changed: () => void) {
    session.listen((event) => {
      if (event === 'catalogue') this.refresh();
    });
  }

  names(): string[] {
    const all = this.session.catalogue.cases.map((c) => c.name);
    const there = this.chosen.filter((n) => all.includes(n));
    return there.length > 0 ? there : all.slice(0, 1);
  }

  private choose(name: string): void {
    const now = this.names();
    if (!this.together) this.chosen = [name];
    else if (now.includes(name)) this.chosen = now.length > 1 ? now.filter((n) => n !== name) : now;
    else this.chosen = [...now, name].slice(-4);
    this.refresh();
    this.changed();
  }

  private refresh(): void {
    const cases = this.session.catalogue.cases;
    this.element.hidden = cases.length < 2;
    const shown = this.names();
    this.element.replaceChildren(
      check('side by side', this.together, (on) => {
        this.together = on;
        if (!on) this.chosen = this.names().slice(0, 1);
        this.refresh();
        this.changed();
      }),
      ...cases.map((c) => {
        const b = el('button', { type: 'button', pressed: shown.includes(c.name), title: [c.family, c.state, c.text].filter(Boolean).join(' · ') },
          el('i', { class: 'dot' }), el('span', { text: c.name }), el('small', { text: c.family }));
        b.dataset.state = c.state;
        b.addEventListener('click', () => {
          this.choose(c.name);
        });
        return b;
      }),
    );
  }
}
