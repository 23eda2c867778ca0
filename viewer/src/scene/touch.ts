// Where a robot can touch: faces of feet and hands, balls and points, with names and friction cones.
import {
  BufferGeometry, ConeGeometry, DoubleSide, Float32BufferAttribute, Group, Matrix4, Mesh, MeshBasicMaterial, Quaternion, SphereGeometry, Vector3,
} from 'three';
import type { RobotContact } from '../stream';
import { Rods } from './arrows';
import { Labels } from './labels';
import { Marks } from './marks';
import type { Overlay, Subject } from './overlays';
import { matrixOf } from './shapes';
import { CONTACT_COLORS } from './theme';

const ROLES = ['foot', 'hand', 'pad'] as const;
type Role = (typeof ROLES)[number];

/** A cone that opens along z from its tip at the origin. */
const UNIT_CONE = new ConeGeometry(1, 1, 40, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5);
const UNIT_BALL = new SphereGeometry(1, 24, 16);

const matrix = new Matrix4();
const place = new Matrix4();
const sizes = new Vector3();
const a = new Vector3();
const b = new Vector3();
const NO_TURN = new Quaternion();

interface Parts {
  faces: Group;
  outline: Rods;
  balls: Marks;
  cones: Marks;
}

export class Touch implements Overlay {
  readonly object = new Group();
  readonly labels: Labels;
  private contacts: RobotContact[] = [];
  private readonly parts: Record<Role, Parts>;

  constructor(private readonly subject: Subject) {
    this.labels = new Labels(subject, () => this.contacts.map(({ name, link, pose }) => ({ text: name, link, offset: pose.slice(0, 3) })));
    this.parts = Object.fromEntries(ROLES.map((role) => [role, this.create(CONTACT_COLORS[role])])) as Record<Role, Parts>;
    this.object.add(this.labels.object);
  }

  get known(): boolean {
    return this.contacts.length > 0;
  }

  setContacts(contacts: RobotContact[]): void {
    this.contacts = contacts.filter(({ link }) => link >= 0 && link < this.subject.robot.links.length);
    for (const role of ROLES) {
      const { faces } = this.parts[role];
      faces.clear();
      const material = new MeshBasicMaterial({
        color: CONTACT_COLORS[role], transparent: true, opacity: 0.5, depthWrite: false, side: DoubleSide,
        // The face lies in that of the body.
        polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -4,
      });
      for (const contact of this.ofRole(role)) {
        const mesh = new Mesh(faceGeometry(contact), material);
        mesh.matrixAutoUpdate = false;
        mesh.raycast = () => {};
        mesh.renderOrder = 5;
        faces.add(mesh);
      }
    }
    this.labels.rebuild();
  }

  update(): void {
    for (const role of ROLES) this.updateRole(this.parts[role], this.ofRole(role));
    this.labels.update();
  }

  private create(color: string): Parts {
    const parts = {
      faces: new Group(),
      outline: new Rods(color, 8, { hidden: 0.4 }),
      balls: new Marks(UNIT_BALL, color, 4, { opacity: 0.5, hidden: 0.3 }),
      cones: new Marks(UNIT_CONE, color, 4, { opacity: 0.3, hidden: 0.16, doubleSided: true }),
    };
    this.object.add(parts.faces, parts.outline.object, parts.balls.object, parts.cones.object);
    return parts;
  }

  private ofRole(role: Role): RobotContact[] {
    return this.contacts.filter((contact) => (ROLES.includes(contact.role as Role) ? contact.role : 'pad') === role);
  }

  private updateRole({ faces, outline, balls, cones }: Parts, contacts: RobotContact[]): void {
    const { bodies, size } = this.subject;
    const edges = contacts.reduce((sum, { points }) => sum + points.length, 0);
    outline.resize(edges);
    balls.resize(contacts.filter(({ points }) => !points.length).length);
    cones.resize(contacts.filter(({ friction }) => friction > 0).length);
    let [edge, ball, cone] = [0, 0, 0];
    contacts.forEach((contact, i) => {
      place.multiplyMatrices(bodies.matrix(contact.link), matrixOf(contact.pose, matrix));
      const face = faces.children[i];
      face.matrix.copy(place);
      face.matrixWorldNeedsUpdate = true;
      const { points, radius, friction } = contact;
      points.forEach((point, k) => {
        a.set(...point).applyMatrix4(place);
        b.set(...points[(k + 1) % points.length]).applyMatrix4(place);
        outline.set(edge++, a, b, 0.002 * size, 0.004 * size);
      });
      if (!points.length) balls.set(ball++, matrix.compose(a.setFromMatrixPosition(place), NO_TURN, sizes.setScalar(Math.max(1.02 * radius, 0.006 * size))));
      if (!(friction > 0)) return;
      const height = (0.09 * size) / Math.hypot(1, friction);
      // A ball touches at its lowest point: z of the contact's frame points into the robot.
      matrix.makeScale(friction * height, friction * height, height).premultiply(new Matrix4().makeTranslation(0, 0, -radius));
      cones.set(cone++, matrix.premultiply(place));
    });
    for (const marks of [outline, balls, cones]) marks.commit();
  }
}

/** The polygon of a face as a fan around its middle; empty for points. */
function faceGeometry({ points }: RobotContact): BufferGeometry {
  const positions: number[] = [];
  for (let i = 2; i < points.length; i++) positions.push(...points[0], ...points[i - 1], ...points[i]);
  return new BufferGeometry().setAttribute('position', new Float32BufferAttribute(positions, 3));
}
