// Contact forces, friction cones and the support polygon.
import { ConeGeometry, Group, Matrix4, Quaternion, SphereGeometry, Vector3 } from 'three';
import type { Contact, Vec3 } from '../stream';
import { Arrows } from './arrows';
import { Marks } from './marks';
import type { Overlay, Subject } from './overlays';
import { SupportPolygon } from './support';
import { COLORS } from './theme';

export interface ContactForce {
  contact: Contact;
  force: Vec3;
}

const at = new Vector3();
const vector = new Vector3();
const matrix = new Matrix4();
const rotation = new Quaternion();
const size3 = new Vector3();

/** A cone that opens upward from its tip at the origin. */
const UNIT_CONE = new ConeGeometry(1, 1, 40, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5);

const UNIT_BALL = new SphereGeometry(1, 16, 10);
const NO_TURN = new Quaternion();

/** Forces below this part of the weight count as no contact. */
const TOUCHING = 1e-4;

export class ContactOverlays {
  readonly forces: Overlay;
  readonly cones: Overlay;
  readonly support: Overlay;
  private contacts: ContactForce[] = [];
  private typical = 0;
  private given: Vec3[] | null = null;
  private readonly arrows: Arrows;
  private readonly points: Marks;
  private readonly coneMarks: Marks;
  private readonly polygon: SupportPolygon;

  constructor(private readonly subject: Subject, colors = { force: COLORS.force, cone: COLORS.cone, support: COLORS.support }) {
    this.arrows = new Arrows(colors.force, 8, { hidden: 0.35 });
    this.coneMarks = new Marks(UNIT_CONE, colors.cone, 8, { opacity: 0.28, hidden: 0.12, doubleSided: true });
    this.polygon = new SupportPolygon(colors.support);
    this.points = new Marks(UNIT_BALL, colors.force, 8, { hidden: 0.35 });
    const conesObject = new Group().add(this.coneMarks.object);
    this.forces = { object: new Group().add(this.arrows.object, this.points.object), update: () => this.updateForces() };
    this.cones = { object: conesObject, update: () => this.updateCones() };
    this.support = { object: this.polygon.object, update: () => this.updateSupport() };
  }

  setForces(contacts: ContactForce[], typical: number): void {
    this.typical = typical;
    this.contacts = contacts.filter(({ contact }) => contact.link < this.subject.robot.links.length);
  }

  /** The contacts that are shown. */
  shown(): readonly ContactForce[] {
    return this.contacts;
  }

  setSupport(points: Vec3[] | null): void {
    this.given = points;
  }

  private get weight(): number {
    const { mass, gravity } = this.subject.robot;
    const weight = mass * Math.hypot(...gravity);
    return weight > 0 ? weight : 100;
  }

  /** The whole weight is an arrow of 40 % of the robot's size; of a world, a typical force is one of 13 %. */
  private get perNewton(): number {
    const weight = this.typical > 0 ? Math.max(3 * this.typical, 0.02 * this.weight) : this.weight;
    return (0.4 * this.subject.size) / weight;
  }

  private touches(force: Vec3): boolean {
    return Math.hypot(...force) > TOUCHING * this.weight;
  }

  /** The middle of the contact's corners: forces are recorded for the contact as a whole. */
  private middle(contact: Contact): Vector3 {
    const middle = new Vector3();
    for (const point of contact.points) middle.add(size3.set(...point));
    if (contact.points.length) middle.divideScalar(contact.points.length);
    return this.toWorld(contact, middle);
  }

  private toWorld(contact: Contact, point: Vector3): Vector3 {
    const [x, y, z, qw, qx, qy, qz] = contact.pose;
    point.applyQuaternion(rotation.set(qx, qy, qz, qw));
    this.subject.kinematics.point(contact.link, [point.x + x, point.y + y, point.z + z], point);
    return point;
  }

  private updateForces(): void {
    const { size } = this.subject;
    const { perNewton } = this;
    this.arrows.resize(this.contacts.length);
    this.contacts.forEach(({ contact, force }, i) => {
      at.copy(this.middle(contact));
      vector.set(...force).multiplyScalar(perNewton).clampLength(0, (this.typical > 0 ? 0.5 : 1.5) * size);
      this.arrows.set(i, at, this.touches(force) ? vector : vector.setScalar(0), 0.006 * size);
    });
    this.arrows.commit();
    // Where a contact is a point of the world, rather than a face of a link, it is shown.
    const points = this.contacts.filter(({ contact }) => contact.link < 0);
    this.points.resize(points.length);
    points.forEach(({ contact }, i) => {
      this.points.set(i, matrix.compose(this.middle(contact), NO_TURN, size3.setScalar(0.006 * size)));
    });
    this.points.commit();
  }

  private updateCones(): void {
    const { size, kinematics } = this.subject;
    const touching = this.contacts.filter(({ contact, force }) => contact.friction > 0 && this.touches(force));
    const height = 0.13 * size;
    this.coneMarks.resize(touching.length);
    touching.forEach(({ contact, force }, i) => {
      at.copy(this.middle(contact));
      const [, , , qw, qx, qy, qz] = contact.pose;
      const { poses } = kinematics;
      const o = 7 * contact.link;
      // The contact's normal is the z axis of its frame.
      const frame = new Quaternion(qx, qy, qz, qw);
      if (contact.link >= 0) frame.premultiply(rotation.set(poses[o + 4], poses[o + 5], poses[o + 6], poses[o + 3]));
      // A very slippery or sticky contact has the same slanted length, so that it neither vanishes nor fills the picture.
      let slant = height / Math.hypot(1, contact.friction);
      // Of a point, the cone is as high as the normal force, whose arrow is inside of it; but there may be many of them.
      if (contact.link < 0) {
        const normal = vector.set(0, 0, 1).applyQuaternion(frame).dot(new Vector3(...force));
        slant = Math.min(Math.max(normal * this.perNewton, 0.01 * size), 0.08 * size);
      }
      size3.set(contact.friction * slant, contact.friction * slant, slant);
      this.coneMarks.set(i, matrix.compose(at, frame, size3));
    });
    this.coneMarks.commit();
  }

  private updateSupport(): void {
    if (this.given) {
      this.polygon.set(this.given, this.subject.size);
      return;
    }
    const points: Vec3[] = [];
    for (const { contact, force } of this.contacts) {
      if (!this.touches(force)) continue;
      const corners = contact.points.length ? contact.points : [[0, 0, 0] as Vec3];
      for (const corner of corners) {
        const p = this.toWorld(contact, new Vector3(...corner));
        points.push([p.x, p.y, p.z]);
      }
    }
    // On the ground that the lowest contact stands on.
    const ground = Math.min(...points.map(([, , z]) => z));
    this.polygon.set(points.map(([x, y]) => [x, y, ground]), this.subject.size);
  }
}
