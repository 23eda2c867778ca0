// A message instead of the page, or above it.

import { el } from './dom';

export function showFailure(heading: string, text: string): void {
  const app = document.getElementById('app')!;
  app.className = 'failure';
  app.replaceChildren(el('main', { role: 'alert' }, el('h1', {}, heading), el('p', {}, text)));
}

/** A line above the stage; without a text it disappears. */
export class Banner {
  readonly element = el('div', { class: 'banner', role: 'status', hidden: true });

  show(text: string, severity: 'info' | 'error' = 'error'): void {
    this.element.textContent = text;
    this.element.dataset.severity = severity;
    this.element.hidden = text === '';
  }
}
