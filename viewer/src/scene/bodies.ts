// The bodies of one robot: what its links look like, and their collision shapes.
import {
  Box3, BufferGeometry, Color, Group, LineSegments, Matrix4, Mesh, Object3D, Quaternion, Vector3,
  type Material,
} from 'three';
import type { Kinematics } from '../kinematics';
import type { Geometry, Robot, Shape } from '../stream';
import { boneGeometry } from './bones';
import { edgesOf } from './edges';
import { setHighlighted, type Materials } from './materials';
import type { LoadedMesh, MeshLibrary } from './meshes';
import { colorOf, matrixOf, merged, painted, primitive, segmentsFor } from './shapes';
import { BODY_COLORS } from './theme';

type MeshShape = Extract<Shape, { kind: 'mesh' }>;

/** Edges of larger meshes would be a tangle of lines, and take long to find. */
const MAX_EDGE_TRIANGLES = 20_000;

interface Body {
  node: Group;
  visual: Group;
  collision: Group;
  /** Around the visuals, in the link's frame. */
  box: Box3;
}

export interface BodiesOptions {
  materials: Materials;
  library: MeshLibrary;
  ghost: boolean;
  /** Estimated from the robot's joints and primitives. */
  size: number;
  note: (text: string) => void;
  changed: () => void;
}

export class Bodies {
  readonly object = new Group();
  /** What is loading. */
  readonly pending: Promise<void>[] = [];
  private readonly bodies: Body[];
  private collisionsBuilt = false;
  private visualCount = 0;
  private missingCount = 0;
  /** Links that are drawn as bones. */
  private readonly bones = new Set<number>();
  private readonly segments: number;
  private readonly primitives = new Map<string, BufferGeometry>();
  private readonly position = new Vector3();
  private readonly quaternion = new Quaternion();
  private readonly one = new Vector3(1, 1, 1);

  constructor(private readonly robot: Robot, private readonly kinematics: Kinematics, private readonly options: BodiesOptions) {
    this.bodies = robot.links.map((_, index) => {
      const body = { node: new Group(), visual: new Group(), collision: new Group(), box: new Box3() };
      body.node.userData.link = index;
      body.node.matrixAutoUpdate = false;
      body.collision.visible = false;
      body.node.add(body.visual, body.collision);
      this.object.add(body.node);
      return body;
    });
    this.segments = segmentsFor(robot.links.reduce((sum, link) => sum + Math.max(link.visuals.length, link.collisions.length), 0));
    const hasVisuals = robot.links.some((link) => link.visuals.length > 0);
    robot.links.forEach((link, index) => this.addVisuals(index, hasVisuals ? link.visuals : link.collisions));
    // Collision shapes are often few; bones show the rest.
    if (!hasVisuals) this.addBones((body) => body.visual.children.length === 0);
    void this.settled().then(() => this.connectMissing());
  }

  async settled(): Promise<void> {
    for (let done = 0; done < this.pending.length; done++) await this.pending[done];
  }

  /** Moves the bodies to where the kinematics has them. */
  update(): void {
    const { poses } = this.kinematics;
    for (let link = 0; link < this.bodies.length; link++) {
      const o = 7 * link;
      const { node } = this.bodies[link];
      this.position.set(poses[o], poses[o + 1], poses[o + 2]);
      this.quaternion.set(poses[o + 4], poses[o + 5], poses[o + 6], poses[o + 3]);
      node.matrix.compose(this.position, this.quaternion, this.one);
      node.matrixWorldNeedsUpdate = true;
    }
  }

  matrix(link: number): Matrix4 {
    return this.bodies[link].node.matrix;
  }

  /** The box around all visuals in the world, empty if there are none. */
  bounds(out: Box3, scratch: Box3): Box3 {
    out.makeEmpty();
    for (const { node, box } of this.bodies) if (!box.isEmpty()) out.union(scratch.copy(box).applyMatrix4(node.matrix));
    return out;
  }

