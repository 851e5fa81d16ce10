/**
 * Plays a short tone when something new waits for the desk, if this device has it switched on. The tone is synthesized.
 * Browsers play sound only after the page was touched.
 */

import { setUpSwitch } from "./switches.js";

const PITCHES = [660, 880];
const TONE_DURATION = 0.18;
const VOLUME = 0.2;

/** @type {?AudioContext} */
let audio = null;
let isEnabled = false;
let knownItems = listWaitingItems();

/** @returns {Set<string>} the stable names of the waiting items */
function listWaitingItems() {
  const all = [...document.querySelectorAll("[data-waits]")];
  return new Set(all.map((each) => each.getAttribute("data-waits") ?? ""));
}

function resumeAudio() {
  if (!isEnabled) return;
  audio ??= new AudioContext();
  audio.resume();
}

function playTones() {
  resumeAudio();
  if (!audio) return;
  for (const [place, pitch] of PITCHES.entries()) {
    const begin = audio.currentTime + place * TONE_DURATION;
    const tone = new OscillatorNode(audio, { frequency: pitch });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(VOLUME, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + TONE_DURATION);
    tone.connect(volume).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + TONE_DURATION);
  }
}

document.addEventListener("htmx:afterSettle", () => {
  const now = listWaitingItems();
  if (isEnabled && [...now].some((each) => !knownItems.has(each))) playTones();
  knownItems = now;
});
for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, resumeAudio);

setUpSwitch("sound", false, (isWanted, isTapped) => {
  isEnabled = isWanted;
  if (isEnabled && isTapped) playTones(); // as a sample
});
