// The WebSocket to the server: questions and answers, commands, status and blocks of a live run.

import { readBlock, type Block, type Status } from '../stream';
import { Listeners } from './listeners';

export type Question = { ask: string } & Record<string, unknown>;
type Answer = Record<string, unknown> & { id: number; error?: string };

const FIRST_WAIT = 0.5;
const MAX_WAIT = 10;

export class Connection {
  readonly blocks = new Listeners<Block>();
  readonly statuses = new Listeners<Status>();
  /** Whether the server is there, and a sentence about it for the user. */
  readonly states = new Listeners<{ open: boolean; text: string }>();
  open = false;
  private socket: WebSocket | null = null;
  private wait = FIRST_WAIT;
  private nextId = 1;
  private finished = false;
  private readonly waiting = new Map<number, { resolve: (a: Answer) => void; reject: (e: Error) => void }>();

  constructor(private readonly address: () => string) {
    this.connect();
  }

  /** Rejects if the server answers with an error or is not there. */
  ask(question: Question): Promise<Answer> {
    if (!this.open || !this.socket) return Promise.reject(new Error('the server does not answer'));
    const id = this.nextId++;
    const answer = new Promise<Answer>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.socket.send(JSON.stringify({ id, ...question }));
    return answer;
  }

  command(command: { do: string } & Record<string, unknown>): void {
    if (this.open) this.socket?.send(JSON.stringify(command));
  }

  /** After a run has finished the server may go, and nobody misses it. */
  expectEnd(): void {
    this.finished = true;
  }

  private connect(): void {
    const socket = new WebSocket(this.address());
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onopen = () => {
      this.open = true;
      this.wait = FIRST_WAIT;
      this.states.emit({ open: true, text: '' });
    };
    socket.onmessage = (event) => this.receive(event.data as string | ArrayBuffer);
    socket.onclose = () => this.lost();
  }

  private lost(): void {
    this.open = false;
    this.socket = null;
    for (const { reject } of this.waiting.values()) reject(new Error('the server went away'));
    this.waiting.clear();
    if (this.finished) {
      this.states.emit({ open: false, text: '' });
      return;
    }
    const seconds = this.wait;
    this.wait = Math.min(2 * this.wait, MAX_WAIT);
    this.states.emit({ open: false, text: `The server does not answer. Next attempt in ${seconds} s.` });
    window.setTimeout(() => this.connect(), 1000 * seconds);
  }

  private receive(data: string | ArrayBuffer): void {
    if (typeof data !== 'string') {
      this.blocks.emit(readBlock(data));
      return;
    }
    const message = JSON.parse(data) as Answer | Status;
    if ('status' in message) {
      this.statuses.emit(message as Status);
      return;
    }
    const answer = message as Answer;
    const waiter = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if (answer.error !== undefined) waiter?.reject(new Error(answer.error));
    else waiter?.resolve(answer);
  }
}

/** Asks one question at a time; of those that come meanwhile only the newest is asked. */
export class Newest<T> {
  private busy = false;
  private next: (() => Question) | null = null;

  constructor(
    private readonly connection: Connection,
    private readonly answered: (answer: T) => void,
    private readonly failed: (text: string) => void,
  ) {}

  /** The question is made when it is sent, so that it can begin with the answer before. */
  ask(question: () => Question): void {
    this.next = question;
    if (!this.busy) void this.send();
  }

  private async send(): Promise<void> {
    this.busy = true;
    while (this.next) {
      const question = this.next();
      this.next = null;
      try {
        this.answered((await this.connection.ask(question)) as T);
      } catch (error) {
        this.failed((error as Error).message);
      }
    }
    this.busy = false;
  }
}
