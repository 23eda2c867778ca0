// Starts the command `lissom view` and a browser for the tests.
//
// LISSOM           the command (default: build/release/bin/lissom of this checkout)
// LISSOM_CHROMIUM  the browser (default: /usr/bin/chromium)
// LISSOM_PAGE      a page (dist/index.html) that is tested instead of the one inside of the command

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export const root = resolve(import.meta.dirname, '../..');
const command = process.env.LISSOM ?? join(root, 'build/release/bin/lissom');
const chromium = process.env.LISSOM_CHROMIUM ?? '/usr/bin/chromium';
const page = process.env.LISSOM_PAGE;
const flags = [
  '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--no-sandbox',
  // A page that does not come from the server counts as one of the internet, which may not talk to this machine.
  '--disable-features=LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets',
];

const playwright = await import('playwright-core').catch(() => null);

/** Why these tests cannot run here, or false. */
export const skip =
  (!existsSync(command) && `no command at ${command}; set LISSOM`) ||
  (!existsSync(chromium) && `no browser at ${chromium}; set LISSOM_CHROMIUM`) ||
  (!playwright && 'playwright-core is not installed: run npm ci in viewer/');

export function launch() {
  return playwright.chromium.launch({ executablePath: chromium, args: flags });
}

/** The output of the command. */
export function lissom(...args) {
  return execFileSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** What `lissom eval` says about one configuration; poses are rotation matrices, row by row, and positions. */
export function evaluate(file, q, ...options) {
  return JSON.parse(lissom('eval', file, `--q=${q.join(',')}`, ...options)).results[0];
}

/** Runs `lissom view` or another verb with a page; `stop` ends it as Ctrl-C does. */
export async function serve(args, verb = 'view') {
  const process = spawn(command, [verb, ...args, '--no-browser', '--port', '0'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((done) => process.once('exit', done));
  let text = '';
  // `view` prints the address to the output, other verbs to the errors, because their output is a report.
  const address = await new Promise((done, failed) => {
    const read = (data) => {
      text += data;
      const found = /https?:\/\/\S+(?=\s)/.exec(text);
      if (found) done(found[0]);
    };
    process.stdout.on('data', read);
    process.stderr.on('data', read);
    ended.then((code) => failed(new Error(`lissom ${verb} ended with ${code}: ${text}`)));
  });
  return {
    address,
    stop: () => {
      process.kill('SIGINT');
      return ended;
    },
  };
}

/** A page at an address, or `body` in its place; `problems` collects what appears on its console and errors that nobody caught. */
export async function openIn(context, address, body = null) {
  const tab = await context.newPage();
  tab.setDefaultTimeout(60000);
  tab.problems = [];
  // What the driver says about its own speed is no problem of the page.
  const counts = (message) => ['error', 'warning'].includes(message.type()) && !/GL Driver Message/.test(message.text());
  tab.on('console', (message) => counts(message) && tab.problems.push(message.text()));
  tab.on('pageerror', (error) => tab.problems.push(error.message));
  if ((page || body) && address.startsWith('http')) {
    const base = new URL('.', address).href;
    const isPage = (url) => url.href.split('?')[0] === base;
    await context.route(isPage, async (route) => {
      const response = await route.fetch();
      return route.fulfill({ response, body: body ?? readPage(await response.text()) });
    });
  }
  await tab.goto(address);
  await tab.evaluate(() => window.lissom.ready);
  return tab;
}

/** A page as it was served, or LISSOM_PAGE with the data of it. */
export function readPage(served) {
  if (!page) return served;
  const data = /<script type="application\/json" id="lissom-(scene|data)">[^]*?<\/script>/.exec(served)[0];
  return readFileSync(page, 'utf8').replace('</title>', () => `</title>${data}`);
}

/** The file that `lissom view --save` writes; its address. */
export function save(folder, name, ...args) {
  const file = join(folder, name);
  lissom('view', ...args, '--save', file);
  if (page) writeFileSync(file, readPage(readFileSync(file, 'utf8')));
  return pathToFileURL(file).href;
}

export function robots() {
  return readdirSync(join(root, 'models'), { recursive: true })
    .filter((name) => name.endsWith('.urdf'))
    .sort()
    .map((name) => join(root, 'models', name));
}

/** The largest difference between a pose of the page (x y z, w x y z) and one of `lissom eval`. */
export function poseError(pose, expected) {
  const [x, y, z, w, i, j, k] = pose;
  const rotation = [
    1 - 2 * (j * j + k * k), 2 * (i * j - w * k), 2 * (i * k + w * j),
    2 * (i * j + w * k), 1 - 2 * (i * i + k * k), 2 * (j * k - w * i),
    2 * (i * k - w * j), 2 * (j * k + w * i), 1 - 2 * (i * i + j * j),
  ];
  return Math.max(...[...rotation, x, y, z].map((value, at) => Math.abs(value - expected[at])));
}

/** Waits until a function of the page returns something true. The limit only ends a test that would wait forever: a loaded machine is slow. */
export function until(tab, condition, argument, timeout = 60000) {
  return tab.waitForFunction(condition, argument, { timeout });
}

/** Waits until a condition of the test itself holds; goes on after the limit, so that the assertion that follows says what is wrong. */
export async function eventually(condition, limit = 30000) {
  for (const end = Date.now() + limit; Date.now() < end && !(await condition()); ) await new Promise((done) => setTimeout(done, 50));
}

/** Waits until the page has drawn itself twice, so that what was asked for before is on the screen. */
export function drawnAgain(tab) {
  return tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** How many pixels of the stage differ when a layer is switched on. */
export async function drawn(tab, layer) {
  const canvas = tab.locator('.stage canvas');
  const picture = async (on) => {
    await tab.evaluate(([name, shown]) => window.lissom.stage.show(name, shown), [layer, on]);
    await drawnAgain(tab);
    return (await canvas.screenshot()).toString('base64');
  };
  const before = await picture(false);
  const after = await picture(true);
  return tab.evaluate(async ([a, b]) => {
    const pixels = async (data) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const surface = new OffscreenCanvas(image.width, image.height).getContext('2d');
      surface.drawImage(image, 0, 0);
      return surface.getImageData(0, 0, image.width, image.height).data;
    };
    const [one, two] = [await pixels(a), await pixels(b)];
    let count = 0;
    for (let i = 0; i < one.length; i += 4) if (Math.abs(one[i] - two[i]) + Math.abs(one[i + 1] - two[i + 1]) + Math.abs(one[i + 2] - two[i + 2]) > 60) count++;
    return count;
  }, [before, after]);
}

/** A place on the screen where a link is drawn, with the mouse there. */
export async function find(tab, link) {
  const at = await tab.evaluate((name) => {
    const { stage } = window.lissom;
    const index = stage.robots[0].robot.links.findIndex((one) => one.name === name);
    const area = stage.canvas.getBoundingClientRect();
    const { camera } = stage.rig;
    const middle = camera.position.clone().set(...stage.robots[0].point(index, stage.robots[0].robot.links[index].com)).project(camera);
    const [x0, y0] = [area.left + ((1 + middle.x) / 2) * area.width, area.top + ((1 - middle.y) / 2) * area.height];
    // Around its center of mass, which other links may hide; not at an edge of the link, but where neighbors show it, too.
    const shows = (x, y) => stage.pick(x, y)?.link === index;
    for (let radius = 0; radius < 100; radius += 3)
      for (let angle = 0; angle < 2 * Math.PI; angle += 0.5) {
        const [x, y] = [x0 + radius * Math.cos(angle), y0 + radius * Math.sin(angle)];
        if ([-2, 0, 2].every((d) => shows(x + d, y) && shows(x, y + d))) return { x, y };
      }
    return null;
  }, link);
  if (!at) throw new Error(`${link} is not on the screen`);
  await tab.mouse.move(at.x, at.y);
  await tab.locator('.tooltip strong', { hasText: link }).waitFor();
  return at;
}
