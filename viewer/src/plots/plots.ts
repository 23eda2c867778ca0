// The area with the charts.

import { el, onceAFrame } from '../page/dom';
import type { ThemeName } from '../page/theme';
import { Chart, type PlottedValue } from './chart';
import type { Choice } from './choice';
import type { Track } from './tracks';

const MIN_WIDTH = 300;
const MIN_HEIGHT = 150;

export class Plots {
  onSeek: (time: number) => void = () => {};
  /** A chart was closed. */
  onChoice: (choice: Choice) => void = () => {};
  private charts: Chart[] = [];
  private choice: Choice = new Map();
  private range: [number, number] = [0, 1];
  private time = 0;
  private readonly empty = el('p', { class: 'empty' }, 'Choose signals in the panel at the right.');

  constructor(private readonly host: HTMLElement, private readonly tracks: Track[], private theme: ThemeName) {
    new ResizeObserver(onceAFrame(() => this.arrange())).observe(host);
  }

  setChoice(choice: Choice): void {
    this.choice = choice;
    for (const chart of this.charts) chart.destroy();
    this.charts = [...choice].map(([signal, columns]) => new Chart(this.tracks, signal, columns, this.theme, { seek: (t) => this.onSeek(t), close: () => this.close(signal) }));
    this.host.replaceChildren(...(this.charts.length ? this.charts.map(({ element }) => element) : [this.empty]));
    this.arrange();
    this.setRange(...this.range);
  }

  /** The times that are plotted; reads all values again. `coarse`: as many as a screen can show, for plots that change. */
  setRange(from: number, to: number, coarse = false): void {
    this.range = [from, to];
    if (!this.shown) return;
    for (const chart of this.charts) chart.setData(from, to, coarse);
    this.setTime(this.time);
  }

  setTime(time: number): void {
    this.time = time;
    if (this.shown) for (const chart of this.charts) chart.setTime(time);
  }

  setTheme(theme: ThemeName): void {
    this.theme = theme;
    for (const chart of this.charts) chart.setTheme(theme);
  }

  values(): PlottedValue[] {
    return this.charts.flatMap((chart) => chart.values(this.time));
  }

  private get shown(): boolean {
    return !this.host.hidden;
  }

  private close(signal: string): void {
    const choice = new Map(this.choice);
    choice.delete(signal);
    this.setChoice(choice);
    this.onChoice(choice);
  }

  /** As many columns as fit; rows share the height, and scroll where they would be too low. */
  private arrange(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (!this.charts.length || width === 0) return;
    const columns = Math.max(1, Math.min(this.charts.length, Math.floor(width / MIN_WIDTH)));
    const rows = Math.ceil(this.charts.length / columns);
    this.host.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
    this.host.style.gridAutoRows = `${Math.max(MIN_HEIGHT, Math.floor(height / rows))}px`;
    for (const chart of this.charts) chart.fit();
    this.setTime(this.time);
  }
}
