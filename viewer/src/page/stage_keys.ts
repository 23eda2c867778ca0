// The stage without a pointer: keys that turn and move the camera, choose a link, and pull it.

import type { Inspector } from '../panels/inspector';
import type { Pointed, Stage } from '../scene/stage';
import type { Vec3 } from '../stream';
import type { Binding } from './keyboard';

/** Radians that one press turns the camera, and the part of the robot's size that it moves a link. */
const TURN = Math.PI / 36;
const PULL = 0.02;
const PAN = 0.05;
const ZOOM = 1.15;

/** To the right, up, and towards the camera. */
const DIRECTIONS: Record<string, Vec3> = {
  ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowUp: [0, 1, 0], ArrowDown: [0, -1, 0], PageUp: [0, 0, -1], PageDown: [0, 0, 1],
};

export class StageKeys {
  /** For the list of keys; the page handles those that it names, the others count while the stage has the focus. */
  readonly bindings: Binding[];
  private held: { pointed: Pointed; to: Vec3 } | null = null;

  constructor(private readonly stage: Stage, private readonly inspector: Inspector, private readonly status: HTMLElement) {
    const { canvas } = stage;
    canvas.tabIndex = 0;
    canvas.setAttribute('aria-label', 'The robot. Arrow keys turn the view, [ and ] choose a link, Enter takes hold of it.');
    canvas.addEventListener('keydown', (event) => this.pressed(event));
    canvas.addEventListener('blur', () => this.release());
    const shown = (text: string, keys: string): Binding => ({ keys: [], shown: keys, text, run: () => {} });
    this.bindings = [
      { keys: ['+', '=', '-'], shown: '+ -', text: 'Camera: nearer, farther', run: (key) => stage.zoom(key === '-' ? ZOOM : 1 / ZOOM) },
      shown('In the view (Tab): turn the camera; with shift, move it', '← → ↑ ↓'),
      { keys: ['[', ']'], shown: '[ ]', text: 'Link before, next link', run: (key) => this.choose(key === ']' ? 1 : -1) },
      shown('In the view: take hold of that link; arrows, PageUp and PageDown pull it, Enter releases it', 'Enter'),
    ];
  }

  private pressed(event: KeyboardEvent): void {
    // After a click into the view, keys are those of the page: arrows step through a run.
    if (event.ctrlKey || event.metaKey || event.altKey || !this.stage.canvas.matches(':focus-visible')) return;
    const direction = DIRECTIONS[event.key];
    const page = event.key.startsWith('Page');
    if (direction && this.held) this.pull(direction);
    else if (direction && !page && event.shiftKey) this.stage.pan(PAN * direction[0], PAN * direction[1]);
    else if (direction && !page) this.stage.orbit(TURN * direction[0], TURN * direction[1]);
    else if (event.key === 'Enter') this.held ? this.release() : this.take();
    else if (event.key === 'Escape' && this.held) this.release();
    else return;
    event.preventDefault();
  }

  private choose(step: number): void {
    this.release();
    const pinned = this.inspector.pinnedLink ?? { robot: 0, link: step > 0 ? -1 : 0 };
    const count = this.stage.robots[pinned.robot].robot.links.length;
    this.inspector.pin({ robot: pinned.robot, link: (pinned.link + step + count) % count });
  }

  private take(): void {
    const pinned = this.inspector.pinnedLink;
    if (!pinned || !this.stage.pulling) {
      this.say(pinned ? 'Links cannot be pulled here.' : 'Choose a link with [ or ] first.');
      return;
    }
    const figure = this.stage.robots[pinned.robot];
    const link = figure.robot.links[pinned.link];
    const at = figure.point(pinned.link, link.com);
    this.held = { pointed: { ...pinned, point: link.com, at }, to: at };
    this.stage.onPull('start', this.held.pointed, at);
    this.say(`${link.name} is held: arrows pull it, Enter releases it.`);
  }

  private pull(direction: Vec3): void {
    const held = this.held!;
    const step = this.stage.inPicture(direction, PULL * this.stage.robots[held.pointed.robot].size);
    held.to = [held.to[0] + step[0], held.to[1] + step[1], held.to[2] + step[2]];
    this.stage.onPull('move', held.pointed, held.to);
  }

  private release(): void {
    if (!this.held) return;
    this.stage.onPull('end', this.held.pointed, this.held.to);
    this.held = null;
    this.say('');
  }

  private say(text: string): void {
    this.status.textContent = text;
  }
}
