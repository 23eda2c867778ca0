// The background and the ground: a grid that fades into the background, and a plane that catches shadows.
import { BufferAttribute, BufferGeometry, Color, DoubleSide, Group, Mesh, PlaneGeometry, ShaderMaterial, Vector3 } from 'three';
import { softShadowMaterial } from './softshadow';
import type { Theme } from './theme';

const GRID_VERTEX = /* glsl */ `
  varying vec3 place;
  void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    place = world.xyz;
    gl_Position = projectionMatrix * viewMatrix * world;
  }`;

const GRID_FRAGMENT = /* glsl */ `
  uniform vec3 center;
  uniform float radius, cell, fillOpacity, lineOpacity;
  uniform vec3 fillColor, lineColor;
  varying vec3 place;

  // How much of a pixel the lines of a grid cover; lines that are closer than pixels melt into gray.
  float lines(vec2 at, float spacing, float pixels) {
    vec2 scaled = at / spacing;
    vec2 width = fwidth(scaled) * pixels;
    vec2 cover = 1.0 - smoothstep(vec2(0.5), vec2(1.0), abs(fract(scaled - 0.5) - 0.5) / max(width, 1e-6));
    vec2 dense = smoothstep(0.15, 0.6, width);
    cover = mix(cover, width, dense) * (1.0 - dense);
    return max(cover.x, cover.y);
  }

  void main() {
    float distance = length(place.xy - center.xy) / radius;
    float fade = 1.0 - smoothstep(0.15, 1.0, distance);
    float minor = lines(place.xy, cell, 1.0) * 0.38 * (1.0 - smoothstep(0.1, 0.55, distance));
    float major = lines(place.xy, cell * 10.0, 1.1);
    // Seen from below, the ground must not hide what is above.
    float side = gl_FrontFacing ? 1.0 : 0.35;
    float line = max(minor, major) * lineOpacity;
    float alpha = (fillOpacity * (1.0 - line) + line) * fade * fade * side;
    gl_FragColor = vec4(mix(fillColor, lineColor, line / max(fillOpacity * (1.0 - line) + line, 1e-4)), alpha);
    #include <colorspace_fragment>
  }`;

const BACKDROP_VERTEX = /* glsl */ `
  varying vec2 place;
  void main() {
    place = position.xy;
    gl_Position = vec4(position.xy, 1.0, 1.0);
  }`;

const BACKDROP_FRAGMENT = /* glsl */ `
  uniform vec3 middle, edge;
  varying vec2 place;
  void main() {
    float far = length((place - vec2(0.0, 0.1)) * vec2(0.75, 0.85));
    gl_FragColor = vec4(mix(middle, edge, smoothstep(0.1, 1.25, far)), 1.0);
    #include <colorspace_fragment>
    // Noise of less than one step of color keeps the gradient free of bands.
    float noise = fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453);
    gl_FragColor.rgb += (noise - 0.5) / 255.0;
  }`;

export class Ground {
  readonly object = new Group();
  readonly backdrop: Mesh;
  private readonly grid: Mesh;
  /** Draws nothing but shadows. */
  readonly shadows: Mesh;
  private readonly gridMaterial: ShaderMaterial;
  private readonly backdropMaterial: ShaderMaterial;
  private readonly shadowMaterial = softShadowMaterial();
  private radius = 10;
  private z = 0;

  constructor() {
    this.gridMaterial = new ShaderMaterial({
      vertexShader: GRID_VERTEX, fragmentShader: GRID_FRAGMENT, transparent: true, depthWrite: false, side: DoubleSide,
      // What stands on the ground wins.
      polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 2, toneMapped: false,
      uniforms: {
        center: { value: new Vector3() }, radius: { value: 10 }, cell: { value: 0.1 }, fillOpacity: { value: 0 },
        lineOpacity: { value: 0 }, fillColor: { value: new Color() }, lineColor: { value: new Color() },
      },
    });
    this.grid = new Mesh(new PlaneGeometry(2, 2), this.gridMaterial);
    this.shadows = new Mesh(new PlaneGeometry(2, 2), this.shadowMaterial);
    this.shadows.receiveShadow = true;
    this.grid.renderOrder = -2;
    this.shadows.renderOrder = -1;
    this.object.add(this.grid, this.shadows);

    this.backdropMaterial = new ShaderMaterial({
      vertexShader: BACKDROP_VERTEX, fragmentShader: BACKDROP_FRAGMENT, depthTest: false, depthWrite: false, toneMapped: false,
      uniforms: { middle: { value: new Color() }, edge: { value: new Color() } },
    });
    const triangle = new BufferGeometry();
    triangle.setAttribute('position', new BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
    this.backdrop = new Mesh(triangle, this.backdropMaterial);
    this.backdrop.frustumCulled = false;
    this.backdrop.renderOrder = -10;
    for (const mesh of [this.grid, this.shadows, this.backdrop]) mesh.raycast = () => {};
  }

  setTheme(theme: Theme): void {
    const { uniforms } = this.gridMaterial;
    uniforms.fillColor.value.set(theme.ground.fill);
    uniforms.lineColor.value.set(theme.ground.line);
    uniforms.fillOpacity.value = theme.ground.opacity;
    uniforms.lineOpacity.value = theme.ground.lineOpacity;
    this.backdropMaterial.uniforms.middle.value.set(theme.backdrop.middle);
    this.backdropMaterial.uniforms.edge.value.set(theme.backdrop.edge);
    this.shadowMaterial.opacity = theme.shadowOpacity;
  }

  showGrid(on: boolean): void {
    this.grid.visible = on;
  }

  /** The grid has lines for each power of ten that suits a robot of this size. */
  setSize(size: number): void {
    this.radius = 7 * size;
    this.gridMaterial.uniforms.cell.value = 10 ** (Math.round(Math.log10(0.7 * size)) - 1);
    this.gridMaterial.uniforms.radius.value = this.radius;
  }

  get height(): number {
    return this.z;
  }
  setHeight(z: number): void {
    this.z = z;
  }

  /** The ground has no end: it is moved along with what one looks at. */
  moveTo(x: number, y: number): void {
    this.gridMaterial.uniforms.center.value.set(x, y, 0);
    this.grid.position.set(x, y, this.z);
    this.grid.scale.set(this.radius, this.radius, 1);
  }

  /** Where shadows can fall; looking for them elsewhere would cost time. */
  setShadowArea(x: number, y: number, radius: number): void {
    this.shadows.position.set(x, y, this.z);
    this.shadows.scale.set(radius, radius, 1);
  }
}
