"use strict";
const byId = (id) => document.getElementById(id);
const table = byId("table"), words = byId("words"), said = byId("said"), filters = byId("filters");
const rows = [...table.tBodies[0].rows];
const items = [...document.querySelectorAll(".inbox > li")];
const selects = [...document.querySelectorAll("select")], place = filters.querySelector("select");
const answers = new Map();  // the place of each row in the answer of the store, when this page can ask it

/* Tabs: one part of the page at a time, by its address, so that it outlives a reload and the browser's own keys work. */
const tabs = [...document.querySelectorAll("nav a")];
function open() {
  const wanted = tabs.find((one) => location.hash.startsWith(one.hash)) ?? tabs[0];
  for (const one of tabs) {
    byId(one.hash.slice(1)).hidden = one !== wanted;
    if (one === wanted) one.setAttribute("aria-current", "page"); else one.removeAttribute("aria-current");
  }
}
addEventListener("hashchange", () => { open(); byId(`${location.hash.slice(1)}-title`)?.focus(); });
open();

function filter() {
  const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (one) => wanted.every((word) => one.textContent.toLowerCase().includes(word));
  const here = (one) => !place.value || one.dataset.where === place.value;
  const chosen = selects.filter((one) => one.value);
  let shown = 0;
  for (const row of rows) {
    row.hidden = !((fits(row) || answers.has(row.dataset.id)) && chosen.every((one) => row.dataset[one.name] === one.value));
    shown += !row.hidden;
  }
  for (const one of items) one.hidden = !(fits(one) && here(one));
  byId("count").textContent = `${shown} of ${rows.length} memories`;
}
document.addEventListener("input", (event) => { if (event.target.closest("form")) filter(); });

let asking = 0;
/* What was said in an earlier conversation, and by whom; text alone, whatever stands in it. */
function exchange(one) {
  const item = document.createElement("p");
  item.textContent = `${one.at.slice(0, 10)}, you: ${one.typed}\nagent: ${one.answer}`;
  item.style.whiteSpace = "pre-line";
  return item;
}
async function send(path, body) {
  try {
    return await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  } catch { said.textContent = "PsychMem no longer listens; run `psychmem report --serve` again."; }
}
async function ask() {
  const question = words.value.trim();
  const found = question && await send("search", { words: question });
  const { ids, earlier } = found?.ok ? await found.json() : { ids: [], earlier: [] };
  if (question !== words.value.trim()) return;  // somebody typed on
  byId("earlier").replaceChildren(...(earlier.length ? ["Earlier conversations (said then, may be outdated):"] : []), ...earlier.map(exchange));
  answers.clear();
  ids.forEach((id, rank) => answers.set(id, rank));
  const at = (row) => answers.get(row.dataset.id) ?? ids.length;
  const focused = document.activeElement;  // a row that moves loses it, and somebody may be editing in one
  table.tBodies[0].append(...[...rows].sort((one, other) => at(one) - at(other)));
  focused.focus({ preventScroll: true });
  filter();
}
if ("asks" in filters.dataset) words.addEventListener("input", () => { clearTimeout(asking); asking = setTimeout(ask, 300); });
document.addEventListener("submit", (event) => event.preventDefault());
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
  try { sessionStorage.setItem(KEPT, JSON.stringify({ fields: [words, ...selects].map((one) => one.value), at: scrollY })); } catch { /* no storage for files */ }
}
try {
  const kept = JSON.parse(sessionStorage.getItem(KEPT));
  sessionStorage.removeItem(KEPT);
  if (kept) {
    [words, ...selects].forEach((one, rank) => { one.value = kept.fields[rank] ?? ""; });
    filter();
    scrollTo(0, kept.at);
  }
} catch { /* the same */ }

async function act(deed, id, text) {
  const done = await send("act", { deed, id, text });
  if (!done) return;
  said.textContent = (await done.json()).said;
  if (done.ok) setTimeout(() => { keep(); location.reload(); }, 900);
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
  const done = () => act("edit", row.dataset.id, box.value);
  save.addEventListener("click", done);
  cancel.addEventListener("click", close);
  button.disabled = true;
  button.closest("p").after(box, save, " ", cancel);
  box.focus();
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); done(); }
    if (event.key === "Escape") close();
  });
}
function choose(which) {
  for (const one of items) {
    const meant = !one.hidden && (which === "all" || Number(one.dataset.days) > 30);
    one.querySelector("input").checked = meant;
  }
}
document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const { column, choose: which, many, act: deed } = button.dataset;
  const chosen = items.filter((one) => one.querySelector("input")?.checked).map((one) => one.dataset.id);
  if (column) sortBy(button);
  else if (which) choose(which);
  else if (many && !chosen.length) said.textContent = "Nothing is chosen.";
  else if (many) act(many, chosen.join(" "), "");
  else if (button.id === "undo") act("undo", "", "");
  else if (deed === "edit") edit(button.closest("tr"), button);
  else if (deed) act(deed, button.closest("[data-id]").dataset.id, "");
});
