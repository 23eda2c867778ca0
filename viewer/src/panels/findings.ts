// What `lissom check` says about the robot's file, warnings of runs, and notes of the stage.

import { el } from '../page/dom';
import { Section } from '../page/section';

export interface Finding {
  severity: string;
  text: string;
}

export class FindingsPanel {
  readonly section = new Section('Findings', false);
  private readonly list = el('ul', { class: 'findings' });
  private readonly findings: Finding[] = [];

  constructor() {
    this.section.body.append(this.list);
    this.render();
  }

  add(findings: Finding[]): void {
    this.findings.push(...findings);
    this.render();
  }

  private render(): void {
    const serious = this.findings.filter(({ severity }) => severity === 'error').length;
    this.section.setBadge(this.findings.length ? String(this.findings.length) : '');
    this.section.element.classList.toggle('serious', serious > 0);
    const items = this.findings.map(({ severity, text }) => el('li', { 'data-severity': severity }, el('b', {}, severity), ` ${text}`));
    this.list.replaceChildren(...(items.length ? items : [el('li', { class: 'empty' }, 'Nothing was found.')]));
  }
}
