// The clock of a replay.

import { Listeners } from '../data/listeners';

export const SPEEDS = [0.1, 0.2, 0.5, 1, 2, 4];

export class Player {
  time = 0;
  playing = false;
  speed = 1;
  loop = false;
  /** The time changed. */
  readonly moved = new Listeners<number>();
  /** Playing, speed or loop changed. */
  readonly changed = new Listeners();
  private before = 0;

  constructor(private readonly range: () => [number, number]) {}

  seek(time: number): void {
    const [from, to] = this.range();
    this.time = Math.min(Math.max(time, from), to);
    this.moved.emit(this.time);
  }

  play(): void {
    if (this.playing) return;
    const [from, to] = this.range();
    if (this.time >= to) this.seek(from);
    this.playing = true;
    this.before = performance.now();
    requestAnimationFrame((now) => this.tick(now));
    this.changed.emit();
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.changed.emit();
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.changed.emit();
  }

  /** To the next slower or faster speed. */
  changeSpeed(direction: -1 | 1): void {
    const at = SPEEDS.indexOf(this.speed);
    this.setSpeed(SPEEDS[Math.min(Math.max(at + direction, 0), SPEEDS.length - 1)]);
  }

  setLoop(on: boolean): void {
    this.loop = on;
    this.changed.emit();
  }

  private tick(now: number): void {
    if (!this.playing) return;
    const [from, to] = this.range();
    // A page in the background gets no pictures; it continues where it was.
    const passed = Math.min(Math.max(now - this.before, 0), 250);
    this.before = now;
    const time = this.time + (this.speed * passed) / 1000;
    if (time < to) this.seek(time);
    else if (this.loop && to > from) this.seek(from + ((time - from) % (to - from)));
    else {
      this.seek(to);
      this.pause();
    }
    if (this.playing) requestAnimationFrame((later) => this.tick(later));
  }
}
