// The states that are shown, one for each robot on the stage.

import type { StageRobot } from '../scene/stage';
import { Listeners } from './listeners';

export class Display {
  /** Called with the index of the robot whose state changed. */
  readonly changed = new Listeners<number>();
  private readonly states: { q: ArrayLike<number>; v: ArrayLike<number> }[] = [];

  constructor(private readonly robots: readonly StageRobot[]) {
    for (const { robot } of robots) this.states.push({ q: robot.q, v: new Array<number>(robot.nv).fill(0) });
  }

  q(robot: number): ArrayLike<number> {
    return this.states[robot].q;
  }

  v(robot: number): ArrayLike<number> {
    return this.states[robot].v;
  }

  set(robot: number, q: ArrayLike<number>, v?: ArrayLike<number>, before?: { q: ArrayLike<number>; dt: number }): void {
    const state = this.states[robot];
    state.q = q;
    if (v) state.v = v;
    this.robots[robot].setConfiguration(q, before);
    this.changed.emit(robot);
  }
}
