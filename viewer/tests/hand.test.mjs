// The mouse on a real page, with a real server behind it: targets, pinned feet, and links of a running simulation.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { contextFor, open, serveFor, temporaryFolder } from './cases.mjs';
import { drawnAgain, find, openIn, root, serve, skip, until } from './support.mjs';

const arm = join(root, 'models/arm7.urdf');
const humanoid = join(root, 'models/humanoid.urdf');
const distance = (a, b) => Math.hypot(...[0, 1, 2].map((k) => a[k] - b[k]));
const pose = (tab, link) => tab.evaluate((name) => window.lissom.linkPose(name), link);
const left = (tab) => tab.locator('[data-section="move by hand"] output').innerText();

async function posed(t, args) {
  const tab = await open(t, await serveFor(t, args));
  await until(tab, () => !document.querySelector('#pull-links').disabled);
  return tab;
}

/** Moves the mouse to the handle of the gizmo that moves along z; a place on the screen, and how z goes there. */
async function findHandle(tab) {
  await drawnAgain(tab);
  const { at, up } = await tab.evaluate(() => {
    const { stage } = window.lissom;
    const { camera } = stage.rig;
    const { proxy } = stage.gizmo;
    const area = stage.canvas.getBoundingClientRect();
    const onScreen = (point) => {
      const { x, y } = point.project(camera);
      return [area.left + ((1 + x) / 2) * area.width, area.top + ((1 - y) / 2) * area.height];
    };
    const at = onScreen(proxy.position.clone());
    const end = onScreen(proxy.position.clone().add(proxy.position.clone().set(0, 0, 0.05).applyQuaternion(proxy.quaternion)));
    const length = Math.hypot(end[0] - at[0], end[1] - at[1]);
    return { at, up: end.map((x, i) => (x - at[i]) / length) };
  });
  for (let pixels = 10; pixels < 120; pixels += 4) {
    const [x, y] = at.map((from, i) => from + pixels * up[i]);
    await tab.mouse.move(x, y);
    if ((await tab.evaluate(() => window.lissom.stage.gizmo.controls.axis)) === 'Z') return { x, y, up };
  }
  throw new Error('the handle is not on the screen');
}

test('a frame follows its target, which the mouse moves', { skip }, async (t) => {
  const tab = await posed(t, [arm]);
  await tab.evaluate(() => {
    for (const { name } of window.lissom.scene.robots[0].coordinates) window.lissom.setCoordinate(name, 0.4);
  });
  const frame = await tab.evaluate(() => window.lissom.scene.robots[0].links.at(-1).name);
  await tab.locator('#reach-target').check();
  await tab.getByLabel('Frame that reaches for the target').selectOption(frame);
  const before = await pose(tab, frame);
  const { x, y, up } = await findHandle(tab);
  await tab.mouse.down();
  await tab.mouse.move(x - 30 * up[0], y - 30 * up[1], { steps: 5 });
  await until(tab, () => /^Left: /.test(document.querySelector('[data-section="move by hand"] output').textContent));
  await tab.mouse.up();
  const target = await tab.evaluate(() => window.lissom.stage.gizmo.proxy.position.toArray());
  assert.ok(distance(target, before) > 0.01, 'the target has moved');
  // The last question is answered a little later.
  await until(tab, ([name, to]) => Math.hypot(...[0, 1, 2].map((k) => window.lissom.linkPose(name)[k] - to[k])) < 1e-3, [frame, target]);
  assert.match(await left(tab), /^Left: [\d.]+(e−\d+)? mm, /);
  assert.deepEqual(tab.problems, []);
});

test('pinned feet stay, and the knees bend', { skip }, async (t) => {
  const tab = await posed(t, [humanoid, '--base', 'free']);
  const sides = ['left', 'right'];
  const coordinate = (name) => tab.evaluate((one) => window.lissom.q()[window.lissom.scene.robots[0].coordinates.findIndex((c) => c.name === one)], name);
  // From straight knees, only the hips would give way at first.
  for (const side of sides)
    for (const [joint, value] of [['hip_pitch', -0.4], ['knee', 0.8], ['ankle_pitch', -0.4]])
      await tab.evaluate(([name, to]) => window.lissom.setCoordinate(name, to), [`${side}_${joint}`, value]);
  await tab.getByText('Pinned: none').click();
  for (const side of sides) await tab.locator('[data-section="move by hand"]').getByLabel(`${side}_foot`, { exact: true }).check();
  await tab.getByText('Pinned: left_foot, right_foot').waitFor();
  const before = await Promise.all(['pelvis', 'left_foot', 'right_foot'].map((link) => pose(tab, link)));
  const at = await find(tab, 'pelvis');
  await tab.mouse.down();
  await tab.mouse.move(at.x, at.y + 40, { steps: 8 });
  await until(tab, (z) => window.lissom.linkPose('pelvis')[2] < z - 0.03, before[0][2]);
  await tab.mouse.up();
  for (const [i, side] of sides.entries()) {
    assert.ok((await coordinate(`${side}_knee`)) > 0.85, `the ${side} knee is at ${await coordinate(`${side}_knee`)}`);
    const moved = distance(await pose(tab, `${side}_foot`), before[i + 1]);
    assert.ok(moved < 1e-3, `the ${side} foot has moved by ${moved} m`);
  }
  assert.deepEqual(tab.problems, []);
});

test('the mouse pulls a link of a running simulation', { skip }, async (t) => {
  const run = join(temporaryFolder(t), 'run.csv');
  const server = await serve([arm, '--seconds', '600', '--gravity', '0,0,0', '--view', '--quiet', '--record', run], 'sim');
  let ended = false;
  const stop = async () => {
    if (!ended) await server.stop();
    ended = true;
  };
  t.after(stop);
  const tab = await openIn(await contextFor(t), server.address);
  await until(tab, () => window.lissom.time() > 0);
  const link = await tab.evaluate(() => window.lissom.scene.robots[0].links.findLast(({ visuals }) => visuals.length).name);
  const before = await pose(tab, link);
  const at = await find(tab, link);
  await tab.mouse.down();
  await tab.mouse.move(at.x + 80, at.y + 60, { steps: 8 });
  await until(tab, ([name, from]) => Math.hypot(...[0, 1, 2].map((k) => window.lissom.linkPose(name)[k] - from[k])) > 0.05, [link, before]);
  await tab.mouse.up();
  const released = await tab.evaluate(() => window.lissom.time());
  await until(tab, (time) => window.lissom.time() > time + 0.1, released);
  assert.deepEqual(tab.problems, []);
  await stop();
  // The recording has the forces: none at first, then those of the spring on that link, none at the end.
  const [head, ...rows] = readFileSync(run, 'utf8').split('\n').filter((line) => line && !line.startsWith('#')).map((line) => line.split(','));
  const column = (name) => head.findIndex((text) => text.startsWith(name));
  const pulled = rows.map((row) => Number(row[column('pull.link')]) >= 0);
  assert.ok(!pulled[0] && !pulled.at(-1) && pulled.some(Boolean), 'somebody pulls in between');
  const force = Math.max(...rows.map((row) => Math.hypot(...['x', 'y', 'z'].map((axis) => Number(row[column(`pull.force.${axis}`)])))));
  assert.ok(force > 1, `${force} N`);
});
