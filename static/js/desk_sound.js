/**
 * A short tone when something new waits for the desk, where this device has it switched on. It is made here, so that
 * there is no file to load. A browser lets a page sound only after somebody has touched it.
 */

import { onSwitch } from "./switches.js";

const PITCHES = [660, 880];
const LENGTH = 0.18;
const LOUDNESS = 0.2;

/** @type {?AudioContext} */
let audio = null;
let isOn = false;
let known = waiting();

/** @returns {Set<string>} what waits now, by names that stay the same */
function waiting() {
  const all = [...document.querySelectorAll("[data-waits]")];
  return new Set(all.map((each) => each.getAttribute("data-waits") ?? ""));
}

function wake() {
  if (!isOn) return;
  audio ??= new AudioContext();
  audio.resume();
}

function sound() {
  wake();
  if (!audio) return;
  for (const [place, pitch] of PITCHES.entries()) {
    const begin = audio.currentTime + place * LENGTH;
    const tone = new OscillatorNode(audio, { frequency: pitch });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(LOUDNESS, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + LENGTH);
    tone.connect(volume).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + LENGTH);
  }
}

document.addEventListener("htmx:afterSettle", () => {
  const now = waiting();
  if (isOn && [...now].some((each) => !known.has(each))) sound();
  known = now;
});
for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, wake);

onSwitch("sound", false, (isWanted, isTapped) => {
  isOn = isWanted;
  if (isOn && isTapped) sound(); // so that it is known, and loud enough
});
