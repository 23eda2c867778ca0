// Lines that show the form of collision shapes.
import { BufferGeometry, EdgesGeometry, Float32BufferAttribute } from 'three';
import type { Shape } from '../stream';

const CORNERS = 48;

/** Segments of a polyline through points of a curve. */
function curve(point: (t: number) => number[]): number[] {
  const positions: number[] = [];
  for (let i = 0; i < CORNERS; i++) positions.push(...point(i / CORNERS), ...point((i + 1) / CORNERS));
  return positions;
}

/** Great circles of round shapes, which have no edges; the upper and lower half are moved apart by `length`. */
function roundEdges(radius: number, length: number): BufferGeometry {
  const positions: number[] = [];
  const heights = length > 0 ? [-length / 2, length / 2] : [0];
  for (const z of heights)
    positions.push(...curve((t) => [radius * Math.cos(2 * Math.PI * t), radius * Math.sin(2 * Math.PI * t), z]));
  const meridian = (t: number): [number, number] => {
    const angle = 2 * Math.PI * t;
    return [radius * Math.cos(angle), radius * Math.sin(angle) + (t < 0.5 ? length / 2 : -length / 2)];
  };
  positions.push(...curve((t) => [meridian(t)[0], 0, meridian(t)[1]]), ...curve((t) => [0, ...meridian(t)]));
  return new BufferGeometry().setAttribute('position', new Float32BufferAttribute(positions, 3));
}

/** `shape` is given for primitives; for meshes, edges between faces that meet at an angle are taken. */
export function edgesOf(geometry: BufferGeometry, shape?: Shape): BufferGeometry {
  if (shape?.kind === 'sphere') return roundEdges(shape.radius, 0);
  if (shape?.kind === 'capsule') return roundEdges(shape.radius, shape.length);
  return new EdgesGeometry(geometry, 20);
}
