// Responses may be late and overtake each other. Of several requests only the newest counts.

export class Newest {
  private count = 0;

  /** Begins a request. The returned function tells whether it is still the newest. */
  begin(): () => boolean {
    const own = ++this.count;
    return () => own === this.count;
  }
}
