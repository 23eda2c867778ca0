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
  private front: InstancedMesh;
  private hidden: InstancedMesh;
  private readonly materials: ReturnType<typeof markMaterials>;

  constructor(private readonly geometry: BufferGeometry, color: string, private capacity = 1, style: MarkStyle = {}) {
    this.materials = markMaterials(color, style);
    [this.front, this.hidden] = this.create(Math.max(1, capacity));
  }

  get count(): number {
    return this.front.count;
  }

  /** Sets how many there are; call set() for all of them, then commit(). */
  resize(count: number): void {
    if (count > this.capacity) {
      this.object.clear();
      this.front.dispose();
      this.hidden.dispose();
      this.capacity = 2 * count;
      [this.front, this.hidden] = this.create(this.capacity);
    }
    this.front.count = this.hidden.count = count;
  }

  set(index: number, matrix: Matrix4): void {
    this.front.setMatrixAt(index, matrix);
  }

  commit(): void {
    this.front.instanceMatrix.needsUpdate = true;
  }

  private create(capacity: number): [InstancedMesh, InstancedMesh] {
    const front = new InstancedMesh(this.geometry, this.materials.front, capacity);
    const hidden = new InstancedMesh(this.geometry, this.materials.hidden, capacity);
    front.instanceMatrix.setUsage(DynamicDrawUsage);
    hidden.instanceMatrix = front.instanceMatrix;
    front.count = hidden.count = 0;
    front.renderOrder = 10;
    hidden.renderOrder = 9;
    for (const mesh of [front, hidden]) {
      // The bounds of instances change with every configuration; testing them would cost more than it saves.
      mesh.frustumCulled = false;
      mesh.raycast = () => {};
      this.object.add(mesh);
    }
    return [front, hidden];
  }
}
