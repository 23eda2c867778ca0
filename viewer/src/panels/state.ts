// The state as text: copy, paste, type; neutral and random poses.

import { normalized } from '../data/robots';
import { el, possible } from '../page/dom';
import { Section } from '../page/section';
import type { Robot } from '../stream';

export interface State {
  q: number[];
  v: number[];
}

export class StatePanel {
  readonly section = new Section('State', true);
  private readonly text = el('textarea', { rows: 3, spellcheck: 'false', 'aria-label': 'State as JSON', placeholder: '{"q": […], "v": […]}' });
  private readonly note = el('p', { class: 'note', role: 'status' });
  private readonly random: HTMLButtonElement;

  constructor(
    private readonly robot: Robot,
    private readonly state: () => State,
    private readonly change: (state: State) => void,
    ask: { random: () => void },
  ) {
    this.random = el('button', { type: 'button', title: 'A configuration within the limits', onclick: ask.random }, 'Random');
    const button = (text: string, title: string, click: () => void): HTMLButtonElement => el('button', { type: 'button', title, onclick: click }, text);
    this.section.body.append(
      el('div', { class: 'buttons' },
        button('Neutral', 'The neutral configuration', () => change({ q: robot.neutral.slice(), v: zeros(robot.nv) })),
        this.random,
        button('Copy', 'Copy q and v to the clipboard, as JSON', () => void this.copy()),
        button('Apply', 'Take the state from the text below', () => this.apply())),
      this.text,
      this.note,
    );
    this.text.addEventListener('paste', () => window.setTimeout(() => this.apply()));
    this.text.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.apply();
    });
  }

  setPossible(random: boolean, why: string): void {
    possible(this.random, random, why);
  }

  private async copy(): Promise<void> {
    const text = JSON.stringify(this.state());
    this.text.value = text;
    try {
      await navigator.clipboard.writeText(text);
      this.say('The state is on the clipboard.');
    } catch {
      // Pages from a disk or another machine may not write to the clipboard in the new way.
      this.text.select();
      const copied = document.execCommand('copy');
      this.say(copied ? 'The state is on the clipboard.' : 'Copy the selected text: this page may not write to the clipboard.');
    }
  }

  private apply(): void {
    try {
      this.change(readState(this.robot, this.text.value, this.state()));
      this.say('');
    } catch (error) {
      this.say((error as Error).message, true);
    }
  }

  private say(text: string, wrong = false): void {
    this.note.textContent = text;
    this.note.classList.toggle('wrong', wrong);
  }
}

/** Reads {"q": […], "v": […]}, or q alone as an array, or values by the names of coordinates. Throws in words. */
export function readState(robot: Robot, text: string, present: State): State {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error('The text is not JSON, expected {"q": […], "v": […]}');
  }
  const given = Array.isArray(json) ? { q: json } : (json as { q?: unknown; v?: unknown } | null);
  if (!given || (given.q === undefined && given.v === undefined)) throw new Error("The text has neither 'q' nor 'v'");
  return {
    q: given.q === undefined ? present.q : normalized(robot, elements('q', given.q, robot.nq, robot.coordinates, present.q)),
    v: given.v === undefined ? zeros(robot.nv) : elements('v', given.v, robot.nv, robot.velocities, present.v),
  };
}

function elements(key: string, given: unknown, size: number, names: { name: string }[], present: number[]): number[] {
  let values: unknown[];
  if (Array.isArray(given)) values = given;
  else {
    values = present.slice();
    for (const [name, value] of Object.entries(given as Record<string, unknown>)) {
      const index = names.findIndex((coordinate) => coordinate.name === name);
      if (index < 0) throw new Error(`${key} has no element '${name}'`);
      values[index] = value;
    }
  }
  if (values.length !== size) throw new Error(`${key} has ${values.length} elements, expected ${size}`);
  values.forEach((value, i) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw new Error(`${key}[${i}] is ${JSON.stringify(value)}, expected a number`);
  });
  return values as number[];
}

function zeros(size: number): number[] {
  return new Array<number>(size).fill(0);
}
