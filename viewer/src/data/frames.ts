// Frames of a run: all of a recorded one, or the last ones of a live one.

import type { Block } from '../stream';

const MAX_SECONDS = 60;
const MAX_BYTES = 20e6;
/** Times are sums of steps: 0.3 s may be recorded as 0.30000000000000004 s, and is meant. */
const ROUNDING = 1e-9;

export class Frames {
  /** How many frames were left out because this page was too slow. */
  skipped = 0;
  private times: Float64Array;
  private values: Float32Array;
  private begin = 0;
  private end = 0;

  constructor(readonly columns: number, block?: Block) {
    this.times = block?.times ?? new Float64Array(256);
    this.values = block?.values ?? new Float32Array(256 * columns);
    this.end = block?.frames ?? 0;
  }

  get count(): number {
    return this.end - this.begin;
  }

  get first(): number {
    return this.count ? this.times[this.begin] : 0;
  }

  get last(): number {
    return this.count ? this.times[this.end - 1] : 0;
  }

  time(index: number): number {
    return this.times[this.begin + index];
  }

  value(index: number, column: number): number {
    return this.values[(this.begin + index) * this.columns + column];
  }

  /** A view of some columns of a frame, valid until frames are appended. */
  row(index: number, first: number, size: number): Float32Array {
    const at = (this.begin + index) * this.columns + first;
    return this.values.subarray(at, at + size);
  }

  /** The last frame at or before a time; the first frame if there is none; -1 without frames. */
  find(time: number): number {
    if (!this.count) return -1;
    let low = this.begin;
    let high = this.end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= time + ROUNDING) low = middle + 1;
      else high = middle;
    }
    return Math.max(low - 1 - this.begin, 0);
  }

  /** Times of the frames from `from` to before `to`. */
  timesOf(from: number, to: number): Float64Array {
    return this.times.subarray(this.begin + from, this.begin + to);
  }

  append(block: Block): void {
    if (block.columns !== this.columns)
      throw new Error(`a block has ${block.columns} columns, the scene says ${this.columns}`);
    this.skipped += block.skipped;
    this.reserve(block.frames);
    this.times.set(block.times, this.end);
    this.values.set(block.values, this.end * this.columns);
    this.end += block.frames;
    const bytes = 8 + 4 * this.columns;
    const max = Math.max(Math.floor(MAX_BYTES / bytes), 1);
    this.begin = Math.max(this.begin, this.end - max);
    while (this.last - this.times[this.begin] > MAX_SECONDS) this.begin++;
  }

  clear(): void {
    this.begin = this.end = 0;
  }

  private reserve(count: number): void {
    const capacity = this.times.length;
    if (this.end + count <= capacity) return;
    // Moving costs nothing on average if at least half of the buffer is free afterwards.
    const enough = this.count + count <= capacity / 2;
    const size = enough ? capacity : 2 * (this.count + count);
    const times = enough ? this.times : new Float64Array(size);
    const values = enough ? this.values : new Float32Array(size * this.columns);
    times.set(this.times.subarray(this.begin, this.end));
    values.set(this.values.subarray(this.begin * this.columns, this.end * this.columns));
    this.times = times;
    this.values = values;
    this.end -= this.begin;
    this.begin = 0;
  }
}
