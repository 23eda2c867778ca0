// How long it takes from the start of `lissom view` until its robot is seen: medians over several runs.
//
//   LISSOM=build/release/bin/lissom node bench/first_picture.mjs [--robot FILE] [--runs 7] [--wait SECONDS] [--save PICTURE.jpg]
//
// A browser without a window (Chromium, which draws by software) is running and shows another page, as that of a person does. Then `lissom view` starts,
// and the tab goes to the address that it prints. The browser sends every picture that it presents (Page.startScreencast); the first one with
// dark and bright places in the middle of the stage has the robot. Marks of the page itself (performance.mark, from the navigation on) tell where
// the time goes. Every run has a browser of its own, so that nothing is compiled or cached already.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launch, root, serve } from '../viewer/tests/support.mjs';

const { values: options } = parseArgs({ options: { robot: { type: 'string' }, runs: { type: 'string', default: '7' }, save: { type: 'string' }, wait: { type: 'string', default: '5' } } });
const robot = options.robot ?? join(root, 'models/humanoid.urdf');

/** Whether pictures (JPEG, base64) show a robot: in the middle of the stage there is more than the background. */
const showsRobot = (pictures) =>
  Promise.all(
    pictures.map(async (data) => {
      const image = new Image();
      image.src = `data:image/jpeg;base64,${data}`;
      await image.decode();
      const surface = new OffscreenCanvas(image.width, image.height).getContext('2d');
      surface.drawImage(image, 0, 0);
      // The side panel is at the right; the stage is the rest.
      const { data: pixels } = surface.getImageData(0.1 * image.width, 0.15 * image.height, 0.5 * image.width, 0.7 * image.height);
      let [low, high] = [255, 0];
      for (let i = 0; i < pixels.length; i += 4) [low, high] = [Math.min(low, pixels[i]), Math.max(high, pixels[i])];
      return high - low > 60;
    }),
  );

async function measure(browser) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const tab = await context.newPage();
  const session = await context.newCDPSession(tab);
  const pictures = [];
  session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    pictures.push({ data, at: 1000 * metadata.timestamp, seen: Date.now() });
    void session.send('Page.screencastFrameAck', { sessionId });
  });
  await session.send('Page.startScreencast', { format: 'jpeg', quality: 60, maxWidth: 640, maxHeight: 400, everyNthFrame: 1 });
  // A browser that has just started draws its own first pictures, which takes half a second without a graphics card.
  await tab.setContent('<h1>another page</h1>');
  await new Promise((done) => setTimeout(done, 2000));
  const start = Date.now();
  const server = await serve([robot]);
  const served = Date.now();
  await tab.goto(server.address, { waitUntil: 'commit' });
  // Nobody asks meanwhile: answers would take time from what is measured.
  await new Promise((done) => setTimeout(done, 1000 * Number(options.wait)));
  const marks = await tab.evaluate(() => ({
    origin: performance.timeOrigin,
    marks: performance.getEntriesByType('mark').map(({ name, startTime }) => [name, startTime]),
    response: performance.getEntriesByType('navigation')[0].responseEnd,
    parsed: performance.getEntriesByType('navigation')[0].domInteractive,
  }));
  const shows = await tab.evaluate(showsRobot, pictures.map(({ data }) => data));
  const first = pictures[shows.indexOf(true)];
  if (!first) throw new Error(`none of ${pictures.length} pictures shows a robot`);
  await context.close();
  await server.stop();
  const since = (name) => (marks.marks.find(([mark]) => mark === name)?.[1] ?? NaN);
  return {
    served: served - start,
    response: marks.response, parsed: marks.parsed,
    ...Object.fromEntries(marks.marks.map(([name]) => [name, since(name)])),
    'presented, from navigation': first.at - marks.origin,
    'presented, from process start': first.at - start,
    picture: first.data, pictures: pictures.length,
  };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const runs = [];
for (let i = 0; i < Number(options.runs); i++) {
  const browser = await launch();
  runs.push(await measure(browser));
  await browser.close();
}
for (const key of Object.keys(runs[0]).filter((name) => name !== 'picture')) {
  const values = runs.map((run) => run[key]);
  console.log(`${key.padEnd(32)} ${median(values).toFixed(0).padStart(6)} ms   (${values.map((value) => value.toFixed(0)).join(' ')})`);
}
if (options.save) writeFileSync(options.save, Buffer.from(runs.at(-1).picture, 'base64'));
