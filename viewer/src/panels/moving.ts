// Inverse kinematics by hand: a target that a frame reaches for, links that are pulled, frames that stay.

import { frameNames } from '../data/robots';
import { el, possible } from '../page/dom';
import { number } from '../page/format';
import { Section } from '../page/section';
import type { Robot } from '../stream';

export class MovingPanel {
  readonly section = new Section('Move by hand', true);
  onPulling: (on: boolean) => void = () => {};
  /** The frame and how the gizmo works, or null to hide it. */
  onTarget: (target: { frame: string; mode: 'translate' | 'rotate' } | null) => void = () => {};
  private readonly pull = el('input', { type: 'checkbox', id: 'pull-links' });
  private readonly target = el('input', { type: 'checkbox', id: 'reach-target' });
  private readonly frame: HTMLSelectElement;
  private readonly mode = el('select', { 'aria-label': 'What the gizmo changes' }, el('option', { value: 'translate' }, 'position'), el('option', { value: 'rotate' }, 'rotation'));
  private readonly left = el('output', { class: 'note' });
  private readonly pins = new Map<string, HTMLInputElement>();

  constructor(robot: Robot) {
    const names = frameNames(robot);
    this.frame = el('select', { 'aria-label': 'Frame that reaches for the target' }, ...names.map((name) => el('option', { value: name }, name)));
    // The last frame or link is most often a hand or a tool.
    this.frame.value = robot.frames.at(-1)?.name ?? names.at(-1) ?? '';
    const list = el('div', { class: 'checks' });
    for (const name of names) {
      const box = el('input', { type: 'checkbox', value: name });
      this.pins.set(name, box);
      list.append(el('label', { class: 'check' }, box, name));
    }
    const pinned = el('details', { class: 'inner' }, el('summary', {}, 'Pinned: none'), list);
    list.addEventListener('change', () => {
      const count = this.pinned.length;
      pinned.querySelector('summary')!.textContent = `Pinned: ${count === 0 ? 'none' : this.pinned.join(', ')}`;
    });
    this.pull.addEventListener('change', () => this.onPulling(this.pull.checked));
    for (const control of [this.target, this.frame, this.mode]) control.addEventListener('change', () => this.retarget());
    this.section.body.append(
      el('label', { class: 'check' }, this.pull, 'Pull links with the mouse'),
      el('label', { class: 'check' }, this.target, 'Target to reach for'),
      el('div', { class: 'tools' }, this.frame, this.mode),
      this.left,
      pinned,
    );
  }

  get pinned(): string[] {
    return [...this.pins].filter(([, box]) => box.checked).map(([name]) => name);
  }

  setPossible(can: { pull: boolean; reach: boolean }, why: string): void {
    possible(this.pull, can.pull, why);
    for (const control of [this.target, this.frame, this.mode]) possible(control, can.reach, why);
    for (const box of this.pins.values()) possible(box, can.pull || can.reach, why);
  }

  /** Sets the box and tells the stage. */
  setPulling(on: boolean): void {
    this.pull.checked = on;
    this.onPulling(on);
  }

  say(answer: { distance: number; angle?: number; solved?: boolean } | string): void {
    this.left.classList.toggle('wrong', typeof answer === 'string' || answer.solved === false);
    if (typeof answer === 'string') this.left.textContent = answer;
    else {
      const angle = answer.angle === undefined ? '' : `, ${number((answer.angle * 180) / Math.PI, 2)}°`;
      this.left.textContent = `Left: ${number(1000 * answer.distance, 2)} mm${angle}${answer.solved === false ? ' (out of reach)' : ''}`;
    }
  }

  private retarget(): void {
    this.left.textContent = '';
    this.onTarget(this.target.checked ? { frame: this.frame.value, mode: this.mode.value as 'translate' | 'rotate' } : null);
  }
}
