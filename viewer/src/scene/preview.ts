// The first pictures: bodies with a shader of a few lines, without shadows and reflections, before a plain background.
//
// Compiling three's physical materials takes a second where there is no graphics card, and some tenths where there is one; backdrop and grid,
// which fill the picture, take as long as all bodies. So the robot is shown at once as it can be, and as it should be when the rest is
// compiled (Stage.refine).
import { Color, Material, Mesh, MeshStandardMaterial, Object3D, ShaderMaterial, Vector3, type Camera, type Scene, type WebGLRenderer } from 'three';
import type { Ground } from './ground';
import { SUN } from './lights';
import type { StageRobot } from './robot';
import type { Theme } from './theme';

const VERTEX = /* glsl */ `
  uniform vec3 tint, sun;
  varying vec3 shade;
  void main() {
    vec3 normalInWorld = normalize(mat3(modelMatrix) * normal);
    float light = 0.5 + 0.16 * normalInWorld.z + 0.5 * max(dot(normalInWorld, sun), 0.0);
    shade = tint * light;
    #ifdef USE_COLOR
      shade *= color;
    #endif
    gl_Position = projectionMatrix * viewMatrix * modelMatrix * vec4(position, 1.0);
  }`;

const FRAGMENT = /* glsl */ `
  uniform float opacity;
  varying vec3 shade;
  void main() {
    gl_FragColor = vec4(shade, opacity);
    #include <colorspace_fragment>
  }`;

export class Preview {
  private readonly simple = new Map<Material, ShaderMaterial>();

  /** Renders the scene with simple materials for the bodies of robots; without what else is drawn with them, and without the ground. */
  render(renderer: WebGLRenderer, scene: Scene, camera: Camera, robots: readonly StageRobot[], ground: Ground, theme: Theme): void {
    const undo: (() => void)[] = [];
    for (const object of [ground.backdrop, ...ground.object.children]) hide(object, undo);
    renderer.setClearColor(theme.backdrop.middle);
    for (const robot of robots) robot.object.traverseVisible((object) => this.replace(object, undo));
    const { enabled } = renderer.shadowMap;
    renderer.shadowMap.enabled = false;
    renderer.render(scene, camera);
    renderer.shadowMap.enabled = enabled;
    for (const restore of undo) restore();
  }

  dispose(): void {
    for (const material of this.simple.values()) material.dispose();
    this.simple.clear();
  }

  private replace(object: Object3D, undo: (() => void)[]): void {
    if (!(object instanceof Mesh)) {
      if (isDrawn(object)) hide(object, undo);
      return;
    }
    const original: Material | Material[] = object.material;
    const first = Array.isArray(original) ? original[0] : original;
    if (!('color' in first) || !(object.geometry.attributes.normal) || 'isInstancedMesh' in object || object.userData.depthOnly) return hide(object, undo);
    object.material = this.simpler(first as MeshStandardMaterial);
    undo.push(() => (object.material = original));
  }

  private simpler(material: MeshStandardMaterial): ShaderMaterial {
    let simple = this.simple.get(material);
    if (!simple) {
      const { vertexColors, transparent, opacity, side, depthWrite } = material;
      simple = new ShaderMaterial({
        vertexShader: VERTEX, fragmentShader: FRAGMENT, vertexColors, transparent, side, depthWrite, toneMapped: false,
        uniforms: { tint: { value: new Color(material.color) }, sun: { value: new Vector3().copy(SUN) }, opacity: { value: opacity } },
      });
      this.simple.set(material, simple);
    }
    return simple;
  }
}

function isDrawn(object: Object3D): boolean {
  return 'isSprite' in object || 'isLine' in object || 'isPoints' in object;
}

function hide(object: Object3D, undo: (() => void)[]): void {
  // Only what the object itself draws: a collision shape's edges hang below it.
  const { layers } = object;
  const { mask } = layers;
  layers.mask = 0;
  undo.push(() => (layers.mask = mask));
}
