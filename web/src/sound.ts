// Sounds: short damped tones that are computed, so that no recording has to be loaded.

import { settings } from "./settings";

export type Sound = "move" | "capture" | "check" | "end" | "alarm";

/** Each sound as tones: frequency, start and length in seconds, loudness. */
const TONES: Record<Sound, [frequency: number, start: number, length: number, loudness: number][]> = {
  move: [[240, 0, 0.07, 0.5]],
  capture: [
    [180, 0, 0.09, 0.6],
    [420, 0.01, 0.05, 0.3],
  ],
  check: [
    [520, 0, 0.09, 0.35],
    [660, 0.09, 0.12, 0.35],
  ],
  end: [
    [392, 0, 0.16, 0.35],
    [523, 0.15, 0.16, 0.35],
    [659, 0.3, 0.3, 0.35],
  ],
  alarm: [[880, 0, 0.12, 0.3]],
};

let context: AudioContext | undefined;

/** Plays a sound, if the settings and the browser allow it. */
export function play(sound: Sound): void {
  // A browser plays no sound before the first click.
  if (settings.volume === 0 || !navigator.userActivation?.hasBeenActive) return;
  try {
    context ??= new AudioContext();
    schedule(context, sound);
  } catch {
    // No sound device, too many contexts, no such thing in this browser: the game goes on in silence.
  }
}

function schedule(context: AudioContext, sound: Sound): void {
  for (const [frequency, start, length, loudness] of TONES[sound]) {
    const begin = context.currentTime + start;
    const tone = new OscillatorNode(context, { type: "triangle", frequency });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(loudness * 0.006 * settings.volume, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + length);
    tone.connect(volume).connect(context.destination);
    tone.start(begin);
    tone.stop(begin + length);
  }
}

/** The sound that fits a move as written: `x` takes, `+` checks, `#` ends. */
export function playMove(san: string): void {
  play(san.includes("#") ? "end" : san.includes("+") ? "check" : san.includes("x") ? "capture" : "move");
}
