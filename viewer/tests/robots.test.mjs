// Every robot of models/ is shown, without a word on the console, where `lissom eval` says that its links are.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { contextFor, open, temporaryFolder } from './cases.mjs';
import { evaluate, openIn, poseError, robots, save, skip, until } from './support.mjs';

const DATA = /(<script type="application\/json" id="lissom-data">)([^]*?)(<\/script>)/;

/** One saved page with the robots of all files: loading a page takes longer than anything else here. */
function together(folder, files) {
  const all = {};
  let page = '';
  files.forEach((file, i) => {
    page = readFileSync(fileURLToPath(save(folder, `${i}.html`, file)), 'utf8');
    // Meshes are numbered from 0 for each robot.
    const { 'scene.json': scene, ...meshes } = JSON.parse(DATA.exec(page)[2].replaceAll('"meshes/', `"meshes/of${i}-`));
    Object.assign(all, meshes);
    if (i === 0) all['scene.json'] = scene;
    else all['scene.json'].robots.push(...scene.robots);
  });
  const path = join(folder, 'all.html');
  writeFileSync(path, page.replace(DATA, (_, begin, __, end) => begin + JSON.stringify(all).replaceAll('<', '\\u003c') + end));
  return pathToFileURL(path).href;
}

test('every robot is shown', { skip }, async (t) => {
  const files = robots();
  assert.ok(files.length >= 20, `${files.length} robots`);
  const tab = await open(t, together(temporaryFolder(t), files));
  const shown = await tab.evaluate(() =>
    window.lissom.stage.robots.map(({ robot }, i) => ({
      q: robot.q,
      poses: robot.links.map(({ name }, k) => [name, Array.from(window.lissom.stage.robots[i].pose(k))]),
      rows: document.querySelectorAll(`.side > div:not(.tools):nth-of-type(${i + 2}) .slider-row`).length,
      joints: robot.joints.filter((joint) => joint.moves.length).length,
      drawn: !window.lissom.stage.robots[i].bounds(window.lissom.stage.box.clone()).isEmpty(),
    })),
  );
  assert.equal(shown.length, files.length);
  files.forEach((file, i) => {
    const { q, poses, rows, joints, drawn } = shown[i];
    const { placements } = evaluate(file, q);
    for (const [name, pose] of poses) assert.ok(poseError(pose, placements[name]) < 1e-6, `${basename(file)}: ${name} is at ${pose}, expected ${placements[name]}`);
    assert.ok(rows >= joints, `${basename(file)}: ${rows} sliders for ${joints} joints`);
    assert.ok(drawn, `${basename(file)} has no bodies`);
  });
  assert.deepEqual(tab.problems, []);
  assert.deepEqual(await tab.evaluate(() => window.lissom.errors), []);
});

test('every robot has a page of its own', { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const names = robots().map((file) => [file, basename(file, '.urdf')]);
  // Small, so that drawing takes no time.
  const context = await contextFor(t, { viewport: { width: 240, height: 180 } });
  const tab = await openIn(context, save(folder, 'first.html', names[0][0]));
  for (const [file, name] of names) {
    await tab.goto(save(folder, `${name}.html`, file));
    // Built, and its first picture drawn; final materials are compiled meanwhile.
    await until(tab, () => window.lissom.stage);
    const { title, links, drawn, near, sections, errors } = await tab.evaluate(() => {
      const { scene, stage, errors } = window.lissom;
      const box = stage.robots[0].bounds(stage.box.clone());
      const { camera } = stage.rig;
      const corners = [box.min, box.max].flatMap(({ x }) => [box.min, box.max].flatMap(({ y }) => [box.min, box.max].map(({ z }) => camera.position.clone().set(x, y, z).project(camera))));
      return {
        title: scene.title, links: scene.robots[0].links.length, drawn: !box.isEmpty(),
        near: corners.every(({ x, y }) => Math.abs(x) < 1 && Math.abs(y) < 1),
        sections: document.querySelectorAll('.side .section').length, errors,
      };
    });
    assert.ok(title && links && drawn && sections >= 3, `${name}: ${JSON.stringify({ title, links, drawn, sections })}`);
    assert.ok(near, `${name} is not in the picture as a whole`);
    assert.deepEqual([...errors, ...tab.problems], [], name);
  }
});
