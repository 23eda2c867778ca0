// Dark or light: as the system says, until the user has chosen.

import { Listeners } from '../data/listeners';
import { recall, remember } from './store';

export type ThemeName = 'dark' | 'light';

export class Theme {
  readonly changed = new Listeners<ThemeName>();
  name: ThemeName;
  private readonly system = matchMedia('(prefers-color-scheme: dark)');

  /** `forced` comes from the address and is not remembered. */
  constructor(forced: string | null) {
    const chosen = forced ?? recall('theme');
    this.name = isTheme(chosen) ? chosen : this.ofSystem();
    document.documentElement.dataset.theme = this.name;
    this.system.addEventListener('change', () => {
      if (!isTheme(recall('theme'))) this.set(this.ofSystem());
    });
  }

  toggle(): void {
    const name = this.name === 'dark' ? 'light' : 'dark';
    remember('theme', name);
    this.set(name);
  }

  private set(name: ThemeName): void {
    this.name = name;
    document.documentElement.dataset.theme = name;
    this.changed.emit(name);
  }

  private ofSystem(): ThemeName {
    return this.system.matches ? 'dark' : 'light';
  }
}

function isTheme(text: string | null): text is ThemeName {
  return text === 'dark' || text === 'light';
}
