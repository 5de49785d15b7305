"use strict";
const table = document.getElementById("table");
const rows = [...table.tBodies[0].rows];
const form = document.getElementById("filters");
const words = document.getElementById("words");
const said = document.getElementById("said");
const answers = new Map();  // the place of each row in the answer of the store, when this page can ask it

function filter() {
  const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = [...form.querySelectorAll("select")].filter((one) => one.value);
  let shown = 0;
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    const meant = wanted.every((word) => text.includes(word)) || answers.has(row.dataset.id);
    row.hidden = !(meant && chosen.every((one) => row.dataset[one.name] === one.value));
    shown += !row.hidden;
  }
  document.getElementById("count").textContent = `${shown} of ${rows.length} memories`;
}
form.addEventListener("input", filter);
let asking = 0;
/* What was said in an earlier conversation, and by whom; text alone, whatever stands in it. */
function exchange(one) {
  const item = document.createElement("p");
  item.textContent = `${one.at.slice(0, 10)}, you: ${one.typed}\nagent: ${one.answer}`;
  item.style.whiteSpace = "pre-line";
  return item;
}
async function ask() {
  const question = words.value.trim();
  let ids = [], earlier = [];
  if (question) {
    try {
      const found = await fetch("search", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ words: question }) });
      if (found.ok) ({ ids, earlier } = await found.json());
    } catch { said.textContent = "PsychMem no longer listens; run `psychmem report --serve` again."; }
  }
  if (question !== words.value.trim()) return;  // somebody typed on
  document.getElementById("earlier").replaceChildren(...(earlier.length ? ["Earlier conversations (said then, may be outdated):"] : []), ...earlier.map(exchange));
  answers.clear();
  ids.forEach((id, place) => answers.set(id, place));
  const at = (row) => answers.get(row.dataset.id) ?? ids.length;
  table.tBodies[0].append(...[...rows].sort((one, other) => at(one) - at(other)));
  filter();
}
if ("asks" in form.dataset) words.addEventListener("input", () => { clearTimeout(asking); asking = setTimeout(ask, 300); });
form.addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) { event.preventDefault(); words.focus(); }
});

function sortBy(button) {
  const head = button.closest("th"), column = Number(button.dataset.column), down = head.getAttribute("aria-sort") === "ascending";
  for (const one of head.parentElement.cells) one.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const value = (row) => row.cells[column].dataset.sort ?? row.cells[column].textContent.trim().toLowerCase();
  const compared = (one, other) => value(one).localeCompare(value(other), undefined, { numeric: true });
  table.tBodies[0].append(...[...rows].sort((one, other) => (down ? compared(other, one) : compared(one, other))));
}

/* What was chosen outlives the reload after a deed. */
const KEPT = "psychmem-report";
function keep() {
  const fields = [...form.elements].map((one) => one.value);
  try { sessionStorage.setItem(KEPT, JSON.stringify({ fields, at: scrollY })); } catch { /* no storage for files */ }
}
function restore() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT));
    sessionStorage.removeItem(KEPT);
    if (!kept) return;
    [...form.elements].forEach((one, place) => { one.value = kept.fields[place] ?? ""; });
    filter();
    scrollTo(0, kept.at);
  } catch { /* the same */ }
}
restore();

async function act(deed, id, text) {
  try {
    const done = await fetch("act", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ deed, id, text }) });
    said.textContent = (await done.json()).said;
    if (done.ok) setTimeout(() => { keep(); location.reload(); }, 900);
  } catch { said.textContent = "PsychMem no longer listens; run `psychmem report --serve` again."; }
}
function edit(row, button) {
  const box = document.createElement("textarea");
  box.value = row.querySelector(".text").textContent;
  box.setAttribute("aria-label", "New wording");
  box.title = "Enter saves, Escape leaves it as it was";
  const save = document.createElement("button"), cancel = document.createElement("button");
  [save.textContent, cancel.textContent] = ["Save", "Cancel"];
  save.type = cancel.type = "button";
  const close = () => { box.remove(); save.remove(); cancel.remove(); button.disabled = false; button.focus(); };
  save.addEventListener("click", () => act("edit", row.dataset.id, box.value));
  cancel.addEventListener("click", close);
  button.disabled = true;
  button.closest("p").after(box, save, " ", cancel);
  box.focus();
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); act("edit", row.dataset.id, box.value); }
    if (event.key === "Escape") close();
  });
}
document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.column) sortBy(button);
  else if (button.id === "undo") act("undo", "", "");
  else if (button.dataset.deed === "edit") edit(button.closest("tr"), button);
  else if (button.dataset.deed) act(button.dataset.deed, button.closest("[data-id]").dataset.id, "");
});
