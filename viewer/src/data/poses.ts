// Poses and quaternions (w x y z) as plain arrays.

import type { Pose, Vec3 } from '../stream';

export type Quaternion = [number, number, number, number];

export function multiply(a: ArrayLike<number>, b: ArrayLike<number>): Quaternion {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

export function rotate(q: ArrayLike<number>, p: ArrayLike<number>): Vec3 {
  const [w, x, y, z] = [q[0], q[1], q[2], q[3]];
  const t = [2 * (y * p[2] - z * p[1]), 2 * (z * p[0] - x * p[2]), 2 * (x * p[1] - y * p[0])];
  return [
    p[0] + w * t[0] + y * t[2] - z * t[1],
    p[1] + w * t[1] + z * t[0] - x * t[2],
    p[2] + w * t[2] + x * t[1] - y * t[0],
  ];
}

/** A point of a frame, in the world. */
export function transform(pose: Pose, point: ArrayLike<number>): Vec3 {
  const p = rotate(pose.slice(3), point);
  return [pose[0] + p[0], pose[1] + p[1], pose[2] + p[2]];
}

export function compose(a: Pose, b: Pose): Pose {
  return [...transform(a, b), ...multiply(a.slice(3), b.slice(3))] as Pose;
}

/** The rotation about x by roll, then y by pitch, then z by yaw, all axes fixed (as in URDF). */
export function fromRollPitchYaw(roll: number, pitch: number, yaw: number): Quaternion {
  const about = (axis: number, angle: number): Quaternion => {
    const q: Quaternion = [Math.cos(angle / 2), 0, 0, 0];
    q[axis + 1] = Math.sin(angle / 2);
    return q;
  };
  return multiply(multiply(about(2, yaw), about(1, pitch)), about(0, roll));
}

export function rollPitchYaw(q: ArrayLike<number>): Vec3 {
  const [w, x, y, z] = [q[0], q[1], q[2], q[3]];
  const sine = 2 * (w * y - z * x);
  // At ±90° of pitch, roll and yaw turn about the same axis: all of it is called yaw.
  if (Math.abs(sine) > 1 - 1e-9) return [0, (Math.sign(sine) * Math.PI) / 2, 2 * Math.atan2(z, w)];
  return [
    Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
    Math.asin(sine),
    Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
  ];
}
