// What the sliders of a robot show and change: scalar coordinates, quaternions as roll, pitch and yaw, and followers.

import { fromRollPitchYaw, rollPitchYaw } from '../data/poses';
import { component } from '../data/robots';
import type { Joint, Robot, Vec3 } from '../stream';

export interface Value {
  /** Unique in the robot; the name of the coordinate where there is one. */
  name: string;
  /** Without the joint's name where the joint has several. */
  label: string;
  unit: string;
  lower: number | null;
  upper: number | null;
  /** Null for the others; for followers, the name of the joint that they follow. */
  follows: string | null;
  read(q: ArrayLike<number>): number;
  /** Writes into q. */
  write(q: number[], value: number): void;
}

export interface JointValues {
  joint: Joint;
  values: Value[];
}

/** Joints that cannot move are left out. */
export function jointValues(robot: Robot): JointValues[] {
  return robot.joints
    .map((joint) => ({ joint, values: joint.nq === 0 ? followers(robot, joint) : own(robot, joint) }))
    .filter(({ values }) => values.length > 0);
}

function own(robot: Robot, joint: Joint): Value[] {
  const values: Value[] = [];
  for (let i = joint.q_index; i < joint.q_index + joint.nq; i++) {
    const { name, unit, lower, upper, quaternion } = robot.coordinates[i];
    if (quaternion === i) values.push(...angles(joint, i));
    else if (quaternion === null)
      values.push({ name, label: component(joint, name), unit, lower, upper, follows: joint.follows, read: (q) => q[i], write: (q, value) => void (q[i] = value) });
  }
  return values;
}

function angles(joint: Joint, at: number): Value[] {
  // The angles are kept, because a quaternion does not tell them apart where pitch is ±90°, nor whole revolutions.
  let kept: Vec3 = [0, 0, 0];
  const read = (q: ArrayLike<number>): Vec3 => {
    const mine = fromRollPitchYaw(...kept);
    const dot = mine[0] * q[at] + mine[1] * q[at + 1] + mine[2] * q[at + 2] + mine[3] * q[at + 3];
    if (Math.abs(dot) < 1 - 1e-12) kept = rollPitchYaw([q[at], q[at + 1], q[at + 2], q[at + 3]]);
    return kept;
  };
  return ['roll', 'pitch', 'yaw'].map((label, k) => ({
    name: `${joint.name}.${label}`,
    label,
    unit: 'rad',
    lower: k === 1 ? -Math.PI / 2 : -Math.PI,
    upper: k === 1 ? Math.PI / 2 : Math.PI,
    follows: joint.follows,
    read: (q) => read(q)[k],
    write: (q, value) => {
      read(q);
      kept = kept.map((angle, i) => (i === k ? value : angle)) as Vec3;
      fromRollPitchYaw(...kept).forEach((element, i) => (q[at + i] = element));
    },
  }));
}

function followers(robot: Robot, joint: Joint): Value[] {
  return joint.moves.flatMap((move, k) => {
    if (move.kind === 'quaternion') return [];
    const { lower, upper } = robot.coordinates[move.q];
    const ends = [lower, upper].map((limit) => (limit === null ? null : move.ratio * limit + move.offset));
    if (move.ratio < 0) ends.reverse();
    const name = joint.moves.length > 1 ? `${joint.name}.${k}` : joint.name;
    return [{
      name,
      label: component(joint, name),
      unit: move.kind === 'rotate' ? 'rad' : 'm',
      lower: ends[0],
      upper: ends[1],
      follows: joint.follows ?? robot.joints[robot.coordinates[move.q].joint].name,
      read: (q: ArrayLike<number>) => move.ratio * q[move.q] + move.offset,
      write: () => {},
    }];
  });
}
