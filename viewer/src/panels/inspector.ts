// What is known about a link: in a tooltip beside the pointer, and pinned in the side panel.

import type { Display } from '../data/display';
import { jointOfLink } from '../data/robots';
import { el, onceAFrame } from '../page/dom';
import { number, shownUnit, vector } from '../page/format';
import { iconButton } from '../page/layout';
import { Section } from '../page/section';
import { recall } from '../page/store';
import type { Pointed, Stage } from '../scene/stage';
import type { Robot } from '../stream';
import { jointValues, type Value } from './coordinates';

export class Inspector {
  readonly section = new Section('Link', true);
  /** Called with the link that is inspected now. */
  onPin: (robot: number, link: number | null) => void = () => {};
  private readonly tooltip = el('div', { class: 'tooltip', role: 'tooltip', hidden: true });
  private pinned: { robot: number; link: number } | null = null;
  private hovered: { robot: number; link: number } | null = null;
  private readonly values = new Map<Robot, Map<number, Value[]>>();

  constructor(private readonly stage: Stage, private readonly display: Display) {
    this.section.element.hidden = true;
    document.body.append(this.tooltip);
    // While something is dragged, it would be in the way.
    stage.canvas.addEventListener('pointerdown', () => (this.tooltip.hidden = true));
    stage.onHover = (pointed, x, y) => this.hover(pointed, x, y);
    stage.onSelect = (pointed) => this.pin(pointed);
    const update = onceAFrame(() => this.update());
    display.changed.add(update);
  }

  get pinnedLink(): { robot: number; link: number } | null {
    return this.pinned;
  }

  pin(pointed: { robot: number; link: number } | null): void {
    this.pinned = pointed && { robot: pointed.robot, link: pointed.link };
    this.section.element.hidden = !this.pinned;
    this.update();
    this.light();
    this.onPin(this.pinned?.robot ?? 0, this.pinned?.link ?? null);
  }

  /** Highlights the link that is pointed at, or else the one that is pinned. */
  light(pointed: { robot: number; link: number } | null = null): void {
    const shown = pointed ?? this.pinned;
    this.stage.highlight(shown?.robot ?? 0, shown?.link ?? null);
  }

  private hover(pointed: Pointed | null, x: number, y: number): void {
    const changed = pointed?.robot !== this.hovered?.robot || pointed?.link !== this.hovered?.link;
    this.hovered = pointed;
    this.tooltip.hidden = !pointed;
    if (changed) this.light(pointed);
    if (!pointed) return;
    if (changed) this.tooltip.replaceChildren(this.describe(pointed.robot, pointed.link, false));
    // At the edges, the tooltip goes to the other side of the pointer.
    const { offsetWidth: width, offsetHeight: height } = this.tooltip;
    this.tooltip.style.left = `${x + 16 + width > innerWidth ? Math.max(4, x - width - 10) : x + 16}px`;
    this.tooltip.style.top = `${y + 16 + height > innerHeight ? Math.max(4, y - height - 10) : y + 16}px`;
  }

  private update(): void {
    if (this.hovered && !this.tooltip.hidden) this.tooltip.replaceChildren(this.describe(this.hovered.robot, this.hovered.link, false));
    if (!this.pinned) return;
    const close = iconButton('close', 'Close the inspector', () => this.pin(null));
    this.section.body.replaceChildren(close, this.describe(this.pinned.robot, this.pinned.link, true));
  }

  private describe(index: number, linkIndex: number, all: boolean): HTMLElement {
    const { robot } = this.stage.robots[index];
    const link = robot.links[linkIndex];
    const joint = jointOfLink(robot, linkIndex);
    const rows: [string, string][] = [['mass', `${number(link.mass)} kg`]];
    if (joint) rows.push(['joint', `${joint.name} (${joint.type})`]);
    if (joint && all) rows.push(['parent', joint.parent < 0 ? 'world' : robot.links[joint.parent].name]);
    const degrees = recall('angles') !== 'rad';
    for (const value of this.valuesOf(robot, linkIndex)) {
      const { factor, unit, digits } = shownUnit(value.unit, degrees);
      const limits = value.lower === null && value.upper === null ? '' : `  [${number(scaled(value.lower, factor), digits)}, ${number(scaled(value.upper, factor), digits)}]`;
      rows.push([value.label === joint?.name ? 'q' : value.label, `${number(value.read(this.display.q(index)) * factor, digits)} ${unit}${limits}`]);
    }
    if (all) {
      const pose = this.stage.robots[index].pose(linkIndex);
      rows.push(['position', `${vector(pose.slice(0, 3))} m`], ['quaternion', vector(pose.slice(3))], ['its CoM', `${vector(link.com)} m`]);
      rows.push(['shapes', `${link.visuals.length} visual, ${link.collisions.length} collision`]);
    }
    return el('div', { class: 'facts' }, el('strong', {}, link.name), el('dl', {}, ...rows.flatMap(([key, text]) => [el('dt', {}, key), el('dd', {}, text)])));
  }

  private valuesOf(robot: Robot, link: number): Value[] {
    let byLink = this.values.get(robot);
    if (!byLink) {
      byLink = new Map(jointValues(robot).map(({ joint, values }) => [joint.child, values]));
      this.values.set(robot, byLink);
    }
    return byLink.get(link) ?? [];
  }
}

function scaled(value: number | null, factor: number): number | null {
  return value === null ? null : value * factor;
}
