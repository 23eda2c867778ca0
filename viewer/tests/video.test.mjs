// The pictures that `lissom view --video` receives from the page.

import assert from 'node:assert/strict';
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
