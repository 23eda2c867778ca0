// One robot on the stage: its bodies, and the layers that are drawn over them.
import { Box3, Group, Mesh, Vector3 } from 'three';
import { Kinematics } from '../kinematics';
import type { Pose, Robot, RobotContact, Vec3 } from '../stream';
import { Rods } from './arrows';
import { Bodies } from './bodies';
import { CenterOfMass } from './com';
import { ContactOverlays, type ContactForce } from './contacts';
import { Labels } from './labels';
import type { Materials } from './materials';
import type { MeshLibrary } from './meshes';
import { Axes, Frames, Inertia, Loops, type Overlay, type Subject } from './overlays';
import { reach } from './shapes';
import { COLORS, type Theme } from './theme';
import { Touch } from './touch';
import { Velocities } from './velocities';

export type Layer =
  | 'visuals' | 'collisions' | 'frames' | 'axes' | 'com' | 'inertia' | 'support' | 'velocities' | 'forces' | 'contacts' | 'cones'
  | 'labels' | 'grid' | 'shadows' | 'loops';

export interface StageRobotOptions {
  ghost: boolean;
  materials: Materials;
  library: MeshLibrary;
  note: (text: string) => void;
  /** The picture has to be rendered again. */
  changed: () => void;
  /** The robot has moved. */
  moved: () => void;
}

/** The color of everything that belongs to a second run. */
const GHOST = '#9775fa';

export class StageRobot implements Subject {
  readonly object = new Group();
  readonly kinematics: Kinematics;
  readonly bodies: Bodies;
  readonly labels: Labels;
  size: number;
  ground = 0;
  /** Made when they are shown for the first time. */
  private readonly makers: Partial<Record<Layer, () => Overlay>>;
  private readonly overlays: Partial<Record<Layer, Overlay>> = {};
  readonly touch: Touch;
  private readonly velocities: Velocities;
  private readonly contacts: ContactOverlays;
  private readonly pull: Rods;
  private readonly scratch = new Box3();

  constructor(readonly robot: Robot, private readonly options: StageRobotOptions) {
    const { ghost } = options;
    this.kinematics = new Kinematics(robot);
    this.size = estimateSize(this.kinematics);
    this.bodies = new Bodies(robot, this.kinematics, { ...options, size: this.size });
    this.labels = new Labels(this);
    this.velocities = new Velocities(this, ghost ? GHOST : undefined);
    this.contacts = new ContactOverlays(this, ghost ? { force: GHOST, cone: GHOST, support: GHOST } : undefined);
    this.touch = new Touch(this);
    if (robot.contacts) this.touch.setContacts(robot.contacts);
    this.pull = new Rods(COLORS.pull, 1, { hidden: 0.5 });
    this.makers = {
      com: () => new CenterOfMass(this, ghost ? GHOST : undefined),
      velocities: () => this.velocities,
      forces: () => this.contacts.forces,
      cones: () => this.contacts.cones,
      support: () => this.contacts.support,
    };
    // A second run is there to be compared; names and frames of both would cover each other.
    if (!ghost)
      Object.assign(this.makers, {
        frames: () => new Frames(this), axes: () => new Axes(this), inertia: () => new Inertia(this), loops: () => new Loops(this),
        labels: () => this.labels, contacts: () => this.touch,
      });
    this.object.add(this.bodies.object, this.pull.object);
    this.setConfiguration(robot.q);
    void this.bodies.settled().then(() => this.measure());
  }

  /** Moves the robot. `before` is an earlier configuration and the time since then: velocity arrows come from differences. */
  setConfiguration(q: ArrayLike<number>, before?: { q: ArrayLike<number>; dt: number }): void {
    this.kinematics.update(q);
    this.bodies.update();
    this.velocities.setBefore(before);
    for (const layer in this.overlays) {
      const overlay = this.overlays[layer as Layer]!;
      if (overlay.object.visible) overlay.update();
    }
    this.options.moved();
  }

  pose(link: number): Pose {
    return this.kinematics.pose(link);
  }

