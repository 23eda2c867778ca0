// Materials that all robots share.
import {
  Color, DoubleSide, FrontSide, GreaterDepth, LineBasicMaterial, Material, MeshBasicMaterial, MeshLambertMaterial, MeshStandardMaterial, type Mesh,
} from 'three';
import type { Theme } from './theme';
import { COLORS } from './theme';

const BODY = { roughness: 0.5, metalness: 0.08 };

export class Materials {
  /** Bodies whose vertices carry their colors. */
  readonly solid = new MeshStandardMaterial({ ...BODY, vertexColors: true });
  /** Often the same shape as the body's: nearer to the camera, so that neither flickers through the other. */
  readonly collisionFill = new MeshLambertMaterial({
    transparent: true, opacity: 0.24, depthWrite: false, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -4,
  });
  readonly collisionEdge = new LineBasicMaterial({ transparent: true, opacity: 0.75 });
  readonly missing = new MeshStandardMaterial({ ...BODY, color: COLORS.missing, transparent: true, opacity: 0.55 });
  readonly ghost = new MeshStandardMaterial({ ...BODY, transparent: true, opacity: 0.38, side: DoubleSide });
  /** Writes the depth of a ghost first, so that its inner parts do not shine through. */
  readonly ghostDepth = new MeshBasicMaterial({ colorWrite: false, side: DoubleSide });
  private readonly plain = new Map<string, MeshStandardMaterial>();
  private readonly lit = new Map<Material, Material>();

  setTheme(theme: Theme): void {
    this.collisionFill.color.set(theme.collision);
    this.collisionEdge.color.set(theme.collision);
    this.ghost.color.set(theme.ghost);
    this.lit.clear();
  }

  /** One material for each color and opacity. */
  ofColor(color: Color, opacity: number): MeshStandardMaterial {
    const key = `${color.getHexString()} ${opacity}`;
    let material = this.plain.get(key);
    if (!material) {
      material = new MeshStandardMaterial({ ...BODY, color, opacity, transparent: opacity < 1, side: DoubleSide });
      this.plain.set(key, material);
    }
    return material;
  }

  /** The same material, shining in the color of what is selected. */
  highlighted(material: Material): Material {
    if (!(material instanceof MeshStandardMaterial)) return material;
    let lit = this.lit.get(material) as MeshStandardMaterial | undefined;
    if (!lit) {
      lit = material.clone();
      // Light alone would not show on white bodies, nor a tint on black ones.
      lit.color.lerp(new Color(COLORS.highlight), 0.7);
      lit.emissive.set(COLORS.highlight);
      lit.emissiveIntensity = 0.4;
      lit.emissiveMap = null;
      this.lit.set(material, lit);
    }
    return lit;
  }
}

/** Swaps the materials of a mesh for their highlighted versions, or back. */
export function setHighlighted(mesh: Mesh, on: boolean, materials: Materials): void {
  const original: Material | Material[] = (mesh.userData.material ??= mesh.material);
  if (!on) mesh.material = original;
  else
    mesh.material = Array.isArray(original)
      ? original.map((material) => materials.highlighted(material))
      : materials.highlighted(original);
}

/** For arrows and marks: what is in front is solid, what is hidden by bodies shines through faintly. */
export function markMaterials(
  color: string, options: { opacity?: number; hidden?: number; vertexColors?: boolean; doubleSided?: boolean } = {},
): { front: MeshStandardMaterial; hidden: MeshStandardMaterial } {
  const { opacity = 1, hidden = 0.3, vertexColors = false, doubleSided = false } = options;
  const side = doubleSided ? DoubleSide : FrontSide;
  const base = vertexColors ? new Color('white') : new Color(color);
  const look = {
    color: base, vertexColors, roughness: 0.6, metalness: 0, side,
    emissive: vertexColors ? new Color('black') : base, emissiveIntensity: 0.25,
  };
  return {
    front: new MeshStandardMaterial({ ...look, opacity, transparent: opacity < 1, depthWrite: opacity === 1 }),
    hidden: new MeshStandardMaterial({ ...look, transparent: true, opacity: hidden, depthFunc: GreaterDepth, depthWrite: false }),
  };
}
