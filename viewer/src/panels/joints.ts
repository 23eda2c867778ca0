// The sliders of a robot's joints.

import { el } from '../page/dom';
import { Section } from '../page/section';
import { recall, remember } from '../page/store';
import type { Robot } from '../stream';
import { jointValues } from './coordinates';
import { SliderRow } from './slider';

/** A filter is offered where a robot has more joints than this. */
const MANY_JOINTS = 8;

export class JointsPanel {
  readonly section = new Section('Joints', true);
  /** The pointer or the focus is at a joint that moves this link. */
  onPoint: (link: number | null) => void = () => {};
  private readonly rows = new Map<string, SliderRow>();
  private readonly links = new Map<string, number>();
  private readonly groups = new Map<number, HTMLElement>();
  private readonly list = el('div', { class: 'joints' });
  private q: number[] = [];

  /** `change` receives a new configuration, and the link that the changed joint moves. */
  constructor(robot: Robot, private readonly change: (q: number[], link: number) => void) {
    const joints = jointValues(robot);
    for (const { joint, values } of joints) {
      const single = values.length === 1;
      const heading = single ? null : el('div', { class: 'joint-name' }, joint.name, el('span', {}, joint.type));
      const group = el('div', { class: 'joint', 'data-joint': joint.name }, heading);
      for (const value of values) {
        const row = new SliderRow(value, single ? joint.name : value.label, (x) => this.set(value.name, x));
        this.rows.set(value.name, row);
        this.links.set(value.name, joint.child);
        group.append(row.element);
      }
      group.addEventListener('pointerenter', () => this.onPoint(joint.child));
      group.addEventListener('pointerleave', () => this.onPoint(null));
      this.groups.set(joint.child, group);
      this.list.append(group);
    }
    this.section.setBadge(`${robot.nq} in q`);
    this.section.body.append(this.tools(joints.length), this.list);
    if (!joints.length) this.list.append(el('p', { class: 'empty' }, 'This robot has no joints that move.'));
  }

  /** Throws if there is no such coordinate, or if it follows another. */
  set(name: string, value: number): void {
    const row = this.rows.get(name);
    if (!row) throw new Error(`no coordinate '${name}'; coordinates: ${[...this.rows.keys()].join(', ')}`);
    if (row.value.follows !== null) throw new Error(`'${name}' follows '${row.value.follows}'`);
    const q = this.q.slice();
    row.value.write(q, value);
    this.change(q, this.links.get(name)!);
  }

  show(q: ArrayLike<number>): void {
    this.q = Array.from(q);
    for (const row of this.rows.values()) row.show(row.value.read(this.q));
  }

  /** Marks the joint that moves a link and scrolls to it. */
  mark(link: number | null): void {
    for (const [child, group] of this.groups) group.classList.toggle('marked', child === link);
    const group = link === null ? undefined : this.groups.get(link);
    if (!group) return;
    this.section.open = true;
    const smooth = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    group.scrollIntoView({ block: 'nearest', behavior: smooth ? 'smooth' : 'auto' });
  }

  private tools(joints: number): HTMLElement {
    const unit = el('select', { 'aria-label': 'Unit of angles', title: 'Unit of angles' }, el('option', { value: 'deg' }, 'degrees'), el('option', { value: 'rad' }, 'radians'));
    unit.value = recall('angles') === 'rad' ? 'rad' : 'deg';
    const apply = (): void => {
      for (const row of this.rows.values()) row.setDegrees(unit.value === 'deg');
    };
    unit.addEventListener('change', () => {
      remember('angles', unit.value);
      apply();
    });
    apply();
    const filter = el('input', { type: 'search', placeholder: 'Filter joints', 'aria-label': 'Filter joints', hidden: joints <= MANY_JOINTS });
    filter.addEventListener('input', () => {
      const text = filter.value.trim().toLowerCase();
      for (const group of this.groups.values()) group.hidden = !group.dataset.joint!.toLowerCase().includes(text);
    });
    return el('div', { class: 'tools' }, filter, unit);
  }
}
