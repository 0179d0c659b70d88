// The steps of a scale of colours in three dimensions, as those of a cut: linear, square root or logarithmic.
import type { Stretch } from '../../draw/field_shader.ts';
import { iconButton, popover, select, setting } from '../../ui/dom.ts';
import { STRETCHES } from '../image/settings.ts';

/** What a column at the corners of surfaces is, by its name: |E| is a size, a lost power a square of one, a potential neither. */
export function roleOfColumn(name: string): string {
  if (/power|loss|²|\^2|squared/.test(name)) return 'intensity';
  return /^\|.*\||magnitude/.test(name) ? 'magnitude' : 'component';
}

export class ScaleSteps {
  stretch: Stretch = 'linear';
  readonly tool: HTMLElement;
  private of = '';
  private chosen = false;

  constructor(changed: () => void) {
    this.tool = popover(iconButton('settings', 'steps of the scale', () => undefined), () => [
      setting('Steps', select<Stretch>('steps of the scale', STRETCHES, this.stretch, (v) => {
        this.stretch = v;
        this.chosen = true;
        changed();
      })),
    ]);
    this.tool.hidden = true;
  }

  /** Once for each quantity, unless the reader chose. */
  begin(quantity: string, first: () => Stretch): void {
    if (quantity === this.of) return;
    this.of = quantity;
    if (!this.chosen) this.stretch = first();
  }
}
