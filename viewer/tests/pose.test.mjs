// Posing a robot: sliders, typed values, the mouse, and what the server computes.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { open, serveFor } from './cases.mjs';
import { drawn, evaluate, find, lissom, poseError, root, serve, skip, until } from './support.mjs';

const arm = join(root, 'models/arm7.urdf');
const humanoid = join(root, 'models/humanoid.urdf');

const q = (tab) => tab.evaluate(() => window.lissom.q());
const pose = (tab, link) => tab.evaluate((name) => window.lissom.linkPose(name), link);
const near = (a, b, tolerance, what) => assert.ok(Math.abs(a - b) <= tolerance, `${what}: ${a}, expected ${b}`);

async function posed(t, args, options) {
  const tab = await open(t, await serveFor(t, args), options);
  // Controls that need the server are enabled when it answers.
  await until(tab, () => !document.querySelector('#pull-links').disabled);
  return tab;
}

async function agrees(tab, file, ...options) {
  const links = await tab.evaluate(() => window.lissom.scene.robots[0].links.map(({ name }) => [name, window.lissom.linkPose(name)]));
  const { placements } = evaluate(file, await q(tab), ...options);
  for (const [name, at] of links) assert.ok(poseError(at, placements[name]) < 1e-6, `${name} is at ${at}, expected ${placements[name]}`);
}

test('sliders and typed values move the right links', { skip }, async (t) => {
  const tab = await posed(t, [humanoid, '--base', 'free']);
  // The page came with the scene inside, drew the robot before it built its panels, and has its final materials by now.
  const { asked, marks, preview, reflections } = await tab.evaluate(() => ({
    asked: performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
    marks: performance.getEntriesByType('mark').map(({ name }) => name),
    preview: window.lissom.stage.preview,
    reflections: window.lissom.stage.scene.environment !== null,
  }));
  assert.deepEqual(asked.filter((path) => /scene|runs/.test(path)), []);
  assert.deepEqual(marks.filter((name) => ['first render', 'panels', 'settled'].includes(name)), ['first render', 'panels', 'settled']);
  assert.deepEqual([preview, reflections], [null, true]);
  const names = await tab.evaluate(() => window.lissom.scene.robots[0].coordinates.map(({ name }) => name));

  // A slider, by keys: ten times ten degrees.
  const slider = tab.getByRole('slider', { name: 'left_elbow', exact: true });
  await slider.focus();
  for (let i = 0; i < 3; i++) await tab.keyboard.press('Shift+ArrowLeft');
  near((await q(tab))[names.indexOf('left_elbow')], (-30 * Math.PI) / 180, 1e-9, 'left_elbow');
  await agrees(tab, humanoid, '--base', 'free');

  // A typed value in degrees, and one beyond the limit.
  const field = tab.getByLabel('Value of left_knee');
  await field.fill('45');
  await field.press('Enter');
  near((await q(tab))[names.indexOf('left_knee')], Math.PI / 4, 1e-9, 'left_knee');
  await field.fill('1000');
  await field.press('Enter');
  const { upper } = await tab.evaluate(() => window.lissom.scene.robots[0].coordinates.find(({ name }) => name === 'left_knee'));
  near((await q(tab))[names.indexOf('left_knee')], upper, 1e-9, 'left_knee at its limit');

  // The base, by position and by angles.
  for (const [name, value] of [['base.x', 0.3], ['base.roll', 0.2], ['base.pitch', -0.4], ['base.yaw', 1.1]])
    await tab.evaluate(([n, v]) => window.lissom.setCoordinate(n, v), [name, value]);
  await agrees(tab, humanoid, '--base', 'free');
  const radians = tab.getByLabel('Unit of angles');
  await radians.selectOption('rad');
  assert.equal(await tab.getByLabel('Value of base.yaw').inputValue(), '1.100');
  assert.deepEqual(tab.problems, []);
});

test('followers are shown and cannot be moved', { skip }, async (t) => {
  const file = join(root, 'models/mechanisms/gripper_mimic.urdf');
  const tab = await posed(t, [file]);
  assert.ok(await tab.getByRole('slider', { name: 'right', exact: true }).isDisabled());
  await tab.evaluate(() => window.lissom.setCoordinate('left', 0.3));
  assert.equal(await tab.getByLabel('Value of right', { exact: true }).inputValue(), ((-0.3 * 180) / Math.PI).toFixed(1));
  await agrees(tab, file);
});

test('closed loops stay closed when a slider moves', { skip }, async (t) => {
  const folder = join(root, 'models/mechanisms');
  const tab = await posed(t, [join(folder, 'delta.urdf'), '--loops', join(folder, 'delta.json')]);
  const before = await q(tab);
  await tab.evaluate(() => window.lissom.setCoordinate('shoulder_a', 0.3));
  await until(tab, (x) => Math.abs(window.lissom.q()[3] - x) > 0.01, before[3]);
  near((await q(tab))[0], 0.3, 1e-6, 'shoulder_a');
});

