// A game as an animated GIF, written here: one frame for each move, of which only what changed is stored.

/** The color that lets the frame before show through. */
const CLEAR = 255;

export class Gif {
  private readonly bytes: number[] = [];
  private readonly palette: number[] = [];
  private readonly known = new Map<number, number>();
  private before: Uint8Array | undefined;
  private readonly frames: { pixels: Uint8Array; hundredths: number }[] = [];

  constructor(private readonly size: number) {}

  /** Adds a picture that is shown for so many hundredths of a second. */
  add({ data }: ImageData, hundredths: number): void {
    const pixels = new Uint8Array(this.size * this.size);
    for (let index = 0; index < pixels.length; index++) {
      const at = index * 4;
      // Nearly equal shades are one color, so that the edges of pieces do not use up the palette.
      pixels[index] = this.color(data[at]! & 0xfc, data[at + 1]! & 0xfc, data[at + 2]! & 0xfc);
    }
    const { before } = this;
    this.frames.push({
      pixels: before ? pixels.map((color, at) => (color === before[at] ? CLEAR : color)) : pixels,
      hundredths,
    });
    this.before = pixels;
  }

  /** The whole file. */
  finish(): Blob {
    const { size } = this;
    this.text("GIF89a");
    this.words(size, size);
    this.bytes.push(0xf7, 0, 0);
    for (let color = 0; color < 256; color++) {
      const rgb = this.palette[color] ?? 0;
      this.bytes.push((rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255);
    }
    // Repeat for ever.
    this.bytes.push(0x21, 0xff, 11);
    this.text("NETSCAPE2.0");
    this.bytes.push(3, 1, 0, 0, 0);
    for (const { pixels, hundredths } of this.frames) {
      this.bytes.push(0x21, 0xf9, 4, 0b101);
      this.words(hundredths);
      this.bytes.push(CLEAR, 0, 0x2c);
      this.words(0, 0, size, size);
      this.bytes.push(0, 8);
      const packed = compress(pixels);
      for (let at = 0; at < packed.length; at += 255) {
        const block = packed.slice(at, at + 255);
        this.bytes.push(block.length, ...block);
      }
      this.bytes.push(0);
    }
    this.bytes.push(0x3b);
    return new Blob([new Uint8Array(this.bytes)], { type: "image/gif" });
  }

  /** The number of a color; of the nearest one once the palette is full. */
  private color(red: number, green: number, blue: number): number {
    const rgb = (red << 16) | (green << 8) | blue;
    const found = this.known.get(rgb);
    if (found !== undefined) return found;
    const number = this.palette.length < CLEAR ? this.palette.push(rgb) - 1 : this.nearest(red, green, blue);
    this.known.set(rgb, number);
    return number;
  }

  private nearest(red: number, green: number, blue: number): number {
    const far = (rgb: number) =>
      Math.abs((rgb >> 16) - red) + Math.abs(((rgb >> 8) & 255) - green) + Math.abs((rgb & 255) - blue);
    return this.palette.reduce((best, rgb, index) => (far(rgb) < far(this.palette[best]!) ? index : best), 0);
  }

  private text(text: string): void {
    for (const letter of text) this.bytes.push(letter.charCodeAt(0));
  }

  private words(...values: number[]): void {
    for (const value of values) this.bytes.push(value & 255, value >> 8);
  }
}

/** LZW as GIF has it: codes of nine to twelve bits, the lowest bit first. */
function compress(pixels: Uint8Array): number[] {
  const [restart, end] = [256, 257];
  const out: number[] = [];
  let [held, bits] = [0, 0];
  let [table, next, width] = [new Map<number, number>(), 258, 9];
  const write = (code: number) => {
    held |= code << bits;
    for (bits += width; bits >= 8; bits -= 8) {
      out.push(held & 255);
      held >>>= 8;
    }
  };
  write(restart);
  let prefix = pixels[0]!;
  for (let at = 1; at < pixels.length; at++) {
    const key = (prefix << 8) | pixels[at]!;
    const code = table.get(key);
    if (code !== undefined) {
      prefix = code;
      continue;
    }
    write(prefix);
    prefix = pixels[at]!;
    if (next === 4096) {
      write(restart);
      [table, next, width] = [new Map(), 258, 9];
      continue;
    }
    table.set(key, next);
    if (next === 1 << width && width < 12) width++;
    next++;
  }
  write(prefix);
  write(end);
  if (bits > 0) out.push(held & 255);
  return out;
}
