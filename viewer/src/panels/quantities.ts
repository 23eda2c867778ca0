// Quantities of the state that is shown; the server computes them while the panel is open.

import { Newest } from '../data/connection';
import type { Context } from '../modes/context';
import { el, throttled } from '../page/dom';
import { number, vector } from '../page/format';
import { Section } from '../page/section';
import type { StageRobot } from '../scene/stage';
import type { Quantities } from '../stream';
import { MatrixView } from './matrix';

const INTERVAL = 100;

export class QuantitiesPanel {
  readonly section = new Section('Quantities', false);
  private readonly facts = el('dl', { class: 'facts' });
  private readonly table = el('tbody');
  private readonly M: MatrixView;
  private readonly C: MatrixView;
  private readonly note = el('p', { class: 'note', role: 'status' });
  private readonly figure: StageRobot;
  private supports = false;

  /** `index` counts robots of the stage, `robotIndex` those of the scene. */
  constructor({ scene, source, stage, display, connection }: Context, index: number, robotIndex: number) {
    this.figure = stage.robots[index];
    const names = this.figure.robot.velocities.map(({ name }) => name);
    this.M = new MatrixView('M', 'mass matrix', names);
    this.C = new MatrixView('C', 'Coriolis matrix', names);
    if (!connection || !scene.can.includes('quantities')) {
      this.section.body.append(el('p', { class: 'empty' }, source.saved ? 'This page was saved: there is no server that could compute them.' : 'The server does not compute them here.'));
      return;
    }
    const head = el('tr', {}, el('th', {}, 'coordinate'), el('th', { title: 'generalized gravity forces' }, 'g'), el('th', { title: 'bias forces: Coriolis, centrifugal and gravity' }, 'h'), el('th', {}, ''));
    const forces = el('details', { class: 'inner' }, el('summary', {}, 'g, h: generalized forces'), el('table', {}, el('thead', {}, head), this.table));
    this.section.body.append(this.note, this.facts, this.M.element, this.C.element, forces);
    const newest = new Newest<Quantities>(connection, (answer) => this.show(answer), (text) => (this.note.textContent = text));
    // Recorded contacts tell their support polygon themselves.
    this.supports = scene.mode === 'pose';
    const wanted = (): boolean => this.section.open || (this.supports && stage.shown('support'));
    const ask = throttled(INTERVAL, () => {
      if (wanted() && connection.open)
        newest.ask(() => ({ ask: 'quantities', robot: robotIndex, q: Array.from(display.q(index)), v: Array.from(display.v(index)), ground: this.figure.ground }));
    });
    display.changed.add((changed) => changed === index && wanted() && ask());
    this.section.onOpen(ask);
    connection.states.add(({ open }) => open && ask());
  }

  private show(q: Quantities): void {
    this.note.textContent = '';
    const facts: [string, string][] = [
      ['mass', `${number(this.figure.robot.mass)} kg`],
      ['kinetic', `${number(q.kinetic)} J`],
      ['potential', `${number(q.potential)} J`],
      ['total', `${number(q.kinetic + q.potential)} J`],
      ['CoM', `${vector(q.com)} m`],
      ['its velocity', `${vector(q.com_velocity)} m/s`],
      ['momentum', `${vector(q.momentum.slice(0, 3))} N s`],
      ['angular', `${vector(q.momentum.slice(3))} N m s`],
    ];
    this.facts.replaceChildren(...facts.flatMap(([key, text]) => [el('dt', {}, key), el('dd', {}, text)]));
    this.M.show(q.M);
    this.C.show(q.C);
    this.table.replaceChildren(
      ...this.figure.robot.velocities.map(({ name, effort_unit }, i) => el('tr', {}, el('th', { scope: 'row', title: name }, name), el('td', {}, number(q.g[i])), el('td', {}, number(q.h[i])), el('td', { class: 'unit' }, effort_unit))),
    );
    if (this.supports) this.figure.setSupport(q.support.length > 2 ? q.support : null);
  }
}