  showVisuals(on: boolean): void {
    for (const body of this.bodies) body.visual.visible = on;
  }

  /** Collision shapes are built when they are shown for the first time. */
  showCollisions(on: boolean): void {
    if (on && !this.collisionsBuilt) {
      this.collisionsBuilt = true;
      this.robot.links.forEach((link, index) => link.collisions.forEach((shape) => this.addCollision(index, shape)));
    }
    for (const body of this.bodies) body.collision.visible = on;
  }

  /** What can be pointed at: visuals that are shown, and collision shapes of links without. */
  pickable(out: Object3D[]): void {
    for (const { visual, collision } of this.bodies) {
      if (visual.visible && visual.children.length) out.push(visual);
      else if (collision.visible) out.push(collision);
    }
  }

  highlight(link: number, on: boolean): void {
    this.bodies[link]?.node.traverse((child) => {
      if (child instanceof Mesh && !child.userData.depthOnly) setHighlighted(child, on, this.options.materials);
    });
  }

  /** All primitives of a link become one mesh; translucent ones and files are meshes of their own. */
  private addVisuals(link: number, geometries: Geometry[]): void {
    const parts: BufferGeometry[] = [];
    const fallback = BODY_COLORS[link % BODY_COLORS.length];
    for (const geometry of geometries) {
      this.visualCount++;
      if (geometry.shape.kind === 'mesh') {
        this.pending.push(this.addMesh(link, geometry, geometry.shape, false));
        continue;
      }
      const shape = this.beveled(geometry.shape);
      const color = colorOf(geometry.color, fallback);
      const opacity = geometry.color?.[3] ?? 1;
      const part = painted(shape, color, matrixOf(geometry.origin));
      if (opacity < 1) this.place(link, new Mesh(part, this.options.materials.ofColor(color, opacity)), false);
      else parts.push(part);
    }
    if (parts.length) this.place(link, new Mesh(merged(parts), this.options.materials.solid), false);
  }

  /** Robots have many equal shapes, and rounding their edges takes time. */
  private beveled(shape: Shape): BufferGeometry {
    const key = JSON.stringify(shape);
    let geometry = this.primitives.get(key);
    if (!geometry) this.primitives.set(key, (geometry = primitive(shape, 0.004 * this.options.size, this.segments)!));
    return geometry;
  }

  private addCollision(link: number, geometry: Geometry): void {
    if (geometry.shape.kind === 'mesh') {
      this.pending.push(this.addMesh(link, geometry, geometry.shape, true));
      return;
    }
    const mesh = new Mesh(primitive(geometry.shape, 0, this.segments)!, this.options.materials.collisionFill);
    mesh.applyMatrix4(matrixOf(geometry.origin));
    this.place(link, mesh, true, geometry.shape);
  }

  private async addMesh(link: number, geometry: Geometry, shape: MeshShape, collision: boolean): Promise<void> {
    const holder = new Group();
    holder.applyMatrix4(matrixOf(geometry.origin));
    try {
      if (!shape.mesh) throw new Error('was not found');
      const loaded = await this.options.library.load(shape.mesh);
      holder.add(this.instance(link, geometry, loaded, collision));
      // Mirroring scales are kept as they are: the renderer then turns the order of corners.
      holder.children[0].scale.multiply(new Vector3(...shape.scale.map((s) => (s === 0 ? 1 : s))));
    } catch (error) {
      this.options.note(missingNote(shape.file, error));
      const edge = this.missingEdge(link);
      holder.userData.missing = true;
      const box = primitive({ kind: 'box', size: [edge, edge, edge] }, 0.1 * edge)!;
      holder.add(new Mesh(box, collision ? this.options.materials.collisionFill : this.options.materials.missing));
      if (!collision) this.missingCount++;
    }
    this.place(link, holder, collision);
    this.options.changed();
  }

