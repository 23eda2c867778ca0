// Where the files of a scene are found.

export interface Assets {
  /** From a path as in docs/stream.md ("meshes/0/foot.stl") to an address that fetch() and three's loaders can load. */
  url(path: string): string;
}
