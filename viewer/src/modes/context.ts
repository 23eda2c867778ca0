// What all modes of the page share.

import type { Connection } from '../data/connection';
import type { Display } from '../data/display';
import type { Source } from '../data/source';
import type { Binding } from '../page/keyboard';
import type { Layout } from '../page/layout';
import type { Theme } from '../page/theme';
import type { FindingsPanel } from '../panels/findings';
import type { Inspector } from '../panels/inspector';
import type { PlottedValue } from '../plots/chart';
import type { Stage } from '../scene/stage';
import type { LiveRun, Scene } from '../stream';

export interface Context {
  scene: Scene;
  source: Source;
  stage: Stage;
  display: Display;
  connection: Connection | null;
  layout: Layout;
  theme: Theme;
  inspector: Inspector;
  findings: FindingsPanel;
}

export interface Mode {
  /** Sections of the side panel, from top to bottom. */
  sections: HTMLElement[];
  bindings: Binding[];
  time(): number;
  seek(time: number): void;
  /** Throws where the robot is not posed by hand. */
  setCoordinate(name: string, value: number): void;
  plots(): PlottedValue[];
}

/** Whether the server can do something now; and if not, why. */
export function ability(context: Context, name: string): { can: boolean; why: string } {
  const { scene, source, connection } = context;
  if (source.saved) return { can: false, why: 'This page was saved: there is no server that could compute this' };
  if (!scene.can.includes(name)) return { can: false, why: 'The server does not offer this here' };
  return connection?.open ? { can: true, why: '' } : { can: false, why: 'The server does not answer' };
}

/** Where contact forces were recorded, they are what one wants to see. */
export function showContacts(stage: Stage, runs: LiveRun[]): void {
  const points = runs.some(({ contact_points }) => contact_points);
  const faces = runs.some(({ contacts }) => contacts.some(({ force }) => force !== null));
  if (points || faces) stage.show('forces', true);
  if (faces) stage.show('support', true);
}
