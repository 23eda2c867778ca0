// The tree of signals and columns, with a search.

import { el } from '../page/dom';
import { Section } from '../page/section';
import type { LiveRun, Signal } from '../stream';
import type { Choice } from './choice';

export class SignalsPanel {
  readonly section = new Section('Signals', true);
  private readonly boxes = new Map<string, HTMLInputElement[]>();
  private readonly tree = el('div', { class: 'tree' });

  constructor(run: LiveRun, private readonly changed: (choice: Choice) => void) {
    const search = el('input', { type: 'search', placeholder: 'Search signals', 'aria-label': 'Search signals' });
    search.addEventListener('input', () => this.search(search.value.trim().toLowerCase()));
    for (const signal of run.signals) this.tree.append(this.branch(signal));
    this.section.body.append(el('div', { class: 'tools' }, search), this.tree);
  }

  set(choice: Choice): void {
    for (const [signal, boxes] of this.boxes) {
      const chosen = choice.get(signal);
      boxes.forEach((box, i) => (box.checked = chosen?.has(i) ?? false));
      this.count(signal);
    }
  }

  private branch(signal: Signal): HTMLElement {
    const boxes = signal.columns.map((column) => el('input', { type: 'checkbox', 'aria-label': `${signal.name} ${column.name}`, 'data-signal': signal.name, 'data-column': column.name }));
    this.boxes.set(signal.name, boxes);
    const all = el('button', { type: 'button', class: 'small', title: `All columns of ${signal.name}, or none` }, 'all');
    all.addEventListener('click', (event) => {
      event.preventDefault();
      const on = !boxes.every((box) => box.checked);
      for (const box of boxes) if (!on || !box.parentElement!.hidden) box.checked = on;
      this.emit(signal.name);
    });
    const rows = signal.columns.map((column, i) => el('label', { class: 'check' }, boxes[i], column.name, el('span', { class: 'unit' }, column.unit)));
    const branch = el('details', { class: 'inner', 'data-signal': signal.name }, el('summary', {}, el('span', {}, signal.name), el('span', { class: 'count' }), all), el('div', { class: 'checks' }, ...rows));
    branch.addEventListener('change', () => this.emit(signal.name));
    return branch;
  }

  private emit(signal: string): void {
    this.count(signal);
    const choice: Choice = new Map();
    for (const [name, boxes] of this.boxes) {
      const chosen = boxes.flatMap((box, i) => (box.checked ? [i] : []));
      if (chosen.length) choice.set(name, new Set(chosen));
    }
    this.changed(choice);
  }

  private count(signal: string): void {
    const boxes = this.boxes.get(signal)!;
    const count = boxes.filter((box) => box.checked).length;
    const branch = this.tree.querySelector(`details[data-signal="${CSS.escape(signal)}"]`);
    branch!.querySelector('.count')!.textContent = `${count || '–'} / ${boxes.length}`;
  }

  private search(text: string): void {
    for (const branch of this.tree.querySelectorAll<HTMLDetailsElement>('details')) {
      const whole = branch.dataset.signal!.toLowerCase().includes(text);
      let any = whole;
      for (const label of branch.querySelectorAll<HTMLElement>('label')) {
        const found = whole || label.textContent!.toLowerCase().includes(text);
        label.hidden = !found;
        any ||= found;
      }
      branch.hidden = !any;
      if (text) branch.open = any && !whole;
    }
  }
}
