// The mouse or finger: hovering, selecting, and pulling links.
import { Object3D, Plane, Raycaster, Vector2, Vector3 } from 'three';
import type { Vec3 } from '../stream';
import type { CameraRig } from './camera';
import type { StageRobot } from './robot';

export interface Pointed {
  robot: number;
  link: number;
  /** In the link's frame. */
  point: Vec3;
  /** In the world. */
  at: Vec3;
}

export interface PointerHost {
  readonly robots: StageRobot[];
  pulling: boolean;
  onHover: (pointed: Pointed | null, x: number, y: number) => void;
  onSelect: (pointed: Pointed | null) => void;
  onPull: (phase: 'start' | 'move' | 'end', pointed: Pointed, to: Vec3) => void;
  /** Whether something else, the gizmo, has the pointer. */
  busy(): boolean;
}

/** A press that moves less than this many pixels is a click. */
const CLICK_PIXELS = 5;

export class Pointer {
  private readonly raycaster = new Raycaster();
  private readonly place = new Vector2();
  private readonly targets: Object3D[] = [];
  private hoverEvent: PointerEvent | null = null;
  private hovered = false;
  private pressed: { x: number; y: number; id: number } | null = null;
  private pull: { pointed: Pointed; plane: Plane; id: number; to: Vec3 } | null = null;

  constructor(private readonly canvas: HTMLCanvasElement, private readonly rig: CameraRig, private readonly host: PointerHost) {
    // Capturing, so that these run before those of the orbit control.
    canvas.addEventListener('pointerdown', (event) => this.down(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.move(event), { capture: true });
    canvas.addEventListener('pointerup', (event) => this.up(event), { capture: true });
    canvas.addEventListener('pointercancel', (event) => this.up(event, true), { capture: true });
    canvas.addEventListener('pointerleave', (event) => this.leave(event));
  }

  /** The point of a robot under a place of the screen, nearest first. */
  pick(clientX: number, clientY: number): Pointed | null {
    this.aim(clientX, clientY);
    let best: Pointed | null = null;
    let nearest = Infinity;
    this.host.robots.forEach((robot, index) => {
      this.targets.length = 0;
      // The robot may have moved since the last picture.
      robot.object.updateMatrixWorld();
      robot.bodies.pickable(this.targets);
      const hit = this.raycaster.intersectObjects(this.targets, true)[0];
      if (!hit || hit.distance >= nearest) return;
      nearest = hit.distance;
      const link = linkOf(hit.object);
      const local = hit.point.clone().applyMatrix4(robot.bodies.matrix(link).clone().invert());
      best = { robot: index, link, point: local.toArray(), at: hit.point.toArray() };
    });
    return best;
  }

  private aim(clientX: number, clientY: number): void {
    const area = this.canvas.getBoundingClientRect();
    this.place.set(((clientX - area.left) / area.width) * 2 - 1, 1 - ((clientY - area.top) / area.height) * 2);
    this.raycaster.setFromCamera(this.place, this.rig.camera);
  }

  private down(event: PointerEvent): void {
    if (this.host.busy() || this.pull) return;
    this.pressed = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY, id: event.pointerId } : null;
    if (!this.pressed || !this.host.pulling) return;
    const pointed = this.pick(event.clientX, event.clientY);
    if (!pointed) return;
    const normal = this.rig.camera.getWorldDirection(new Vector3());
    const plane = new Plane().setFromNormalAndCoplanarPoint(normal, new Vector3(...pointed.at));
    this.pull = { pointed, plane, id: event.pointerId, to: pointed.at };
    this.rig.stop();
    this.canvas.style.cursor = 'grabbing';
    this.rig.controls.enabled = false;
    this.canvas.setPointerCapture(event.pointerId);
    this.host.onPull('start', pointed, pointed.at);
  }

  private move(event: PointerEvent): void {
    if (this.pull) {
      if (event.pointerId !== this.pull.id) return;
      this.aim(event.clientX, event.clientY);
      const to = this.raycaster.ray.intersectPlane(this.pull.plane, new Vector3());
      if (to) this.host.onPull('move', this.pull.pointed, (this.pull.to = to.toArray()));
      return;
    }
    if (event.buttons || event.pointerType === 'touch') return;
    // Mice report more often than the screen shows pictures; one search for each picture is enough.
    if (!this.hoverEvent) requestAnimationFrame(() => this.hover());
    this.hoverEvent = event;
  }

  private hover(): void {
    const event = this.hoverEvent;
    this.hoverEvent = null;
    if (!event || this.pull) return;
    const pointed = this.host.busy() ? null : this.pick(event.clientX, event.clientY);
    this.canvas.style.cursor = pointed ? (this.host.pulling ? 'grab' : 'pointer') : '';
    if (!pointed && !this.hovered) return;
    this.hovered = pointed !== null;
    this.host.onHover(pointed, event.clientX, event.clientY);
  }

  private up(event: PointerEvent, canceled = false): void {
    const pressed = this.pressed?.id === event.pointerId ? this.pressed : null;
    if (pressed) this.pressed = null;
    const clicked = pressed && !canceled && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < CLICK_PIXELS;
    if (this.pull?.id === event.pointerId) {
      const { pointed, to } = this.pull;
      this.pull = null;
      this.canvas.style.cursor = '';
      this.rig.controls.enabled = true;
      this.host.onPull('end', pointed, to);
      if (clicked) this.host.onSelect(pointed);
      return;
    }
    if (clicked && !this.host.busy()) this.host.onSelect(this.pick(event.clientX, event.clientY));
  }

  private leave(event: PointerEvent): void {
    this.hoverEvent = null;
    if (!this.hovered) return;
    this.hovered = false;
    this.host.onHover(null, event.clientX, event.clientY);
  }
}

function linkOf(object: Object3D): number {
  for (let node: Object3D | null = object; node; node = node.parent)
    if (node.userData.link !== undefined) return node.userData.link as number;
  return -1;
}
