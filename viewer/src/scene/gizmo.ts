// Handles at a pose, to move and rotate it: three's TransformControls.
import { Object3D } from 'three';
import { TransformControls } from 'three/examples/jsm/controls/TransformControls.js';
import type { Pose } from '../stream';
import type { CameraRig } from './camera';

export class Gizmo {
  readonly object: Object3D;
  private readonly controls: TransformControls;
  private readonly proxy = new Object3D();

  constructor(
    canvas: HTMLCanvasElement, rig: CameraRig, changed: () => void, private readonly moved: (pose: Pose, phase: 'move' | 'end') => void,
  ) {
    this.controls = new TransformControls(rig.camera, canvas);
    this.controls.setSize(0.8);
    this.controls.setSpace('local');
    this.object = new Object3D();
    this.object.add(this.controls.getHelper(), this.proxy);
    this.controls.addEventListener('change', changed);
    this.controls.addEventListener('objectChange', () => this.moved(this.pose(), 'move'));
    this.controls.addEventListener('dragging-changed', (event) => {
      rig.controls.enabled = !event.value;
      if (!event.value) this.moved(this.pose(), 'end');
    });
  }

  /** Whether the pointer is over a handle, or drags one. */
  get active(): boolean {
    return this.controls.object !== undefined && (this.controls.dragging || this.controls.axis !== null);
  }

  set(pose: Pose | null, mode: 'translate' | 'rotate' = 'translate'): void {
    if (!pose) {
      this.controls.detach();
      return;
    }
    this.controls.setMode(mode);
    // While it is dragged, the pose is what the pointer says.
    if (!this.controls.dragging) {
      this.proxy.position.set(pose[0], pose[1], pose[2]);
      this.proxy.quaternion.set(pose[4], pose[5], pose[6], pose[3]);
      this.proxy.updateMatrixWorld();
    }
    if (this.controls.object !== this.proxy) this.controls.attach(this.proxy);
  }

  private pose(): Pose {
    const { position: p, quaternion: q } = this.proxy;
    return [p.x, p.y, p.z, q.w, q.x, q.y, q.z];
  }
}
