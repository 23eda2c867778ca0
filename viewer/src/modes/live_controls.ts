// Pause, step and speed of a live run, and what the server says about it.

import { el, possible } from '../page/dom';
import { seconds } from '../page/format';
import { icon } from '../page/icons';
import type { Status } from '../stream';
import { ability, type Context } from './context';

const SPEEDS: [number, string][] = [[0.1, '0.1×'], [0.2, '0.2×'], [0.5, '0.5×'], [1, '1×'], [2, '2×'], [4, '4×'], [0, 'max']];

export class LiveControls {
  readonly element: HTMLElement;
  private readonly pause = el('button', { type: 'button', title: 'Pause or continue the computation (space)', onclick: () => this.toggle() }, 'Pause');
  private readonly stepButton = el('button', { type: 'button', title: 'One step of the computation', onclick: () => this.context.connection?.command({ do: 'step' }) }, 'Step');
  private readonly speed = el('select', { 'aria-label': 'Speed of the computation', title: 'Simulated seconds per second; max: as fast as possible' }, ...SPEEDS.map(([value, text]) => el('option', { value }, text)));
  private readonly newest: HTMLButtonElement;
  private readonly text = el('span', { class: 'live-text', role: 'status' }, 'Connecting …');
  private status: Status | null = null;

  constructor(private readonly context: Context, follow: () => void) {
    this.newest = el('button', { type: 'button', class: 'newest', title: 'Show the newest frame', 'aria-pressed': 'true', onclick: follow }, icon('last'), 'Live');
    this.speed.value = '1';
    this.speed.addEventListener('change', () => context.connection?.command({ do: 'speed', factor: Number(this.speed.value) }));
    this.element = el('div', { class: 'live-controls', role: 'group', 'aria-label': 'Live run' }, this.pause, this.stepButton, this.speed, this.newest, this.text);
    context.connection?.states.add(() => this.allow());
    this.allow();
  }

  toggle(): void {
    if (!this.pause.disabled) this.context.connection?.command({ do: this.status?.status === 'paused' ? 'resume' : 'pause' });
  }

  setFollowing(on: boolean): void {
    this.newest.setAttribute('aria-pressed', String(on));
  }

  show(status: Status, skipped: number): void {
    this.status = status;
    this.pause.textContent = status.status === 'paused' ? 'Resume' : 'Pause';
    if (SPEEDS.some(([value]) => value === status.speed)) this.speed.value = String(status.speed);
    // Why a run has failed is said above the stage, in full.
    const text = status.text && status.status !== 'failed' ? `: ${status.text}` : '';
    const left = skipped ? ` ${skipped} frames were left out.` : '';
    this.text.textContent = `${status.status} at ${seconds(status.time)}${text}${left}`;
    this.text.dataset.status = status.status;
    this.allow();
  }

  private allow(): void {
    const over = this.status?.status === 'finished' || this.status?.status === 'failed';
    const check = (control: HTMLButtonElement | HTMLSelectElement, name: string, also = true, otherwise = ''): void => {
      const { can, why } = over ? { can: false, why: 'The run is over; the timeline replays it' } : ability(this.context, name);
      possible(control, can && also, can ? otherwise : why);
    };
    check(this.pause, 'pause');
    check(this.stepButton, 'step', this.status?.status === 'paused', 'Pause first');
    check(this.speed, 'speed');
  }
}
