// A part of the side panel that opens and closes.

import { el } from './dom';

export class Section {
  readonly element: HTMLDetailsElement;
  readonly body = el('div', { class: 'section-body' });
  private readonly badge = el('span', { class: 'badge', hidden: true });

  constructor(heading: string, open: boolean, ...children: (Node | string)[]) {
    this.element = el('details', { class: 'section', open, 'data-section': heading.toLowerCase() }, el('summary', {}, el('span', {}, heading), this.badge), this.body);
    this.body.append(...children);
  }

  get open(): boolean {
    return this.element.open && !this.element.hidden;
  }

  set open(is: boolean) {
    this.element.open = is;
  }

  onOpen(call: () => void): void {
    this.element.addEventListener('toggle', () => this.element.open && call());
  }

  setBadge(text: string): void {
    this.badge.textContent = text;
    this.badge.hidden = text === '';
  }
}
