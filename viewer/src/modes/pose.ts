// The mode in which robots are posed.

import { Newest } from '../data/connection';
import { transform } from '../data/poses';
import { framePose } from '../data/robots';
import { el } from '../page/dom';
import { JointsPanel } from '../panels/joints';
import { MovingPanel } from '../panels/moving';
import { QuantitiesPanel } from '../panels/quantities';
import { StatePanel } from '../panels/state';
import type { Pointed } from '../scene/stage';
import type { Pose, Vec3 } from '../stream';
import { ability, type Context, type Mode } from './context';

export function poseMode(context: Context): Mode {
  const { scene, stage, inspector } = context;
  const robots = scene.robots.map((_, index) => new PosedRobot(context, index));
  let active = robots[0];
  const show = (index: number): void => {
    active.leave();
    active = robots[index];
    robots.forEach((robot) => (robot.element.hidden = robot !== active));
    active.enter();
  };
  const choice = el('select', { 'aria-label': 'Robot' }, ...scene.robots.map((robot, i) => el('option', { value: i }, robot.name)));
  choice.addEventListener('change', () => show(Number(choice.value)));
  stage.onPull = (phase, pointed, to) => robots[pointed.robot].pull(phase, pointed, to);
  stage.onGizmo = (pose) => active.reach(pose);
  inspector.onPin = (robot, link) => robots.forEach((r, i) => r.joints.mark(i === robot ? link : null));
  show(0);
  return {
    sections: [...(robots.length > 1 ? [el('div', { class: 'tools padded' }, 'Robot', choice)] : []), ...robots.map(({ element }) => element)],
    bindings: [{ keys: [], shown: '← → Home End', text: 'On a slider: smaller, larger, limits; with shift, ten times as far', run: () => {} }],
    time: () => 0,
    // A picture of a robot is a video of one frame.
    seek: () => {},
    setCoordinate: (name, value) => active.joints.set(name, value),
    plots: () => [],
  };
}

class PosedRobot {
  readonly element = el('div');
  readonly joints: JointsPanel;
  private readonly state: StatePanel;
  private readonly moving: MovingPanel;
  private readonly puller: Newest<{ q: number[]; distance: number }> | null = null;
  private readonly closer: Newest<{ q: number[] }> | null = null;
  private readonly reacher: Newest<{ q: number[]; solved: boolean; distance: number; angle: number }> | null = null;
  private pulled: { pointed: Pointed; to: Vec3 } | null = null;
  private target: { frame: string; mode: 'translate' | 'rotate' } | null = null;
  private first = true;

  constructor(private readonly context: Context, private readonly index: number) {
    const { scene, display, stage, connection, inspector } = context;
    const robot = scene.robots[index];
    const set = (q: number[], v?: number[]): void => display.set(index, q, v);
    this.joints = new JointsPanel(robot, (q, link) => {
      set(q);
      if (robot.loops.length) this.close(link);
    });
    this.joints.onPoint = (link) => inspector.light(link === null ? null : { robot: index, link });
    const present = () => ({ q: Array.from(display.q(index)), v: Array.from(display.v(index)) });
    const random = (): void => void connection?.ask({ ask: 'random', robot: index }).then(({ q }) => set(q as number[]), this.failed);
    this.state = new StatePanel(robot, present, ({ q, v }) => set(q, v), { random });
    this.moving = new MovingPanel(robot);
    this.moving.onPulling = (on) => (stage.pulling = on);
    this.moving.onTarget = (target) => this.aim(target);
    const quantities = new QuantitiesPanel(context, index, index);
    this.element.append(...[this.joints, this.state, this.moving, quantities].map(({ section }) => section.element));
    display.changed.add((changed) => changed === index && this.joints.show(display.q(index)));
    this.joints.show(display.q(index));
    if (connection) {
      this.puller = new Newest(connection, (answer) => this.moved(answer), this.failed);
      let closed = Array.from(display.q(index));
      this.closer = new Newest(connection, ({ q }) => display.set(index, (closed = q)), (error) => {
        display.set(index, closed);
        this.failed(error);
      });
      this.reacher = new Newest(connection, (answer) => this.moved(answer), this.failed);
      connection.states.add(() => this.allow());
    }
    this.allow();
  }

  enter(): void {
    this.aim(this.target);
  }

  leave(): void {
    this.context.stage.setGizmo(null);
  }

  pull(phase: 'start' | 'move' | 'end', pointed: Pointed, to: Vec3): void {
    this.pulled = phase === 'end' ? null : { pointed, to };
    this.band();
    if (phase !== 'move') return;
    const { point } = pointed;
    const link = this.context.scene.robots[this.index].links[pointed.link].name;
    this.puller?.ask(() => ({ ask: 'pull', robot: this.index, q: Array.from(this.context.display.q(this.index)), link, point, to, pinned: this.moving.pinned }));
  }

  reach(pose: Pose): void {
    const { target } = this;
    if (!target) return;
    this.reacher?.ask(() => ({ ask: 'reach', robot: this.index, q: Array.from(this.context.display.q(this.index)), frame: target.frame, pose, pinned: this.moving.pinned }));
  }

  /** Closes the loops again after a joint was moved, which stays where it is. Where that is impossible, it goes back. */
  private close(link: number): void {
    if (!ability(this.context, 'close').can) return;
    const { display, scene } = this.context;
    const joint = scene.robots[this.index].joints.find(({ child }) => child === link)?.name;
    this.closer?.ask(() => ({ ask: 'close', robot: this.index, q: Array.from(display.q(this.index)), joint }));
  }

  private moved(answer: { q: number[]; distance: number; angle?: number; solved?: boolean }): void {
    this.context.display.set(this.index, answer.q);
    this.moving.say(answer);
    this.band();
  }

  private readonly failed = (text: string | Error): void => this.moving.say(typeof text === 'string' ? text : text.message);

  /** The rubber band begins where the grabbed point is now. */
  private band(): void {
    const figure = this.context.stage.robots[this.index];
    if (!this.pulled) return figure.setPull(null);
    const { pointed, to } = this.pulled;
    figure.setPull(transform(figure.pose(pointed.link), pointed.point), to);
  }

  private aim(target: { frame: string; mode: 'translate' | 'rotate' } | null): void {
    const { stage, scene } = this.context;
    this.target = target;
    if (!target) return stage.setGizmo(null);
    const figure = stage.robots[this.index];
    stage.setGizmo(framePose(scene.robots[this.index], target.frame, (link) => figure.pose(link)), target.mode);
  }

  private allow(): void {
    const able = (name: string) => ability(this.context, name);
    this.state.setPossible(able('random').can, able('random').why);
    const [pull, reach] = [able('pull'), able('reach')];
    this.moving.setPossible({ pull: pull.can, reach: reach.can }, pull.why || reach.why);
    if (this.first && pull.can) {
      this.first = false;
      this.moving.setPulling(true);
    }
  }
}
