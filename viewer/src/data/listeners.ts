/** Functions that are called when something changes. */
export class Listeners<T = void> {
  private readonly functions: ((value: T) => void)[] = [];

  add(listener: (value: T) => void): void {
    this.functions.push(listener);
  }

  emit(value: T): void {
    for (const listener of this.functions) listener(value);
  }
}
