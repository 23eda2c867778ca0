// The 3-D stage: robots, light, ground and camera. It renders only when something has changed.
import { ACESFilmicToneMapping, Box3, PCFShadowMap, Scene, Sphere, Vector3, WebGLRenderer } from 'three';
import type { Assets } from '../assets';
import type { Pose, Robot, Vec3 } from '../stream';
import { CameraRig, type View } from './camera';
import { Gizmo } from './gizmo';
import { finished } from './graphics';
import { Ground } from './ground';
import { Lights } from './lights';
import { Materials } from './materials';
import { MeshLibrary } from './meshes';
import { Pointer, type Pointed, type PointerHost } from './pointer';
import { StageRobot, type Layer } from './robot';
import { Preview } from './preview';
import { THEMES, type ThemeName } from './theme';

export type { ContactForce } from './contacts';
export { StageRobot, type Layer, type Pointed, type View };

const SHOWN_AT_FIRST: Layer[] = ['visuals', 'grid', 'shadows', 'loops'];
const MAX_PIXEL_RATIO = 2;

export class Stage implements PointerHost {
  readonly canvas: HTMLCanvasElement;
  readonly robots: StageRobot[] = [];
  /** What could not be shown, such as meshes that were not found. */
  readonly notes: string[] = [];
  readonly stats = { frames: 0 };
  pulling = false;
  onHover: (pointed: Pointed | null, x: number, y: number) => void = () => {};
  onSelect: (pointed: Pointed | null) => void = () => {};
  onPull: (phase: 'start' | 'move' | 'end', pointed: Pointed, to: Vec3) => void = () => {};
  onGizmo: (pose: Pose, phase: 'move' | 'end') => void = () => {};
  /** Called after a note was added. */
  onNote: (text: string) => void = () => {};

  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly ground = new Ground();
  private readonly lights: Lights;
  private readonly materials = new Materials();
  private readonly library: MeshLibrary;
  private readonly rig: CameraRig;
  private readonly gizmo: Gizmo;
  private readonly pointer: Pointer;
  private readonly layers = new Set<Layer>(SHOWN_AT_FIRST);
  private theme: ThemeName = 'light';
  private highlighted: { robot: number; link: number } | null = null;
  private frameRequested = false;
  private refined: Promise<void> | null = null;
  private boundsChanged = true;
  private fixedSize: [number, number] | null = null;
  private readonly box = new Box3();
  private readonly robotBox = new Box3();
  private readonly sphere = new Sphere();
  private size = 0;
  private fittedRobots = 0;
  /** Draws until refine(). */
  private preview: Preview | null = new Preview();

  /** Throws an Error if the browser has no WebGL. */
  constructor(private readonly host: HTMLElement, assets: Assets) {
    try {
      this.renderer = new WebGLRenderer({ antialias: true, powerPreference: 'high-performance' });
    } catch {
      throw new Error('This browser offers no WebGL 2, which the page draws with. Enable hardware acceleration, or use another browser.');
    }
    this.renderer.toneMapping = ACESFilmicToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    // Shadows change when robots move, not when the camera does.
    this.renderer.shadowMap.autoUpdate = false;
    this.canvas = this.renderer.domElement;
    Object.assign(this.canvas.style, { display: 'block', width: '100%', height: '100%' });
    host.append(this.canvas);
    // For the first picture: asking whether a shader was compiled waits for it, and for all that was drawn before.
    this.renderer.debug.checkShaderErrors = false;

    this.library = new MeshLibrary(assets, (text) => this.note(text));
    this.lights = new Lights(this.scene);
    this.rig = new CameraRig(this.canvas, () => this.invalidate());
    this.gizmo = new Gizmo(this.canvas, this.rig, () => this.invalidate(), (pose, phase) => this.onGizmo(pose, phase));
    this.pointer = new Pointer(this.canvas, this.rig, this);
    this.scene.add(this.ground.backdrop, this.ground.object, this.lights.object, this.gizmo.object);
    this.setTheme('light');
    this.canvas.addEventListener('webglcontextrestored', () => this.invalidate());
    this.fitToHost();
    new ResizeObserver(() => {
      if (this.fitsHost()) return;
      this.fitToHost();
      // A canvas is empty after its size was changed, so it is drawn before the page is.
      this.renderNow();
    }).observe(host);
  }

  addRobot(robot: Robot, options: { ghost?: boolean } = {}): StageRobot {
    const added = new StageRobot(robot, {
      ghost: options.ghost ?? false,
      materials: this.materials,
      library: this.library,
      note: (text) => this.note(text),
      changed: () => this.robotMoved(),
      moved: () => this.robotMoved(),
    });
    this.robots.push(added);
    this.scene.add(added.object);
    added.setTheme(THEMES[this.theme]);
    added.show('visuals', false);
    for (const layer of this.layers) added.show(layer, true);
    this.robotMoved();
    return added;
  }

