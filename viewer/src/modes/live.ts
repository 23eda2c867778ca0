// The mode in which a run is watched while it is computed.

import { Frames } from '../data/frames';
import { transform } from '../data/poses';
import { onceAFrame, throttled } from '../page/dom';
import { Player } from '../playback/player';
import { Timeline } from '../playback/timeline';
import { defaultChoice } from '../plots/choice';
import { Plots } from '../plots/plots';
import { SignalsPanel } from '../plots/signals';
import { Track } from '../plots/tracks';
import { QuantitiesPanel } from '../panels/quantities';
import type { Pointed } from '../scene/stage';
import { laterThan, type Status, type Vec3 } from '../stream';
import { showContacts, type Context, type Mode } from './context';
import { LiveControls } from './live_controls';

/** Seconds that the plots show while they scroll. */
const WINDOW = 10;
const PLOT_INTERVAL = 100;
const PULL_INTERVAL = 1000 / 60;
/** With this many frames it is known which coordinates move. */
const ENOUGH_FRAMES = 200;

export function liveMode(context: Context): Mode {
  const { scene, stage, display, layout, theme, connection, findings } = context;
  const run = scene.live;
  if (!run) throw new Error('The scene says that it is live, but has no run.');
  const frames = new Frames(run.columns);
  const track = new Track(run, frames, stage.robots[0], 0);
  const range = (): [number, number] => [frames.first, frames.last];
  const player = new Player(range);
  const timeline = new Timeline(player, frames, range);
  const plots = new Plots(layout.plots, [track], theme.name);
  let chosen = false;
  const signals = new SignalsPanel(run, (choice) => {
    chosen = true;
    plots.setChoice(choice);
  });
  plots.onChoice = (choice) => {
    chosen = true;
    signals.set(choice);
  };
  const suggest = (): void => {
    const choice = defaultChoice(track);
    signals.set(choice);
    plots.setChoice(choice);
  };
  suggest();

  let status: Status | null = null;
  const over = (): boolean => status?.status === 'finished' || status?.status === 'failed';
  let following = true;
  const controls = new LiveControls(context, () => setFollowing(true));
  layout.bottom.append(controls.element, timeline.element);
  const setFollowing = (on: boolean): void => {
    following = on;
    controls.setFollowing(on);
    if (on) {
      player.pause();
      showNewest();
    }
  };

  const scroll = throttled(PLOT_INTERVAL, () => {
    if (!chosen && frames.count >= ENOUGH_FRAMES) {
      chosen = true;
      suggest();
    }
    const [first, last] = range();
    plots.setRange(following ? Math.max(first, last - WINDOW) : first, last, !over());
  });
  let jumping = false;
  const showNewest = onceAFrame(() => {
    if (following) {
      jumping = true;
      player.seek(frames.last);
      jumping = false;
    } else timeline.show();
  });
  player.moved.add((time) => {
    if (!jumping && following) setFollowing(false);
    track.show(time, display);
    timeline.setStage(track.stageName(time));
    plots.setTime(time);
  });
  player.changed.add(() => player.playing && following && setFollowing(false));
  plots.onSeek = (time) => player.seek(time);
  theme.changed.add((name) => plots.setTheme(name));
  layout.plotsToggled.add((on) => on && scroll());

  connection?.blocks.add((block) => {
    const firstFrames = frames.count === 0;
    // After the connection was lost, the server repeats what it has.
    const fresh = frames.count ? laterThan(block, frames.last) : block;
    if (fresh.frames) frames.append(fresh);
    if (!fresh.frames) return;
    if (firstFrames) {
      // The run may begin far from the configuration that the scene came with.
      track.show(frames.last, display);
      stage.look('home');
    }
    showNewest();
    scroll();
  });
  /** Another server may have taken the place of the one that was lost. */
  const sameRun = async (): Promise<void> => {
    const now = await context.source.scene();
    if (now.live?.id === run.id) return;
    if (now.live?.columns === run.columns && now.title === scene.title) frames.clear();
    else layout.banner.show('The server shows another run now: reload this page.');
  };
  let lost = false;
  connection?.states.add(({ open }) => {
    if (open && lost) void sameRun();
    lost = !open;
  });
  connection?.statuses.add((news) => {
    status = news;
    controls.show(news, frames.skipped);
    if (over()) {
      connection.expectEnd();
      scroll();
      if (news.status === 'failed') layout.banner.show(news.text || 'The run has failed.');
    }
  });
  pulls(context);
  showContacts(stage, [run]);
  findings.add(run.warnings.map((text) => ({ severity: 'warning', text })));

  const running = (): boolean => status?.status === 'running' || status?.status === 'paused';
  const quantities = new QuantitiesPanel(context, 0, run.robot);
  return {
    sections: [signals.section.element, quantities.section.element],
    bindings: timeline.bindings(() => (running() ? controls.toggle() : player.toggle())),
    time: () => player.time,
    seek: (time) => player.seek(time),
    setCoordinate: () => {
      throw new Error('a live run cannot be posed');
    },
    plots: () => plots.values(),
  };
}

/** Links that are dragged are pulled by a spring of the simulation. */
function pulls({ stage, connection, display, scene }: Context): void {
  if (!connection || !scene.can.includes('pull')) return;
  stage.pulling = true;
  let pulled: { pointed: Pointed; to: Vec3 } | null = null;
  const band = (): void => {
    const figure = stage.robots[0];
    if (pulled) figure.setPull(transform(figure.pose(pulled.pointed.link), pulled.pointed.point), pulled.to);
    else figure.setPull(null);
  };
  const send = throttled(PULL_INTERVAL, () => {
    if (pulled) connection.command({ do: 'pull', link: stage.robots[0].robot.links[pulled.pointed.link].name, point: pulled.pointed.point, to: pulled.to });
  });
  stage.onPull = (phase, pointed, to) => {
    pulled = phase === 'end' ? null : { pointed, to };
    if (pulled) send();
    else connection.command({ do: 'release' });
    band();
  };
  display.changed.add(() => pulled && band());
}
