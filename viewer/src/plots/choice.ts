// Which columns are plotted.

import type { Track } from './tracks';

/** Signals by name, each with the indices of its columns. */
export type Choice = Map<string, Set<number>>;

const MAX_COORDINATES = 6;
const MAX_FORCES = 6;
/** The defaults look at no more frames than this. */
const MAX_LOOKED_AT = 2000;

/** Coordinates with the largest range, energies, and vertical contact forces. */
export function defaultChoice(track: Track): Choice {
  const choice: Choice = new Map();
  const q = track.signal('q')!;
  const byRange = q.columns.map((_, i) => ({ i, range: range(track, q.first + i) })).sort((a, b) => b.range - a.range);
  const moving = byRange.filter((c) => c.range > 1e-9);
  choice.set('q', new Set((moving.length ? moving : byRange).slice(0, MAX_COORDINATES).map(({ i }) => i)));
  const energy = track.signal('energy');
  if (energy) choice.set('energy', new Set(energy.columns.keys()));
  for (const { force } of track.run.contacts) {
    if (force === null) continue;
    const signal = track.run.signals.find(({ first, columns }) => first <= force && force < first + columns.length);
    if (!signal) continue;
    const chosen = choice.get(signal.name) ?? new Set<number>();
    choice.set(signal.name, chosen.add(force + 2 - signal.first));
  }
  const forces = track.signal('forces');
  if (forces && !choice.has('forces')) {
    const vertical = [...forces.columns.keys()].filter((i) => forces.columns[i].name.endsWith('.z'));
    // A world may have hundreds of bodies.
    const ranges = vertical.map((i) => ({ i, range: range(track, forces.first + i) })).sort((a, b) => b.range - a.range);
    const shown = vertical.length > MAX_FORCES ? ranges.slice(0, MAX_FORCES).map(({ i }) => i) : vertical;
    if (shown.length) choice.set('forces', new Set(shown));
  }
  return choice;
}

function range(track: Track, column: number): number {
  const { frames } = track;
  const stride = Math.max(1, Math.ceil(frames.count / MAX_LOOKED_AT));
  let [min, max] = [Infinity, -Infinity];
  for (let i = 0; i < frames.count; i += stride) {
    const value = frames.value(i, column);
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return max >= min ? max - min : 0;
}
