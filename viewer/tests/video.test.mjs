// The pictures that `lissom view --video` receives from the page.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { contextFor, serveFor, temporaryFolder } from './cases.mjs';
import { eventually, lissom, openIn, root, skip } from './support.mjs';

const arm = join(root, 'models/arm7.urdf');

/** Width and height from the head of a PNG. */
const size = (png) => [png.readUInt32BE(16), png.readUInt32BE(20)];

async function pictures(t, files, query, posted = []) {
  const context = await contextFor(t, { viewport: { width: 320, height: 240 } });
  await context.route('**/pictures/**', (route) => {
    posted.push({ name: new URL(route.request().url()).pathname.split('/').at(-1), body: route.request().postDataBuffer() });
    return route.fulfill({ body: 'taken' });
  });
  const tab = await openIn(context, `${await serveFor(t, files)}&${query}`);
  return { tab, posted };
}

test('a run becomes pictures in order', { skip }, async (t) => {
  const run = join(temporaryFolder(t), 'run.csv');
  lissom('sim', arm, '--random', '1', '--record', run, '--quiet');
  const { tab, posted } = await pictures(t, [run], 'video=10&from=0.2&to=0.7&width=320&height=180&view=front&theme=dark');
  assert.deepEqual(posted.map(({ name }) => name), ['0', '1', '2', '3', '4', '5', 'done']);
  for (const { body } of posted.slice(0, -1)) assert.deepEqual(size(body), [320, 180]);
  assert.notDeepEqual(posted[0].body, posted[5].body);
  assert.deepEqual(JSON.parse(posted.at(-1).body), { frames: 6 });
  assert.ok(!(await tab.locator('.bar').isVisible()));
  assert.equal(await tab.evaluate(() => document.documentElement.dataset.theme), 'dark');
});

test('the command hears why there are no pictures', { skip }, async (t) => {
  const posted = [];
  const why = "video is 'never', expected a number";
  await assert.rejects(pictures(t, [arm], 'video=never', posted), new RegExp(why));
  await eventually(() => posted.length);
  assert.deepEqual(posted.map(({ name, body }) => [name, String(body)]), [['failed', why]]);
});

test('a robot becomes one picture', { skip }, async (t) => {
  const { posted } = await pictures(t, [arm], 'video=30&from=0&to=0&width=200&height=200&view=top&theme=light');
  assert.deepEqual(posted.map(({ name }) => name), ['0', 'done']);
});

const withoutVideos = skip || (spawnSync('ffprobe', ['-version']).status !== 0 && 'ffmpeg is not installed');
test('the command writes pictures and videos', { skip: withoutVideos }, async (t) => {
  const folder = temporaryFolder(t);
  const run = join(folder, 'run.csv');
  lissom('sim', arm, '--random', '1', '--seconds', '0.5', '--record', run, '--quiet');
  const rendered = (name, ...more) => lissom('view', run, '--video', join(folder, name), '--size', '160x120', '--quiet', ...more);
  assert.match(rendered('moment.png', '--from', '0.3'), /rendered \S+moment\.png \(1 picture\)/);
  const png = readFileSync(join(folder, 'moment.png'));
  assert.deepEqual(size(png), [160, 120]);
  // An empty picture has nothing but the backdrop and the grid.
  assert.ok(png.length > 4000, `${png.length} bytes`);
  for (const name of ['run.mp4', 'run.gif']) {
    assert.match(rendered(name, '--from', '0.1', '--until', '0.5', '--fps', '10'), /\(5 pictures\)/);
    const facts = execFileSync('ffprobe', ['-v', 'error', '-count_frames', '-show_entries', 'stream=width,height,nb_read_frames,r_frame_rate', '-of', 'json', join(folder, name)]);
    const { width, height, nb_read_frames: frames, r_frame_rate: rate } = JSON.parse(facts).streams[0];
    assert.deepEqual([width, height, Number(frames), rate], [160, 120, 5, '10/1'], name);
  }
});
