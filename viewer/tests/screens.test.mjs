// Small screens, reduced motion, messages, and what is reachable by keys alone.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { contextFor, open, temporaryFolder } from './cases.mjs';
import { lissom, root, save, skip } from './support.mjs';

const arm = join(root, 'models/arm7.urdf');
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

async function fits(tab) {
  const { width, wide, canvas } = await tab.evaluate(() => ({
    width: innerWidth,
    wide: Math.max(document.documentElement.scrollWidth, document.body.scrollWidth),
    canvas: document.querySelector('.stage canvas').getBoundingClientRect().height,
  }));
  assert.ok(wide <= width, `the page is ${wide} pixels wide on a screen of ${width}`);
  assert.ok(canvas >= 200, `the stage is ${canvas} pixels high`);
}

test('a phone shows the stage and panels or plots', { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const pose = await open(t, save(folder, 'arm.html', arm), phone);
  await fits(pose);
  assert.ok(await pose.locator('.side').isVisible());
  await pose.getByRole('button', { name: 'Panels' }).click();
  assert.ok(!(await pose.locator('.side').isVisible()));
  await fits(pose);
  assert.deepEqual(pose.problems, []);

  const run = join(folder, 'run.csv');
  lissom('sim', arm, '--random', '1', '--record', run, '--quiet');
  const replay = await open(t, save(folder, 'run.html', run), phone);
  for (const name of ['Plots', 'Panels', 'Plots']) {
    await replay.getByRole('button', { name, exact: true }).click();
    await fits(replay);
    assert.equal(await replay.locator('.plots').isVisible(), name === 'Plots');
    assert.equal(await replay.locator('.side').isVisible(), name === 'Panels');
  }
  assert.ok(await replay.locator('.chart canvas').first().isVisible());
  assert.deepEqual(replay.problems, []);
});

test('everything is reachable by Tab, has a name, and shows its focus', { skip }, async (t) => {
  const tab = await open(t, save(temporaryFolder(t), 'arm.html', arm), { reducedMotion: 'reduce' });
  const expected = await tab.evaluate(() => {
    const focusable = [...document.querySelectorAll('button, input, select, textarea, summary, [tabindex="0"]')];
    return focusable.filter((element) => !element.disabled && element.checkVisibility()).length;
  });
  const seen = new Set();
  for (let i = 0; i < expected + 5; i++) {
    await tab.keyboard.press('Tab');
    const focused = await tab.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const all = [...document.querySelectorAll('*')];
      const label = element.getAttribute('aria-label') || element.labels?.[0]?.textContent || element.textContent || element.title;
      return { index: all.indexOf(element), label: label?.trim(), outline: getComputedStyle(element).outlineStyle, canvas: element.tagName === 'CANVAS' };
    });
    if (!focused) continue;
    seen.add(focused.index);
    if (focused.canvas) continue;
    assert.ok(focused.label, `element ${focused.index} has no name`);
    assert.notEqual(focused.outline, 'none', `the focus of '${focused.label}' is not visible`);
  }
  assert.ok(seen.size >= expected, `${seen.size} of ${expected} controls were reached`);
});

test('the page says why it shows nothing', { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const address = save(folder, 'arm.html', arm);
  const file = fileURLToPath(address);
  writeFileSync(file, readFileSync(file, 'utf8').replace('"lissom stream 1"', '"lissom stream 99"'));
  const tab = await (await contextFor(t)).newPage();
  await tab.goto(address);
  await tab.getByText("The scene has the format 'lissom stream 99'").waitFor();

  const other = save(folder, 'other.html', arm);
  await tab.addInitScript(() => {
    const get = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return kind.startsWith('webgl') ? null : get.call(this, kind, ...rest);
    };
  });
  await tab.goto(other);
  await tab.getByText('no WebGL').waitFor();
});
