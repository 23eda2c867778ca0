// Worlds: scenes before they begin; contact points, forces and friction cones of a recorded run and of a live one.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { open, serveFor, temporaryFolder } from './cases.mjs';
import { drawn, lissom, root, save, skip, until } from './support.mjs';

const scene = (name) => join(root, 'models/scenes', `${name}.json`);

test('a scene is shown as it begins', { skip }, async (t) => {
  const tab = await open(t, await serveFor(t, [scene('grip')]));
  const { mode, title, poses } = await tab.evaluate(() => ({
    mode: window.lissom.scene.mode, title: window.lissom.scene.title,
    poses: window.lissom.scene.robots[0].links.map(({ name }) => [name, window.lissom.linkPose(name)]),
  }));
  assert.deepEqual([mode, title], ['pose', 'grip']);
  // What the first frame of a run has.
  const run = join(temporaryFolder(t), 'grip.csv');
  lissom('sim', scene('grip'), '--seconds', '0.001', '--record', run, '--quiet');
  const replay = await open(t, save(temporaryFolder(t), 'grip.html', run));
  const recorded = await replay.evaluate(() => window.lissom.scene.robots[0].links.map(({ name }) => [name, window.lissom.linkPose(name)]));
  assert.deepEqual(poses.map(([name]) => name), recorded.map(([name]) => name));
  poses.forEach(([name, pose], i) => pose.forEach((x, k) => assert.ok(Math.abs(x - recorded[i][1][k]) < 1e-6, `${name}: ${pose}, expected ${recorded[i][1]}`)));
  // Surroundings, in which nothing moves, have no run, but can be seen.
  const stairs = await open(t, save(temporaryFolder(t), 'stairs.html', scene('stairs')));
  assert.ok(await stairs.evaluate(() => window.lissom.scene.robots[0].links.filter(({ visuals }) => visuals.length).length >= 3));
  assert.deepEqual([...tab.problems, ...replay.problems, ...stairs.problems], []);
});

test('a recorded world shows its contacts', { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const run = join(folder, 'stack.mcap');
  lissom('sim', scene('stack'), '--seconds', '0.2', '--every', '10', '--record', run, '--quiet');
  const tab = await open(t, save(folder, 'stack.html', run));
  await tab.evaluate(() => window.lissom.seek(0.2));
  assert.equal(await tab.evaluate(() => window.lissom.stage.shown('forces')), true);
  const contacts = await tab.evaluate(() => window.lissom.contacts());
  assert.ok(contacts.length >= 40, `${contacts.length} contacts`);
  // The ground carries ten boxes of 1 kg; each force is that on the upper body.
  const ground = contacts.filter(({ name }) => name === 'box0 on ground');
  assert.equal(ground.length, 4);
  assert.ok(Math.abs(ground.reduce((sum, { force }) => sum + force[2], 0) - 98.1) < 0.01);
  for (const { pose, friction, force } of ground) {
    assert.ok(Math.abs(pose[2]) < 1e-6 && Math.abs(Math.hypot(pose[0], pose[1]) - Math.SQRT2 / 10) < 1e-4);
    assert.ok(Math.abs(friction - 0.8) < 1e-6 && force[2] > 0);
  }
  const top = contacts.filter(({ name }) => name === 'box9 on box8');
  assert.ok(Math.abs(top.reduce((sum, { force }) => sum + force[2], 0) - 9.81) < 0.01);
  assert.ok((await drawn(tab, 'forces')) > 200);
  assert.ok((await drawn(tab, 'cones')) > 200);
  // At the beginning nothing has touched yet.
  await tab.evaluate(() => window.lissom.seek(0));
  assert.deepEqual(await tab.evaluate(() => window.lissom.contacts()), []);
  assert.deepEqual(tab.problems, []);
});

test('bodies are where they were recorded', { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const run = join(folder, 'grip.csv');
  lissom('sim', scene('grip'), '--seconds', '0.1', '--every', '10', '--record', run, '--quiet');
  const tab = await open(t, save(folder, 'grip.html', run, '--rate', '0'));
  await tab.evaluate(() => window.lissom.seek(0.1));
  const poses = await tab.evaluate(() => ['capsule', 'gripper/palm', 'gripper/left_pad'].map((name) => window.lissom.linkPose(name)));
  const near = (pose, expected) => expected.forEach((x, i) => assert.ok(Math.abs(pose[i] - x) < 1e-6, `${pose}, expected ${expected}`));
  near(poses[0], [0, 0, 0.23]);
  near(poses[1], [0, 0, 0.3]);
  near(poses[2], [0, -0.004, 0.27]);
  assert.equal(await tab.evaluate(() => window.lissom.contacts().length), 4);
  assert.deepEqual(tab.problems, []);
});

test('a live world shows its contacts', { skip }, async (t) => {
  const tab = await open(t, await serveFor(t, [scene('stack'), '--seconds', '1', '--view'], 'sim'));
  await until(tab, () => window.lissom.contacts().length >= 40);
  const sum = await tab.evaluate(() => window.lissom.contacts().filter(({ name }) => name === 'box0 on ground').reduce((all, { force }) => all + force[2], 0));
  assert.ok(Math.abs(sum - 98.1) < 0.1, `${sum} N`);
  assert.deepEqual(tab.problems, []);
});
