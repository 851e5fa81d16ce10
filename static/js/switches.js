/** Sets up a switch of the desk: a button that stays pressed, remembered on the device. */

/**
 * @param {string} name of `data-switch` @param {boolean} isOnByDefault
 * @param {(isOn: boolean, isTapped: boolean) => void} onChange called now and after each tap
 */
export function setUpSwitch(name, isOnByDefault, onChange) {
  const button = document.querySelector(`[data-switch="${name}"]`);
  if (!button) return;
  const key = `desk ${name}`;
  let isOn = isOnByDefault;
  try {
    isOn = JSON.parse(localStorage.getItem(key) ?? String(isOnByDefault)) === true;
  } catch { /* a device without storage has the default */ }
  const update = (/** @type {boolean} */ isTapped) => {
    button.setAttribute("aria-pressed", String(isOn));
    onChange(isOn, isTapped);
  };
  button.addEventListener("click", () => {
    isOn = !isOn;
    try {
      localStorage.setItem(key, String(isOn));
    } catch { /* without storage the switch lasts as long as the page */ }
    update(true);
  });
  update(false);
}
