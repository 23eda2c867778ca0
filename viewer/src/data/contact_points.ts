// Where the bodies of a world touch, frame by frame.
import { Quaternion, Vector3 } from 'three';
import type { ContactForce } from '../scene/stage';
import type { ContactPoints, Vec3 } from '../stream';
import type { Frames } from './frames';

/** Columns of one contact: x y z, nx ny nz, fx fy fz, gap, slip, friction, a, b. */
const WIDTH = 14;
const [NORMAL, FORCE, FRICTION, A, B] = [3, 6, 11, 12, 13];
/** The scale of arrows comes from no more frames than this. */
const MAX_LOOKED_AT = 100;

const Z = new Vector3(0, 0, 1);
const normal = new Vector3();
const turn = new Quaternion();

export class RecordedContacts {
  /** N: a force that few others of its frame exceed, of each frame that was looked at; in increasing order. */
  private readonly large: number[] = [];

  constructor(private readonly points: ContactPoints, private readonly frames: Frames, private readonly gravity: Vec3) {
    // (Of a live run, there are none yet.)
    const stride = Math.max(1, Math.ceil(frames.count / MAX_LOOKED_AT));
    for (let i = 0; i < frames.count; i += stride) this.look(this.at(i));
  }

  /** The contacts of a frame: on each pair, the force on the upper one of the two. */
  at(index: number): ContactForce[] {
    const row = this.frames.row(index, this.points.first, WIDTH * this.points.count);
    const all: ContactForce[] = [];
    for (let slot = 0; slot < this.points.count; slot++) {
      const c = row.subarray(WIDTH * slot, WIDTH * (slot + 1));
      if (!(c[A] >= 0)) continue;
      const down = c[FORCE] * this.gravity[0] + c[FORCE + 1] * this.gravity[1] + c[FORCE + 2] * this.gravity[2] > 0;
      const sign = down ? -1 : 1;
      normal.set(c[NORMAL], c[NORMAL + 1], c[NORMAL + 2]).multiplyScalar(sign);
      turn.setFromUnitVectors(Z, normal.normalize());
      const [upper, lower] = down ? [c[B], c[A]] : [c[A], c[B]];
      all.push({
        contact: {
          name: `${this.points.names[upper] ?? ''} on ${this.points.names[lower] ?? ''}`,
          link: -1,
          pose: [c[0], c[1], c[2], turn.w, turn.x, turn.y, turn.z],
          points: [[0, 0, 0]],
          friction: c[FRICTION],
          force: null,
        },
        force: [sign * c[FORCE], sign * c[FORCE + 1], sign * c[FORCE + 2]],
      });
    }
    return all;
  }

  /** A force that is typical for the run, N. A few impacts do not disturb it. */
  scale(contacts: ContactForce[]): number {
    if (this.large.length < MAX_LOOKED_AT) this.look(contacts);
    return this.large[this.large.length >> 1] ?? 0;
  }

  private look(contacts: ContactForce[]): void {
    const sizes = contacts.map(({ force }) => Math.hypot(...force)).sort((a, b) => a - b);
    if (!sizes.length) return;
    this.large.push(sizes[Math.floor(0.9 * sizes.length)]);
    this.large.sort((a, b) => a - b);
  }
}
