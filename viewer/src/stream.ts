// The types of docs/stream.md, and the reader of its blocks.

export type Vec3 = [number, number, number];
/** x y z, and the quaternion w x y z. */
export type Pose = [number, number, number, number, number, number, number];

export type Shape =
  | { kind: 'box'; size: Vec3 }
  | { kind: 'sphere'; radius: number }
  | { kind: 'cylinder'; radius: number; length: number }
  | { kind: 'capsule'; radius: number; length: number }
  | { kind: 'ellipsoid'; radii: Vec3 }
  | { kind: 'plane'; size: [number, number] }
  | { kind: 'mesh'; mesh: string | null; file: string; scale: Vec3 };

export interface Geometry {
  name: string;
  origin: Pose;
  color: [number, number, number, number] | null;
  shape: Shape;
}

export interface Link {
  name: string;
  mass: number;
  com: Vec3;
  ellipsoid: { size: Vec3; pose: Pose } | null;
  visuals: Geometry[];
  collisions: Geometry[];
}

export type Move =
  | { kind: 'translate' | 'rotate'; axis: Vec3; q: number; ratio: number; offset: number }
  | { kind: 'quaternion'; q: number };

export interface Joint {
  name: string;
  type: string;
  parent: number;
  child: number;
  origin: Pose;
  axis: Vec3 | null;
  moves: Move[];
  q_index: number;
  nq: number;
  v_index: number;
  nv: number;
  follows: string | null;
}

export interface Coordinate {
  name: string;
  unit: string;
  joint: number;
  lower: number | null;
  upper: number | null;
  quaternion: number | null;
}

export interface VelocityCoordinate {
  name: string;
  unit: string;
  joint: number;
  limit: number | null;
  effort_limit: number | null;
  effort_unit: string;
}

export interface Robot {
  name: string;
  nq: number;
  nv: number;
  q: number[];
  neutral: number[];
  mass: number;
  gravity: Vec3;
  links: Link[];
  joints: Joint[];
  frames: { name: string; link: number; origin: Pose }[];
  coordinates: Coordinate[];
  velocities: VelocityCoordinate[];
  /** Where it can touch; null: the server may be asked. */
  contacts: RobotContact[] | null;
  loops: { name: string; a: { link: number; point: Vec3 }; b: { link: number; point: Vec3 } }[];
}

export interface Signal {
  name: string;
  first: number;
  columns: { name: string; unit: string }[];
}

export interface RobotContact {
  name: string;
  role: string;
  link: number;
  pose: Pose;
  points: Vec3[];
  radius: number;
  friction: number;
  why: string;
}

export interface Contact {
  name: string;
  link: number;
  pose: Pose;
  points: Vec3[];
  friction: number;
  force: number | null;
}

/** The columns in which the contacts of a world are: `count` places of 14 columns each, from `first` on. */
export interface ContactPoints {
  first: number;
  count: number;
  names: string[];
}

export interface LiveRun {
  /** Differs for each run that is computed; a recorded run has none. */
  id?: string;
  name: string;
  robot: number;
  columns: number;
  signals: Signal[];
  settings: Record<string, unknown>;
  contacts: Contact[];
  contact_points: ContactPoints | null;
  warnings: string[];
}

export interface Run extends LiveRun {
  seconds: number;
  frames: number;
  recorded_frames: number;
  data: string;
}

export interface Scene {
  format: string;
  lissom: string;
  title: string;
  mode: 'pose' | 'replay' | 'live';
  robots: Robot[];
  runs: Run[];
  live: LiveRun | null;
  can: string[];
  show: string[];
  findings: { severity: string; text: string }[];
}

export interface Quantities {
  M: number[][];
  C: number[][];
  g: number[];
  h: number[];
  kinetic: number;
  potential: number;
  com: Vec3;
  com_velocity: Vec3;
  momentum: number[];
  support: Vec3[];
}

export interface Status {
  status: 'running' | 'paused' | 'finished' | 'failed';
  time: number;
  speed: number;
  text: string;
}

/** Frames of a run. */
export interface Block {
  columns: number;
  frames: number;
  skipped: number;
  times: Float64Array;
  values: Float32Array;
}

const MAGIC = 0x5254534c;

/** Throws an Error if the bytes are not a block. */
export function readBlock(bytes: ArrayBuffer): Block {
  const head = bytes.byteLength >= 16 ? new Uint32Array(bytes, 0, 4) : null;
  if (!head || head[0] !== MAGIC) throw new Error('this is not a block of frames (docs/stream.md)');
  const [, columns, frames, skipped] = head as unknown as [number, number, number, number];
  const expected = 16 + frames * (8 + 4 * columns);
  if (bytes.byteLength !== expected)
    throw new Error(`a block of ${frames} frames with ${columns} columns has ${expected} bytes, this one ${bytes.byteLength}`);
  return {
    columns,
    frames,
    skipped,
    times: new Float64Array(bytes, 16, frames),
    values: new Float32Array(bytes, 16 + 8 * frames, columns * frames),
  };
}

/** The frames of a block after a time. */
export function laterThan(block: Block, time: number): Block {
  let first = 0;
  while (first < block.frames && block.times[first] <= time) first++;
  return {
    ...block,
    frames: block.frames - first,
    times: block.times.subarray(first),
    values: block.values.subarray(first * block.columns),
  };
}
