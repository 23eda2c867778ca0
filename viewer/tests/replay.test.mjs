// Recordings: the pose at a time, plots, overlaid runs, keys.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { open, serveFor, temporaryFolder } from './cases.mjs';
import { evaluate, lissom, poseError, root, save, skip, until } from './support.mjs';

const arm = join(root, 'models/arm7.urdf');

/** A recording as text: the names of its columns and a row for each frame, with the time first. */
function record(folder, name, ...options) {
  const file = join(folder, name);
  lissom('sim', arm, '--seconds', '1', '--step', '0.002', '--random', '5', '--record', file, '--quiet', ...options);
  const lines = readFileSync(file, 'utf8').split('\n').filter((line) => line && !line.startsWith('#'));
  const rows = lines.slice(1).map((line) => line.split(',').map(Number));
  return { file, rows, at: (time) => rows.findLast((row) => row[0] <= time + 1e-9) };
}

const shown = (tab) => tab.evaluate(() => ({ q: window.lissom.q(), time: window.lissom.time() }));

async function replayed(t, files, options) {
  return open(t, await serveFor(t, [...files, '--rate', '0']), options);
}

test('a replay reaches the recorded pose, and plots show recorded values', { skip }, async (t) => {
  const run = record(temporaryFolder(t), 'run.csv');
  const tab = await replayed(t, [run.file]);
  const nq = await tab.evaluate(() => window.lissom.scene.robots[0].nq);
  for (const time of [0.3, 0.7501, 0, 1]) {
    await tab.evaluate((at) => window.lissom.seek(at), time);
    const { q } = await shown(tab);
    const expected = run.at(time).slice(1, 1 + nq);
    q.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) < 1e-6, `q[${i}] at ${time} s: ${value}, expected ${expected[i]}`));
    const { placements } = evaluate(arm, expected);
    const poses = await tab.evaluate(() => window.lissom.scene.robots[0].links.map(({ name }) => [name, window.lissom.linkPose(name)]));
    for (const [name, pose] of poses) assert.ok(poseError(pose, placements[name]) < 1e-5, name);

    const { plots, signals } = await tab.evaluate(() => ({ plots: window.lissom.plots(), signals: window.lissom.scene.runs[0].signals }));
    assert.ok(plots.some(({ signal }) => signal === 'q') && plots.some(({ signal }) => signal === 'energy'));
    for (const { signal, column, value } of plots) {
      const { first, columns } = signals.find(({ name }) => name === signal);
      const recorded = run.at(time)[1 + first + columns.findIndex(({ name }) => name === column)];
      assert.ok(Math.abs(value - recorded) <= 1e-6 * Math.max(1, Math.abs(recorded)), `${signal}.${column}: ${value}, expected ${recorded}`);
    }
  }
  assert.deepEqual(tab.problems, []);
});

test('keys, clicks and choices', { skip }, async (t) => {
  const run = record(temporaryFolder(t), 'run.csv');
  const tab = await replayed(t, [run.file]);
  const time = async () => (await shown(tab)).time;
  const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a}, expected ${b}`);
  await tab.keyboard.press('ArrowRight');
  near(await time(), run.rows[1][0]);
  await tab.keyboard.press('Shift+ArrowRight');
  near(await time(), run.rows[11][0]);
  await tab.keyboard.press('ArrowLeft');
  near(await time(), run.rows[10][0]);
  await tab.keyboard.press('End');
  near(await time(), 1);
  await tab.keyboard.press('Home');
  near(await time(), 0);
  for (let i = 0; i < 3; i++) await tab.keyboard.press('.');
  assert.equal(await tab.getByLabel('Speed').inputValue(), '4');
  await tab.keyboard.press('Space');
  await until(tab, () => window.lissom.time() >= 1);
  near(await time(), 1);

  // A click in the middle of a plot.
  await tab.locator('.chart .u-over').first().click();
  near(Math.round(100 * (await time())) / 100, 0.5);

  // Another signal.
  await tab.getByLabel('Search signals').fill('momentum');
  await tab.getByRole('button', { name: 'all' }).locator('visible=true').click();
  assert.ok((await tab.evaluate(() => window.lissom.plots())).some(({ signal }) => signal === 'momentum'));
  await tab.getByRole('button', { name: 'Remove the plot of momentum' }).click();
  assert.ok(!(await tab.evaluate(() => window.lissom.plots())).some(({ signal }) => signal === 'momentum'));
  await tab.getByLabel('Search signals').blur();

  await tab.keyboard.press('p');
  assert.ok(!(await tab.locator('.plots').isVisible()));
  const theme = () => tab.evaluate(() => document.documentElement.dataset.theme);
  const before = await theme();
  await tab.keyboard.press('t');
  assert.notEqual(await theme(), before);
  const axes = await tab.evaluate(() => window.lissom.stage.shown('axes'));
  await tab.keyboard.press('a');
  assert.equal(await tab.evaluate(() => window.lissom.stage.shown('axes')), !axes);
  for (const key of ['1', '2', '3', '4', '5', '6', 'f']) await tab.keyboard.press(key);
  await tab.keyboard.press('?');
  assert.ok(await tab.getByRole('dialog').isVisible());
  await tab.keyboard.press('Escape');
  assert.ok(!(await tab.getByRole('dialog').isVisible()));
  assert.deepEqual(tab.problems, []);
});

test('two runs are overlaid', { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const [one, two] = [record(folder, 'one.csv'), record(folder, 'two.csv', '--gravity', '0,0,-2')];
  const tab = await replayed(t, [one.file, two.file]);
  await tab.evaluate(() => window.lissom.seek(0.8));
  assert.equal(await tab.evaluate(() => window.lissom.stage.robots.length), 2);
  const values = (await tab.evaluate(() => window.lissom.plots())).filter(({ signal }) => signal === 'q');
  assert.deepEqual([...new Set(values.map(({ run }) => run))], ['one.csv', 'two.csv']);
  assert.ok((await tab.locator('.legend .dashed').count()) > 0);
  assert.deepEqual(tab.problems, []);
});

test('a saved page opens from the disk', { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const run = record(folder, 'run.csv');
  const replay = await open(t, save(folder, 'run.html', run.file, '--rate', '0'));
  await replay.evaluate(() => window.lissom.seek(0.5));
  const { q } = await shown(replay);
  q.forEach((value, i) => assert.ok(Math.abs(value - run.at(0.5)[1 + i]) < 1e-6));
  assert.deepEqual(replay.problems, []);

  const pose = await open(t, save(folder, 'arm.html', arm));
  await pose.evaluate(() => window.lissom.setCoordinate(window.lissom.scene.robots[0].coordinates[0].name, 0.5));
  assert.equal((await shown(pose)).q[0], 0.5);
  const random = pose.getByRole('button', { name: 'Random' });
  assert.ok(await random.isDisabled());
  assert.match(await random.getAttribute('title'), /saved/);
  assert.deepEqual(pose.problems, []);
});
