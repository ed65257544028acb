// The positions of the rows of a long list: measured for rendered rows, estimated for others.
export class Offsets {
  private keys: readonly string[] = [];
  private places = new Map<string, number>();
  private readonly heights = new Map<string, number>();
  private tops = new Float64Array(1);
  private known = 0; // `tops` are valid up to this index
  private readonly estimate: number;

  constructor(estimate: number) {
    this.estimate = estimate;
  }

  /** Sets the rows in order. The measured height of a key is kept. */
  set(keys: readonly string[]): void {
    if (keys === this.keys) return;
    this.keys = keys;
    this.places = new Map(keys.map((key, index) => [key, index]));
    this.tops = new Float64Array(keys.length + 1);
    this.known = 0;
  }

  /** Returns true if a position changed. */
  measure(key: string, height: number): boolean {
    if (this.heights.get(key) === height) return false;
    this.heights.set(key, height);
    const index = this.places.get(key);
    if (index === undefined) return false;
    this.known = Math.min(this.known, index);
    return true;
  }

  get total(): number {
    return this.top(this.keys.length);
  }

  indexOf(key: string): number | undefined {
    return this.places.get(key);
  }

  keyAt(index: number): string | undefined {
    return this.keys[index];
  }

  /** The position of a row; for the index after the last, the total height. */
  top(index: number): number {
    for (; this.known < index; this.known++) {
      const key = this.keys[this.known] as string;
      this.tops[this.known + 1] = (this.tops[this.known] as number) + (this.heights.get(key) ?? this.estimate);
    }
    return this.tops[index] ?? 0;
  }

  /** The row at a position; the first or last row outside the list. */
  at(place: number): number {
    let low = 0;
    let high = this.keys.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.top(middle) <= place) low = middle;
      else high = middle - 1;
    }
    return Math.max(low, 0);
  }
}
