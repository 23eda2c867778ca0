// Questions about a robot of the scene.

import type { Joint, Pose, Robot } from '../stream';
import { compose } from './poses';

/** The joint that moves a link, or null for the root of a fixed robot. */
export function jointOfLink(robot: Robot, link: number): Joint | null {
  return robot.joints.find((joint) => joint.child === link) ?? null;
}

/** Names of links and frames, in which a frame with the name of a link is left out. */
export function frameNames(robot: Robot): string[] {
  return [...new Set([...robot.links.map((l) => l.name), ...robot.frames.map((f) => f.name)])];
}

/** The pose of a link or frame in the world, from those of links. */
export function framePose(robot: Robot, name: string, linkPose: (link: number) => Pose): Pose {
  const link = robot.links.findIndex((l) => l.name === name);
  if (link >= 0) return linkPose(link);
  const frame = robot.frames.find((f) => f.name === name);
  if (!frame) throw new Error(`no link or frame '${name}'`);
  return compose(linkPose(frame.link), frame.origin);
}

/** The part of a coordinate's name that follows its joint's. */
export function component(joint: Joint, coordinate: string): string {
  return coordinate.startsWith(`${joint.name}.`) ? coordinate.slice(joint.name.length + 1) : coordinate;
}

/** A copy in which all quaternions have norm 1. */
export function normalized(robot: Robot, q: ArrayLike<number>): number[] {
  const result = Array.from(q);
  robot.coordinates.forEach((coordinate, i) => {
    if (coordinate.quaternion !== i) return;
    const norm = Math.hypot(...result.slice(i, i + 4));
    if (norm > 0) for (let k = i; k < i + 4; k++) result[k] /= norm;
    else result.splice(i, 4, 1, 0, 0, 0);
  });
  return result;
}
