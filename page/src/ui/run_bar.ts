// The head of the page: what runs, how far it is, and the buttons that hold and end it.
import { counted, duration, show, unit } from '../draw/numbers.ts';
import type { Session } from '../protocol/session.ts';
import type { CommandName } from '../protocol/types.ts';
import { el, iconButton, setIcon } from './dom.ts';
import { toggleTheme } from './theme.ts';

const WORDS: Record<string, string> = {
  preparing: 'preparing', running: 'running', paused: 'paused', stopping: 'stopping', finished: 'finished', failed: 'failed',
  following: 'following the folder',
};

/** "8.0e-06 -> 1e-05" as the rest of the page writes it. */
function plain(measure: string): string {
  return measure.replace(/e([+-])0(\d)/g, 'e$1$2').replace(/->/g, '→');
}

export class RunBar {
  readonly element: HTMLElement;
  private readonly title = el('h1', { text: 'umov' });
  private readonly chip = el('span', { class: 'chip-state', role: 'status' });
  private readonly words = el('span', { class: 'progress-words' });
  private readonly bar = el('progress', { hidden: true, label: 'progress of the run' });
  private readonly problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  private readonly pause: HTMLButtonElement;
  private readonly step: HTMLButtonElement;
  private readonly steps = el('input', { type: 'number', min: '1', step: '1', value: '1', label: 'steps at a time', title: 'steps at a time' });
  private readonly keep: HTMLButtonElement;
  private readonly stop: HTMLButtonElement;
  private readonly controls: HTMLElement;
  private armed = 0;

  constructor(private readonly session: Session, help: () => void) {
    this.pause = iconButton('pause', 'pause (space)', () => {
      this.pauseOrResume();
    });
    this.step = iconButton('step', 'step (n)', () => {
      this.stepOnce();
    });
    this.keep = iconButton('keep', 'save the state, so that the run can be resumed from here', () => {
      this.send('save');
    });
    this.stop = iconButton('stop', 'stop the run', () => {
      this.stopAfterSecond();
    });
    this.controls = el('div', { class: 'controls', hidden: true }, this.pause, this.step, this.steps, this.keep, this.stop);
    const theme = iconButton('theme', 'light or dark (t)', toggleTheme);
    const question = el('button', { type: 'button', class: 'icon', text: '?', title: 'keys (?)', label: 'keys' });
    question.addEventListener('click', help);
    this.element = el('header', { class: 'run' }, this.title, this.chip, this.words, el('span', { class: 'space' }), this.controls, theme, question,
      this.bar, this.problem);
    session.listen(() => {
      this.refresh();
    });
    this.refresh();
  }

  private send(name: CommandName, keys: object = {}): void {
    this.session.command(name, keys).catch((e: unknown) => {
      this.tell(e instanceof Error ? e.message : String(e));
    });
  }
  private tell(text: string): void {
    this.problem.textContent = text;
    this.problem.hidden = text === '';
  }

  pauseOrResume(): void {
    if (!this.session.can('pause')) return;
    this.tell('');
    this.send(this.session.state?.state === 'paused' ? 'resume' : 'pause');
  }
  stepOnce(): void {
    if (!this.session.can('step')) return;
    this.tell('');
    this.send('step', { n: Math.max(1, Math.round(this.steps.valueAsNumber || 1)) });
  }

  /** The first press arms the button for three seconds: a run of days should not end by a slip. */
  private stopAfterSecond(): void {
    if (this.armed) {
      this.disarm();
      this.send('stop');
      return;
    }
    this.stop.classList.add('armed');
    this.stop.append(el('span', { text: 'really?' }));
    this.armed = window.setTimeout(() => {
      this.disarm();
    }, 3000);
  }
  private disarm(): void {
    window.clearTimeout(this.armed);
    this.armed = 0;
    this.stop.classList.remove('armed');
    this.stop.querySelector('span')?.remove();
  }

  private refresh(): void {
    const { hello, state, line } = this.session;
    this.title.textContent = hello?.title ?? 'umov';
    this.title.title = hello?.program ?? '';
    document.title = hello?.title ? `${hello.title} – umov` : 'umov';
    const lost = line !== 'open';
    const name = lost ? line : (state?.state ?? 'preparing');
    this.element.dataset.state = name;
    this.chip.dataset.state = name;
    this.chip.textContent = lost ? (line === 'connecting' ? 'connecting' : 'connection lost') : (WORDS[name] ?? name);
    const live = ['preparing', 'running', 'paused', 'stopping'].includes(state?.state ?? '');
    this.controls.hidden = !live || !(hello?.commands.includes('pause') ?? false);
    setIcon(this.pause, state?.state === 'paused' ? 'play' : 'pause', state?.state === 'paused' ? 'resume (space)' : 'pause (space)');
    this.keep.hidden = !(hello?.commands.includes('save') ?? false);
    for (const b of [this.pause, this.step, this.keep, this.stop]) b.disabled = lost;
    this.progress();
    if (lost) this.lost();
    else if (state?.state === 'failed') this.tell(state.text);
    else if (this.problem.dataset.of === 'line') this.tell('');
    this.problem.dataset.of = lost ? 'line' : '';
  }

  private lost(): void {
    const { line, wait } = this.session;
    if (line === 'connecting') return;
    const refused = 'The program does not answer: it may have ended, or its address changed. The page goes on trying.';
    this.tell(line === 'refused' ? refused : `The line dropped${wait > 0 ? `; next try in ${wait.toFixed(1)} s` : ', trying again'}.`);
  }

  private progress(): void {
    const s = this.session.state;
    if (!s) return;
    const words: string[] = [];
    if (s.stage) words.push(s.stage);
    const counts = s.counts ?? 'step';
    if (s.step > 0) words.push(`${counts} ${counted(s.step)}${s.limit ? ` of ${s.fixed ? '' : 'at most '}${counted(s.limit)}` : ''}`);
    if (s.time) words.push(`t = ${show(s.time)} ${unit(s.time_unit)}`);
    if (s.measure) words.push(plain(s.measure));
    if (s.state === 'running' && s.rate) words.push(`${show(s.rate)} ${counts}s/s`);
    if (s.state === 'running' && s.left !== null) words.push(`${s.fixed || typeof s.fraction === 'number' ? '' : 'at most '}${duration(s.left)} left`);
    if (s.state === 'finished' && s.text) words.push(s.text);
    this.words.replaceChildren(...words.map((w) => el('span', { text: w })));
    const done = s.fraction ?? (s.limit ? s.step / s.limit : null);
    this.bar.hidden = done === null || s.state === 'finished';
    if (done !== null) this.bar.value = Math.min(1, done);
    this.element.dataset.step = String(s.step);
  }
}
