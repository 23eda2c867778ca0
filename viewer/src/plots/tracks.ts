// Runs beside each other: the first one as it is, others as ghosts and dashed lines.

import { RecordedContacts } from '../data/contact_points';
import type { Display } from '../data/display';
import type { Frames } from '../data/frames';
import type { StageRobot } from '../scene/stage';
import type { Contact, LiveRun, Signal, Vec3 } from '../stream';

export class Track {
  private readonly q: Signal;
  private readonly v: Signal | undefined;
  private readonly contacts: Contact[];
  private readonly points: RecordedContacts | null;
  private readonly stage: Signal | undefined;
  private readonly pull: Signal | undefined;

  constructor(readonly run: LiveRun, readonly frames: Frames, private readonly figure: StageRobot, private readonly index: number) {
    const q = this.signal('q');
    if (!q) throw new Error(`The run '${run.name}' has no signal 'q'.`);
    this.q = q;
    this.v = this.signal('v');
    this.stage = this.signal('stage');
    // While a run is computed, the page that pulls shows it itself.
    this.pull = 'data' in run ? this.signal('pull') : undefined;
    this.contacts = run.contacts.filter(({ force }) => force !== null);
    this.points = run.contact_points && new RecordedContacts(run.contact_points, frames, figure.robot.gravity);
  }

  signal(name: string): Signal | undefined {
    return this.run.signals.find((signal) => signal.name === name);
  }

  /** Shows the recorded frame at or before a time; nothing is interpolated. */
  show(time: number, display: Display): void {
    const { frames, q, v } = this;
    const at = frames.find(time);
    if (at < 0) return;
    // Copies, because a live run overwrites its buffer.
    const copy = (index: number): Float32Array => frames.row(index, q.first, q.columns.length).slice();
    const dt = at > 0 ? frames.time(at) - frames.time(at - 1) : 0;
    const before = dt > 0 ? { q: copy(at - 1), dt } : undefined;
    display.set(this.index, copy(at), v && frames.row(at, v.first, v.columns.length).slice(), before);
    if (this.pull) this.showPull(frames.row(at, this.pull.first, this.pull.columns.length));
    if (this.contacts.length)
      this.figure.setForces(this.contacts.map((contact) => ({ contact, force: Array.from(frames.row(at, contact.force!, 3)) as Vec3 })));
    if (!this.points) return;
    const touching = this.points.at(at);
    this.figure.setForces(touching, this.points.scale(touching));
  }

  /** `row`: the link (-1: nobody pulls), the point where the force acts, the force. The weight is as long as a quarter of the robot, nothing longer than the robot. */
  private showPull(row: Float32Array): void {
    const [link, x, y, z, ...force] = row;
    if (!(link >= 0)) return this.figure.setPull(null);
    const { mass, gravity } = this.figure.robot;
    const perNewton = Math.min((0.25 * this.figure.size) / (mass * Math.hypot(...gravity) || 100), this.figure.size / Math.hypot(...force));
    this.figure.setPull([x, y, z], [x + perNewton * force[0], y + perNewton * force[1], z + perNewton * force[2]]);
  }

  /** The name of the motion's stage at a time, or an empty text. */
  stageName(time: number): string {
    const at = this.frames.find(time);
    const names = this.run.settings.stages;
    if (at < 0 || !this.stage || !Array.isArray(names)) return '';
    const name: unknown = names[this.frames.value(at, this.stage.first)];
    return typeof name === 'string' ? name : '';
  }
}