  /** A point of a link, given in its frame, in the world. */
  point(link: number, local: ArrayLike<number>): Vec3 {
    const at = new Vector3();
    this.kinematics.point(link, local, at);
    return at.toArray();
  }

  com(): Vec3 {
    return this.kinematics.com();
  }

  /** `typical`, N, is a force whose arrow shall be of a medium length; 0: the weight tells how long arrows are. */
  setForces(contacts: ContactForce[], typical = 0): void {
    this.contacts.setForces(contacts, typical);
    this.refresh('forces', 'cones', 'support');
  }

  forces(): readonly ContactForce[] {
    return this.contacts.shown();
  }

  setSupport(points: Vec3[] | null): void {
    this.contacts.setSupport(points);
    this.refresh('support');
  }

  setContacts(contacts: RobotContact[]): void {
    this.touch.setContacts(contacts);
    this.refresh('contacts');
  }

  setPull(from: Vec3 | null, to?: Vec3): void {
    this.pull.resize(from && to ? 1 : 0);
    if (from && to) {
      this.pull.set(0, new Vector3(...from), new Vector3(...to), 0.0035 * this.size, 0.009 * this.size);
      this.pull.commit();
    }
    this.options.changed();
  }

  show(layer: Layer, on: boolean): void {
    if (layer === 'visuals') this.bodies.showVisuals(on);
    if (layer === 'collisions') this.bodies.showCollisions(on);
    const overlay = this.overlays[layer] ?? (on ? this.makers[layer]?.() : undefined);
    if (!overlay) return;
    this.overlays[layer] = overlay;
    this.object.add(overlay.object);
    overlay.object.visible = on;
    if (on) overlay.update();
  }

  setTheme(theme: Theme): void {
    this.labels.setTheme(theme);
    this.touch.labels.setTheme(theme);
  }

  /** The box around the robot in the world: around its bodies, or its links' origins if it has none. */
  bounds(out: Box3): Box3 {
    this.bodies.bounds(out, this.scratch);
    if (out.isEmpty()) {
      const point = new Vector3();
      for (let link = 0; link < this.robot.links.length; link++) out.expandByPoint(point.fromArray(this.kinematics.poses, 7 * link));
    }
    return out;
  }

  /** Finds the size again, now that all meshes are there. */
  measure(): void {
    const size = this.bounds(new Box3()).getSize(new Vector3()).length();
    if (size > 0 && Number.isFinite(size)) this.size = size;
    this.refresh(...(Object.keys(this.overlays) as Layer[]));
    this.options.moved();
  }

  /** Frees the memory of the graphics card; a geometry that another robot uses as well is uploaded again. */
  dispose(): void {
    this.object.traverse((child) => {
      if (child instanceof Mesh) child.geometry.dispose();
    });
  }

  private refresh(...layers: Layer[]): void {
    for (const layer of layers) if (this.overlays[layer]?.object.visible) this.overlays[layer]!.update();
    this.options.changed();
  }
}

/** The size of a robot from its joints and primitives, before any mesh is loaded. */
function estimateSize(kinematics: Kinematics): number {
  const box = new Box3();
  const heavy = new Box3();
  const point = new Vector3();
  const addBall = (target: Box3, link: number, center: ArrayLike<number>, radius: number): void => {
    kinematics.point(link, center, point);
    // A cube inside of the ball: the ball around a shape is larger than the shape.
    const half = Number.isFinite(radius) ? 0.6 * radius : 0;
    target.union(new Box3(point.clone().subScalar(half), point.clone().addScalar(half)));
  };
  kinematics.robot.links.forEach((link, index) => {
    addBall(box, index, [0, 0, 0], 0);
    for (const geometry of [...link.visuals, ...link.collisions]) addBall(box, index, geometry.origin, reach(geometry));
    if (link.ellipsoid) addBall(heavy, index, link.ellipsoid.pose, Math.max(...link.ellipsoid.size));
  });
  // Inertias of files are often wrong by orders of magnitude, so they count only where there is nothing else.
  for (const candidate of [box, heavy]) {
    const size = candidate.isEmpty() ? 0 : candidate.getSize(point).length();
    if (size > 1e-6 && Number.isFinite(size)) return size;
  }
  return 1;
}