  /** 5 % of the robot, less for light links such as fingers. */
  private missingEdge(link: number): number {
    const { size } = this.options;
    const axes = this.robot.links[link].ellipsoid?.size;
    return axes ? Math.min(0.05 * size, Math.max(0.012 * size, 1.6 * Math.max(...axes))) : 0.03 * size;
  }

  private instance(link: number, geometry: Geometry, loaded: LoadedMesh, collision: boolean): Object3D {
    const { materials } = this.options;
    const opacity = geometry.color?.[3] ?? 1;
    const plain = materials.ofColor(colorOf(geometry.color, BODY_COLORS[link % BODY_COLORS.length]), opacity);
    const copy = new Group().add(loaded.object.clone(true));
    copy.traverse((child) => {
      if (!(child instanceof Mesh)) return;
      if (collision) child.material = materials.collisionFill;
      else if (!loaded.hasMaterials) child.material = plain;
    });
    return copy;
  }

  /** Adds an object to a link, freezes its matrices, and gives it what its kind needs: edges, shadows, a ghost's depth. */
  private place(link: number, object: Object3D, collision: boolean, shape?: Shape): void {
    const body = this.bodies[link];
    const meshes: Mesh[] = [];
    object.traverse((child) => {
      if (child instanceof Mesh) meshes.push(child);
    });
    for (const mesh of meshes) {
      if (collision) addEdges(mesh, this.options.materials.collisionEdge, shape);
      else if (this.options.ghost) this.makeGhost(mesh);
      else {
        mesh.castShadow = castsShadow(mesh);
        mesh.receiveShadow = true;
      }
    }
    object.traverse((child) => {
      if (child.matrixAutoUpdate) child.updateMatrix();
      child.matrixAutoUpdate = false;
    });
    if (!collision) body.box.union(new Box3().setFromObject(object));
    (collision ? body.collision : body.visual).add(object);
  }

  private makeGhost(mesh: Mesh): void {
    const { ghost, ghostDepth } = this.options.materials;
    mesh.material = ghost;
    mesh.renderOrder = 3;
    const depth = new Mesh(mesh.geometry, ghostDepth);
    depth.renderOrder = 2;
    depth.raycast = () => {};
    depth.userData.depthOnly = true;
    mesh.add(depth);
  }

  private addBones(needsBone: (body: Body) => boolean): void {
    const color = new Color(BODY_COLORS[1]);
    this.bodies.forEach((body, link) => {
      if (this.bones.has(link) || !needsBone(body)) return;
      const geometry = boneGeometry(this.robot, link, this.options.size, color);
      if (!geometry) return;
      this.bones.add(link);
      this.place(link, new Mesh(geometry, this.options.materials.solid), false);
    });
  }

  /** Bones tell how the boxes of missing meshes belong together. */
  private connectMissing(): void {
    if (this.missingCount === 0) return;
    const many = 2 * this.missingCount >= this.visualCount;
    this.addBones((body) => {
      const missing = body.visual.children.filter((shape) => shape.userData.missing).length;
      const complete = body.visual.children.length - missing;
      return many ? missing > 0 || complete === 0 : missing > 0 && complete === 0;
    });
    this.options.changed();
  }
}

function castsShadow(object: Object3D): boolean {
  return object instanceof Mesh && !(object.material as Material).transparent && !object.userData.depthOnly;
}

function addEdges(mesh: Mesh, material: Material, shape?: Shape): void {
  const geometry = mesh.geometry as BufferGeometry;
  if ((geometry.index?.count ?? geometry.attributes.position.count) / 3 > MAX_EDGE_TRIANGLES) return;
  const edges = new LineSegments(edgesOf(geometry, shape), material);
  edges.raycast = () => {};
  mesh.add(edges);
}

function missingNote(file: string, error: unknown): string {
  const reason = error instanceof Error && error.message ? error.message : 'was not found';
  if (/not found|404|fetch|Failed to load/i.test(reason)) return `mesh '${file}' was not found: a box is shown instead`;
  return `mesh '${file}' cannot be shown (${reason}): a box is shown instead`;
}
