"use strict";
const table = document.getElementById("table");
const rows = [...table.tBodies[0].rows];
const form = document.getElementById("filters");
const words = document.getElementById("words");
const said = document.getElementById("said");

function filter() {
  const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = [...form.querySelectorAll("select")].filter((one) => one.value);
  let shown = 0;
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !(wanted.every((word) => text.includes(word)) && chosen.every((one) => row.dataset[one.name] === one.value));
    shown += !row.hidden;
  }
  document.getElementById("count").textContent = `${shown} of ${rows.length} memories`;
}
form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) { event.preventDefault(); words.focus(); }
});

async function act(deed, id, text) {
  try {
    const done = await fetch("act", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ deed, id, text }) });
    said.textContent = (await done.json()).said;
    if (done.ok) setTimeout(() => location.reload(), 900);
  } catch { said.textContent = "PsychMem no longer listens; run `psychmem report --serve` again."; }
}
function edit(row, button) {
  const box = document.createElement("textarea");
  box.value = row.querySelector(".text").textContent;
  box.setAttribute("aria-label", "New wording");
  button.closest("p").after(box);
  box.focus();
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); act("edit", row.dataset.id, box.value); }
    if (event.key === "Escape") { box.remove(); button.focus(); }
  });
}
document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.id === "undo") act("undo", "", "");
  else if (button.dataset.deed === "edit") edit(button.closest("tr"), button);
  else if (button.dataset.deed) act(button.dataset.deed, button.closest("tr").dataset.id, "");
});
