// What is drawn.

import { el } from '../page/dom';
import { LAYERS } from '../page/keyboard';
import { Section } from '../page/section';
import type { Layer, Stage } from '../scene/stage';

export class LayersPanel {
  readonly section = new Section('View', false);
  onChange: () => void = () => {};
  private readonly boxes = new Map<Layer, HTMLInputElement>();
  private readonly follow = el('input', { type: 'checkbox' });

  constructor(stage: Stage) {
    const list = el('div', { class: 'checks two' });
    for (const { layer, key, text } of LAYERS) {
      const box = el('input', { type: 'checkbox', checked: stage.shown(layer), 'data-layer': layer });
      box.addEventListener('change', () => {
        stage.show(layer, box.checked);
        this.onChange();
      });
      this.boxes.set(layer, box);
      list.append(el('label', { class: 'check' }, box, text, el('kbd', {}, key)));
    }
    this.follow.addEventListener('change', () => stage.setFollow(this.follow.checked));
    this.section.body.append(
      el('label', { class: 'check' }, this.follow, 'Camera follows the center of mass', el('kbd', {}, 'f')),
      list,
    );
  }

  toggle(layer: Layer): void {
    this.boxes.get(layer)!.click();
  }

  toggleFollow(): void {
    this.follow.click();
  }
}
