// Where the page's data come from: the server that sent it, or the page itself if it was saved.

import type { Assets } from '../assets';
import { readBlock, type Block, type Scene } from '../stream';

export interface Source extends Assets {
  /** A saved page has no server: nothing can be asked, nothing streams. */
  readonly saved: boolean;
  scene(): Promise<Scene>;
  block(path: string): Promise<Block>;
  /** The address of the WebSocket. */
  socket(): string;
}

const FORMAT = 'lissom stream 1';

export function openSource(): Source {
  const element = document.getElementById('lissom-data');
  const text = element?.textContent?.trim();
  return text ? new SavedSource(JSON.parse(text) as Record<string, unknown>) : new ServerSource();
}

/** The scene, or an Error in words for the user if it is not one that this page understands. */
function checked(scene: unknown): Scene {
  const format = (scene as Scene | null)?.format;
  if (format !== FORMAT)
    throw new Error(`The scene has the format '${String(format)}', expected '${FORMAT}'. The page and the server are of different versions: reload the page, or save it again.`);
  return scene as Scene;
}

class ServerSource implements Source {
  readonly saved = false;
  private readonly base = new URL('.', location.href);
  private readonly token = new URLSearchParams(location.search).get('token');

  url(path: string): string {
    // Names of files may have any characters, also # and ?.
    const address = new URL(path.split('/').map(encodeURIComponent).join('/'), this.base);
    if (this.token) address.searchParams.set('token', this.token);
    return address.href;
  }

  socket(): string {
    return this.url('stream').replace(/^http/, 'ws');
  }

  async scene(): Promise<Scene> {
    // The page comes with the scene inside. Who asks again wants to know what the server shows now.
    const element = document.getElementById('lissom-scene');
    const text = element?.textContent;
    element?.remove();
    return checked(text ? JSON.parse(text) : await (await this.fetch('scene.json')).json());
  }

  async block(path: string): Promise<Block> {
    return readBlock(await (await this.fetch(path)).arrayBuffer());
  }

  private async fetch(path: string): Promise<Response> {
    const response = await fetch(this.url(path)).catch(() => {
      throw new Error(`The server does not answer (${path}). Start 'lissom view' again and reload this page.`);
    });
    if (!response.ok) throw new Error(`The server has no '${path}' (${response.status} ${response.statusText}).`);
    return response;
  }
}

class SavedSource implements Source {
  readonly saved = true;
  private readonly addresses = new Map<string, string>();

  constructor(private readonly contents: Record<string, unknown>) {}

  url(asked: string): string {
    // "meshes/0/-/./../skin.png", as a mesh refers to it.
    const path = decodeURIComponent(new URL(asked.split('/').map(encodeURIComponent).join('/'), 'file:///').pathname.slice(1));
    const known = this.addresses.get(path);
    if (known) return known;
    const content = this.contents[path];
    // An address that cannot be loaded lets the caller report the missing file as it does with a server.
    if (typeof content !== 'string') return 'data:,';
    const address = URL.createObjectURL(new Blob([decode(content)]));
    this.addresses.set(path, address);
    return address;
  }

  socket(): string {
    throw new Error('a saved page has no server');
  }

  async scene(): Promise<Scene> {
    return checked(this.contents['scene.json']);
  }

  async block(path: string): Promise<Block> {
    const content = this.contents[path];
    if (typeof content !== 'string') throw new Error(`The saved page has no '${path}'.`);
    return readBlock(decode(content));
  }
}

function decode(base64: string): ArrayBuffer {
  const characters = atob(base64);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < characters.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes.buffer;
}
