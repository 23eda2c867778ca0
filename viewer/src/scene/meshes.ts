// Loads mesh files: STL, OBJ, DAE, glTF and GLB.
import {
  Color, DoubleSide, FileLoader, Group, LoadingManager, Material, Mesh, MeshBasicMaterial, MeshPhongMaterial,
  MeshStandardMaterial, Object3D, type BufferGeometry, type Texture,
} from 'three';
import { ColladaLoader } from 'three/examples/jsm/loaders/ColladaLoader.js';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { MTLLoader } from 'three/examples/jsm/loaders/MTLLoader.js';
import { OBJLoader } from 'three/examples/jsm/loaders/OBJLoader.js';
import { STLLoader } from 'three/examples/jsm/loaders/STLLoader.js';
import { toCreasedNormals } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import type { Assets } from '../assets';

export interface LoadedMesh {
  object: Object3D;
  /** Whether the file says how it looks; otherwise the color of the robot's file counts. */
  hasMaterials: boolean;
}

/** Above this number of triangles, normals stay as the file has them, because smoothing would take too long. */
const MAX_SMOOTHED_TRIANGLES = 80_000;
const CREASE_ANGLE = 0.6;
const IMAGE = /\.(png|jpe?g|tga|webp|bmp|gif|tiff?)$/i;

export class MeshLibrary {
  private readonly files = new Map<string, Promise<LoadedMesh>>();

  /** `note` is called with a sentence about each image that is missing. */
  constructor(private readonly assets: Assets, private readonly note: (text: string) => void) {}

  /** The mesh of a path such as `meshes/3/foot.stl`. Each file is loaded once; the caller clones the object. */
  load(path: string): Promise<LoadedMesh> {
    let mesh = this.files.get(path);
    if (!mesh) {
      mesh = this.loadWithImages(path);
      this.files.set(path, mesh);
    }
    return mesh;
  }

  /** Loaders return a mesh while its images are still on their way; this waits for them. */
  private async loadWithImages(path: string): Promise<LoadedMesh> {
    const manager = new LoadingManager();
    let loading = false;
    let finished = (): void => {};
    manager.onStart = () => (loading = true);
    manager.onLoad = () => {
      loading = false;
      finished();
    };
    manager.onError = (url) => {
      if (IMAGE.test(url)) this.note(`image '${url.slice(url.lastIndexOf('/') + 1)}' of mesh '${path.slice(path.lastIndexOf('/') + 1)}' was not found`);
    };
    manager.setURLModifier((url) => this.resolve(url, path));
    const loaded = await read(path, manager);
    if (loading) await new Promise<void>((resolve) => (finished = resolve));
    return prepare(loaded);
  }

  /** Files that a mesh refers to lie beside it; their names are percent-encoded in glTF. */
  private resolve(url: string, path: string): string {
    if (/^(data|blob|https?):/.test(url)) return url;
    if (url === path) return this.assets.url(path);
    try {
      return this.assets.url(decodeURIComponent(url));
    } catch {
      return this.assets.url(url);
    }
  }
}

async function read(path: string, manager: LoadingManager): Promise<LoadedMesh> {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  switch (extension) {
    case 'stl': {
      const geometry = await new STLLoader(manager).loadAsync(path);
      return { object: new Mesh(geometry), hasMaterials: false };
    }
    case 'obj':
      return readObj(path, manager);
    case 'dae': {
      const text = (await new FileLoader(manager).loadAsync(path)) as string;
      // Robots ignore the up axis of Collada files, as RViz does; the loader would rotate Z up to Y up, and warn.
      const file = new ColladaLoader(manager).parse(text.replace(/<up_axis>[^<]*<\/up_axis>/, ''), path.slice(0, path.lastIndexOf('/') + 1));
      if (!file) throw new Error('it is not a Collada file');
      return { object: file.scene, hasMaterials: true };
    }
    case 'gltf':
    case 'glb': {
      const file = await new GLTFLoader(manager).loadAsync(path).catch((error: Error) => {
        throw new Error(compression(error.message) ?? error.message);
      });
      // glTF has y up by its specification, a link's frame z.
      file.scene.rotation.set(Math.PI / 2, 0, 0);
      const materials: unknown[] | undefined = file.parser.json.materials;
      return { object: new Group().add(file.scene), hasMaterials: !!materials?.length };
    }
    default:
      throw new Error(`files of type .${extension} cannot be shown; use STL, OBJ, DAE or glTF`);
  }
}

