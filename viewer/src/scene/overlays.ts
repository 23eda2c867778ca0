// What is drawn over a robot's links: frames, joint axes, inertia ellipsoids, closed loops.
import { Group, Matrix4, Object3D, Quaternion, SphereGeometry, Vector3 } from 'three';
import type { Kinematics } from '../kinematics';
import type { Robot } from '../stream';
import { arrowPart, Rods } from './arrows';
import type { Bodies } from './bodies';
import { Marks } from './marks';
import { matrixOf, merged } from './shapes';
import { COLORS } from './theme';

/** What an overlay draws from. */
export interface Subject {
  readonly robot: Robot;
  readonly kinematics: Kinematics;
  readonly bodies: Bodies;
  /** Diagonal of the box around the robot; everything is scaled to it. */
  size: number;
  /** Height of the ground as it is drawn. */
  ground: number;
}

/** Drawn for one layer; update() is called when the configuration has changed and the layer is shown. */
export interface Overlay {
  readonly object: Object3D;
  update(): void;
}

const matrix = new Matrix4();
const scale = new Matrix4();
const a = new Vector3();
const b = new Vector3();
const rotation = new Quaternion();
const sizes = new Vector3();
const Z = new Vector3(0, 0, 1);

function triad(): ReturnType<typeof merged> {
  const radius = 0.045;
  const toX = new Matrix4().makeRotationY(Math.PI / 2);
  const toY = new Matrix4().makeRotationX(-Math.PI / 2);
  return merged([arrowPart(COLORS.x, radius, 0, toX), arrowPart(COLORS.y, radius, 0, toY), arrowPart(COLORS.z, radius, 0)]);
}

/** Triads of the links, and smaller ones of the robot's other frames. */
export class Frames implements Overlay {
  readonly object: Object3D;
  private readonly marks: Marks;
  private readonly local: Matrix4[];

  constructor(private readonly subject: Subject) {
    const { robot } = subject;
    this.marks = new Marks(triad(), 'white', robot.links.length + robot.frames.length, { vertexColors: true, hidden: 0.4 });
    this.local = robot.frames.map((frame) => matrixOf(frame.origin));
    this.object = this.marks.object;
  }

  update(): void {
    const { robot, bodies, size } = this.subject;
    const links = robot.links.length;
    this.marks.resize(links + robot.frames.length);
    const long = 0.075 * size;
    scale.makeScale(long, long, long);
    for (let link = 0; link < links; link++) this.marks.set(link, matrix.multiplyMatrices(bodies.matrix(link), scale));
    const short = 0.6 * long;
    scale.makeScale(short, short, short);
    for (let i = 0; i < robot.frames.length; i++) {
      const { link } = robot.frames[i];
      matrix.copy(this.local[i]);
      if (link >= 0) matrix.premultiply(bodies.matrix(link));
      this.marks.set(links + i, matrix.multiply(scale));
    }
    this.marks.commit();
  }
}

/** Thin arrows along the axes of joints: one color for rotation, one for translation. */
export class Axes implements Overlay {
  readonly object = new Group();
  private readonly marks: Record<'rotate' | 'translate', Marks>;

  constructor(private readonly subject: Subject) {
    const count = subject.kinematics.axes.length;
    const geometry = (color: string) => arrowPart(color, 0.027, -1);
    this.marks = {
      rotate: new Marks(geometry(COLORS.rotation), COLORS.rotation, count, { hidden: 0.45 }),
      translate: new Marks(geometry(COLORS.translation), COLORS.translation, count, { hidden: 0.45 }),
    };
    this.object.add(this.marks.rotate.object, this.marks.translate.object);
  }

  update(): void {
    const { kinematics, size } = this.subject;
    const { axes, axisLines } = kinematics;
    for (const kind of ['rotate', 'translate'] as const) {
      const marks = this.marks[kind];
      marks.resize(axes.filter((axis) => axis.kind === kind).length);
      let next = 0;
      for (let i = 0; i < axes.length; i++) {
        if (axes[i].kind !== kind) continue;
        a.fromArray(axisLines, 6 * i);
        b.fromArray(axisLines, 6 * i + 3);
        rotation.setFromUnitVectors(Z, b.normalize());
        marks.set(next++, matrix.compose(a, rotation, sizes.setScalar(0.085 * size)));
      }
      marks.commit();
    }
  }
}

/** For each link, the solid ellipsoid of uniform density that has its mass and inertia. */
export class Inertia implements Overlay {
  readonly object: Object3D;
  private readonly marks: Marks;
  private readonly links: number[] = [];
  private readonly local: Matrix4[] = [];

  constructor(private readonly subject: Subject) {
    subject.robot.links.forEach((link, index) => {
      if (!link.ellipsoid) return;
      this.links.push(index);
      // An ellipsoid of a point or a rod is still to be seen.
      const size = link.ellipsoid.size.map((s) => Math.max(s, 0.002 * subject.size));
      this.local.push(matrixOf(link.ellipsoid.pose, new Matrix4(), size));
    });
    const style = { opacity: 0.45, hidden: 0.32 };
    this.marks = new Marks(new SphereGeometry(1, 32, 20), COLORS.inertia, this.links.length, style);
    this.object = this.marks.object;
  }

  update(): void {
    this.marks.resize(this.links.length);
    this.links.forEach((link, i) => this.marks.set(i, matrix.multiplyMatrices(this.subject.bodies.matrix(link), this.local[i])));
    this.marks.commit();
  }
}

/** Where loops are closed: balls at the two points, and a rod between them if they are apart. */
export class Loops implements Overlay {
  readonly object: Object3D;
  private readonly rods: Rods;

  constructor(private readonly subject: Subject) {
    this.rods = new Rods(COLORS.loop, subject.robot.loops.length, { hidden: 0.5 });
    this.object = this.rods.object;
  }

  update(): void {
    const { robot, kinematics, size } = this.subject;
    this.rods.resize(robot.loops.length);
    for (let i = 0; i < robot.loops.length; i++) {
      const loop = robot.loops[i];
      kinematics.point(loop.a.link, loop.a.point, a);
      kinematics.point(loop.b.link, loop.b.point, b);
      this.rods.set(i, a, b, 0.003 * size, 0.008 * size);
    }
    this.rods.commit();
  }
}
