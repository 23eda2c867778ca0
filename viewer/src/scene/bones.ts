// Links without any shape are drawn as bones, so that one never sees an empty page.
import { BoxGeometry, type BufferGeometry, CapsuleGeometry, Color, Matrix4, Quaternion, SphereGeometry, Vector3 } from 'three';
import type { Robot } from '../stream';
import { merged, painted } from './shapes';

const Z = new Vector3(0, 0, 1);

/** From a link's origin to the joints of its children, and to its center of mass where it has no children. */
export function boneGeometry(robot: Robot, link: number, size: number, color: Color): BufferGeometry | null {
  const radius = 0.011 * size;
  const ends = robot.joints.filter((joint) => joint.parent === link).map((joint) => new Vector3(...joint.origin.slice(0, 3)));
  const { com, mass } = robot.links[link];
  if (!ends.length && mass > 0) ends.push(new Vector3(...com));
  const parts: BufferGeometry[] = [];
  for (const end of ends) {
    const length = end.length();
    if (!(length > 0.2 * radius) || !Number.isFinite(length)) continue;
    const middle = end.clone().multiplyScalar(0.5);
    const turn = new Quaternion().setFromUnitVectors(Z, end.clone().divideScalar(length));
    const capsule = new CapsuleGeometry(radius, length, 6, 16).rotateX(Math.PI / 2);
    parts.push(painted(capsule, color, new Matrix4().compose(middle, turn, new Vector3(1, 1, 1))));
  }
  const moved = robot.joints.some((joint) => joint.child === link && joint.moves.length > 0);
  if (moved) parts.push(painted(new SphereGeometry(1.8 * radius, 20, 12), new Color('#5b6878')));
  // A robot of a single link without joints has nothing else that could be drawn.
  if (!parts.length && robot.links.length === 1) parts.push(painted(new BoxGeometry(0.1 * size, 0.1 * size, 0.1 * size), color));
  return parts.length ? merged(parts) : null;
}
