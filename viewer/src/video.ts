// Pictures for a video: the command opens this page with ?video=FPS and receives one PNG after the other.

import type { Mode } from './modes/context';
import type { Stage, View } from './scene/stage';
import type { Source } from './data/source';

/** Throws where a picture cannot be made or is not taken. */
export async function sendPictures(query: URLSearchParams, source: Source, stage: Stage, mode: Mode): Promise<void> {
  const value = (key: string, otherwise: number): number => {
    const given = Number(query.get(key) ?? otherwise);
    if (!Number.isFinite(given)) throw new Error(`${key} is '${query.get(key)}', expected a number`);
    return given;
  };
  const rate = value('video', 30);
  const [from, to] = [value('from', 0), value('to', 0)];
  const [width, height] = [value('width', 1280), value('height', 720)];
  if (!(rate > 0)) throw new Error(`video is ${rate}, expected a positive rate`);
  await stage.settled();
  // A tolerance, so that the last picture is not lost to rounding.
  const frames = Math.max(1, Math.floor((to - from) * rate + 1e-6) + 1);
  function* poses(): Generator<number> {
    const samples = Math.min(frames, 100);
    for (let k = 0; k < samples; k++) {
      mode.seek(samples > 1 ? from + ((to - from) * k) / (samples - 1) : from);
      yield k;
    }
  }
  stage.setSize(width, height);
  stage.lookAtAll((query.get('view') as View | null) ?? 'home', poses());
  for (let k = 0; k < frames; k++) {
    mode.seek(from + k / rate);
    await post(source, `pictures/${k}`, await stage.picture(width, height));
  }
  await post(source, 'pictures/done', JSON.stringify({ frames }));
}

/** Tells the command why there will be no video, so that it does not wait. */
export async function reportFailure(source: Source, text: string): Promise<void> {
  await post(source, 'pictures/failed', text).catch(() => {});
}

async function post(source: Source, path: string, body: BodyInit): Promise<void> {
  const response = await fetch(source.url(path), { method: 'POST', body });
  if (!response.ok) throw new Error(`POST /${path}: ${response.status} ${response.statusText}`);
}
