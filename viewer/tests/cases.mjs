// What belongs to one case of a test and ends with it: a page, a server, a folder.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { launch, openIn, serve } from './support.mjs';

let shared = null;
/** The browser of all cases of a file: starting one takes longer than most of them. */
function browser() {
  return (shared ??= launch());
}
after(async () => (await shared)?.close());

/** A context of its own, whose pages end with the case. The stage is small, since every pixel costs time of the processor. */
export async function contextFor(t, options = {}) {
  const context = await (await browser()).newContext({ viewport: { width: 900, height: 500 }, ...options });
  t.after(() => context.close());
  return context;
}

/** A page at an address, as openIn() opens it. */
export async function open(t, address, options = {}) {
  return openIn(await contextFor(t, options), address);
}

/** Runs `lissom view` or another verb with a page; its address. */
export async function serveFor(t, args, verb) {
  const server = await serve(args, verb);
  t.after(() => server.stop());
  return server.address;
}

/** A folder that is removed at the end. */
export function temporaryFolder(t) {
  const folder = mkdtempSync(join(tmpdir(), 'lissom-viewer-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
