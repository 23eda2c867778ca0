// Arrows and rods of visible thickness.
import {
  BufferGeometry, Color, ConeGeometry, CylinderGeometry, Group, Matrix4, Quaternion, SphereGeometry, Vector3,
} from 'three';
import { Marks, type MarkStyle } from './marks';
import { merged, painted } from './shapes';

const Z = new Vector3(0, 0, 1);
const HEAD_LENGTH = 5.5;
const HEAD_RADIUS = 2.4;

const UNIT_ROD = new CylinderGeometry(1, 1, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5);
const UNIT_HEAD = new ConeGeometry(1, 1, 20).rotateX(Math.PI / 2).translate(0, 0, 0.5);
const UNIT_BALL = new SphereGeometry(1, 20, 12);

const direction = new Vector3();
const position = new Vector3();
const size = new Vector3();
const rotation = new Quaternion();
const matrix = new Matrix4();

/** Arrows whose heads keep their size, however long they are. */
export class Arrows {
  readonly object = new Group();
  private readonly shafts: Marks;
  private readonly heads: Marks;

  constructor(color: string, capacity = 1, style: MarkStyle = {}) {
    this.shafts = new Marks(UNIT_ROD, color, capacity, style);
    this.heads = new Marks(UNIT_HEAD, color, capacity, style);
    this.object.add(this.shafts.object, this.heads.object);
  }

  resize(count: number): void {
    this.shafts.resize(count);
    this.heads.resize(count);
  }

  set(index: number, from: Vector3, vector: Vector3, radius: number): void {
    const length = vector.length();
    if (!(length > 1e-9) || !Number.isFinite(length)) {
      matrix.makeScale(0, 0, 0);
      this.shafts.set(index, matrix);
      this.heads.set(index, matrix);
      return;
    }
    // A short arrow shrinks as a whole.
    const thickness = Math.min(radius, length / (1.4 * HEAD_LENGTH));
    const head = HEAD_LENGTH * thickness;
    direction.copy(vector).divideScalar(length);
    rotation.setFromUnitVectors(Z, direction);
    matrix.compose(from, rotation, size.set(thickness, thickness, length - head));
    this.shafts.set(index, matrix);
    position.copy(from).addScaledVector(direction, length - head);
    matrix.compose(position, rotation, size.set(HEAD_RADIUS * thickness, HEAD_RADIUS * thickness, head));
    this.heads.set(index, matrix);
  }

  commit(): void {
    this.shafts.commit();
    this.heads.commit();
  }
}

/** Rods between two points, with balls at their ends. */
export class Rods {
  readonly object = new Group();
  private readonly rods: Marks;
  private readonly balls: Marks;

  constructor(color: string, capacity = 1, style: MarkStyle = {}) {
    this.rods = new Marks(UNIT_ROD, color, capacity, style);
    this.balls = new Marks(UNIT_BALL, color, 2 * capacity, style);
    this.object.add(this.rods.object, this.balls.object);
  }

  resize(count: number): void {
    this.rods.resize(count);
    this.balls.resize(2 * count);
  }

  set(index: number, from: Vector3, to: Vector3, radius: number, ballRadius: number): void {
    direction.subVectors(to, from);
    const length = direction.length();
    if (length > 1e-9) rotation.setFromUnitVectors(Z, direction.divideScalar(length));
    this.rods.set(index, matrix.compose(from, rotation, size.set(radius, radius, length)));
    rotation.identity();
    size.setScalar(ballRadius);
    this.balls.set(2 * index, matrix.compose(from, rotation, size));
    this.balls.set(2 * index + 1, matrix.compose(to, rotation, size));
  }

  commit(): void {
    this.rods.commit();
    this.balls.commit();
  }
}

/** An arrow along z from `start` to 1 in one color, as a part of a larger geometry. */
export function arrowPart(color: string, radius: number, start: number, turn?: Matrix4): BufferGeometry {
  const head = HEAD_LENGTH * radius;
  const paint = new Color(color);
  const shaft = UNIT_ROD.clone().scale(radius, radius, 1 - head - start).translate(0, 0, start);
  const tip = UNIT_HEAD.clone().scale(HEAD_RADIUS * radius, HEAD_RADIUS * radius, head).translate(0, 0, 1 - head);
  return merged([painted(shaft, paint, turn), painted(tip, paint, turn)]);
}
