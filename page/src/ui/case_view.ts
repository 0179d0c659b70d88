// The panels of one case, and how they come back after a new generation of the catalogue.
import { isBackground } from '../panels/first_field.ts';
import { layout, NUMBERS, type Shown } from '../panels/layout.ts';
import { Panel } from '../panels/panel.ts';
import type { Session } from '../protocol/session.ts';
import type { ArrayInfo } from '../protocol/types.ts';
import { el, iconButton } from './dom.ts';
import { TimeBar } from './time_bar.ts';

export class CaseView {
  readonly element = el('section', { class: 'case' });
  private readonly grid = el('div', { class: 'grid' });
  private readonly title = el('h2');
  private panels: Panel[] = [];
  private readonly waiting = el('p', { class: 'waiting', text: 'nothing to show yet' });
  private touched = false;
  private readonly time: TimeBar;

  constructor(private readonly session: Session, readonly name: string, private readonly small: boolean) {
    const add = iconButton('add', 'another panel', () => {
      this.touched = true;
      const next = this.unseen();
      if (next) this.add({ name: next.name, solid: false, large: false });
    });
    this.time = new TimeBar(this.session, () => this.id);
    this.element.append(el('div', { class: 'head' }, this.title, add), this.time.element, this.grid);
    this.refresh();
  }

  private get id(): number {
    return this.session.catalogue.cases.find((c) => c.name === this.name)?.case ?? -1;
  }
  private arrays(): ArrayInfo[] {
    return this.session.catalogue.arrays.filter((a) => a.case === this.id);
  }
  private unseen(): ArrayInfo | undefined {
    const all = this.arrays();
    return all.find((a) => !this.panels.some((p) => p.shown.name === a.name)) ?? all[0];
  }

  private add(shown: Shown): void {
    const panel = new Panel(this.session, () => this.id, shown, (p) => {
      this.touched = true;
      p.destroy();
      this.panels = this.panels.filter((q) => q !== p);
    });
    this.panels.push(panel);
    this.grid.append(panel.element);
  }

  /** The catalogue changed. Until the reader arranges panels, what appears later gets one, too. */
  refresh(): void {
    const info = this.session.catalogue.cases.find((c) => c.name === this.name);
    this.title.textContent = info ? `${info.name}${info.family ? ` · ${info.family}` : ''}` : this.name;
    this.title.title = info?.text ?? '';
    this.time.refresh();
    for (const panel of [...this.panels]) {
      if (panel.refresh()) continue;
      panel.destroy();
      this.panels = this.panels.filter((p) => p !== panel);
    }
    if (!this.touched) {
      const first = layout(this.arrays(), this.small);
      this.uncover(first.find((s) => s.large)?.name);
      for (const shown of first) {
        const there = this.panels.some((p) => p.shown.name === shown.name
          && ((p.shown.solid === shown.solid && p.shown.table === shown.table && p.shown.over === shown.over) || shown.name === NUMBERS));
        if (!there && this.room(shown)) this.add(shown);
      }
    }
    if (this.panels.length === 0) this.grid.append(this.waiting);
    else this.waiting.remove();
  }

  /** A model that was shown before there was a field gives way to it. */
  private uncover(field: string | undefined): void {
    const panel = this.panels.find((p) => p.shown.large && !p.chosen);
    const array = (name: string | undefined): ArrayInfo | undefined => this.arrays().find((a) => a.name === name);
    const [old, next] = [array(panel?.shown.name), array(field)];
    if (old && next?.kind === 'field' && isBackground(old) && !isBackground(next)) panel?.turnTo(next.name);
  }

  /** One large panel; of the rest no more than the layout knows. */
  private room(shown: Shown): boolean {
    if (shown.large && this.panels.some((p) => p.shown.large)) return false;
    return this.panels.length < 6;
  }

  redraw(): void {
    for (const panel of this.panels) panel.redraw();
  }
  /** The panel that has the keyboard, or the first. */
  current(): Panel | undefined {
    return this.panels.find((p) => p.element.contains(document.activeElement)) ?? this.panels[0];
  }
  /** Earlier or later by so many instants. */
  move(by: number): void {
    this.time.move(by);
  }
  destroy(): void {
    this.time.destroy();
    for (const panel of this.panels) panel.destroy();
    this.element.remove();
  }
}