test('a dragged link moves, within the limits', { skip }, async (t) => {
  const tab = await posed(t, [arm]);
  await tab.evaluate(() => {
    for (const { name } of window.lissom.scene.robots[0].coordinates) window.lissom.setCoordinate(name, 0.3);
    // So far that a corner of the picture is out of reach.
    window.lissom.stage.zoom(2);
  });
  const hand = await tab.evaluate(() => window.lissom.scene.robots[0].links.findLast(({ visuals }) => visuals.length).name);
  const before = await pose(tab, hand);
  const at = await find(tab, hand);
  await tab.mouse.down();
  await tab.mouse.move(at.x + 60, at.y + 30, { steps: 4 });
  const says = (text) => until(tab, (pattern) => new RegExp(pattern).test(document.querySelector('[data-section="move by hand"] output')?.textContent), text);
  await says('^Left: ');
  // Far out of reach: the joints stop at their limits.
  await tab.mouse.move(5, 490, { steps: 4 });
  await says('^Left: \\d\\d\\d');
  await tab.mouse.up();
  const after = await pose(tab, hand);
  assert.ok(Math.hypot(...[0, 1, 2].map((k) => after[k] - before[k])) > 0.05, 'the hand has moved');
  const limits = await tab.evaluate(() => window.lissom.scene.robots[0].coordinates);
  (await q(tab)).forEach((value, i) => {
    const { name, lower, upper } = limits[i];
    assert.ok(value >= (lower ?? -Infinity) - 1e-9 && value <= (upper ?? Infinity) + 1e-9, `${name} is ${value}, limits ${lower} … ${upper}`);
  });
  await agrees(tab, arm);
  assert.deepEqual(tab.problems, []);
});

test('hovering names a link, a click pins it and marks its joint', { skip }, async (t) => {
  const tab = await posed(t, [arm]);
  const { link, joint } = await tab.evaluate(() => {
    const robot = window.lissom.scene.robots[0];
    const found = robot.joints.findLast(({ child, nq }) => nq && robot.links[child].visuals.length);
    return { link: robot.links[found.child].name, joint: found.name };
  });
  const at = await find(tab, link);
  await tab.mouse.click(at.x, at.y);
  const section = tab.locator('[data-section=link]');
  assert.ok(await section.isVisible());
  assert.match(await section.innerText(), new RegExp(`${link}[^]*mass[^]*${joint}`));
  assert.equal(await tab.locator('.joint.marked').getAttribute('data-joint'), joint);
});

test('the server computes quantities, random poses and targets', { skip }, async (t) => {
  const tab = await posed(t, [arm]);
  await tab.getByRole('button', { name: 'Random' }).click();
  await until(tab, () => window.lissom.q().some((value) => Math.abs(value) > 1e-3));
  await tab.locator('summary', { hasText: 'Quantities' }).click();
  const facts = tab.locator('[data-section=quantities] dl');
  await until(tab, () => document.querySelector('[data-section=quantities] dl')?.children.length);
  const expected = evaluate(arm, await q(tab));
  const text = (await facts.innerText()).replaceAll('−', '-');
  const potential = Number(/potential\s+(\S+) J/.exec(text)[1]);
  near(potential, expected.potential_energy, 0.06, 'potential energy');
  const matrix = tab.locator('canvas.matrix').first();
  await matrix.focus();
  await tab.keyboard.press('ArrowRight');
  const shown = await matrix.locator('xpath=following-sibling::p').innerText();
  near(Number(shown.replace('−', '-').split('=')[1]), expected.M[0][0], 1e-4 * Math.abs(expected.M[0][0]) + 1e-5, shown);

  const distance = await tab.evaluate(async () => {
    document.querySelector('#reach-target').click();
    const output = document.querySelector('[data-section="move by hand"] output');
    const frame = document.querySelector('[aria-label="Frame that reaches for the target"]');
    frame.value = window.lissom.scene.robots[0].links.at(-1).name;
    frame.dispatchEvent(new Event('change'));
    const pose = window.lissom.linkPose(frame.value);
    pose[2] -= 0.02;
    window.lissom.stage.onGizmo(pose, 'move');
    while (!output.textContent) await new Promise((done) => setTimeout(done, 20));
    return output.textContent;
  });
  assert.match(distance, /^Left: [\d.e−]+ mm, /);
  await agrees(tab, arm);
  assert.deepEqual(tab.problems, []);
});

