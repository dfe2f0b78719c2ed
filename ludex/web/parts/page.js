// What every page can call in the browser.
window.lx = {
  // Show the current page in the navigation.
  begin() {
    document.querySelector(".lx-nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
    // Accessibility that Quasar lacks: only options of a list are focusable; its bar has a label.
    new MutationObserver(() => {
      for (const part of document.querySelectorAll("[role=listbox] > [tabindex]:not([role])"))
        part.removeAttribute("tabindex");
      document.querySelector(".q-loading-bar")?.setAttribute("aria-label", "Loading");
    }).observe(document.body, { childList: true });
    setInterval(() => lx.askForKey(), 4000);
  },

  // Let the links of the navigation end with a game and its rules, if their pages are about a game.
  keepInNavigation(end) {
    for (const link of document.querySelectorAll(".lx-nav [data-game]")) link.href = `/${link.pathname.split("/")[1]}${end}`;
  },

  // Go to the heading that the address names, as soon as the text is there.
  goToAnchor(tries = 50) {
    const heading = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (heading) heading.scrollIntoView();
    else if (location.hash && tries) setTimeout(() => lx.goToAnchor(tries - 1), 100);
  },

  // Open the dialog about the keys at "?", unless that is typed; while it is open, no key goes to the page.
  helpPressed(event) {
    const dialog = document.querySelector(".lx-help[open]");
    const field = "input:not([type=checkbox], [type=radio], [readonly]), textarea, [contenteditable=true], .q-dialog";
    if (dialog) event.stopPropagation();
    if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(field)) return;
    event.preventDefault();
    event.stopPropagation();
    if (dialog) dialog.close();
    else lx.showKeys();
  },

  // Show the keys of this page, which its texts of the class lx-keys tell with semicolons between.
  showKeys() {
    const texts = [...document.querySelectorAll(".lx-keys")].map((one) => one.textContent);
    if (!texts.length) texts.push("This page has no keys of its own");
    texts.push("Tab and Enter work everywhere; ? opens and Escape closes this list");
    const dialog = document.createElement("dialog");
    dialog.className = "lx-help";
    dialog.tabIndex = -1; // a click into it keeps the focus inside
    dialog.setAttribute("aria-labelledby", "lx-help-title");
    dialog.innerHTML = '<h2 id="lx-help-title">Keys</h2><ul></ul><button type="button" autofocus>Close</button>';
    for (const words of texts.flatMap((text) => text.replace(/^Keys: /, "").replace(/\.$/, "").split("; "))) {
      const item = document.createElement("li");
      item.textContent = words;
      dialog.querySelector("ul").append(item);
    }
    dialog.addEventListener("click", (event) => event.target.closest(".lx-help > *") || dialog.close());
    dialog.querySelector("button").addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  },

  // A server that was restarted with another key refuses the connection: its key page says so.
  async askForKey() {
    if (document.getElementById("popup")?.ariaHidden !== "false") return;
    const answer = await fetch("/health", { cache: "no-store" }).catch(() => null);
    if (answer?.status === 401) location.reload();
  },

  // Give a field back what this browser has kept of it (data-remember), unless the visitor has edited it.
  recall(id) {
    const field = getHtmlElement(id).querySelector("[data-remember]");
    const kept = localStorage.getItem(field.dataset.remember) || "";
    if (field.type === "checkbox") field.checked = kept === "1";
    else if (kept && !field.value) {
      field.value = kept;
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }
  },

  // The keys of the last matches in which this browser has a seat, as [match, key] each, the latest first.
  seats() {
    return JSON.parse(localStorage.getItem("lx-seats") ?? "[]");
  },
  rememberSeat(match, key) {
    const others = lx.seats().filter(([one]) => one !== match);
    localStorage.setItem("lx-seats", JSON.stringify([[match, key], ...others].slice(0, 20)));
  },
  seatKey(match) {
    return lx.seats().find(([one]) => one === match)?.[1];
  },

  // Let elements that are marked so keep their greatest height: what is below them stays in place.
  keepHeights() {
    const seen = new WeakSet();
    const sizes = new ResizeObserver((changes) => {
      for (const { target } of changes) target.style.minHeight = `${target.getBoundingClientRect().height}px`;
    });
    new MutationObserver(() => {
      for (const box of document.getElementsByClassName("lx-steady")) {
        if (!seen.has(box)) sizes.observe(box);
        seen.add(box);
      }
    }).observe(document, { childList: true, subtree: true });
  },

  // Be dark from the first moment if that is wanted: Quasar knows the colours once all scripts are there.
  beginDark() {
    const chosen = localStorage.getItem("lx-dark");
    const dark = chosen === null ? matchMedia("(prefers-color-scheme: dark)").matches : chosen === "1";
    document.documentElement.classList.toggle("lx-night", dark);
    if (chosen !== null) addEventListener("DOMContentLoaded", () => Quasar.Dark.set(dark));
  },
  toggleDark() {
    const on = !Quasar.Dark.isActive;
    Quasar.Dark.set(on);
    localStorage.setItem("lx-dark", on ? "1" : "0");
  },

  // Celebrate the end of a match: the winner's plate glows, and there is confetti for a person who won.
  celebrate(id, seats, confetti) {
    const board = getHtmlElement(id);
    for (const seat of seats)
      for (const part of board.querySelectorAll(`[data-id="seat-${seat + 1}"], [data-id="seat-${seat + 1}-icon"]`))
        part.classList.add("lx-winner");
    if (!confetti || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const rain = document.createElement("div"), colours = ["#f2b21b", "#2e6fd0", "#d9443f", "#2f9e5b", "#14a0b8"];
    rain.className = "lx-confetti";
    rain.setAttribute("aria-hidden", "true");
    for (let number = 0; number < 70; number++) {
      const piece = document.createElement("i"), any = (low, high) => low + Math.random() * (high - low);
      const look = { x: `${any(0, 100)}%`, c: colours[number % 5], t: `${any(1.6, 3.2)}s`, wait: `${any(0, 0.7)}s`, drift: `${any(-4, 4)}rem`, spin: `${any(-720, 720)}deg` };
      for (const name in look) piece.style.setProperty(`--${name}`, look[name]);
      rain.append(piece);
    }
    board.append(rain);
    setTimeout(() => rain.remove(), 4200);
  },

  // Return the numbers in a data attribute of what was clicked, or of what contains it.
  clicked(event, name) {
    const found = event.target.closest(`[data-${name}]`);
    return found && found.dataset[name].split(" ").map(Number);
  },

  // Keep the text of an editor and its file name in this browser, once the name of the draft is known.
  keepDraft(editor, field) {
    const text = getElement(editor).editor?.state.doc.toString();
    const name = getHtmlElement(field).value;
    lx.typed = true;
    if (lx.draft && text !== undefined) localStorage.setItem(lx.draft, JSON.stringify([text, name]));
  },

  // Return the draft of a name. What was typed before this replaces it, and must not be replaced itself.
  openDraft(draft, editor, field) {
    lx.draft = draft;
    if (!lx.typed) return localStorage.getItem(draft);
    lx.keepDraft(editor, field);
    return null;
  },

  // Return whether a key press means to save and try.
  savePressed(event) {
    const pressed = (event.ctrlKey || event.metaKey) && (event.key === "s" || event.key === "Enter");
    if (pressed) event.preventDefault(), event.stopPropagation();
    return pressed;
  },

  // The clipboard needs https or localhost; otherwise a temporary text area is copied.
  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const field = document.createElement("textarea");
      field.value = text;
      document.body.append(field);
      field.select();
      const done = document.execCommand("copy");
      field.remove();
      return done;
    }
  },

  // The browser's history of the positions that one page shows, numbered by steps. What the browser
  // does is emitted as [step, position]; what the page itself does is not.
  startHistory(position) {
    const here = () => new URLSearchParams(location.search).get("position") ?? "";
    this.target = null; // the step to which the browser is on its way
    this.numberHistory(0);
    addEventListener("popstate", () => {
      if (!history.state) return this.numberHistory(this.step); // a link to a part of the page
      this.step = history.state.step;
      if (this.target === null) emitEvent("history", [this.step, here()]);
      else if (this.target !== this.step) history.go(this.target - this.step);
      else this.target = null;
    });
    if (here() !== position) emitEvent("history", [0, here()]); // the visitor has gone on meanwhile
  },
  numberHistory(step) {
    this.step = step;
    history.replaceState({ step }, "");
  },
  pushHistory(step, address) {
    this.step = step;
    history.pushState({ step }, "", address);
  },
  goInHistory(step) {
    if (this.target === null) history.go(step - this.step);
    this.target = step;
  },

  // The list of moves may be about to be redrawn, so this waits for the next animation frame.
  markMove(id, ply) {
    requestAnimationFrame(() => {
      const list = getHtmlElement(id);
      list?.querySelector("[aria-current]")?.removeAttribute("aria-current");
      const row = list?.querySelector(`[data-ply="${ply}"]`);
      row?.setAttribute("aria-current", "true");
      if (row) list.scrollTop = row.offsetTop - list.clientHeight / 2;
    });
  },

  // Scroll to the root of a tree if it is outside of its box; it may be about to be drawn.
  showRoot(id) {
    requestAnimationFrame(() => {
      const box = getHtmlElement(id), root = box?.querySelector("#node")?.getBoundingClientRect();
      if (!root) return;
      const place = (root.left + root.right) / 2 - box.getBoundingClientRect().left + box.scrollLeft;
      box.scrollTop = 0;
      box.scrollLeft = place < 0.9 * box.clientWidth ? 0 : place - box.clientWidth / 2;
    });
  },

  // Zoom around the centre: by a factor, to the width of the box (null), or to the original size (0).
  zoom(id, factor) {
    const box = getHtmlElement(id), svg = box.querySelector("svg");
    if (!svg) return;
    const x = (box.scrollLeft + box.clientWidth / 2) / box.scrollWidth;
    const y = (box.scrollTop + box.clientHeight / 2) / box.scrollHeight;
    const width = factor || svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
    svg.style.width = factor === null ? "100%" : svg.getBoundingClientRect().width * width + "px";
    box.scrollLeft = x * box.scrollWidth - box.clientWidth / 2;
    box.scrollTop = factor === null ? 0 : y * box.scrollHeight - box.clientHeight / 2;
  },
};

lx.beginDark();
lx.keepHeights();
// What a person may do before the page is connected is heard from the start, before the board hears it.
addEventListener("keydown", (event) => lx.helpPressed(event), true);
// Fields with data-remember are kept in this browser from the first change on.
addEventListener(
  "change",
  ({ target }) => {
    const name = target.dataset?.remember;
    if (name) localStorage.setItem(name, target.type === "checkbox" ? Number(target.checked) : target.value);
  },
  true,
);