/** What the loader means when it asks for a decoder. Decoders are left out, as in the library itself (docs/decisions/0014-viewer.md). */
function compression(message: string): string | null {
  const needed = { DRACOLoader: 'Draco', MeshoptDecoder: 'meshopt', KTX2Loader: 'KTX2' };
  const used = Object.entries(needed).find(([decoder]) => message.includes(decoder))?.[1];
  return used ? `it is compressed with ${used}; save it without compression` : null;
}

async function readObj(path: string, manager: LoadingManager): Promise<LoadedMesh> {
  const text = (await new FileLoader(manager).loadAsync(path)) as string;
  const loader = new OBJLoader(manager);
  const library = /^\s*mtllib\s+(.+?)\s*$/m.exec(text)?.[1];
  let hasMaterials = false;
  if (library) {
    try {
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      const materials = await new MTLLoader(manager).setResourcePath(folder).loadAsync(folder + library);
      loader.setMaterials(materials);
      hasMaterials = true;
    } catch {
      // Without its materials the mesh has the color of the robot's file.
    }
  }
  const object = loader.parse(text);
  if (!meshesOf(object).length) throw new Error('it has no faces');
  return { object, hasMaterials };
}

function meshesOf(object: Object3D): Mesh[] {
  const meshes: Mesh[] = [];
  object.traverse((child) => {
    if (child instanceof Mesh) meshes.push(child);
  });
  return meshes;
}

/** Removes what is not part of the body, fills in normals, and turns all materials into one kind. */
function prepare(loaded: LoadedMesh): LoadedMesh {
  const { object } = loaded;
  const strangers: Object3D[] = [];
  object.traverse((child) => {
    const { isLight, isCamera, isLine, isPoints } = child as unknown as Record<string, boolean>;
    if (isLight || isCamera || isLine || isPoints) strangers.push(child);
  });
  for (const stranger of strangers) stranger.removeFromParent();
  const converted = new Map<Material, Material>();
  for (const mesh of meshesOf(object)) {
    mesh.geometry = withNormals(mesh.geometry, !loaded.hasMaterials);
    const convert = (material: Material): Material => {
      let result = converted.get(material);
      if (!result) converted.set(material, (result = standard(material)));
      return result;
    };
    mesh.material = Array.isArray(mesh.material) ? mesh.material.map(convert) : convert(mesh.material);
  }
  if (!meshesOf(object).length) throw new Error('it has no faces');
  return loaded;
}

function withNormals(geometry: BufferGeometry, smooth: boolean): BufferGeometry {
  const triangles = (geometry.index?.count ?? geometry.attributes.position.count) / 3;
  if (smooth && triangles <= MAX_SMOOTHED_TRIANGLES) {
    geometry.deleteAttribute('normal');
    return toCreasedNormals(geometry, CREASE_ANGLE);
  }
  if (!geometry.attributes.normal) geometry.computeVertexNormals();
  return geometry;
}

function standard(material: Material): Material {
  if (material instanceof MeshStandardMaterial) {
    // Exporters write fully metallic materials, which are black where there is little to reflect.
    if (!material.metalnessMap) material.metalness = Math.min(material.metalness, 0.5);
    material.side = DoubleSide;
    return material;
  }
  const old = material as MeshPhongMaterial;
  // This is the color by which the Collada loader tells that a material is missing.
  const missing = material instanceof MeshBasicMaterial && material.color.getHex() === 0xff00ff;
  return new MeshStandardMaterial({
    name: material.name,
    color: missing ? new Color('#c8cfd8') : (old.color ?? new Color('#c8cfd8')),
    // An image that was not found would make the body black.
    map: old.map?.image ? (old.map as Texture) : null,
    roughness: 0.55,
    metalness: 0.05,
    vertexColors: material.vertexColors,
    transparent: material.opacity < 1,
    opacity: material.opacity > 0.01 ? material.opacity : 1,
    side: DoubleSide,
  });
}
