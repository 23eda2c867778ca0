// Forward kinematics of the robots of docs/stream.md: from q to the poses of all links.
import type { Pose, Robot, Vec3 } from './stream';

/** A line to be drawn for a joint: the axis of one of its moves. */
export interface JointAxis {
  joint: number;
  kind: 'translate' | 'rotate';
}

/** Poses of a robot's links at the configuration of the last call of update(). Nothing is allocated after construction. */
export class Kinematics {
  /** Seven numbers for each link: x y z, and the quaternion w x y z, in the world. */
  readonly poses: Float64Array;
  /** The axes of all joints that have some; a floating base has none. */
  readonly axes: JointAxis[] = [];
  /** Six numbers for each of `axes`: a point on it and its direction, in the world. */
  readonly axisLines: Float64Array;
  /** The index in `axes` for each move of each joint, or -1. */
  private readonly axisOfMove: number[][];
  private readonly frame = new Float64Array(7);

  constructor(readonly robot: Robot) {
    this.poses = new Float64Array(7 * robot.links.length);
    for (let link = 0; link < robot.links.length; link++) this.poses[7 * link + 3] = 1;
    this.axisOfMove = robot.joints.map((joint, index) => this.listAxes(joint.moves, index));
    this.axisLines = new Float64Array(6 * this.axes.length);
    this.update(robot.q);
  }

  /** An element of q that is missing or not finite counts as that of the neutral configuration. */
  update(q: ArrayLike<number>): void {
    const { frame, poses, robot } = this;
    for (let index = 0; index < robot.joints.length; index++) {
      const joint = robot.joints[index];
      if (joint.parent >= 0) for (let i = 0; i < 7; i++) frame[i] = poses[7 * joint.parent + i];
      else setIdentity(frame);
      translate(frame, joint.origin[0], joint.origin[1], joint.origin[2]);
      rotate(frame, joint.origin[3], joint.origin[4], joint.origin[5], joint.origin[6]);
      for (let m = 0; m < joint.moves.length; m++) {
        const move = joint.moves[m];
        if (move.kind === 'quaternion') {
          this.applyQuaternion(q, move.q);
          continue;
        }
        const amount = move.ratio * this.element(q, move.q) + move.offset;
        const [x, y, z] = move.axis;
        if (move.kind === 'translate') {
          translate(frame, amount * x, amount * y, amount * z);
        } else {
          const s = Math.sin(amount / 2);
          rotate(frame, Math.cos(amount / 2), s * x, s * y, s * z);
        }
        const axis = this.axisOfMove[index][m];
        if (axis >= 0) writeLine(frame, move.axis, this.axisLines, 6 * axis);
      }
      for (let i = 0; i < 7; i++) poses[7 * joint.child + i] = frame[i];
    }
  }

  pose(link: number): Pose {
    return Array.from(this.poses.subarray(7 * link, 7 * link + 7)) as Pose;
  }

  /** A point of a link's frame (link -1: of the world) in the world, written to `out`. */
  point(link: number, point: ArrayLike<number>, out: { x: number; y: number; z: number }): void {
    if (link < 0) {
      out.x = point[0];
      out.y = point[1];
      out.z = point[2];
      return;
    }
    const p = this.poses;
    const o = 7 * link;
    const w = p[o + 3], x = p[o + 4], y = p[o + 5], z = p[o + 6];
    const [a, b, c] = [point[0], point[1], point[2]];
    const tx = 2 * (y * c - z * b), ty = 2 * (z * a - x * c), tz = 2 * (x * b - y * a);
    out.x = p[o] + a + w * tx + y * tz - z * ty;
    out.y = p[o + 1] + b + w * ty + z * tx - x * tz;
    out.z = p[o + 2] + c + w * tz + x * ty - y * tx;
  }

  /** The center of mass; of a robot without mass, the mean of its links' origins. */
  com(): Vec3 {
    const sum: Vec3 = [0, 0, 0];
    const at = { x: 0, y: 0, z: 0 };
    const { links } = this.robot;
    const massless = !(links.reduce((mass, link) => mass + link.mass, 0) > 0);
    let total = 0;
    for (let link = 0; link < links.length; link++) {
      const mass = massless ? 1 : links[link].mass;
      if (!(mass > 0)) continue;
      this.point(link, massless ? [0, 0, 0] : links[link].com, at);
      sum[0] += mass * at.x;
      sum[1] += mass * at.y;
      sum[2] += mass * at.z;
      total += mass;
    }
    return total > 0 ? [sum[0] / total, sum[1] / total, sum[2] / total] : sum;
  }

  private listAxes(moves: Robot['joints'][number]['moves'], joint: number): number[] {
    const free = moves.some((move) => move.kind === 'quaternion');
    const first = this.axes.length;
    const seen: string[] = [];
    return moves.map((move) => {
      if (free || move.kind === 'quaternion') return -1;
      // A helical joint moves twice along the same axis, which is drawn once.
      const before = seen.indexOf(move.axis.join());
      if (before >= 0) {
        if (move.kind === 'rotate') this.axes[first + before].kind = 'rotate';
        return first + before;
      }
      seen.push(move.axis.join());
      return this.axes.push({ joint, kind: move.kind }) - 1;
    });
  }

  private element(q: ArrayLike<number>, index: number): number {
    const value = q[index];
    if (Number.isFinite(value)) return value;
    const neutral = this.robot.neutral[index];
    return Number.isFinite(neutral) ? neutral : 0;
  }

  private applyQuaternion(q: ArrayLike<number>, index: number): void {
    const [w, x, y, z] = [q[index], q[index + 1], q[index + 2], q[index + 3]];
    const norm = Math.hypot(w, x, y, z);
    if (norm > 1e-9 && Number.isFinite(norm)) rotate(this.frame, w / norm, x / norm, y / norm, z / norm);
  }
}

function setIdentity(frame: Float64Array): void {
  frame.fill(0);
  frame[3] = 1;
}

function translate(frame: Float64Array, a: number, b: number, c: number): void {
  const w = frame[3], x = frame[4], y = frame[5], z = frame[6];
  const tx = 2 * (y * c - z * b), ty = 2 * (z * a - x * c), tz = 2 * (x * b - y * a);
  frame[0] += a + w * tx + y * tz - z * ty;
  frame[1] += b + w * ty + z * tx - x * tz;
  frame[2] += c + w * tz + x * ty - y * tx;
}

function rotate(frame: Float64Array, w: number, x: number, y: number, z: number): void {
  const W = frame[3], X = frame[4], Y = frame[5], Z = frame[6];
  frame[3] = W * w - X * x - Y * y - Z * z;
  frame[4] = W * x + X * w + Y * z - Z * y;
  frame[5] = W * y - X * z + Y * w + Z * x;
  frame[6] = W * z + X * y - Y * x + Z * w;
}

function writeLine(frame: Float64Array, axis: Vec3, lines: Float64Array, at: number): void {
  const [a, b, c] = axis;
  const w = frame[3], x = frame[4], y = frame[5], z = frame[6];
  const tx = 2 * (y * c - z * b), ty = 2 * (z * a - x * c), tz = 2 * (x * b - y * a);
  lines[at] = frame[0];
  lines[at + 1] = frame[1];
  lines[at + 2] = frame[2];
  lines[at + 3] = a + w * tx + y * tz - z * ty;
  lines[at + 4] = b + w * ty + z * tx - x * tz;
  lines[at + 5] = c + w * tz + x * ty - y * tx;
}
