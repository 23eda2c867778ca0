// What the page remembers. A page from a disk or in a notebook may have no storage; then it forgets.

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(`lissom.${key}`);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(`lissom.${key}`, value);
  } catch {
    // Nothing depends on it.
  }
}
