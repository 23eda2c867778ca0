// Live runs. The server's part of the WebSocket is played here, as docs/stream.md describes it.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { contextFor, open, serveFor } from './cases.mjs';
import { drawnAgain, eventually, lissom, openIn, readPage, root, skip, until } from './support.mjs';

const arm = join(root, 'models/arm7.urdf');
const RATE = 100;

/** A block of frames in which every coordinate is the sine of the time, and so is the signal `load`, in hundreds. */
function block(first, count, nq) {
  const columns = nq + 1;
  const bytes = Buffer.alloc(16 + count * (8 + 4 * columns));
  [0x5254534c, columns, count, 0].forEach((value, i) => bytes.writeUInt32LE(value, 4 * i));
  for (let k = 0; k < count; k++) {
    const time = (first + k) / RATE;
    bytes.writeDoubleLE(time, 16 + 8 * k);
    for (let c = 0; c < columns; c++) bytes.writeFloatLE((c < nq ? 1 : 100) * Math.sin(time), 16 + 8 * count + 4 * (k * columns + c));
  }
  return bytes;
}

async function watched(t) {
  const address = await serveFor(t, [arm]);
  const html = await (await fetch(address)).text();
  const inside = /(<script type="application\/json" id="lissom-scene">)([^]*?)(<\/script>)/;
  const scene = JSON.parse(inside.exec(html)[2]);
  const { nq, coordinates } = scene.robots[0];
  const signals = [
    { name: 'q', first: 0, columns: coordinates.map(({ name, unit }) => ({ name, unit })) },
    { name: 'load', first: nq, columns: [{ name: 'total', unit: 'N' }] },
  ];
  Object.assign(scene, {
    mode: 'live',
    can: ['pause', 'resume', 'step', 'speed', 'pull', 'release'],
    live: { name: 'run', robot: 0, columns: nq + 1, signals, settings: {}, contacts: [], warnings: ['a warning'] },
  });
  const play = { commands: [], socket: null, connections: 0, nq };
  const context = await contextFor(t);
  const body = readPage(html).replace(inside, (_, begin, __, end) => begin + JSON.stringify(scene).replaceAll('<', '\\u003c') + end);
  // Asked again after the connection was lost.
  await context.route('**/scene.json*', (route) => route.fulfill({ json: scene }));
  await context.routeWebSocket(/\/stream/, (socket) => {
    play.socket = socket;
    play.connections++;
    socket.onMessage((text) => play.commands.push(JSON.parse(text)));
    socket.send(JSON.stringify({ status: 'running', time: 0, speed: 1, text: '' }));
  });
  return { play, tab: await openIn(context, address, body) };
}

const state = (tab) => tab.evaluate(() => ({ time: window.lissom.time(), q: window.lissom.q() }));

test('a live run is followed, paused, looked back at and replayed', { skip }, async (t) => {
  const { play, tab } = await watched(t);
  let sent = 0;
  for (; sent < 300; sent += 10) play.socket.send(block(sent, 10, play.nq));
  await until(tab, () => window.lissom.time() > 2.98);
  const newest = await state(tab);
  assert.ok(Math.abs(newest.q[0] - Math.sin(2.99)) < 1e-6);
  await until(tab, () => window.lissom.plots().some(({ signal, value }) => signal === 'q' && Math.abs(value - Math.sin(2.99)) < 1e-6));

  // Commands.
  await tab.keyboard.press('Space');
  play.socket.send(JSON.stringify({ status: 'paused', time: 2.99, speed: 1, text: 'waiting' }));
  await tab.getByText('paused at 2.990 s: waiting').waitFor();
  await tab.getByRole('button', { name: 'Step' }).click();
  await tab.getByRole('button', { name: 'Resume' }).click();
  await tab.getByLabel('Speed of the computation').selectOption('0');
  await eventually(() => play.commands.length >= 4);
  assert.deepEqual(play.commands, [{ do: 'pause' }, { do: 'step' }, { do: 'resume' }, { do: 'speed', factor: 0 }]);

  // Looking back while frames arrive, and returning.
  await tab.evaluate(() => window.lissom.seek(1));
  play.socket.send(block(sent, 50, play.nq));
  sent += 50;
  await tab.waitForTimeout(300);
  assert.equal((await state(tab)).time, 1);
  await tab.getByRole('button', { name: 'Live' }).click();
  await until(tab, () => window.lissom.time() > 3.48);

  // No more than the last minute is kept.
  for (; sent < 100 * RATE; sent += 500) play.socket.send(block(sent, 500, play.nq));
  await until(tab, () => window.lissom.time() > 99);
  await tab.keyboard.press('Home');
  const first = (await state(tab)).time;
  assert.ok(first > 39.9 && first < 45, `the first frame is at ${first} s`);

  play.socket.send(JSON.stringify({ status: 'finished', time: 100, speed: 1, text: 'done' }));
  await tab.getByText('finished at 100.000 s: done').waitFor();
  assert.ok(await tab.getByRole('button', { name: 'Pause', exact: true }).first().isDisabled());
  await tab.keyboard.press('Space');
  await until(tab, (from) => window.lissom.time() > from + 0.1, first);
  assert.deepEqual(tab.problems, []);
});

