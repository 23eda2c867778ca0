// Keys of the page, and the overlay that lists them.

import type { Layer, View } from '../scene/stage';
import { el, isTyping } from './dom';
import { icon } from './icons';

export const VIEW_KEYS: [string, View][] = [
  ['1', 'home'], ['2', 'front'], ['3', 'back'], ['4', 'left'], ['5', 'right'], ['6', 'top'],
];

export const LAYERS: { layer: Layer; key: string; text: string }[] = [
  { layer: 'visuals', key: 'v', text: 'Visual shapes' },
  { layer: 'collisions', key: 'c', text: 'Collision shapes' },
  { layer: 'frames', key: 'x', text: 'Frames' },
  { layer: 'axes', key: 'a', text: 'Joint axes' },
  { layer: 'com', key: 'm', text: 'Centers of mass' },
  { layer: 'inertia', key: 'i', text: 'Inertia ellipsoids' },
  { layer: 'support', key: 's', text: 'Support polygon' },
  { layer: 'velocities', key: 'w', text: 'Velocities' },
  { layer: 'forces', key: 'n', text: 'Contact forces' },
  { layer: 'contacts', key: 'd', text: 'Feet, hands, pads' },
  { layer: 'cones', key: 'k', text: 'Friction cones' },
  { layer: 'loops', key: 'o', text: 'Closed loops' },
  { layer: 'labels', key: 'l', text: 'Names of links' },
  { layer: 'grid', key: 'g', text: 'Ground grid' },
  { layer: 'shadows', key: 'h', text: 'Shadows' },
];

/** A key (event.key, lower case), what the overlay says about it, and what it does; `shift` tells whether shift was held. */
export interface Binding {
  keys: string[];
  shown: string;
  text: string;
  run: (key: string, shift: boolean) => void;
}

export class Keyboard {
  private readonly dialog = el('dialog', { class: 'help', 'aria-label': 'Keyboard' });

  constructor(private readonly bindings: Binding[]) {
    document.body.append(this.dialog);
    // A click on the backdrop has the dialog itself as its target.
    this.dialog.addEventListener('click', (event) => event.target === this.dialog && this.dialog.close());
    document.addEventListener('keydown', (event) => this.pressed(event));
  }

  help(): void {
    if (this.dialog.open) return this.dialog.close();
    const rows = [...this.bindings, { shown: '?', text: 'This list' }, { shown: 'Esc', text: 'Close it' }];
    const close = el('button', { type: 'button', class: 'icon-button', title: 'Close', 'aria-label': 'Close', onclick: () => this.dialog.close() }, icon('close'));
    const list = el('dl', {}, ...rows.map(({ shown, text }) => el('div', {}, el('dt', {}, ...shown.split(' ').map((k) => el('kbd', {}, k))), el('dd', {}, text))));
    const mouse = el('p', {}, 'Mouse: drag turns the view, right button moves it, wheel zooms. Drag a link to pull it, click it to inspect it, click a plot to go to its time.');
    this.dialog.replaceChildren(el('div', {}, el('header', {}, el('h2', {}, 'Keyboard'), close), list, mouse));
    this.dialog.showModal();
  }

  private pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
    if (event.key === '?') {
      event.preventDefault();
      return this.help();
    }
    if (this.dialog.open) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const target = event.target as HTMLElement;
    // Space and Enter press the button that has the focus, arrows move the slider.
    if (key === ' ' && target.closest?.('button, summary, input[type=checkbox]')) return;
    if (/^(Arrow|Home|End|Page)/.test(key) && target.closest?.('input:not(.scrubber), canvas.matrix, [role=separator]')) return;
    const binding = this.bindings.find(({ keys }) => keys.includes(key));
    if (!binding) return;
    event.preventDefault();
    binding.run(key, event.shiftKey);
  }
}
