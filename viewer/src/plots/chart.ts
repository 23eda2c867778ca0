// One chart: some columns of one signal, of all runs, with their values at the current time.

import uPlot from 'uplot';
import { el } from '../page/dom';
import { number } from '../page/format';
import { iconButton } from '../page/layout';
import type { ThemeName } from '../page/theme';
import { table } from './table';
import type { Track } from './tracks';

const PALETTE = {
  light: ['#1c6dd0', '#e8590c', '#2b8a3e', '#9c36b5', '#8d6e00', '#d6336c', '#0c8599', '#495057'],
  dark: ['#74c0fc', '#ffa94d', '#8ce99a', '#da9ff9', '#ffe066', '#faa2c1', '#66d9e8', '#ced4da'],
};

interface Series {
  track: Track;
  second: boolean;
  column: number;
  label: string;
  color: number;
  value: HTMLElement;
}

export interface PlottedValue {
  run: string;
  signal: string;
  column: string;
  value: number;
}

export class Chart {
  readonly element: HTMLElement;
  private readonly series: Series[] = [];
  private readonly body = el('div', { class: 'chart-body' });
  private readonly now = el('div', { class: 'now' });
  /** Made with the first data, because uPlot cannot draw axes without. */
  private plot: uPlot | null = null;

  constructor(tracks: Track[], readonly signal: string, columns: Set<number>, private theme: ThemeName, private readonly events: { seek: (time: number) => void; close: () => void }) {
    const names = tracks[0].signal(signal)!.columns;
    const units = new Set([...columns].map((i) => names[i].unit));
    const legend = el('div', { class: 'legend' });
    [...columns].sort((a, b) => a - b).forEach((i, color) => {
      const { name, unit } = names[i];
      const entry = el('span', { class: 'entry' });
      tracks.forEach((track, run) => {
        const own = track.signal(signal);
        const at = own?.columns.findIndex((column) => column.name === name) ?? -1;
        if (!own || at < 0) return;
        const value = el('output');
        this.series.push({ track, second: run > 0, column: own.first + at, label: name, color, value });
        const swatch = el('i', { class: run > 0 ? 'dashed' : '', 'data-color': color % PALETTE.light.length, title: track.run.name });
        entry.append(swatch, ...(run > 0 ? [] : [el('span', { class: 'name', title: name }, name)]), value);
      });
      if (units.size > 1) entry.append(el('span', { class: 'unit' }, unit));
      legend.append(entry);
    });
    const unit = units.size === 1 ? [...units][0] : '';
    const heading = el('b', {}, signal, unit ? el('span', { class: 'unit' }, unit) : null);
    this.element = el('article', { class: 'chart', 'data-signal': signal, 'aria-label': `Plot of ${signal}` }, el('header', {}, heading, legend, iconButton('close', `Remove the plot of ${signal}`, events.close)), this.body);
    this.setTheme(theme);
  }

  /** Shows the frames of all runs from one time to another; `coarse`: not more points than a screen can show. */
  setData(from: number, to: number, coarse: boolean): void {
    const tracks = [...new Set(this.series.map(({ track }) => track))];
    const tables = tracks.map((track) => table(track, this.series.filter((s) => s.track === track).map((s) => s.column), from, to, coarse));
    const joined = tables.length > 1 ? uPlot.join(tables) : tables[0];
    // The tables are ordered by run, the series by column.
    const order = tracks.flatMap((track) => this.series.filter((s) => s.track === track));
    const data = [joined[0], ...this.series.map((s) => joined[1 + order.indexOf(s)])] as uPlot.AlignedData;
    if (!data[0].length) return;
    this.plot ??= this.create(data);
    this.plot.setData(data, false);
    this.plot.setScale('x', { min: from, max: Math.max(to, from + 1e-6) });
  }

  setTime(time: number): void {
    for (const { value, sample } of this.samples(time)) value.textContent = number(sample);
    if (!this.plot) return;
    const x = this.plot.valToPos(time, 'x');
    const visible = x >= -1 && x <= this.plot.over.clientWidth + 1;
    this.now.hidden = !visible;
    if (visible) this.now.style.transform = `translateX(${x}px)`;
  }

  values(time: number): PlottedValue[] {
    return this.samples(time).map(({ series, sample }) => ({ run: series.track.run.name, signal: this.signal, column: series.label, value: sample }));
  }

  setTheme(theme: ThemeName): void {
    this.theme = theme;
    for (const swatch of this.element.querySelectorAll<HTMLElement>('[data-color]')) swatch.style.borderColor = PALETTE[theme][Number(swatch.dataset.color)];
    this.plot?.redraw();
  }

  fit(): void {
    const { clientWidth: width, clientHeight: height } = this.body;
    if (width > 0 && height > 0) this.plot?.setSize({ width, height });
  }

  destroy(): void {
    this.plot?.destroy();
    this.element.remove();
  }

  private samples(time: number): { series: Series; value: HTMLElement; sample: number }[] {
    return this.series.map((series) => {
      const { frames } = series.track;
      const at = frames.find(time);
      return { series, value: series.value, sample: at < 0 ? NaN : frames.value(at, series.column) };
    });
  }

  private create(data: uPlot.AlignedData): uPlot {
    const plot = new uPlot(this.options(), data, this.body);
    plot.over.append(this.now);
    this.clicks(plot);
    return plot;
  }

  private options(): uPlot.Options {
    const style = (name: string) => () => getComputedStyle(document.documentElement).getPropertyValue(name);
    const axis: uPlot.Axis = { stroke: style('--muted'), font: '11px system-ui, sans-serif', grid: { stroke: style('--line'), width: 1 }, ticks: { stroke: style('--line'), width: 1, size: 4 } };
    return {
      width: this.body.clientWidth || 300,
      height: this.body.clientHeight || 120,
      legend: { show: false },
      cursor: { sync: { key: 'time' }, points: { size: 5 } },
      scales: { x: { time: false } },
      padding: [6, 8, 0, 0],
      axes: [{ ...axis, size: 24, gap: 2 }, { ...axis, size: 52, gap: 3, space: 24, values: (_, ticks) => ticks.map((tick) => label(tick)) }],
      series: [{}, ...this.series.map((s) => ({ stroke: () => PALETTE[this.theme][s.color % PALETTE.light.length], width: 1.3, dash: s.second ? [5, 4] : undefined, spanGaps: false, points: { show: false } }))],
    };
  }

  /** A click goes to its time; a drag zooms, which uPlot does. */
  private clicks(plot: uPlot): void {
    let down = 0;
    plot.over.addEventListener('mousedown', (event) => (down = event.clientX));
    plot.over.addEventListener('click', (event) => {
      if (Math.abs(event.clientX - down) > 3) return;
      this.events.seek(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, 'x'));
    });
  }
}

function label(tick: number | null): string {
  if (tick === null) return '';
  const size = Math.abs(tick);
  return size >= 1e5 || (size > 0 && size < 1e-3) ? tick.toExponential(0) : String(Number(tick.toPrecision(6)));
}
