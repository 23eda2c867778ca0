// The support polygon: a translucent area on the ground with a line around it.
import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, Group, Mesh, MeshBasicMaterial, Vector3 } from 'three';
import type { Vec3 } from '../stream';
import { Rods } from './arrows';

const MAX_CORNERS = 128;

/** The corners of the convex hull of points, seen from above, counterclockwise (Andrew's monotone chain). */
export function convexHull(points: Vec3[]): Vec3[] {
  const sorted = points.filter((p) => p.every(Number.isFinite)).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (sorted.length < 3) return sorted;
  const half = (list: Vec3[]): Vec3[] => {
    const chain: Vec3[] = [];
    for (const p of list) {
      while (chain.length > 1 && turn(chain[chain.length - 2], chain[chain.length - 1], p) <= 0) chain.pop();
      chain.push(p);
    }
    chain.pop();
    return chain;
  };
  return [...half(sorted), ...half([...sorted].reverse())];
}

function turn(a: Vec3, b: Vec3, c: Vec3): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

export class SupportPolygon {
  readonly object = new Group();
  private readonly area: Mesh;
  private readonly corners = new BufferAttribute(new Float32Array(3 * MAX_CORNERS), 3).setUsage(DynamicDrawUsage);
  private readonly outline: Rods;
  private readonly a = new Vector3();
  private readonly b = new Vector3();

  constructor(color: string) {
    const geometry = new BufferGeometry().setAttribute('position', this.corners);
    const fan: number[] = [];
    for (let i = 2; i < MAX_CORNERS; i++) fan.push(0, i - 1, i);
    geometry.setIndex(fan);
    const material = new MeshBasicMaterial({ color, transparent: true, opacity: 0.28, depthWrite: false, side: DoubleSide });
    this.area = new Mesh(geometry, material);
    this.area.frustumCulled = false;
    this.area.renderOrder = 5;
    this.outline = new Rods(color, 8, { hidden: 0.3 });
    this.object.add(this.area, this.outline.object);
  }

  set(points: Vec3[], size: number): void {
    const hull = convexHull(points).slice(0, MAX_CORNERS);
    const lift = 0.001 * size;
    hull.forEach((p, i) => this.corners.setXYZ(i, p[0], p[1], p[2] + lift));
    this.corners.needsUpdate = true;
    this.area.geometry.setDrawRange(0, Math.max(0, 3 * (hull.length - 2)));
    const sides = hull.length === 2 ? 1 : hull.length;
    this.outline.resize(sides);
    for (let i = 0; i < sides; i++) {
      const [p, q] = [hull[i], hull[(i + 1) % hull.length]];
      this.a.set(p[0], p[1], p[2] + lift);
      this.b.set(q[0], q[1], q[2] + lift);
      this.outline.set(i, this.a, this.b, 0.003 * size, 0.003 * size);
    }
    this.outline.commit();
  }
}
