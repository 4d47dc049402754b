// Answers may come late and overtake each other. Of what was asked in one place, only the newest counts.

export class Newest {
  private count = 0;

  /** Begins something. The answer tells whether it is still the newest. */
  begin(): () => boolean {
    const own = ++this.count;
    return () => own === this.count;
  }
}
