// Times and values of a run as uPlot takes them.

import type uPlot from 'uplot';
import type { Track } from './tracks';

/** A coarse table has two rows for each of so many spans of time. */
const SPANS = 800;

export function table(track: Track, columns: number[], from: number, to: number, coarse: boolean): uPlot.AlignedData {
  const { frames } = track;
  if (!frames.count) return [[], ...columns.map(() => [])] as unknown as uPlot.AlignedData;
  const begin = frames.find(from);
  const end = frames.find(to) + 1;
  const size = Math.ceil((end - begin) / SPANS);
  if (coarse && size > 2) return extremes(track, columns, begin, end, size);
  const column = (index: number): (number | null)[] => {
    const values = new Array<number | null>(end - begin);
    for (let i = begin; i < end; i++) values[i - begin] = finite(frames.value(i, index));
    return values;
  };
  return [Array.from(frames.timesOf(begin, end)), ...columns.map(column)] as uPlot.AlignedData;
}

/** The smallest and the largest value of each span, in the order in which they come, so that no peak is lost. */
function extremes({ frames }: Track, columns: number[], begin: number, end: number, size: number): uPlot.AlignedData {
  const times: number[] = [];
  const values: (number | null)[][] = columns.map(() => []);
  for (let first = begin; first < end; first += size) {
    const last = Math.min(first + size, end) - 1;
    times.push(frames.time(first), frames.time(last));
    columns.forEach((column, c) => {
      let [min, max] = [first, first];
      for (let i = first + 1; i <= last; i++) {
        const value = frames.value(i, column);
        // (A NaN at the beginning is replaced by whatever comes.)
        if (!(frames.value(min, column) <= value) && !Number.isNaN(value)) min = i;
        if (!(frames.value(max, column) >= value) && !Number.isNaN(value)) max = i;
      }
      for (const i of [Math.min(min, max), Math.max(min, max)]) values[c].push(finite(frames.value(i, column)));
    });
  }
  return [times, ...values] as uPlot.AlignedData;
}

/** uPlot leaves a gap at null. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
