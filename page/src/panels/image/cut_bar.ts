// Which cut of a volume is shown: a choice of its normal and a slider along it.
import { cellsOf, cutAxes, originOf, spacingOf, isVolume } from '../../draw/geometry.ts';
import { show, unit } from '../../draw/numbers.ts';
import type { ArrayInfo } from '../../protocol/types.ts';
import { el, select } from '../../ui/dom.ts';

export class CutBar {
  readonly element = el('div', { class: 'cut', hidden: true });
  axis: 0 | 1 | 2 = 2;
  index = 0;
  private readonly slider = el('input', { type: 'range', min: '0', step: '1', label: 'place of the cut' });
  private readonly words = el('output');

  constructor(private array: ArrayInfo, private readonly changed: () => void) {
    this.slider.addEventListener('input', () => {
      this.index = this.slider.valueAsNumber;
      this.tell();
      this.changed();
    });
    this.turnTo(array);
  }

  /** Another array: the cut that it names, else the middle one of the first axis that has one. */
  turnTo(array: ArrayInfo): void {
    this.array = array;
    this.axis = cutAxes(array)[0] ?? 2;
    this.index = Math.floor((cellsOf(array)[this.axis] ?? 1) / 2);
    const first = array.cut;
    if (first && isVolume(array)) {
      this.axis = first[0] === 0 ? 0 : first[0] === 1 ? 1 : 2;
      this.index = first[1];
    }
    this.element.hidden = !isVolume(array);
    const names = array.axes ?? ['x', 'y', 'z'];
    const choices = ([0, 1, 2] as const).map((a) => ({ value: String(a), text: `cut across ${names[a] ?? ''}` }));
    const axes = select('normal of the cut', choices, String(this.axis), (v) => {
      this.axis = v === '0' ? 0 : v === '1' ? 1 : 2;
      this.index = Math.floor((cellsOf(this.array)[this.axis] ?? 1) / 2);
      this.tell();
      this.changed();
    });
    this.element.replaceChildren(axes, this.slider, this.words);
    this.tell();
  }

  step(by: number): void {
    const n = cellsOf(this.array)[this.axis] ?? 1;
    const index = Math.min(n - 1, Math.max(0, this.index + by));
    if (index === this.index) return;
    this.index = index;
    this.tell();
    this.changed();
  }

  /** Where the cut is along its normal, in the array's unit of length. */
  get place(): number {
    return (originOf(this.array)[this.axis] ?? 0) + (this.index + 0.5) * (spacingOf(this.array)[this.axis] ?? 1);
  }

  private tell(): void {
    this.slider.max = String((cellsOf(this.array)[this.axis] ?? 1) - 1);
    this.slider.value = String(this.index);
    const at = this.place;
    this.words.textContent = `${this.array.axes?.[this.axis] ?? ''} ${show(at)} ${unit(this.array.length_unit ?? '')}`;
  }
}
