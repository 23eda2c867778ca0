// The mode in which recorded runs are shown.

import { Frames } from '../data/frames';
import { Section } from '../page/section';
import { el } from '../page/dom';
import { number } from '../page/format';
import { Player } from '../playback/player';
import { Timeline } from '../playback/timeline';
import { defaultChoice } from '../plots/choice';
import { Plots } from '../plots/plots';
import { SignalsPanel } from '../plots/signals';
import { Track } from '../plots/tracks';
import { QuantitiesPanel } from '../panels/quantities';
import type { Run } from '../stream';
import { showContacts, type Context, type Mode } from './context';

/** The stage has one robot for each run, in the same order. */
export async function replayMode(context: Context): Promise<Mode> {
  const { scene, source, stage, display, layout, theme, findings } = context;
  const tracks = await Promise.all(
    scene.runs.map(async (run, i) => new Track(run, new Frames(run.columns, await source.block(run.data)), stage.robots[i], i)),
  );
  const main = tracks[0];
  const all: [number, number] = [Math.min(...tracks.map((t) => t.frames.first)), Math.max(...tracks.map((t) => t.frames.last))];
  const range = (): [number, number] => all;
  const player = new Player(range);
  const timeline = new Timeline(player, main.frames, range);
  layout.bottom.append(timeline.element);

  const plots = new Plots(layout.plots, tracks, theme.name);
  const signals = new SignalsPanel(main.run, (choice) => plots.setChoice(choice));
  plots.onChoice = (choice) => signals.set(choice);
  plots.onSeek = (time) => player.seek(time);
  theme.changed.add((name) => plots.setTheme(name));
  layout.plotsToggled.add((on) => on && plots.setRange(...all));
  const choice = defaultChoice(main);
  signals.set(choice);
  plots.setChoice(choice);
  plots.setRange(...all);

  player.moved.add((time) => {
    for (const track of tracks) track.show(time, display);
    timeline.setStage(main.stageName(time));
    plots.setTime(time);
  });
  player.seek(all[0]);
  showContacts(stage, scene.runs);

  for (const run of scene.runs) findings.add(run.warnings.map((text) => ({ severity: 'warning', text: scene.runs.length > 1 ? `${run.name}: ${text}` : text })));
  const quantities = new QuantitiesPanel(context, 0, main.run.robot);
  return {
    sections: [signals.section.element, quantities.section.element, runSection(scene.runs).element],
    bindings: timeline.bindings(() => player.toggle()),
    time: () => player.time,
    seek: (time) => player.seek(time),
    setCoordinate: () => {
      throw new Error('a recorded run cannot be posed');
    },
    plots: () => plots.values(),
  };
}

function runSection(runs: Run[]): Section {
  const section = new Section(runs.length > 1 ? 'Runs' : 'Run', false);
  runs.forEach((run, i) => {
    const thinned = run.recorded_frames > run.frames ? ` of ${run.recorded_frames}` : '';
    const facts: [string, string][] = [['time', `${number(run.seconds)} s`], ['frames', `${run.frames}${thinned}`], ...settings(run.settings)];
    const heading = i > 0 ? `${run.name} (ghost, dashed)` : run.name;
    section.body.append(el('div', { class: 'facts' }, el('strong', {}, heading), el('dl', {}, ...facts.flatMap(([key, text]) => [el('dt', {}, key), el('dd', {}, text)]))));
  });
  return section;
}

/** Settings that fit in a line. */
function settings(all: Record<string, unknown>): [string, string][] {
  return Object.entries(all)
    .map(([key, value]): [string, string] => [key, typeof value === 'string' ? value : JSON.stringify(value)])
    .filter(([, text]) => text.length <= 120);
}
