// The areas of the page: bar at the top, stage, plots below it, panels at the right, timeline at the bottom.

import { Listeners } from '../data/listeners';
import { el } from './dom';
import { icon, type Icon } from './icons';
import { Banner } from './message';
import { recall, remember } from './store';

const MIN_PLOTS = 110;

export class Layout {
  readonly banner = new Banner();
  readonly stage = el('div', { class: 'stage' });
  readonly corner = el('div', { class: 'corner' });
  readonly side = el('aside', { class: 'side', 'aria-label': 'Panels' });
  readonly plots = el('section', { class: 'plots', 'aria-label': 'Plots' });
  readonly bottom = el('footer', { class: 'bottom' });
  readonly status = el('span', { class: 'status', role: 'status' });
  readonly actions = el('div', { class: 'actions' });
  readonly plotsToggled = new Listeners<boolean>();
  private readonly app = document.getElementById('app')!;
  private readonly narrow = matchMedia('(max-width: 760px)');
  private readonly sideButton = barButton('panels', 'Panels', 'Show or hide the panels', () => this.showSide(!this.sideShown));
  private readonly plotsButton = barButton('plots', 'Plots', 'Show or hide the plots (p)', () => this.showPlots(!this.plotsShown));
  private readonly handle = el('div', { class: 'handle', role: 'separator', tabindex: 0, 'aria-orientation': 'horizontal', 'aria-label': 'Height of the plots', title: 'Drag to change the height of the plots' });
  private plotsHeight = Number(recall('plots-height')) || 240;

  /** What is shown, for names of files. */
  readonly name: string;

  constructor(title: string, robot: string, withPlots: boolean) {
    document.title = title ? `${title} – lissom` : 'lissom';
    this.name = title || robot;
    const name = el('h1', {}, title || robot, robot && robot !== title ? el('span', { class: 'robot' }, robot) : null);
    this.plotsButton.hidden = !withPlots;
    const bar = el('header', { class: 'bar' }, name, this.status, this.actions);
    this.actions.append(this.plotsButton, this.sideButton);
    const middle = el('div', { class: 'middle' }, this.banner.element, this.stage, this.handle, this.plots);
    this.stage.append(this.corner);
    this.app.className = 'page';
    this.app.replaceChildren(bar, middle, this.side, this.bottom);
    this.resizable();
    this.showSide(!this.narrow.matches || !withPlots);
    this.showPlots(withPlots && !this.narrow.matches);
    this.narrow.addEventListener('change', () => this.narrow.matches && this.plotsShown && this.showSide(false));
  }

  get sideShown(): boolean {
    return !this.side.hidden;
  }

  get plotsShown(): boolean {
    return !this.plots.hidden;
  }

  /** On a narrow screen there is room for one of panels and plots. */
  showSide(on: boolean): void {
    this.side.hidden = !on;
    this.sideButton.setAttribute('aria-pressed', String(on));
    this.app.classList.toggle('with-side', on);
    if (on && this.narrow.matches) this.showPlots(false);
  }

  showPlots(on: boolean): void {
    if (on && this.plotsButton.hidden) return;
    this.plots.hidden = !on;
    this.handle.hidden = !on;
    this.plotsButton.setAttribute('aria-pressed', String(on));
    if (on && this.narrow.matches) this.showSide(false);
    this.plotsToggled.emit(on);
  }

  /** Leaves nothing but the stage, for videos. */
  stageOnly(): void {
    this.app.className = 'stage-only';
  }

  private resizable(): void {
    const set = (height: number): void => {
      const max = Math.max(MIN_PLOTS, this.app.clientHeight * 0.7);
      this.plotsHeight = Math.min(Math.max(height, MIN_PLOTS), max);
      this.app.style.setProperty('--plots-height', `${this.plotsHeight}px`);
      this.handle.setAttribute('aria-valuenow', String(Math.round(this.plotsHeight)));
      remember('plots-height', String(Math.round(this.plotsHeight)));
    };
    set(this.plotsHeight);
    this.handle.addEventListener('pointerdown', (down) => {
      this.handle.setPointerCapture(down.pointerId);
      const [y, height] = [down.clientY, this.plots.clientHeight];
      const move = (event: PointerEvent): void => set(height + y - event.clientY);
      this.handle.addEventListener('pointermove', move);
      this.handle.addEventListener('lostpointercapture', () => this.handle.removeEventListener('pointermove', move), { once: true });
    });
    this.handle.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
      set(this.plotsHeight + (event.key === 'ArrowUp' ? 20 : -20));
      event.preventDefault();
    });
  }
}

export function iconButton(name: Icon, title: string, click: () => void): HTMLButtonElement {
  return el('button', { type: 'button', class: 'icon-button', title, 'aria-label': title, onclick: click }, icon(name));
}

function barButton(name: Icon, text: string, title: string, click: () => void): HTMLButtonElement {
  return el('button', { type: 'button', class: 'bar-button', title, 'aria-label': text, onclick: click }, icon(name), el('span', {}, text));
}
