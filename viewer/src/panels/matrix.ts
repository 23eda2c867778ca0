// A matrix as a heat map, with the number under the pointer.

import { el } from '../page/dom';
import { number } from '../page/format';

const SIZE = 264;

export class MatrixView {
  readonly element: HTMLElement;
  private readonly canvas = el('canvas', { class: 'matrix', tabindex: 0, role: 'img' });
  private readonly caption = el('p', { class: 'note matrix-value' });
  private rows: number[][] = [];
  private cell: [number, number] | null = null;

  constructor(private readonly symbol: string, title: string, private readonly names: string[]) {
    this.canvas.setAttribute('aria-label', `${title}; arrow keys move from element to element`);
    this.element = el('figure', {}, el('figcaption', {}, el('b', {}, symbol), ` ${title}`), this.canvas, this.caption);
    this.canvas.addEventListener('pointermove', (event) => this.point(event));
    this.canvas.addEventListener('pointerleave', () => this.choose(null));
    this.canvas.addEventListener('blur', () => this.choose(null));
    this.canvas.addEventListener('keydown', (event) => this.move(event));
  }

  show(rows: number[][]): void {
    this.rows = rows;
    this.draw();
    this.describe();
  }

  private draw(): void {
    const n = this.rows.length;
    const cell = Math.max(1, Math.floor((2 * SIZE) / Math.max(n, 1)));
    this.canvas.width = this.canvas.height = Math.max(n * cell, 1);
    const context = this.canvas.getContext('2d')!;
    const max = this.rows.flat().reduce((largest, value) => Math.max(largest, Math.abs(value)), 1e-300);
    const dark = document.documentElement.dataset.theme === 'dark';
    this.rows.forEach((row, i) =>
      row.forEach((value, j) => {
        // The logarithm over five decades: elements of a mass matrix differ that much.
        const size = Math.abs(value) / max;
        const strength = size > 0 ? Math.max(0, 1 + Math.log10(size) / 5) : 0;
        context.fillStyle = color(value, strength, dark);
        context.fillRect(j * cell, i * cell, cell, cell);
      }),
    );
    if (!this.cell) return;
    context.strokeStyle = dark ? '#fff' : '#000';
    context.lineWidth = 2;
    context.strokeRect(this.cell[1] * cell + 1, this.cell[0] * cell + 1, cell - 2, cell - 2);
  }

  private point(event: PointerEvent): void {
    const box = this.canvas.getBoundingClientRect();
    const n = this.rows.length;
    const at = (position: number, size: number): number => Math.min(Math.max(Math.floor((position / size) * n), 0), n - 1);
    if (n) this.choose([at(event.clientY - box.top, box.height), at(event.clientX - box.left, box.width)]);
  }

  private move(event: KeyboardEvent): void {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!step || !this.rows.length) return;
    event.preventDefault();
    const [row, column] = this.cell ?? [0, 0];
    const limit = (index: number): number => Math.min(Math.max(index, 0), this.rows.length - 1);
    this.choose(this.cell ? [limit(row + step[0]), limit(column + step[1])] : [0, 0]);
  }

  private choose(cell: [number, number] | null): void {
    if (cell?.[0] === this.cell?.[0] && cell?.[1] === this.cell?.[1]) return;
    this.cell = cell;
    this.draw();
    this.describe();
  }

  private describe(): void {
    if (this.cell) {
      const [i, j] = this.cell;
      this.caption.textContent = `${this.symbol}[${this.names[i]}, ${this.names[j]}] = ${number(this.rows[i]?.[j], 5)}`;
    } else {
      const all = this.rows.flat();
      const extreme = (pick: (a: number, b: number) => number): string => number(all.reduce((a, b) => pick(a, b)));
      this.caption.textContent = all.length ? `${extreme(Math.min)} … ${extreme(Math.max)}` : '';
    }
  }
}

/** Blue for negative, orange for positive elements, the background for zero. */
function color(value: number, strength: number, dark: boolean): string {
  const end = value < 0 ? [46, 120, 210] : [230, 120, 30];
  const zero = dark ? [30, 34, 40] : [244, 245, 247];
  return `rgb(${zero.map((z, k) => Math.round(z + (end[k] - z) * strength)).join(' ')})`;
}
