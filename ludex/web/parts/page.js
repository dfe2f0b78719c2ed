// What every page can call in the browser.
window.lx = {
  // Apply the stored choice of light or dark, and show the current page in the navigation.
  begin() {
    const dark = localStorage.getItem("lx-dark");
    if (dark !== null) Quasar.Dark.set(dark === "1");
    document.querySelector(".lx-nav [aria-current]")?.scrollIntoView({ block: "nearest" });
    // Accessibility that Quasar lacks: only options of a list are focusable; its bar has a label.
    new MutationObserver(() => {
      for (const part of document.querySelectorAll("[role=listbox] > [tabindex]:not([role])"))
        part.removeAttribute("tabindex");
      document.querySelector(".q-loading-bar")?.setAttribute("aria-label", "Loading");
    }).observe(document.body, { childList: true });
  },

  // A box whose state this browser remembers.
  remember(id, name) {
    const box = getHtmlElement(id).querySelector("input");
    box.checked = localStorage.getItem(name) === "1";
    box.addEventListener("change", () => localStorage.setItem(name, box.checked ? "1" : "0"));
  },

  // A text field that this browser fills in again.
  rememberText(id, name) {
    const field = getHtmlElement(id).querySelector("input");
    field.value = localStorage.getItem(name) || "";
    field.addEventListener("change", () => localStorage.setItem(name, field.value));
    if (field.value) field.dispatchEvent(new Event("change", { bubbles: true }));
  },

  toggleDark() {
    const on = !Quasar.Dark.isActive;
    Quasar.Dark.set(on);
    localStorage.setItem("lx-dark", on ? "1" : "0");
  },

  // Return the numbers in a data attribute of what was clicked, or of what contains it.
  clicked(event, name) {
    const found = event.target.closest(`[data-${name}]`);
    return found && found.dataset[name].split(" ").map(Number);
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

  // Zoom around the centre: by a factor, to the width of the box (null), or to full size (0).
  zoom(id, factor) {
    const box = getHtmlElement(id), svg = box.querySelector("svg");
    if (!svg) return;
    const x = (box.scrollLeft + box.clientWidth / 2) / box.scrollWidth;
    const y = (box.scrollTop + box.clientHeight / 2) / box.scrollHeight;
    const width = factor || svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
    svg.style.width = factor === null ? "" : svg.getBoundingClientRect().width * width + "px";
    svg.style.maxWidth = factor === null ? "" : "none";
    box.scrollLeft = x * box.scrollWidth - box.clientWidth / 2;
    box.scrollTop = factor === null ? 0 : y * box.scrollHeight - box.clientHeight / 2;
  },
};
