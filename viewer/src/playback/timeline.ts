// Buttons, scrubber and speed of a replay.

import type { Frames } from '../data/frames';
import { el } from '../page/dom';
import { seconds } from '../page/format';
import { icon } from '../page/icons';
import { iconButton } from '../page/layout';
import type { Binding } from '../page/keyboard';
import { SPEEDS, type Player } from './player';

export class Timeline {
  readonly element: HTMLElement;
  private readonly playButton = iconButton('play', 'Play or pause (space)', () => this.player.toggle());
  private readonly loopButton = iconButton('loop', 'Begin again at the end', () => this.player.setLoop(!this.player.loop));
  private readonly scrubber = el('input', { type: 'range', class: 'scrubber', step: 'any', 'aria-label': 'Time' });
  private readonly text = el('output', { class: 'time' });
  private readonly stage = el('span', { class: 'stage-name' });
  private readonly speed = el('select', { 'aria-label': 'Speed', title: 'Speed (, and .)' }, ...SPEEDS.map((s) => el('option', { value: s }, `${s}×`)));

  constructor(private readonly player: Player, private readonly frames: Frames, private readonly range: () => [number, number]) {
    this.element = el('div', { class: 'timeline', role: 'group', 'aria-label': 'Timeline' },
      el('div', { class: 'transport' },
        iconButton('first', 'First frame (Home)', () => this.jump(-Infinity)),
        iconButton('previous', 'Previous frame (←)', () => this.step(-1)),
        this.playButton,
        iconButton('next', 'Next frame (→)', () => this.step(1)),
        iconButton('last', 'Last frame (End)', () => this.jump(Infinity)),
        this.loopButton),
      this.scrubber, this.text, this.stage, this.speed);
    this.scrubber.addEventListener('input', () => player.seek(Number(this.scrubber.value)));
    this.speed.addEventListener('change', () => player.setSpeed(Number(this.speed.value)));
    player.moved.add(() => this.show());
    player.changed.add(() => this.showState());
    this.show();
    this.showState();
  }

  setStage(name: string): void {
    this.stage.textContent = name;
    this.stage.title = name && `Stage of the motion: ${name}`;
  }

  /** Also after the range has changed. */
  show(): void {
    const [from, to] = this.range();
    this.scrubber.min = String(from);
    this.scrubber.max = String(to);
    this.scrubber.value = String(this.player.time);
    this.scrubber.setAttribute('aria-valuetext', seconds(this.player.time));
    this.text.textContent = `${seconds(this.player.time).replace(' s', '')} / ${seconds(to)}`;
  }

  /** Moves by so many recorded frames; frames of the same time count as one. */
  step(count: number): void {
    this.player.pause();
    const { frames } = this;
    let at = frames.find(this.player.time);
    const direction = Math.sign(count);
    for (let k = 0; k < Math.abs(count); k++) {
      const time = frames.time(at);
      do at += direction;
      while (at >= 0 && at < frames.count && frames.time(at) === time);
      at = Math.min(Math.max(at, 0), frames.count - 1);
    }
    if (at >= 0) this.player.seek(frames.time(at));
  }

  jump(time: number): void {
    this.player.seek(time);
  }

  bindings(toggle: () => void): Binding[] {
    return [
      { keys: [' '], shown: 'Space', text: 'Play or pause', run: toggle },
      { keys: ['ArrowLeft', 'ArrowRight'], shown: '← →', text: 'Previous or next frame; with shift, ten frames', run: (key, shift) => this.step((key === 'ArrowLeft' ? -1 : 1) * (shift ? 10 : 1)) },
      { keys: ['Home', 'End'], shown: 'Home End', text: 'First or last frame', run: (key) => this.jump(key === 'Home' ? -Infinity : Infinity) },
      { keys: [',', '.'], shown: ', .', text: 'Slower or faster', run: (key) => this.player.changeSpeed(key === ',' ? -1 : 1) },
    ];
  }

  private showState(): void {
    const { playing, loop, speed } = this.player;
    this.playButton.replaceChildren(icon(playing ? 'pause' : 'play'));
    this.playButton.setAttribute('aria-label', playing ? 'Pause' : 'Play');
    this.loopButton.setAttribute('aria-pressed', String(loop));
    this.speed.value = String(speed);
  }
}