test('a dragged link is pulled in the simulation', { skip }, async (t) => {
  const { play, tab } = await watched(t);
  play.socket.send(block(0, 1, play.nq));
  await until(tab, () => window.lissom.time() === 0);
  await tab.evaluate(() => {
    const { stage } = window.lissom;
    const pointed = { robot: 0, link: 3, point: [0, 0, 0.1], at: [0, 0, 0.5] };
    stage.onPull('start', pointed, pointed.at);
    for (let i = 0; i < 50; i++) stage.onPull('move', pointed, [0.01 * i, 0, 0.5]);
  });
  await eventually(() => play.commands.some((command) => command.do === 'pull' && command.to[0] === 0.49));
  await tab.evaluate(() => window.lissom.stage.onPull('end', { robot: 0, link: 3, point: [0, 0, 0.1], at: [0, 0, 0.5] }, [0.5, 0, 0.5]));
  await eventually(() => play.commands.at(-1)?.do === 'release');
  const pulls = play.commands.filter((command) => command.do === 'pull');
  assert.ok(pulls.length >= 1 && pulls.length < 20, `${pulls.length} pulls`);
  assert.equal(typeof pulls.at(-1).link, 'string');
  assert.deepEqual(pulls.at(-1).to, [0.49, 0, 0.5]);
  assert.deepEqual(play.commands.at(-1), { do: 'release' });
});

test('a lost server is missed, and found again', { skip }, async (t) => {
  const { play, tab } = await watched(t);
  play.socket.send(block(0, 100, play.nq));
  await until(tab, () => window.lissom.time() > 0.98);
  play.socket.close();
  await tab.getByText('The server does not answer.').waitFor();
  await tab.getByText('The server does not answer.').waitFor({ state: 'hidden' });
  assert.equal(play.connections, 2);
  play.socket.send(block(100, 100, play.nq));
  await until(tab, () => window.lissom.time() > 1.98);
});

const streams = !skip && lissom('sim', '--help').includes('--view');
test('a simulation is watched', { skip: skip || (!streams && 'this lissom has no sim --view') }, async (t) => {
  const tab = await open(t, await serveFor(t, [arm, '--seconds', '20', '--random', '3', '--view', '--quiet'], 'sim'));
  await until(tab, () => window.lissom.time() > 0.5);
  await tab.keyboard.press('Space');
  const paused = await tab.locator('.live-text[data-status=paused]').innerText();
  // A slow machine shows the last frames a little later; then nothing moves any more.
  const time = Number(/paused at ([\d.]+) s/.exec(paused)[1]);
  await until(tab, (at) => Math.abs(window.lissom.time() - at) < 1.5e-3, time);
  const before = await state(tab);
  await drawnAgain(tab);
  assert.deepEqual(await state(tab), before);
  await tab.getByRole('button', { name: 'Resume' }).click();
  await until(tab, (from) => window.lissom.time() > from + 0.1, time);
  assert.deepEqual(tab.problems, []);
});
