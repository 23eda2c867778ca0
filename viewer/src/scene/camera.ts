// The camera: orbit control, presets, and following a robot.
import { Box3, PerspectiveCamera, Vector3 } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { Vec3 } from '../stream';

export type View = 'home' | 'front' | 'back' | 'left' | 'right' | 'top';

/** From where one looks, for a robot that faces along x and has y at its left. */
const DIRECTIONS: Record<View, Vec3> = {
  home: [1, 0.72, 0.48],
  front: [1, 0, 0.08],
  back: [-1, 0, 0.08],
  left: [0, 1, 0.08],
  right: [0, -1, 0.08],
  // Exactly from above, left and right would be undefined.
  top: [-0.0015, 0, 1],
};

export class CameraRig {
  readonly camera = new PerspectiveCamera(32, 1, 0.01, 100);
  readonly controls: OrbitControls;
  /** Whether someone has moved the camera since the last preset. */
  touched = false;
  view: View = 'home';
  private follow = false;
  private followed: Vec3 | null = null;

  constructor(canvas: HTMLCanvasElement, private readonly changed: () => void) {
    this.camera.up.set(0, 0, 1);
    this.camera.position.set(3, 2, 1.5);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', () => this.changed());
    this.controls.addEventListener('start', () => (this.touched = true));
  }

  setAspect(aspect: number): void {
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
  }

  setSize(size: number): void {
    this.controls.minDistance = 0.03 * size;
    this.controls.maxDistance = 40 * size;
    this.camera.near = 0.01 * size;
    this.camera.far = 120 * size;
    this.camera.updateProjectionMatrix();
  }

  /** Looks at a box so that all of it is in the picture. */
  look(view: View, box: Box3): void {
    this.view = view;
    this.touched = false;
    this.stop();
    const target = box.getCenter(new Vector3());
    const toCamera = new Vector3(...DIRECTIONS[view]).normalize();
    const right = new Vector3().crossVectors(this.camera.up, toCamera).normalize();
    const up = new Vector3().crossVectors(toCamera, right);
    const tan = Math.tan((this.camera.fov * Math.PI) / 360);
    const distance = this.fit(box, target, toCamera, right, up, tan);
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(toCamera, distance);
    this.controls.update();
  }

  /** Ends what is left of the last motion of the pointer. */
  stop(): void {
    this.controls.enableDamping = false;
    this.controls.update();
    this.controls.enableDamping = true;
  }

  /** The distance at which all corners are in the picture; it moves the target to the middle of what one sees. */
  private fit(box: Box3, target: Vector3, toCamera: Vector3, right: Vector3, up: Vector3, tan: number): number {
    const corners: Vector3[] = [];
    for (let i = 0; i < 8; i++)
      corners.push(new Vector3(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z));
    const margin = 0.86;
    const tanX = tan * this.camera.aspect * margin;
    const tanY = tan * margin;
    let distance = 0;
    // Three rounds: where the middle is depends on the distance, because near corners look larger.
    for (let round = 0; round < 3; round++) {
      distance = 0;
      for (const corner of corners) {
        const d = corner.clone().sub(target);
        const near = d.dot(toCamera);
        distance = Math.max(distance, near + Math.abs(d.dot(right)) / tanX, near + Math.abs(d.dot(up)) / tanY);
      }
      const range = { right: [Infinity, -Infinity], up: [Infinity, -Infinity] };
      for (const corner of corners) {
        const d = corner.clone().sub(target);
        const depth = distance - d.dot(toCamera);
        for (const [values, axis] of [[range.right, right], [range.up, up]] as const) {
          values[0] = Math.min(values[0], d.dot(axis) / depth);
          values[1] = Math.max(values[1], d.dot(axis) / depth);
        }
      }
      target.addScaledVector(right, (distance * (range.right[0] + range.right[1])) / 2);
      target.addScaledVector(up, (distance * (range.up[0] + range.up[1])) / 2);
    }
    return distance;
  }

  /** Turns around the target: `right` about the vertical, `up` towards it, in radians. */
  orbit(right: number, up: number): void {
    const toCamera = this.camera.position.clone().sub(this.controls.target);
    const distance = toCamera.length();
    const azimuth = Math.atan2(toCamera.y, toCamera.x) + right;
    const limit = Math.PI / 2 - 1e-3;
    const elevation = Math.min(limit, Math.max(-limit, Math.asin(toCamera.z / distance) + up));
    toCamera.set(Math.cos(elevation) * Math.cos(azimuth), Math.cos(elevation) * Math.sin(azimuth), Math.sin(elevation));
    this.camera.position.copy(this.controls.target).addScaledVector(toCamera, distance);
    this.moved();
  }

  /** Moves to the right and up, by parts of the distance to the target. */
  pan(right: number, up: number): void {
    const way = this.inPicture([right, up, 0], this.distance);
    this.camera.position.add(way);
    this.controls.target.add(way);
    this.moved();
  }

  /** Farther away by a factor. */
  zoom(factor: number): void {
    const { minDistance, maxDistance, target } = this.controls;
    const distance = Math.min(maxDistance, Math.max(minDistance, factor * this.distance));
    this.camera.position.sub(target).setLength(distance).add(target);
    this.moved();
  }

  /** A direction to the right, up and towards the camera, as one in the world. */
  inPicture(direction: Vec3, length: number): Vector3 {
    this.camera.updateMatrixWorld();
    return new Vector3(...direction).transformDirection(this.camera.matrixWorld).multiplyScalar(length * Math.hypot(...direction));
  }

  private get distance(): number {
    return this.camera.position.distanceTo(this.controls.target);
  }

  private moved(): void {
    this.touched = true;
    this.stop();
    this.changed();
  }

  setFollow(on: boolean): void {
    this.follow = on;
    this.followed = null;
  }

  get following(): boolean {
    return this.follow;
  }

  /** Moves the camera by as much as the point has moved since the last call. */
  followTo(point: Vec3): void {
    if (!this.follow || !point.every(Number.isFinite)) return;
    if (this.followed) {
      this.touched = true;
      const way = new Vector3(...point).sub(new Vector3(...this.followed));
      this.camera.position.add(way);
      this.controls.target.add(way);
    }
    this.followed = [...point];
  }
}
