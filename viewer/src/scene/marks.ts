// Many copies of one geometry in two draw calls: one for what is in front, one for what bodies hide.
import { BufferGeometry, DynamicDrawUsage, Group, InstancedMesh, Matrix4 } from 'three';
import { markMaterials } from './materials';

export interface MarkStyle {
  opacity?: number;
  /** Opacity of the part that is hidden by bodies. */
  hidden?: number;
  vertexColors?: boolean;
  doubleSided?: boolean;
}

export class Marks {
  readonly object = new Group();
  /** Null until there is something to draw: a material that draws nothing would be compiled nevertheless. */
  private meshes: { front: InstancedMesh; hidden: InstancedMesh } | null = null;
  private materials: ReturnType<typeof markMaterials> | null = null;

  constructor(private readonly geometry: BufferGeometry, private readonly color: string, private capacity = 1, private readonly style: MarkStyle = {}) {}

  get count(): number {
    return this.meshes?.front.count ?? 0;
  }

  /** Sets how many there are; call set() for all of them, then commit(). */
  resize(count: number): void {
    this.object.visible = count > 0;
    if (!this.meshes && count === 0) return;
    if (!this.meshes || count > this.capacity) {
      if (count > this.capacity) this.capacity = 2 * count;
      this.create();
    }
    this.meshes!.front.count = this.meshes!.hidden.count = count;
  }

  set(index: number, matrix: Matrix4): void {
    this.meshes!.front.setMatrixAt(index, matrix);
  }

  commit(): void {
    if (this.meshes) this.meshes.front.instanceMatrix.needsUpdate = true;
  }

  private create(): void {
    this.object.clear();
    this.meshes?.front.dispose();
    this.meshes?.hidden.dispose();
    this.materials ??= markMaterials(this.color, this.style);
    const front = new InstancedMesh(this.geometry, this.materials.front, this.capacity);
    const hidden = new InstancedMesh(this.geometry, this.materials.hidden, this.capacity);
    front.instanceMatrix.setUsage(DynamicDrawUsage);
    hidden.instanceMatrix = front.instanceMatrix;
    front.renderOrder = 10;
    hidden.renderOrder = 9;
    for (const mesh of [front, hidden]) {
      // The bounds of instances change with every configuration; testing them would cost more than it saves.
      mesh.frustumCulled = false;
      mesh.raycast = () => {};
      this.object.add(mesh);
    }
    this.meshes = { front, hidden };
  }
}
