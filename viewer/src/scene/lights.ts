// Light: a sun with soft shadows, the sky, and reflections of a bright room.
import { DirectionalLight, Group, HemisphereLight, PMREMGenerator, Scene, Vector3, WebGLRenderer, type Sphere } from 'three';
import { RoomEnvironment } from 'three/examples/jsm/environments/RoomEnvironment.js';
import type { Theme } from './theme';

const SHADOW_PIXELS = 2048;
/** From the front left above, where the camera is at first, but farther to the side. */
const SUN = new Vector3(0.55, 0.75, 1.35).normalize();

export class Lights {
  readonly object = new Group();
  private readonly sun = new DirectionalLight('white', 2);
  private readonly sky = new HemisphereLight('white', 'gray', 0.5);

  constructor(renderer: WebGLRenderer, private readonly scene: Scene) {
    this.sky.position.set(0, 0, 1);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(SHADOW_PIXELS, SHADOW_PIXELS);
    this.sun.shadow.radius = 5;
    this.sun.shadow.bias = -0.0004;
    this.object.add(this.sun, this.sun.target, this.sky);
    const generator = new PMREMGenerator(renderer);
    const room = new RoomEnvironment();
    // A small map is enough for rough surfaces, and is made quickly without a graphics card.
    scene.environment = generator.fromScene(room, 0.04, 0.1, 100, { size: 64 }).texture;
    // The room has y up.
    scene.environmentRotation.set(Math.PI / 2, 0, 0);
    generator.dispose();
    room.dispose();
  }

  setTheme(theme: Theme): void {
    this.sun.intensity = theme.light.sun;
    this.sky.intensity = theme.light.sky;
    this.sky.color.set(theme.light.skyColor);
    this.sky.groundColor.set(theme.light.groundColor);
    this.scene.environmentIntensity = theme.light.environment;
  }

  showShadows(on: boolean): void {
    this.sun.castShadow = on;
  }

  /** Fits the shadow map to what casts shadows. */
  fit(sphere: Sphere): void {
    const radius = Math.max(sphere.radius, 1e-3) * 1.05;
    const { sun } = this;
    sun.target.position.copy(sphere.center);
    sun.position.copy(sphere.center).addScaledVector(SUN, 3 * radius);
    const camera = sun.shadow.camera;
    if (Math.abs(camera.right - radius) > 1e-3 * radius) {
      camera.left = camera.bottom = -radius;
      camera.right = camera.top = radius;
      camera.near = radius;
      camera.far = 12 * radius;
      camera.updateProjectionMatrix();
      sun.shadow.normalBias = (4 * radius) / SHADOW_PIXELS;
    }
    sun.updateMatrixWorld();
    sun.target.updateMatrixWorld();
  }
}
