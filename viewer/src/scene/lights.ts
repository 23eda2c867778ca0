// Light: a sun with soft shadows, the sky, and reflections of a studio.
import { DirectionalLight, Group, HemisphereLight, Scene, Vector3, type Sphere, type WebGLRenderer } from 'three';
import { rendersInSoftware } from './graphics';
import type { Ground } from './ground';
import { studioEnvironment } from './studio';
import type { Theme } from './theme';

/** From the front; the camera of the home view looks from farther to the left, so it sees one lit side and one in the shade. */
export const SUN = new Vector3(0.9, -0.28, 1.3).normalize();

export class Lights {
  readonly object = new Group();
  private readonly sun = new DirectionalLight('white', 2);
  private readonly sky = new HemisphereLight('white', 'gray', 0.5);

  constructor(private readonly scene: Scene) {
    this.sky.position.set(0, 0, 1);
    this.sun.castShadow = true;
    this.sun.shadow.radius = 3;
    this.sun.shadow.bias = -0.0004;
    this.object.add(this.sun, this.sun.target, this.sky);
  }

  /** What the first pictures do without: what bodies reflect, and the size of the shadow map. */
  complete(renderer: WebGLRenderer): void {
    if (this.scene.environment) return;
    this.scene.environment = studioEnvironment();
    const pixels = rendersInSoftware(renderer) ? 1024 : 2048;
    this.sun.shadow.mapSize.set(pixels, pixels);
    this.setBias();
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

  /** Fits the shadow map to what casts shadows, and the area of the ground to where they fall. */
  fit(sphere: Sphere, ground: Ground): void {
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
      this.setBias();
    }
    // The sphere's shadow is an ellipse; this is the square around the circle around it.
    const along = (sphere.center.z - ground.height) / SUN.z;
    ground.setShadowArea(sphere.center.x - along * SUN.x, sphere.center.y - along * SUN.y, radius / SUN.z);
    sun.updateMatrixWorld();
    sun.target.updateMatrixWorld();
  }

  private setBias(): void {
    const { shadow } = this.sun;
    shadow.normalBias = (4 * shadow.camera.right) / shadow.mapSize.x;
  }
}
