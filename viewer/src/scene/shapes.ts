// Geometries of the primitive shapes: their edges are slightly rounded, because a sharp edge catches no light.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, Color, CylinderGeometry, LatheGeometry, Matrix4,
  Quaternion, SphereGeometry, SRGBColorSpace, Vector2, Vector3,
} from 'three';
import { RoundedBoxGeometry } from 'three/examples/jsm/geometries/RoundedBoxGeometry.js';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import type { Geometry, Pose, Shape } from '../stream';

/** Edge of the square that is shown of an infinite plane, m. */
const SHOWN_OF_PLANE = 20;
const BELOW_GRID = 2e-3;
/** Stand-in for lengths that are zero or not finite: it keeps matrices invertible. */
const TINY = 1e-6;

export function matrixOf(pose: Pose, out = new Matrix4(), scale?: readonly number[]): Matrix4 {
  return out.compose(
    new Vector3(pose[0], pose[1], pose[2]),
    new Quaternion(pose[4], pose[5], pose[6], pose[3]),
    scale ? new Vector3(scale[0], scale[1], scale[2]) : new Vector3(1, 1, 1),
  );
}

function length(value: number): number {
  return Number.isFinite(value) && Math.abs(value) > TINY ? Math.abs(value) : TINY;
}

/** How finely round shapes are divided: coarser in robots of many shapes, which are small in the picture. */
export function segmentsFor(shapeCount: number): number {
  return shapeCount <= 150 ? 40 : shapeCount <= 400 ? 24 : 16;
}

/** `bevel` is the radius of edges, 0 for sharp ones. The result is null for a mesh, which is loaded from a file. */
export function primitive(shape: Shape, bevel: number, segments = 40): BufferGeometry | null {
  switch (shape.kind) {
    case 'box': {
      const [x, y, z] = shape.size.map(length);
      const radius = Math.min(bevel, 0.15 * Math.min(x, y, z));
      return radius > 0 ? new RoundedBoxGeometry(x, y, z, 2, radius) : new BoxGeometry(x, y, z);
    }
    case 'sphere':
      return new SphereGeometry(length(shape.radius), segments, segments / 2);
    case 'cylinder':
      return cylinder(length(shape.radius), length(shape.length), bevel, segments);
    case 'capsule':
      return new CapsuleGeometry(length(shape.radius), length(shape.length), segments / 4, segments).rotateX(Math.PI / 2);
    case 'ellipsoid': {
      const [x, y, z] = shape.radii.map(length);
      return new SphereGeometry(1, segments, segments / 2).scale(x, y, z);
    }
    case 'plane': {
      // Slightly below its place, so that the grid on the ground, and what lies on the plane, stay visible.
      const [x, y] = shape.size.map((edge) => (edge > 0 ? edge : SHOWN_OF_PLANE));
      return new BoxGeometry(x, y, TINY).translate(0, 0, -BELOW_GRID);
    }
    case 'mesh':
      return null;
  }
}

function cylinder(radius: number, height: number, bevel: number, segments: number): BufferGeometry {
  const edge = Math.min(bevel, 0.25 * radius, 0.25 * height);
  const half = height / 2;
  if (!(edge > 0)) return new CylinderGeometry(radius, radius, height, segments).rotateX(Math.PI / 2);
  // Points at 0 and 45 degrees of the rounding appear twice, so that flat faces keep flat normals.
  const corner = (angle: number): Vector2 =>
    new Vector2(radius - edge + edge * Math.cos(angle), half - edge + edge * Math.sin(angle));
  const top = [corner(0), corner(Math.PI / 4), corner(Math.PI / 2)];
  const near = 0.02 * edge;
  const profile = [
    new Vector2(0, -half), new Vector2(radius - edge - near, -half),
    ...top.map((p) => new Vector2(p.x, -p.y)).reverse(),
    new Vector2(radius, -half + edge + near), new Vector2(radius, half - edge - near),
    ...top, new Vector2(radius - edge - near, half), new Vector2(0, half),
  ];
  return new LatheGeometry(profile, segments).rotateX(Math.PI / 2);
}

/** Colors of files are those one sees on a screen, so sRGB. */
export function colorOf(color: readonly number[] | null, fallback: string): Color {
  if (!color) return new Color(fallback);
  return new Color().setRGB(color[0], color[1], color[2], SRGBColorSpace);
}

/** A geometry with position, normal and color only, moved by a rotation and a translation, so that it can be merged with others. */
export function painted(geometry: BufferGeometry, color: Color, matrix?: Matrix4): BufferGeometry {
  const result = new BufferGeometry();
  const { count } = geometry.attributes.position;
  for (const name of ['position', 'normal'] as const) {
    const values = new Float32Array(geometry.attributes[name].array);
    if (matrix) move(values, matrix, name === 'position');
    result.setAttribute(name, new BufferAttribute(values, 3));
  }
  const colors = new Float32Array(3 * count);
  for (let i = 0; i < colors.length; i += 3) {
    colors[i] = color.r;
    colors[i + 1] = color.g;
    colors[i + 2] = color.b;
  }
  result.setAttribute('color', new BufferAttribute(colors, 3));
  // Either all or none of the merged geometries must have an index.
  result.setIndex(geometry.index ? geometry.index.clone() : new BufferAttribute(Uint32Array.from({ length: count }, (_, i) => i), 1));
  return result;
}

/** Rotates vectors, and translates them if they are points. BufferGeometry.applyMatrix4() calls functions for each number: too slow before the first picture. */
function move(values: Float32Array, { elements: m }: Matrix4, points: boolean): void {
  const w = points ? 1 : 0;
  for (let i = 0; i < values.length; i += 3) {
    const x = values[i], y = values[i + 1], z = values[i + 2];
    values[i] = m[0] * x + m[4] * y + m[8] * z + m[12] * w;
    values[i + 1] = m[1] * x + m[5] * y + m[9] * z + m[13] * w;
    values[i + 2] = m[2] * x + m[6] * y + m[10] * z + m[14] * w;
  }
}

/** One geometry of several painted ones, so that a link is one draw call. */
export function merged(parts: BufferGeometry[]): BufferGeometry {
  const all = parts.length === 1 ? parts[0] : mergeGeometries(parts, false);
  all.clearGroups();
  return all;
}

/** Half the diagonal of a shape, without loading it: to know the size of a robot before its meshes arrive. */
export function reach(geometry: Geometry): number {
  const { shape } = geometry;
  switch (shape.kind) {
    case 'box':
      return Math.hypot(...shape.size) / 2;
    case 'sphere':
      return shape.radius;
    case 'cylinder':
      return Math.hypot(shape.radius, shape.length / 2);
    case 'capsule':
      return shape.radius + shape.length / 2;
    case 'ellipsoid':
      return Math.max(...shape.radii);
    case 'plane':
    case 'mesh':
      return 0;
  }
}
