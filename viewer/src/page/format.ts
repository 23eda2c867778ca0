// Numbers and units for people.

export function number(value: number | null | undefined, digits = 3): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e5 || size < 10 ** -(digits + 1)) return minus(value.toExponential(2));
  return minus(value.toFixed(size >= 100 ? Math.max(digits - 2, 0) : digits));
}

/** A minus sign as wide as a plus. */
function minus(text: string): string {
  return /^-0\.?0*$/.test(text) ? text.slice(1) : text.replace('-', '−');
}

export function vector(values: ArrayLike<number>, digits = 3): string {
  return Array.from(values, (value) => number(value, digits)).join('  ');
}

export function seconds(time: number): string {
  return `${minus(time.toFixed(3))} s`;
}


/** How an angle or length is shown: the factor from SI, and the unit. */
export interface Shown {
  factor: number;
  unit: string;
  /** Digits after the decimal point. */
  digits: number;
}

export function shownUnit(unit: string, degrees: boolean): Shown {
  if (degrees && unit === 'rad') return { factor: 180 / Math.PI, unit: '°', digits: 1 };
  return { factor: 1, unit, digits: unit === 'rad' ? 3 : 4 };
}
