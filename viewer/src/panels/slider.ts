// One row: name, slider, typed value, unit.

import { el } from '../page/dom';
import { shownUnit, type Shown } from '../page/format';
import type { Value } from './coordinates';

/** Range of a slider without limits, by unit. */
const FREE_RANGE: Record<string, number> = { rad: Math.PI, m: 2 };

export class SliderRow {
  readonly element: HTMLDivElement;
  private readonly slider: HTMLInputElement;
  private readonly field: HTMLInputElement;
  private readonly unit = el('span', { class: 'unit' });
  private shown: Shown = { factor: 1, unit: '', digits: 3 };
  private current = NaN;

  constructor(readonly value: Value, label: string, private readonly change: (value: number) => void) {
    const fixed = value.follows !== null;
    const title = fixed ? `${value.name} follows ${value.follows}` : value.name;
    this.slider = el('input', { type: 'range', step: 'any', 'aria-label': value.name, disabled: fixed, title });
    this.field = el('input', { type: 'text', inputmode: 'decimal', class: 'number', 'aria-label': `Value of ${value.name}`, disabled: fixed, spellcheck: 'false', autocomplete: 'off' });
    this.element = el('div', { class: 'slider-row', 'data-coordinate': value.name }, el('label', { title }, label), this.slider, this.field, this.unit);
    this.slider.addEventListener('input', () => this.change(Number(this.slider.value)));
    this.slider.addEventListener('keydown', (event) => this.step(event));
    this.field.addEventListener('change', () => this.typed());
    this.field.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowUp' || event.key === 'ArrowDown') this.step(event);
    });
    this.field.addEventListener('focus', () => this.field.select());
  }

  setDegrees(degrees: boolean): void {
    this.shown = shownUnit(this.value.unit, degrees);
    this.unit.textContent = this.shown.unit;
    const { lower, upper } = this.value;
    const text = (limit: number | null): string => (limit === null ? '∞' : (limit * this.shown.factor).toFixed(this.shown.digits));
    if (lower !== null || upper !== null) this.slider.title = `${this.value.name}: ${lower === null ? '−' : ''}${text(lower)} … ${text(upper)} ${this.shown.unit}`;
    const value = this.current;
    this.current = NaN;
    if (!Number.isNaN(value)) this.show(value);
  }

  show(value: number): void {
    if (value === this.current) return;
    this.current = value;
    const { lower, upper, unit } = this.value;
    const free = FREE_RANGE[unit] ?? 1;
    // Without limits, the range grows with the value.
    this.slider.min = String(lower ?? Math.min(-free, value));
    this.slider.max = String(upper ?? Math.max(free, value));
    this.slider.value = String(value);
    const text = (value * this.shown.factor).toFixed(this.shown.digits);
    if (document.activeElement !== this.field) this.field.value = text.replace(/^-(0\.?0*)$/, '$1');
    this.slider.setAttribute('aria-valuetext', `${text} ${this.shown.unit}`);
    const slack = 1e-6;
    this.element.classList.toggle('outside', (lower !== null && value < lower - slack) || (upper !== null && value > upper + slack));
  }

  private limited(value: number): number {
    return Math.min(Math.max(value, this.value.lower ?? -Infinity), this.value.upper ?? Infinity);
  }

  private typed(): void {
    const value = Number(this.field.value.trim().replace('−', '-').replace(',', '.'));
    const valid = this.field.value.trim() !== '' && Number.isFinite(value);
    const before = this.current;
    this.current = NaN;
    if (valid) this.change(this.limited(value / this.shown.factor));
    if (Number.isNaN(this.current)) this.show(before);
    this.field.value = (this.current * this.shown.factor).toFixed(this.shown.digits);
  }

  /** One degree or a hundredth; ten times as much with shift. */
  private step(event: KeyboardEvent): void {
    const direction = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!direction) return;
    event.preventDefault();
    const size = (this.value.unit === 'rad' ? Math.PI / 180 : 0.01) * (event.shiftKey ? 10 : 1);
    this.change(this.limited(this.current + direction * size));
    this.field.value = (this.current * this.shown.factor).toFixed(this.shown.digits);
  }
}
