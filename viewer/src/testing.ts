// `window.lissom`: what tests and curious people may use. Nothing in the page depends on it.

import type { Context, Mode } from './modes/context';
import type { PlottedValue } from './plots/chart';
import type { Stage } from './scene/stage';
import type { Pose, Scene } from './stream';

export interface Lissom {
  /** Resolves when the page is complete and all meshes are loaded or have failed; rejects if there is no page. */
  ready: Promise<void>;
  scene: Scene;
  stage: Stage;
  /** The time that is shown, s. */
  time(): number;
  seek(time: number): void;
  /** The configuration of the first robot. */
  q(): number[];
  /** The pose of a link of the first robot in the world. */
  linkPose(name: string): Pose;
  /** By the name of a coordinate, or joint.roll, .pitch, .yaw; in m and rad. */
  setCoordinate(name: string, value: number): void;
  /** The plotted values at the time that is shown. */
  plots(): PlottedValue[];
  /** Contacts of the first robot: their names, places in the world or on their links, and forces. */
  contacts(): { name: string; pose: Pose; friction: number; force: number[] }[];
  /** Errors of the page that nobody handled. */
  errors: string[];
}

declare global {
  interface Window {
    lissom: Partial<Lissom> & Pick<Lissom, 'ready' | 'errors'>;
  }
}

export function collectErrors(): string[] {
  const errors: string[] = [];
  window.addEventListener('error', (event) => errors.push(event.message));
  window.addEventListener('unhandledrejection', (event) => errors.push(String(event.reason)));
  return errors;
}

export function expose(context: Context, mode: Mode): void {
  const { scene, stage, display } = context;
  Object.assign(window.lissom, {
    scene,
    stage,
    time: mode.time,
    seek: mode.seek,
    q: () => Array.from(display.q(0)),
    linkPose: (name: string) => {
      const index = stage.robots[0].robot.links.findIndex((link) => link.name === name);
      if (index < 0) throw new Error(`no link '${name}'`);
      return Array.from(stage.robots[0].pose(index)) as Pose;
    },
    contacts: () => stage.robots[0].forces().map(({ contact: { name, pose, friction }, force }) => ({ name, pose, friction, force })),
    setCoordinate: mode.setCoordinate,
    plots: mode.plots,
  } satisfies Omit<Lissom, 'ready' | 'errors'>);
}
