// Velocities of the links' centers of mass, by differences of two configurations.
import { Object3D, Vector3 } from 'three';
import { Kinematics } from '../kinematics';
import { Arrows } from './arrows';
import type { Overlay, Subject } from './overlays';
import { COLORS } from './theme';

/** An arrow is as long as the way in this time, s. */
const DURATION = 0.2;

export class Velocities implements Overlay {
  readonly object: Object3D;
  private readonly arrows: Arrows;
  private readonly before: Kinematics;
  private dt = 0;
  private readonly from = new Vector3();
  private readonly to = new Vector3();

  constructor(private readonly subject: Subject, color = COLORS.velocity) {
    this.before = new Kinematics(subject.robot);
    this.arrows = new Arrows(color, subject.robot.links.length, { hidden: 0.35 });
    this.object = this.arrows.object;
  }

  setBefore(before: { q: ArrayLike<number>; dt: number } | undefined): void {
    this.dt = before && before.dt > 0 ? before.dt : 0;
    if (before && this.dt > 0) this.before.update(before.q);
  }

  update(): void {
    const { robot, kinematics, size } = this.subject;
    const count = this.dt > 0 ? robot.links.length : 0;
    this.arrows.resize(count);
    for (let link = 0; link < count; link++) {
      const { com } = robot.links[link];
      this.before.point(link, com, this.from);
      kinematics.point(link, com, this.to);
      this.from.subVectors(this.to, this.from).multiplyScalar(DURATION / this.dt).clampLength(0, size);
      if (this.from.length() < 0.004 * size) this.from.setScalar(0);
      this.arrows.set(link, this.to, this.from, 0.0042 * size);
    }
    this.arrows.commit();
  }
}