  removeRobot(robot: StageRobot): void {
    const index = this.robots.indexOf(robot);
    if (index < 0) return;
    if (this.highlighted?.robot === index) this.highlighted = null;
    this.robots.splice(index, 1);
    this.scene.remove(robot.object);
    robot.dispose();
    this.robotMoved();
  }

  /** Resolves when all meshes are loaded or have failed, and are drawn with their final materials. */
  async settled(): Promise<void> {
    await this.refine();
    for (const robot of this.robots) await robot.bodies.settled();
    // The robots measure themselves when their meshes are there.
    await Promise.resolve();
  }

  show(layer: Layer, on: boolean): void {
    if (on) this.layers.add(layer);
    else this.layers.delete(layer);
    for (const robot of this.robots) robot.show(layer, on);
    if (layer === 'grid') this.ground.showGrid(on);
    if (layer === 'shadows') this.lights.showShadows(on);
    this.robotMoved();
  }

  shown(layer: Layer): boolean {
    return this.layers.has(layer);
  }

  setTheme(name: ThemeName): void {
    this.theme = name;
    const theme = THEMES[name];
    this.ground.setTheme(theme);
    this.lights.setTheme(theme);
    this.materials.setTheme(theme);
    for (const robot of this.robots) robot.setTheme(theme);
    this.invalidate();
  }

  look(view: View): void {
    this.measure();
    this.rig.look(view, this.box);
    this.invalidate();
  }

  /** The same for poses that are still to come: `poses` sets one after the other, and the camera sees all of them. */
  lookAtAll(view: View, poses: Iterable<unknown>): void {
    const all = new Box3();
    for (const _ of poses) {
      this.measure();
      all.union(this.box);
    }
    if (!all.isEmpty()) this.rig.look(view, all);
    this.invalidate();
  }

  /** From now on the picture has this size in pixels, whatever the size of the window is. */
  setSize(width: number, height: number): void {
    this.fixedSize = [width, height];
    this.resize();
  }

  /** Whether someone has moved the camera since the last look(). */
  get touched(): boolean {
    return this.rig.touched;
  }

  orbit(right: number, up: number): void {
    this.rig.orbit(right, up);
  }

  pan(right: number, up: number): void {
    this.rig.pan(right, up);
  }

  zoom(factor: number): void {
    this.rig.zoom(factor);
  }

  /** The point of a robot under a place of the window. */
  pick(x: number, y: number): Pointed | null {
    return this.pointer.pick(x, y);
  }

  /** A direction to the right, up and towards the camera, as one in the world. */
  inPicture(direction: Vec3, length: number): Vec3 {
    return this.rig.inPicture(direction, length).toArray();
  }

  setFollow(on: boolean): void {
    this.rig.setFollow(on);
    if (on && this.robots.length) this.rig.followTo(this.robots[0].com());
  }

  highlight(robot: number, link: number | null): void {
    const old = this.highlighted;
    if (old) this.setHighlight(old.robot, old.link, false);
    this.highlighted = link === null ? null : { robot, link };
    if (link !== null) this.setHighlight(robot, link, true);
    this.invalidate();
  }

  setGizmo(pose: Pose | null, mode: 'translate' | 'rotate' = 'translate'): void {
    this.gizmo.set(pose, mode);
    this.invalidate();
  }

  busy(): boolean {
    return this.gizmo.active;
  }

  renderNow(): void {
    const { width, height } = this.canvas;
    if (this.boundsChanged) this.measure();
    const { target } = this.rig.controls;
    this.ground.moveTo(target.x, target.y);
    if (this.layers.has('labels') || this.layers.has('contacts')) {
      const ratio = this.renderer.getPixelRatio();
      this.rig.camera.updateMatrixWorld();
      const taken: number[][] = [];
      const view = [this.rig.camera, width / ratio, height / ratio, taken] as const;
      if (this.layers.has('contacts')) for (const robot of this.robots) robot.touch.labels.arrange(...view);
      if (this.layers.has('labels')) for (const robot of this.robots) robot.labels.arrange(...view);
    }
    if (this.preview) this.preview.render(this.renderer, this.scene, this.rig.camera, this.robots, this.ground, THEMES[this.theme]);
    else this.renderer.render(this.scene, this.rig.camera);
    this.stats.frames++;
  }

  /** Compiles the final materials in the background, and draws with them from then on. */
  refine(): Promise<void> {
    return (this.refined ??= this.compile());
  }

