/** At the door one name follows another: what was looked for last gives way to what is typed next. */

document.addEventListener("focusin", (event) => {
  if (event.target.id === "id_search") event.target.select();
});
