/** What a device of the desk is set to: a button that stays pressed, remembered as long as the device remembers. */

/**
 * @param {string} name of `data-switch` @param {boolean} atFirst
 * @param {(isOn: boolean, isTapped: boolean) => void} set called now, and after each tap
 */
export function onSwitch(name, atFirst, set) {
  const button = document.querySelector(`[data-switch="${name}"]`);
  if (!button) return;
  const key = `desk ${name}`;
  let isOn = atFirst;
  try {
    isOn = JSON.parse(localStorage.getItem(key) ?? String(atFirst)) === true;
  } catch { /* a device without storage begins as all do */ }
  const show = (/** @type {boolean} */ isTapped) => {
    button.setAttribute("aria-pressed", String(isOn));
    set(isOn, isTapped);
  };
  button.addEventListener("click", () => {
    isOn = !isOn;
    try {
      localStorage.setItem(key, String(isOn));
    } catch { /* the switch then lasts as long as the page */ }
    show(true);
  });
  show(false);
}
