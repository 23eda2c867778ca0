// The page of `lissom view`: reads the scene, puts its robots on the stage, and starts the mode that the scene asks for.

import 'uplot/dist/uPlot.min.css';
import './styles.css';
import { Connection } from './data/connection';
import { Display } from './data/display';
import { contactsOnDemand } from './data/robot_contacts';
import { openSource, type Source } from './data/source';
import { el } from './page/dom';
import { Keyboard, LAYERS, VIEW_KEYS } from './page/keyboard';
import { iconButton, Layout } from './page/layout';
import { showFailure } from './page/message';
import { StageKeys } from './page/stage_keys';
import { Theme } from './page/theme';
import { FindingsPanel } from './panels/findings';
import { Inspector } from './panels/inspector';
import { LayersPanel } from './panels/layers';
import type { Context, Mode } from './modes/context';
import { liveMode } from './modes/live';
import { poseMode } from './modes/pose';
import { replayMode } from './modes/replay';
import { Stage, type Layer, type View } from './scene/stage';
import { collectErrors, expose } from './testing';
import { reportFailure, sendPictures } from './video';
import type { Scene } from './stream';

const query = new URLSearchParams(location.search);

/** First the stage, so that the robot is seen as soon as possible; then everything around it. */
async function start(): Promise<void> {
  performance.mark('script');
  const theme = new Theme(query.get('theme'));
  const source = openSource();
  const scene = await source.scene();
  performance.mark('scene');
  const layout = new Layout(scene.title, robotNames(scene), scene.mode !== 'pose');
  const stage = new Stage(layout.stage, source);
  performance.mark('stage');
  stage.setTheme(theme.name);
  theme.changed.add((name) => stage.setTheme(name));
  addRobots(scene, stage);
  performance.mark('robots');
  stage.look((query.get('view') as View | null) ?? 'home');
  stage.renderNow();
  performance.mark('first render');
  await nextPicture();
  performance.mark('first frame');
  void stage.refine();
  await complete(scene, source, layout, stage, theme);
}

async function complete(scene: Scene, source: Source, layout: Layout, stage: Stage, theme: Theme): Promise<void> {
  const display = new Display(stage.robots);
  const connection = source.saved || (scene.mode !== 'live' && !scene.can.length) ? null : new Connection(() => source.socket());
  connection?.states.add(({ text }) => layout.banner.show(text));
  const context: Context = { scene, source, stage, display, connection, layout, theme, inspector: new Inspector(stage, display), findings: new FindingsPanel() };

  const mode = await startMode(context);
  for (const layer of scene.show) stage.show(layer as Layer, true);
  const layers = new LayersPanel(stage);
  // The server computes what some layers show.
  const contacts = contactsOnDemand(context);
  connection?.states.add(contacts);
  layers.onChange = () => {
    contacts();
    stage.robots.forEach((_, i) => display.changed.emit(i));
  };
  context.findings.add(scene.findings);
  layout.side.append(context.inspector.section.element, ...mode.sections, layers.section.element, context.findings.section.element);
  controls(context, mode, layers);
  stage.robots.forEach((_, i) => display.set(i, display.q(i)));
  if (!stage.touched) stage.look((query.get('view') as View | null) ?? 'home');
  expose(context, mode);
  performance.mark('panels');

  if (query.has('video')) {
    layout.stageOnly();
    await sendPictures(query, source, stage, mode);
  }
  await stage.settled();
  context.findings.add(stage.notes.map((text) => ({ severity: 'note', text })));
  performance.mark('settled');
}

/** Resolves when the browser has shown what was drawn, or in a tab that is not shown, soon. */
function nextPicture(): Promise<void> {
  return new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 200);
  });
}

function startMode(context: Context): Mode | Promise<Mode> {
  switch (context.scene.mode) {
    case 'pose':
      return poseMode(context);
    case 'replay':
      return replayMode(context);
    case 'live':
      return liveMode(context);
  }
}

/** One for each robot in the mode pose, else one for each run; runs after the first are ghosts. */
function addRobots(scene: Scene, stage: Stage): void {
  const indices = { pose: [...scene.robots.keys()], replay: scene.runs.map(({ robot }) => robot), live: [scene.live?.robot ?? 0] }[scene.mode];
  if (!indices?.length) throw new Error(`The scene has no robots to show in the mode '${scene.mode}'.`);
  indices.forEach((robot, i) => stage.addRobot(scene.robots[robot], { ghost: scene.mode === 'replay' && i > 0 }));
}

function controls({ stage, layout, theme, inspector }: Context, mode: Mode, layers: LayersPanel): void {
  const keyboard = new Keyboard([
    ...mode.bindings,
    ...new StageKeys(stage, inspector, layout.status).bindings,
    { keys: VIEW_KEYS.map(([key]) => key), shown: '1 … 6', text: `Camera: ${VIEW_KEYS.map(([, view]) => view).join(', ')}`, run: (key) => stage.look(VIEW_KEYS.find(([k]) => k === key)![1]) },
    { keys: ['f'], shown: 'f', text: 'Camera follows the center of mass', run: () => layers.toggleFollow() },
    { keys: ['t'], shown: 't', text: 'Dark or light', run: () => theme.toggle() },
    { keys: ['p'], shown: 'p', text: 'Plots', run: () => layout.showPlots(!layout.plotsShown) },
    ...LAYERS.map(({ layer, key, text }) => ({ keys: [key], shown: key, text, run: () => layers.toggle(layer) })),
  ]);
  layout.actions.prepend(
    iconButton('camera', 'Save a picture', () => void savePicture(stage, layout)),
    iconButton('theme', 'Dark or light (t)', () => theme.toggle()),
    el('button', { type: 'button', class: 'icon-button', title: 'Keyboard (?)', 'aria-label': 'Keyboard', onclick: () => keyboard.help() }, '?'),
  );
  const letters: Record<View, string> = { home: 'Home', front: 'Front', back: 'Back', left: 'Left', right: 'Right', top: 'Top' };
  layout.corner.append(...VIEW_KEYS.map(([key, view]) => el('button', { type: 'button', title: `Camera: ${view} (${key})`, onclick: () => stage.look(view) }, letters[view])));
}

async function savePicture(stage: Stage, layout: Layout): Promise<void> {
  const address = URL.createObjectURL(await stage.picture());
  el('a', { href: address, download: `${layout.name}.png` }).click();
  URL.revokeObjectURL(address);
}

function robotNames(scene: Scene): string {
  return [...new Set(scene.robots.map(({ name }) => name))].join(', ');
}

window.lissom = { errors: collectErrors(), ready: start() };
window.lissom.ready.catch((error: Error) => {
  window.lissom.errors.push(error.message);
  showFailure('lissom view', error.message);
  if (query.has('video')) void reportFailure(openSource(), error.message);
});