  /** A PNG of this moment; its size in pixels is that of the canvas if it is not given. */
  picture(width = this.canvas.width, height = this.canvas.height): Promise<Blob> {
    const limit = this.renderer.capabilities.maxTextureSize;
    const shrink = Math.min(1, limit / width, limit / height);
    const resized = width !== this.canvas.width || height !== this.canvas.height;
    if (resized) {
      this.renderer.setPixelRatio(1);
      this.renderer.setSize(Math.round(width * shrink), Math.round(height * shrink), false);
      this.rig.setAspect(width / height);
    }
    this.endPreview();
    this.renderNow();
    const blob = new Promise<Blob>((resolve, reject) =>
      // The canvas is read now, although the callback comes later.
      this.canvas.toBlob((png) => (png ? resolve(png) : reject(new Error('the picture could not be encoded'))), 'image/png'),
    );
    if (resized) {
      this.resize();
      this.renderNow();
    }
    return blob;
  }

  private async compile(): Promise<void> {
    // What is on its way to the screen goes first: the browser shares the graphics process with it.
    await finished(this.renderer.getContext() as WebGL2RenderingContext);
    this.complete();
    const { camera } = this.rig;
    const drawn = [this.ground.backdrop, this.ground.object, ...this.robots.map(({ bodies }) => bodies.object)];
    // Without this extension, they are compiled when they are drawn for the first time.
    if (this.renderer.extensions.has('KHR_parallel_shader_compile'))
      for (const object of drawn) await this.renderer.compileAsync(object, camera, this.scene);
    this.endPreview();
  }

  private endPreview(): void {
    if (!this.preview) return;
    this.complete();
    this.preview.dispose();
    this.preview = null;
    this.invalidate();
  }

  /** What the first pictures did without. */
  private complete(): void {
    this.renderer.debug.checkShaderErrors = true;
    this.lights.complete(this.renderer);
  }

  private note(text: string): void {
    if (this.notes.includes(text)) return;
    this.notes.push(text);
    this.onNote(text);
  }

  private setHighlight(robot: number, link: number, on: boolean): void {
    const target = this.robots[robot];
    if (!target) return;
    target.bodies.highlight(link, on);
    target.labels.preferred = on ? link : null;
  }

  private robotMoved(): void {
    this.boundsChanged = true;
    if (this.rig.following && this.robots.length) this.rig.followTo(this.robots[0].com());
    this.invalidate();
  }

  /** Finds the box around all robots, and fits shadows, ground and, until someone moves it, the camera to it. */
  private measure(): void {
    this.boundsChanged = false;
    this.box.makeEmpty();
    let size = 0;
    for (const robot of this.robots) {
      this.box.union(robot.bounds(this.robotBox));
      size = Math.max(size, robot.size);
    }
    const { min, max } = this.box;
    if (this.box.isEmpty() || ![min.x, min.y, min.z, max.x, max.y, max.z].every(Number.isFinite))
      this.box.set(new Vector3(-0.5, -0.5, 0), new Vector3(0.5, 0.5, 1));
    this.box.getBoundingSphere(this.sphere);
    const fitted = size === this.size && this.robots.length === this.fittedRobots;
    if (!fitted) this.placeGround(size);
    this.lights.fit(this.sphere, this.ground);
    this.renderer.shadowMap.needsUpdate = true;
    if (fitted) return;
    this.size = size;
    this.fittedRobots = this.robots.length;
    this.ground.setSize(size || 1);
    this.rig.setSize(size || 1);
    if (!this.rig.touched) this.rig.look(this.rig.view, this.box);
  }

  /** The ground is at z = 0, unless a robot begins below it, whose origin is in its waist, say: then it is drawn under that. */
  private placeGround(size: number): void {
    this.ground.setHeight(this.box.min.z < -0.02 * size ? this.box.min.z : 0);
    for (const robot of this.robots) robot.ground = this.ground.height;
  }

  private fitsHost(): boolean {
    const [width, height] = this.hostSize();
    const ratio = this.renderer.getPixelRatio();
    return this.canvas.width === Math.floor(width * ratio) && this.canvas.height === Math.floor(height * ratio) && ratio === this.hostRatio();
  }

  private fitToHost(): void {
    this.resize();
    if (!this.rig.touched && this.robots.length) this.rig.look(this.rig.view, this.box);
    this.invalidate();
  }

  private resize(): void {
    const [width, height] = this.hostSize();
    this.renderer.setPixelRatio(this.hostRatio());
    this.renderer.setSize(width, height, false);
    this.rig.setAspect(width / height);
  }

  private hostSize(): [number, number] {
    return this.fixedSize ?? [Math.max(1, this.host.clientWidth), Math.max(1, this.host.clientHeight)];
  }

  private hostRatio(): number {
    return this.fixedSize ? 1 : Math.min(window.devicePixelRatio || 1, MAX_PIXEL_RATIO);
  }

  private invalidate(): void {
    if (this.frameRequested) return;
    this.frameRequested = true;
    requestAnimationFrame(() => {
      this.frameRequested = false;
      // While the camera is damped, its control reports a change, which asks for the next picture.
      this.rig.controls.update();
      this.renderNow();
    });
  }
}
