// What bodies reflect: a photo studio with a few soft lamps, blurred for all roughnesses.
//
// three's PMREMGenerator would blur any scene on the graphics card, but that takes seconds where there is none.
// Lamps that are spherical Gaussians can be blurred by a formula, so the whole map is written here in milliseconds.
import { CubeTexture, DataTexture, DataUtils, HalfFloatType, LinearFilter, LinearMipmapLinearFilter, RGBAFormat, Vector3 } from 'three';

interface Lamp {
  direction: Vector3;
  color: [number, number, number];
  /** A lamp shines as exp(sharpness · (cos − 1)). */
  sharpness: number;
}

const LAMPS: Lamp[] = [
  { direction: new Vector3(0.9, -0.5, 0.9), color: [3.4, 3.3, 3.1], sharpness: 14 },
  { direction: new Vector3(0.3, 1, 0.3), color: [0.9, 1.0, 1.2], sharpness: 8 },
  { direction: new Vector3(-1, 0.3, 0.6), color: [2.4, 2.5, 2.7], sharpness: 12 },
  { direction: new Vector3(0, 0, 1), color: [1.5, 1.5, 1.55], sharpness: 5 },
];
for (const lamp of LAMPS) lamp.direction.normalize();

const SKY = [0.62, 0.65, 0.7];
const FLOOR = [0.34, 0.34, 0.35];

const SIZE = 32;
/** Levels that the renderer reads: 32, 16, 8 and 4 pixels. */
const LEVELS = 4;

/** Radiance from a direction, as a surface of this roughness reflects it. */
function radiance(direction: Vector3, roughness: number, out: number[]): void {
  const alpha = Math.max(roughness * roughness, 0.02);
  // The lobe of reflection as a spherical Gaussian; the widest is that of a matte surface.
  const lobe = Math.max(0.5 / (alpha * alpha), 2);
  const horizon = 0.12 + 0.9 * alpha;
  const t = Math.min(1, Math.max(0, 0.5 + direction.z / (2 * horizon)));
  const up = t * t * (3 - 2 * t);
  for (let c = 0; c < 3; c++) out[c] = FLOOR[c] + (SKY[c] - FLOOR[c]) * up;
  for (const lamp of LAMPS) {
    const sharpness = (lamp.sharpness * lobe) / (lamp.sharpness + lobe);
    const gain = (sharpness / lamp.sharpness) * Math.exp(sharpness * (direction.dot(lamp.direction) - 1));
    for (let c = 0; c < 3; c++) out[c] += gain * lamp.color[c];
  }
}

/** The direction in the world of a place (u, v from -1 to 1) on a face of a cube map, which is left-handed. */
function faceDirection(face: number, u: number, v: number, out: Vector3): Vector3 {
  const inCube = [[1, -v, -u], [-1, -v, u], [u, 1, v], [u, -1, -v], [u, -v, 1], [-u, -v, -1]][face];
  return out.set(-inCube[0], inCube[1], inCube[2]).normalize();
}

function faceImage(face: number, size: number, roughness: number): DataTexture {
  const data = new Uint16Array(4 * size * size);
  const direction = new Vector3();
  const color = [0, 0, 0];
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      faceDirection(face, (2 * column + 1) / size - 1, (2 * row + 1) / size - 1, direction);
      radiance(direction, roughness, color);
      const at = 4 * (row * size + column);
      for (let c = 0; c < 3; c++) data[at + c] = DataUtils.toHalfFloat(color[c]);
      data[at + 3] = DataUtils.toHalfFloat(1);
    }
  return new DataTexture(data, size, size, RGBAFormat, HalfFloatType);
}

/** A cube map for Scene.environment that needs no more processing. */
export function studioEnvironment(): CubeTexture {
  const level = (index: number): DataTexture[] => {
    // As in PMREMGenerator.lodToRoughness().
    const roughness = 1 - Math.sqrt(Math.max(0, 1 - index / (LEVELS - 1)));
    return Array.from({ length: 6 }, (_, face) => faceImage(face, SIZE >> index, roughness));
  };
  const texture = new CubeTexture(level(0) as unknown as HTMLImageElement[]);
  // The renderer takes the number of levels from this list, which has all but the first: so there is one more than it reads.
  const mipmaps = Array.from({ length: LEVELS }, (_, i) => ({ width: SIZE >> i, height: SIZE >> i, image: level(i + 1) }));
  texture.mipmaps = mipmaps as unknown as typeof texture.mipmaps;
  texture.format = RGBAFormat;
  texture.type = HalfFloatType;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.magFilter = LinearFilter;
  texture.generateMipmaps = false;
  Object.assign(texture, { isPMREMTexture: true });
  texture.needsUpdate = true;
  return texture;
}
