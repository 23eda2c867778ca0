// Colors and light of the two themes, and colors that do not depend on them.

export type ThemeName = 'dark' | 'light';

export interface Theme {
  /** The background, behind the middle of the picture and at its edges. */
  backdrop: { middle: string; edge: string };
  ground: { fill: string; opacity: number; line: string; lineOpacity: number };
  shadowOpacity: number;
  light: { sun: number; sky: number; environment: number; skyColor: string; groundColor: string };
  label: { text: string; back: string };
  collision: string;
  ghost: string;
}

export const THEMES: Record<ThemeName, Theme> = {
  light: {
    backdrop: { middle: '#ffffff', edge: '#dfe5ec' },
    ground: { fill: '#ffffff', opacity: 0.1, line: '#5b6b80', lineOpacity: 0.42 },
    shadowOpacity: 0.3,
    light: { sun: 2.1, sky: 0.15, environment: 0.75, skyColor: '#ffffff', groundColor: '#cfd4da' },
    label: { text: '#1b2430', back: 'rgba(255,255,255,0.82)' },
    collision: '#d9480f',
    ghost: '#7048e8',
  },
  dark: {
    backdrop: { middle: '#2a323d', edge: '#11151a' },
    ground: { fill: '#3a4553', opacity: 0.2, line: '#a9bbd0', lineOpacity: 0.26 },
    shadowOpacity: 0.5,
    light: { sun: 2.0, sky: 0.1, environment: 0.55, skyColor: '#dfe9f5', groundColor: '#3b434d' },
    label: { text: '#eef3f8', back: 'rgba(20,26,33,0.78)' },
    collision: '#ff922b',
    ghost: '#9775fa',
  },
};

/** Bodies whose file gives no color take these in turn, so that neighbors can be told apart. */
export const BODY_COLORS = ['#c8cfd8', '#8d99a8', '#dcd6cb', '#6f7c8c'];

/** Where a robot can touch. */
export const CONTACT_COLORS = { foot: '#2f9e44', hand: '#1c7ed6', pad: '#e8590c' };

export const COLORS = {
  x: '#e03131',
  y: '#2f9e44',
  z: '#1971c2',
  rotation: '#e67700',
  translation: '#0ca678',
  com: '#f2b705',
  support: '#2f9e44',
  velocity: '#7048e8',
  force: '#e8590c',
  cone: '#f59f00',
  loop: '#d6336c',
  pull: '#e64980',
  inertia: '#ae3ec9',
  highlight: '#2b8aef',
  missing: '#c92a2a',
};