test('the camera and the links obey keys alone', { skip }, async (t) => {
  const tab = await posed(t, [arm]);
  const camera = () =>
    tab.evaluate(() => {
      const { camera, controls } = window.lissom.stage.rig;
      const [x, y, z] = camera.position.clone().sub(controls.target).toArray();
      return { azimuth: Math.atan2(y, x), elevation: Math.asin(z / Math.hypot(x, y, z)), distance: Math.hypot(x, y, z), target: controls.target.toArray() };
    });
  const degrees = Math.PI / 180;
  await tab.locator('.stage canvas').focus();
  const first = await camera();
  for (let i = 0; i < 3; i++) await tab.keyboard.press('ArrowRight');
  await tab.keyboard.press('ArrowUp');
  const turned = await camera();
  near(turned.azimuth - first.azimuth, 15 * degrees, 1e-6, 'azimuth');
  near(turned.elevation - first.elevation, 5 * degrees, 1e-6, 'elevation');
  near(turned.distance, first.distance, 1e-6, 'distance');
  await tab.keyboard.press('+');
  near((await camera()).distance, first.distance / 1.15, 1e-6, 'distance');
  await tab.keyboard.press('Shift+ArrowUp');
  assert.ok((await camera()).target[2] > first.target[2] + 0.01, 'the camera has moved up');

  // The last link is the one before the first.
  await tab.keyboard.press('[');
  const { link, before } = await tab.evaluate(() => {
    const { links } = window.lissom.scene.robots[0];
    return { link: links.at(-1).name, before: window.lissom.linkPose(links.at(-1).name) };
  });
  assert.match(await tab.locator('[data-section=link]').innerText(), new RegExp(link));
  await tab.keyboard.press('Enter');
  await tab.getByText(`${link} is held`).waitFor();
  for (let i = 0; i < 4; i++) await tab.keyboard.press('ArrowDown');
  await until(tab, ([name, z]) => window.lissom.linkPose(name)[2] < z - 0.03, [link, before[2]]);
  await tab.keyboard.press('Enter');
  await tab.getByText(`${link} is held`).waitFor({ state: 'hidden' });
  near((await camera()).azimuth, turned.azimuth, 1e-6, 'azimuth');
  await agrees(tab, arm);
  assert.deepEqual(tab.problems, []);
});

test('feet and hands are shown where lissom contacts finds them', { skip }, async (t) => {
  const tab = await posed(t, [humanoid]);
  const { contacts } = JSON.parse(lissom('contacts', humanoid, '--json'));
  assert.ok((await drawn(tab, 'contacts')) < 20, 'nothing is known yet');
  await tab.evaluate(() => window.lissom.stage.show('contacts', false));
  await tab.keyboard.press('d');
  await until(tab, () => window.lissom.stage.robots[0].touch.known);
  const shown = await tab.evaluate(() => window.lissom.stage.robots[0].touch.contacts.map(({ name, role, link, pose, points }) => ({ name, role, link: window.lissom.scene.robots[0].links[link].name, position: pose.slice(0, 3), points: points.map(([x, y]) => [x, y]) })));
  assert.deepEqual(shown.map(({ name, role, link }) => [name, role, link]), contacts.map(({ name, role, link }) => [name, role, link]));
  shown.forEach(({ position, points }, i) => {
    [...position, ...points.flat()].forEach((x, k) => near(x, [...contacts[i].position, ...(contacts[i].points ?? []).flat()][k], 1e-6, contacts[i].name));
  });
  assert.ok((await drawn(tab, 'contacts')) > 300);
  assert.deepEqual(tab.problems, []);
});

test('a state is copied, changed and applied', { skip }, async (t) => {
  const tab = await posed(t, [arm], { permissions: ['clipboard-read', 'clipboard-write'] });
  await tab.evaluate(() => window.lissom.setCoordinate(window.lissom.scene.robots[0].coordinates[1].name, 0.4));
  await tab.getByRole('button', { name: 'Copy' }).click();
  await tab.getByText('The state is on the clipboard.').waitFor();
  const copied = JSON.parse(await tab.evaluate(() => navigator.clipboard.readText()));
  assert.deepEqual(copied.q, await q(tab));
  copied.q[0] = 0.25;
  await tab.getByLabel('State as JSON').fill(JSON.stringify(copied));
  await tab.getByRole('button', { name: 'Apply' }).click();
  assert.deepEqual(await q(tab), copied.q);
  await tab.getByLabel('State as JSON').fill('{"q": [1, 2]}');
  await tab.getByRole('button', { name: 'Apply' }).click();
  await tab.getByText(`q has 2 elements, expected ${copied.q.length}`).waitFor();
  await agrees(tab, arm);
});

test('the page says when the server is gone', { skip }, async (t) => {
  const server = await serve([arm]);
  const tab = await open(t, server.address);
  await until(tab, () => !document.querySelector('#pull-links').disabled);
  await server.stop();
  await tab.getByText('The server does not answer.').waitFor();
  assert.ok(await tab.getByRole('button', { name: 'Random' }).isDisabled());
  // Sliders need no server.
  await tab.evaluate(() => window.lissom.setCoordinate(window.lissom.scene.robots[0].coordinates[0].name, 0.2));
  await agrees(tab, arm);
});
