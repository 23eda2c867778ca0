// Every robot of models/ is shown, without a word on the console, where `lissom eval` says that its links are.

import assert from 'node:assert/strict';
import { basename } from 'node:path';
import test from 'node:test';
import { contextFor } from './cases.mjs';
import { evaluate, openIn, poseError, robots, serve, skip } from './support.mjs';

test('every robot is shown', { skip }, async (t) => {
  const context = await contextFor(t, { viewport: { width: 400, height: 300 } });
  for (const file of robots())
    await t.test(basename(file), async () => {
      const server = await serve([file]);
      try {
        const tab = await openIn(context, server.address);
        const { q, poses, rows, joints } = await tab.evaluate(() => ({
          q: window.lissom.q(),
          poses: window.lissom.scene.robots[0].links.map(({ name }) => [name, window.lissom.linkPose(name)]),
          rows: document.querySelectorAll('.slider-row').length,
          joints: window.lissom.scene.robots[0].joints.filter((joint) => joint.moves.length).length,
        }));
        const { placements } = evaluate(file, q);
        for (const [name, pose] of poses) assert.ok(poseError(pose, placements[name]) < 1e-6, `${name} is at ${pose}, expected ${placements[name]}`);
        assert.ok(rows >= joints, `${rows} sliders for ${joints} joints`);
        assert.deepEqual(tab.problems, []);
        assert.deepEqual(await tab.evaluate(() => window.lissom.errors), []);
        await tab.close();
      } finally {
        await server.stop();
      }
    });
});
