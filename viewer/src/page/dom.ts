// Elements of the page, made in code.

type Properties = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;
type Child = Node | string | null | undefined;

/** `onNAME` adds a listener; `value`, `checked` and `disabled` are set as properties, everything else as attributes. */
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, properties: Properties = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(key.slice(2), value as (event: Event) => void);
    else if (key === 'value' || key === 'checked' || key === 'disabled') Object.assign(element, { [key]: value });
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
  return element;
}

/** Enables a control, or says in its tooltip why it cannot be used. */
export function possible(control: HTMLButtonElement | HTMLInputElement | HTMLSelectElement, is: boolean, otherwise: string): void {
  control.disabled = !is;
  if (!is) {
    control.dataset.title ??= control.title;
    control.title = otherwise;
  } else if (control.dataset.title !== undefined) {
    control.title = control.dataset.title;
    delete control.dataset.title;
  }
}

/** Calls a function at most once in so many milliseconds, the last time with what came last. */
export function throttled(milliseconds: number, call: () => void): () => void {
  let timer = 0;
  let last = -Infinity;
  return () => {
    if (timer) return;
    const wait = Math.max(0, last + milliseconds - performance.now());
    timer = window.setTimeout(() => {
      timer = 0;
      last = performance.now();
      call();
    }, wait);
  };
}

/** Calls a function before the next picture, once for any number of calls. */
export function onceAFrame(call: () => void): () => void {
  let requested = false;
  return () => {
    if (requested) return;
    requested = true;
    requestAnimationFrame(() => {
      requested = false;
      call();
    });
  };
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['checkbox', 'range', 'radio', 'button'].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
}
