// A board of named shapes, animated from one scene to the next. It emits what was chosen, and knows
// no game.
const SVG = "http://www.w3.org/2000/svg";
const ICONS = new Set(["icon", "person", "burst", "crown", "die"]);
const WRITING = new Set(["text", "bold", "mono"]);
const SIGNS = {
  " ": "space", ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Enter: "⏎",
};
const LONG = 900; // milliseconds of an animation that somebody may want to skip
const FORCED = 350; // milliseconds before the only move is made
const THUMB = 36, LARGER = [1.5, 2]; // pixels of a target in an enlarged board, and its least and largest scale
const HELD = 400; // milliseconds of a press by a finger that shows a move, and does not play it
const REACH = 22; // pixels from the middle of a target within which a finger means it
const NOTHING = [];
let boards = 0; // so far on this page, for ids
const calm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

function made(tag, attributes = {}) {
  const element = document.createElementNS(SVG, tag);
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  return element;
}

// Turn a drawing into another: attributes change in place, so that transitions are smooth.
function morph(before, after) {
  if (before.tagName !== after.tagName || before.children.length !== after.children.length) {
    before.replaceWith(after);
    return;
  }
  for (const { name } of [...before.attributes]) if (!after.hasAttribute(name)) before.removeAttribute(name);
  for (const { name, value } of after.attributes)
    if (before.getAttribute(name) !== value) before.setAttribute(name, value);
  if (!before.children.length && before.textContent !== after.textContent) before.textContent = after.textContent;
  [...before.children].forEach((child, number) => morph(child, after.children[number]));
}

// Return how much of a box another one covers.
function overlap(one, other) {
  const wide = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const tall = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, wide) * Math.max(0, tall);
}

function around([x, y], far) {
  return { x: x - far, y: y - far, width: 2 * far, height: 2 * far };
}

function typing(event) {
  const where = event.target;
  return (
    where.closest?.(".q-dialog, .q-menu, .q-field, .q-slider, .q-expansion-item__container, .q-tab") ||
    ["INPUT", "TEXTAREA", "SELECT"].includes(where.tagName) ||
    event.ctrlKey || event.metaKey || event.altKey
  );
}

// The number of a move, as in the console: it is the same in every position.
const numberOf = (offer) => String(offer[1] + 1);

export default {
  template: `<div><div ref="view" class="lx-view"><svg ref="svg" class="lx-svg" preserveAspectRatio="xMidYMid meet" role="group"
    :aria-label="label"><mask ref="mask" maskUnits="userSpaceOnUse"></mask><g ref="shapes"></g><g ref="tints" class="lx-worths"></g><g ref="line" class="lx-line" aria-hidden="true"></g>
    <g ref="worths" class="lx-worths"></g><g ref="above" class="lx-above"></g>
    <rect ref="ring" class="lx-ring" rx="8" style="display:none"/></svg></div>
    <p class="lx-again" role="status">{{ again }}</p>
    <button v-if="keyboard" type="button" class="lx-size" @click="toggleSize">{{ scale ? "Whole board" : "Larger" }}</button>
    <p v-if="skippable && !again" class="lx-again" aria-hidden="true">{{ skip }}</p></div>`,
  data: () => ({ again: "", skippable: false, skip: "", scale: 0 }),
  props: { first: Object, label: String, keyboard: Boolean, list: String },
  mounted() {
    this.parts = new Map();
    this.queue = [];
    this.offers = [];
    this.worths = [];
    this.marks = [];
    this.ply = 0;
    this.enlarge((this.keyboard && Number(localStorage.getItem(this.sizeKey()))) || 0);
    this.apply(this.first, true);
    this.scrollToMiddle();
    const svg = this.$refs.svg;
    svg.addEventListener("click", (event) => this.clicked(event));
    svg.addEventListener("pointerdown", (event) => {
      this.press(event, () => this.offer(this.part(event.target)) ? this.part(event.target) : this.nearest(event.clientX, event.clientY));
    });
    svg.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") this.point(this.part(event.target));
    });
    svg.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse") this.point(null); // touch leaves after every tap
    });
    svg.addEventListener("focusin", (event) => this.focused(event.target));
    svg.addEventListener("focusout", () => (this.$refs.ring.style.display = "none"));
    this.lift = () => clearTimeout(this.pressing);
    for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, this.lift);
    this.forcedChange = ({ target }) => target.dataset?.remember === "lx-forced" && this.playForced();
    document.addEventListener("change", this.forcedChange);
    if (this.keyboard) document.addEventListener("keydown", (this.keys = (event) => this.key(event)));
  },
  unmounted() {
    clearTimeout(this.timer);
    for (const name of ["pointerup", "pointercancel"]) document.removeEventListener(name, this.lift);
    document.removeEventListener("change", this.forcedChange);
    if (this.keys) document.removeEventListener("keydown", this.keys);
  },
  methods: {
    // Offers can be chosen by keys at once; the shapes and the list of moves wait for the animation.
    push(...frames) {
      const last = frames.at(-1);
      this.queue.push(...frames);
      this.offers = last.offers;
      this.worths = [];
      this.marks = [];
      this.ply = last.ply;
      this.arm(null);
      this.fresh = last.pace > 0;
      if (calm() || document.hidden) return this.finish();
      this.skip = matchMedia("(hover: none)").matches ? "Tap to skip" : "Click to skip";
      this.skippable = this.queue.reduce((sum, frame) => sum + (frame.pace ?? 450), 0) > LONG;
      if (this.timer) this.mark();
      else this.next();
    },
    next() {
      const frame = this.queue.shift();
      this.timer = null;
      if (!frame) return this.settle();
      const pace = Math.min(frame.pace ?? 450, 2400 / (this.queue.length + 1));
      this.apply(frame, false, pace);
      this.tellPly(frame);
      this.timer = setTimeout(() => this.next(), pace);
    },
    // Tell once that the transition to a ply begins, and once that the ply itself is shown.
    tellPly({ ply, pace, through }) {
      const told = `${ply} ${!through}`;
      if (pace > 0 && told !== this.told) this.$emit("shows", [ply, through ? 0 : 1]);
      this.told = told;
    },
    // Skip to the end of all queued frames.
    finish() {
      const moving = this.timer;
      clearTimeout(this.timer);
      this.timer = null;
      if (!this.queue.length) return moving && this.settle();
      const svg = this.$refs.svg;
      svg.classList.add("lx-now");
      while (this.queue.length) this.apply(this.queue.shift(), true);
      svg.getBoundingClientRect();
      svg.classList.remove("lx-now");
      this.settle();
    },
    // Tell that nothing moves any more, and make a move that is the only one, if the position is new.
    settle() {
      this.skippable = false;
      this.$emit("settled", [this.ply]);
      if (this.fresh) this.playForced();
    },
    // Make a move that is the only one, if that is wanted on a page that has the box for it.
    playForced() {
      const only = this.offers.filter(([seat]) => this.offers.filter((one) => one[0] === seat).length === 1);
      const wanted = document.querySelector("[data-remember=lx-forced]") && localStorage.getItem("lx-forced") === "1";
      if (!only.length || this.queue.length || !wanted) return;
      this.fresh = false;
      const ply = this.ply;
      setTimeout(() => this.ply === ply && this.offers.includes(only[0]) && this.choose(only[0]), FORCED);
    },
    loop(frames, pace) {
      if (calm() || !frames.length) return;
      let number = 0;
      const step = () => {
        if (!document.hidden) this.apply(frames[number++ % frames.length], false);
        this.timer = setTimeout(step, pace);
      };
      this.timer = setTimeout(step, pace);
    },
    apply(frame, at_once, pace = 0) {
      const svg = this.$refs.svg, root = this.$refs.shapes;
      // Transitions are linear; the last step eases out.
      svg.style.setProperty("--lx-pace", frame.through ? `${pace}ms` : "");
      svg.style.setProperty("--lx-ease", frame.through ? "linear" : "");
      svg.setAttribute("viewBox", `0 0 ${frame.size[0]} ${frame.size[1]}`);
      svg.style.setProperty("--ratio", frame.size[0] / frame.size[1]);
      this.overlay([]);
      for (const shape of frame.shapes) this.place(shape, at_once, frame.through ? pace : 480);
      if (frame.order) {
        const wanted = new Set(frame.order);
        for (const [id, part] of this.parts) if (!wanted.has(id)) this.vanish(id, part);
        let last = null;
        for (const id of frame.order) {
          const group = this.parts.get(id)?.group;
          if (!group) continue;
          const next = last ? last.nextSibling : root.firstChild;
          if (next !== group) root.insertBefore(group, next);
          last = group;
        }
      }
      if (!this.queue.length) {
        this.offers = frame.offers;
        this.ply = frame.ply;
        this.asks = frame.asks;
      }
      this.mark();
    },
    place([id, kind, x, y, angle, opacity, drawing, title, action, seat], at_once, pace) {
      let part = this.parts.get(id);
      const fresh = !part;
      if (fresh) {
        part = { group: made("g", { class: "lx-shape", "data-id": id }), inner: made("g") };
        part.group.append(part.inner);
        this.$refs.shapes.append(part.group);
        this.parts.set(id, part);
      }
      const holder = made("g");
      holder.innerHTML = drawing;
      const moved = !fresh && Math.hypot(x - part.x, y - part.y);
      const turned = !fresh && kind === "die" && part.drawing !== drawing;
      if (fresh || part.drawing !== drawing) morph(part.inner, holder);
      part.inner = part.group.firstElementChild;
      // Rotate the short way round.
      const spin = fresh ? angle : part.spin + ((((angle - part.spin) % 360) + 540) % 360) - 180;
      Object.assign(part, { x, y, spin, kind, drawing, title, action, seat });
      part.group.dataset.kind = kind;
      part.group.style.transform = `translate(${x}px, ${y}px) rotate(${spin}deg)`;
      if (at_once || calm()) {
        part.group.style.opacity = opacity;
        return;
      }
      if (fresh) {
        part.group.style.transition = "none";
        part.group.style.opacity = 0;
        part.group.getBoundingClientRect();
        part.group.style.transition = "";
        if (ICONS.has(kind)) this.animate(part, [{ transform: "scale(1.9)" }, { transform: "scale(1)" }], 380);
      } else if (turned) {
        this.animate(part, [{ transform: "rotate(-340deg) scale(1.5)" }, { transform: "none" }], 520);
      } else if (moved > 60 && ICONS.has(kind)) {
        const up = Math.min(1.6, 1.15 + moved / 900);
        this.animate(part, [{ transform: "none" }, { transform: `scale(${up})` }, { transform: "none" }], pace);
      }
      part.group.style.opacity = opacity;
    },
    animate(part, frames, duration) {
      part.inner.animate(frames, { duration, easing: "cubic-bezier(.3,.7,.3,1)" });
    },
    vanish(id, part) {
      this.parts.delete(id);
      part.group.classList.add("lx-gone");
      part.group.style.opacity = 0;
      part.group.removeAttribute("tabindex");
      setTimeout(() => part.group.remove(), calm() ? 0 : 300);
    },
    offer(part) {
      if (!part || part.action < 0 || this.queue.length) return null;
      return this.offers.find(([seat, action]) => action === part.action && (part.seat < 0 || part.seat === seat));
    },
    // Mark the shapes that can be chosen; of several for one action, the largest is focusable.
    mark() {
      const speaking = new Map();
      const area = (part) => { const box = part.group.getBBox(); return box.width * box.height; };
      for (const part of this.parts.values()) {
        const group = part.group, offer = this.offer(part);
        for (const name of ["tabindex", "role", "aria-label", "data-offer"]) group.removeAttribute(name);
        group.classList.toggle("lx-on", !!offer);
        group.classList.toggle("lx-still", part.action >= 0 && !offer);
        group.classList.remove("lx-hint");
        if (!offer) continue;
        group.setAttribute("data-offer", `${offer[0]}-${offer[1]}`);
        const other = speaking.get(offer);
        if (!other || area(part) > area(other)) speaking.set(offer, part);
      }
      for (const [offer, part] of speaking) {
        part.group.setAttribute("tabindex", "0");
        part.group.setAttribute("role", "button");
        part.group.setAttribute("aria-label", offer[2]);
      }
      this.speaking = speaking;
      this.scrollToTargets();
      this.fill();
      this.badge();
      const active = document.activeElement;
      if (!active || !active.hasAttribute?.("tabindex") || !this.$refs.svg.contains(active))
        this.$refs.ring.style.display = "none";
    },
    // On a phone, enlarge the board to a scale, or show the whole of it (0). It keeps its size until the person
    // chooses another.
    enlarge(scale) {
      this.scale = scale;
      this.$refs.svg.style.setProperty("--lx-scale", scale);
      this.$refs.svg.classList.toggle("lx-large", scale > 0);
    },
    sizeKey() {
      return `lx-scale ${this.label}`;
    },
    // Enlarge the board as far as the smallest target needs it, or show the whole board again.
    toggleSize() {
      const boxes = this.targets(), least = Math.min(...boxes.map((box) => Math.min(box.width, box.height)));
      this.enlarge(this.scale ? 0 : Math.min(LARGER[1], Math.max(LARGER[0], THUMB / least)));
      localStorage.setItem(this.sizeKey(), this.scale);
      this.scrollToMiddle();
    },
    targets() {
      return [...this.speaking.values()].map((part) => part.group.getBoundingClientRect());
    },
    // Begin in the middle of an enlarged board, or at what can be chosen if that is elsewhere.
    scrollToMiddle() {
      const view = this.$refs.view;
      view.scrollLeft = (view.scrollWidth - view.clientWidth) / 2;
      view.scrollTop = (view.scrollHeight - view.clientHeight) / 2;
      this.scrollToTargets();
    },
    scrollToTargets() {
      const boxes = this.scale ? this.targets() : [];
      if (!boxes.length) return;
      const view = this.$refs.view, seen = view.getBoundingClientRect();
      for (const [start, end, scroll] of [["left", "right", "scrollLeft"], ["top", "bottom", "scrollTop"]]) {
        const low = Math.min(...boxes.map((box) => box[start])), high = Math.max(...boxes.map((box) => box[end]));
        if (low < seen[start] || high > seen[end]) view[scroll] += (low + high - seen[start] - seen[end]) / 2;
      }
    },
    // Return the shape that a finger means beside all targets: the nearest within its reach.
    nearest(x, y) {
      let best = null, least = [Infinity];
      for (const part of this.parts.values()) {
        if (!this.offer(part)) continue;
        const box = part.group.getBoundingClientRect(), [wide, tall] = [box.width / 2, box.height / 2];
        const [along, down] = [Math.abs(x - box.x - wide), Math.abs(y - box.y - tall)];
        if (along > Math.max(wide, REACH) || down > Math.max(tall, REACH)) continue;
        const far = [Math.hypot(Math.max(0, along - wide), Math.max(0, down - tall)), Math.hypot(along, down)];
        if (far[0] < least[0] || (far[0] === least[0] && far[1] < least[1])) [best, least] = [part, far];
      }
      return best;
    },
    // Show the offers as a list of buttons, too, if the page has one. It is empty while the board moves:
    // moves that are left would tell the outcome.
    fill() {
      const list = this.list && document.getElementById(this.list), offers = this.queue.length ? NOTHING : this.offers;
      if (!list || this.filled === offers) return;
      this.filled = offers;
      const had = list.contains(document.activeElement);
      list.replaceChildren(...offers.map((offer) => {
        const button = document.createElement("button");
        button.className = "lx-move";
        button.type = "button";
        const shown = document.createElement("kbd");
        shown.textContent = SIGNS[offer[3][0]] ?? offer[3][0] ?? numberOf(offer);
        shown.setAttribute("aria-hidden", "true");
        button.append(shown, offer[2]);
        const shape = () => [...this.parts.values()].find((part) => this.offer(part) === offer);
        const over = () => this.point(shape());
        button.addEventListener("pointerdown", (event) => this.press(event, shape));
        button.addEventListener("click", (event) => {
          if (event.detail > 0 && this.held) return;
          if (event.detail > 1) return; // the second half of a double click meant the old list
          this.finish();
          over();
          this.touched(offer, event);
        });
        button.addEventListener("pointerenter", over);
        // The list gives the focus to its first button when it is filled again: only a keyboard means it.
        button.addEventListener("focus", () => button.matches(":focus-visible") && over());
        button.addEventListener("pointerleave", (event) => {
          if (event.pointerType === "mouse") this.point(null);
        });
        return button;
      }));
      this.listed ||= had;
      if (this.listed && offers.length) {
        this.listed = false;
        if (had || document.activeElement === document.body) list.firstElementChild.focus();
      }
    },
    // Show what actions are worth: [seat, action, kind, sign, exact, words] each.
    values(worths) {
      this.worths = worths;
      this.badge();
    },
    // Show a line of moves: {end, start, text, exact, own} each; a move without a start is a dot.
    line(marks) {
      this.marks = marks;
      this.badge();
    },
    drawLine() {
      const layer = this.$refs.line, size = this.lineSize();
      layer.replaceChildren();
      if (this.queue.length) return;
      const taken = []; // the places of texts, of which several may be the same
      for (const mark of [...this.marks].reverse()) { // the first move is on top
        const group = made("g", { class: `lx-mark${mark.own ? "" : " lx-mark-reply"}${mark.exact ? "" : " lx-mark-guess"}` });
        let at = mark.start ? this.drawArrow(group, mark, size) : mark.end;
        if (mark.text || !mark.start) {
          while (taken.some(([x, y]) => Math.hypot(x - at[0], y - at[1]) < 1.7 * size)) at = [at[0] + 1.8 * size, at[1]];
          taken.push(at);
          this.drawDot(group, mark, at, size);
        }
        layer.append(group);
      }
    },
    // Return the font size of a line, by which its arrows are measured, too.
    lineSize() {
      return this.readable(this.$refs.svg.viewBox.baseVal.width / 50);
    },
    // Return the box around a shape as it is turned.
    boxOf(part) {
      const box = part.inner.getBBox(), turn = (part.spin * Math.PI) / 180, cos = Math.cos(turn), sin = Math.sin(turn);
      const [along, down] = [box.x + box.width / 2, box.y + box.height / 2];
      const width = box.width * Math.abs(cos) + box.height * Math.abs(sin);
      const height = box.width * Math.abs(sin) + box.height * Math.abs(cos);
      return { x: part.x + along * cos - down * sin - width / 2, y: part.y + along * sin + down * cos - height / 2, width, height };
    },
    // Return the boxes of what values and arrows should not hide: writing, and small pieces.
    unhidden() {
      const most = 4 * this.lineSize(), found = [];
      for (const part of this.parts.values()) {
        if (!ICONS.has(part.kind) && !WRITING.has(part.kind)) continue;
        const box = this.boxOf(part), piece = ICONS.has(part.kind);
        if (!piece || Math.max(box.width, box.height) < most) found.push({ ...box, piece });
      }
      return found;
    },
    // Let arrows and the rings around pieces pass behind pieces and writing.
    drawMask() {
      const mask = this.$refs.mask, { width, height } = this.$refs.svg.viewBox.baseVal;
      mask.id ||= `lx-mask-${++boards}`;
      const seen = [made("rect", { width, height, fill: "white" })];
      for (const { piece, ...box } of this.kept) seen.push(made("rect", { ...box, rx: piece ? Math.max(box.width, box.height) / 2 : 4 }));
      mask.replaceChildren(...seen);
      for (const name of ["width", "height"]) mask.setAttribute(name, { width, height }[name]);
    },
    masked() {
      return { mask: `url(#${this.$refs.mask.id})` };
    },
    // Draw an arrow; return the place of its text, away from the badges of values. It ends at the edge of a piece.
    drawArrow(mark, { start, end, text }, size) {
      const group = made("g", this.masked());
      const hit = this.kept.find((box) => box.piece && overlap(box, around(end, 1)) && !overlap(box, around(start, 1)));
      const [dx, dy] = [end[0] - start[0], end[1] - start[1]], far = Math.hypot(dx, dy);
      const along = (way, aside = 0) => [start[0] + (dx * way - dy * aside) / far, start[1] + (dy * way + dx * aside) / far];
      const path = (...points) => "M" + points.map((point) => point.map((one) => one.toFixed(1)).join(" ")).join("L");
      const tail = Math.min(size, far / 4), tip = far - Math.min(hit ? hit.width / 2 : 0.4 * size, far / (hit ? 2 : 8)), head = tip - Math.min(1.5 * size, far / 3);
      const side = 0.6 * (tip - head), shaft = path(along(tail), along(head));
      const point = path(along(head, side), along(tip), along(head, -side)) + "Z";
      for (const edge of ["lx-mark-edge", "lx-mark-ink"])
        group.append(made("path", { class: edge, d: shaft }), made("path", { class: `${edge} lx-mark-head`, d: point }));
      mark.append(group);
      return along(tail + (text.endsWith("%") ? 0.65 : 0.78) * (head - tail));
    },
    // A number alone, on a place without an arrow, would look like the name of a move.
    drawDot(group, { start, text: given, exact }, [x, y], size) {
      const text = !start && /^\d+$/.test(given) ? given + (["st", "nd", "rd"][given - 1] ?? "th") : given;
      const round = 0.85 * size, wide = Math.max(round, size * (0.3 + 0.35 * text.length));
      const pill = (room) => ({ x: x - wide - room, y: y - round - room, width: 2 * (wide + room), height: 2 * (round + room), rx: round + room });
      if (!start && !exact) group.append(made("rect", { class: "lx-mark-ring", ...pill(0.4 * size) }));
      const words = made("text", { x, y: y + 0.36 * size, "text-anchor": "middle", "font-size": size });
      words.textContent = text;
      group.append(made("rect", pill(0)), words);
    },
    badge() {
      this.kept = this.marks.length || this.worths.length ? this.unhidden() : NOTHING;
      this.drawMask();
      this.drawLine();
      const layer = this.$refs.worths;
      layer.replaceChildren();
      this.$refs.tints.replaceChildren();
      this.badges = []; // the boxes of those drawn
      if (!this.queue.length) for (const worth of this.worths) this.drawBadge(layer, worth);
      const list = this.list && document.getElementById(this.list);
      for (const [number, button] of [...(list?.children ?? [])].entries()) {
        button.querySelector(".lx-worth")?.remove();
        const [seat, action] = this.offers[number] ?? [];
        const worth = this.worths.find((one) => one[0] === seat && one[1] === action);
        if (!worth) continue;
        const sign = document.createElement("span");
        sign.className = `lx-worth lx-worth-${worth[2]}${worth[4] ? "" : " lx-worth-guess"}`;
        sign.textContent = worth[3];
        sign.title = worth[5];
        button.append(sign);
      }
    },
    // Return a font size of at least 11 pixels on the screen, as far as a board has room for it.
    readable(size) {
      return Math.max(size, Math.min(11 / this.$refs.svg.getScreenCTM().a, 1.7 * size));
    },
    // Tint the largest shape of an action, and write what it loses into its corner.
    drawBadge(layer, [seat, action, kind, sign, exact]) {
      let found = null, most = -1;
      for (const part of this.parts.values()) {
        if (part.action !== action || (part.seat >= 0 && part.seat !== seat)) continue;
        const box = part.inner.getBBox();
        if (box.width * box.height > most) [found, most] = [{ part, box }, box.width * box.height];
      }
      if (!found) return;
      const { part, box } = found, upright = this.boxOf(part), width = this.$refs.svg.viewBox.baseVal.width;
      const look = `lx-worth-${kind}${exact ? "" : " lx-worth-guess"}`;
      const size = this.readable(Math.max(11, Math.min(15, width / 40))), wide = size * (0.8 + 0.62 * sign.length), tall = size * 1.4;
      const small = upright.height < 2 * tall, piece = small && ICONS.has(part.kind);
      const group = made("g", { class: `lx-tint ${look}${piece ? " lx-tint-piece" : ""}`, "data-worth": `${seat}-${action}`, ...(piece && this.masked()) });
      const tilted = Math.abs(Math.sin((part.spin * Math.PI) / 90)) > 0.01; // the frame of a tilted shape is upright
      const [frameWide, frameTall] = tilted ? [box.width, box.height] : [upright.width, upright.height], room = piece ? 5 : 0;
      const [x, y] = [upright.x + upright.width / 2, upright.y + upright.height / 2];
      const frame = { x: x - frameWide / 2 - room, y: y - frameTall / 2 - room, width: frameWide + 2 * room, height: frameTall + 2 * room };
      group.append(made("rect", { ...frame, rx: piece ? frame.height / 2 : 6 }));
      this.$refs.tints.append(group); // below the line and all badges
      const [left, top] = small ? this.freePlace(frame, wide, tall) : this.cornerPlace(upright, part.seat, wide, tall);
      this.badges.push({ x: left, y: top, width: wide, height: tall });
      const mark = made("g", { class: `lx-badge ${look}` });
      mark.append(made("rect", { x: left, y: top, width: wide, height: tall, rx: tall / 2 }));
      const text = made("text", { x: left + wide / 2, y: top + tall * 0.72, "text-anchor": "middle", "font-size": size });
      text.textContent = sign;
      mark.append(text);
      layer.append(mark);
    },
    // Return where a badge is in the upper right corner of a shape; seat 1 has the left one where seats choose at once.
    cornerPlace(box, seat, wide, tall) {
      const left = seat === 1 ? box.x - 5 : box.x + box.width - wide + 5;
      return this.inside(left, box.y - tall + Math.min(0.7 * tall, 0.2 * box.height), wide, tall);
    },
    // Return where a badge beside a small shape hides least of pieces, writing, arrow heads and other badges.
    // A row has it at that end which is nearer to the middle of the board.
    freePlace(box, wide, tall) {
      const width = this.$refs.svg.viewBox.baseVal.width, [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const [left, right, middle] = [box.x - wide - 1, box.x + box.width + 1, y - tall / 2];
      if (box.width > 3 * box.height) return this.inside(x > width / 2 ? left : right, middle, wide, tall);
      const taken = [box, ...this.kept, ...this.badges, ...this.marks.map(({ end }) => around(end, this.lineSize()))];
      let best = null, least = Infinity;
      for (const above of [-2, -1, 0, 1].map((step) => (step < 0 ? box.y : box.y + box.height) + step * tall).concat(middle))
        for (const aside of [right, x, x - wide / 2, x - wide, left]) {
          const place = this.inside(aside, above, wide, tall), [atX, atY] = place;
          const hidden = taken.reduce((sum, one) => sum + overlap(one, { x: atX, y: atY, width: wide, height: tall }), 0);
          const far = hidden + 2 * Math.hypot(atX + wide / 2 - x, atY + tall / 2 - y);
          if (far < least) [best, least] = [place, far];
        }
      return best;
    },
    // Return the nearest place at which a badge is on the board.
    inside(x, y, wide, tall) {
      const { width, height } = this.$refs.svg.viewBox.baseVal;
      return [Math.max(1, Math.min(width - wide - 1, x)), Math.max(1, Math.min(height - tall - 1, y))];
    },
    part(element) {
      const group = element?.closest?.(".lx-shape");
      return group ? this.parts.get(group.getAttribute("data-id")) : null;
    },
    // Note how a press began; a finger that stays shows what the shape's move does.
    press(event, shape) {
      this.pointer = event.pointerType;
      this.held = false;
      clearTimeout(this.pressing);
      if (!this.finger()) return;
      this.pressing = setTimeout(() => {
        this.held = true;
        this.point(shape());
      }, HELD);
    },
    clicked(event) {
      if (this.held) return;
      let part = this.part(event.target);
      if (this.queue.length) {
        if (event.detail > 1) return;  // ignore the second half of a double click
        this.finish();
        part = this.part(document.elementFromPoint(event.clientX, event.clientY));
      } else if (this.finger() && !this.offer(part)) part = this.nearest(event.clientX, event.clientY);
      const offer = this.offer(part);
      if (this.pointer !== "mouse") this.point(part);
      if (offer) this.touched(offer, event);
      else this.arm(null);
    },
    // Choose at once, except that touch shows the odds first where they matter. A click made by a
    // key has no detail.
    touched(offer, event) {
      if (event.detail > 0 && this.finger() && this.asks && this.armed !== offer) this.arm(offer);
      else this.choose(offer);
    },
    finger() {
      return this.pointer === "touch" || this.pointer === "pen";
    },
    arm(offer) {
      this.armed = offer;
      this.again = offer ? `Tap again: ${offer[2]}` : "";
    },
    choose(offer) {
      this.finish();
      this.offers = [];
      this.arm(null);
      this.point(null);
      this.mark();
      this.$emit("choose", [offer[0], offer[1], this.ply]);
    },
    // Emit the offer under the pointer or focus, to preview the odds.
    point(part) {
      const offer = this.offer(part);
      if (offer === this.pointed) return;
      this.pointed = offer;
      this.overlay([]);
      clearTimeout(this.resting);
      for (const other of this.parts.values()) other.group.classList.toggle("lx-over", !!offer && this.offer(other) === offer);
      if (offer) this.resting = setTimeout(() => this.$emit("preview", [offer[0], offer[1]]), 60);
    },
    focused(element) {
      const part = this.part(element);
      if (!part) return;
      const box = part.inner.getBBox(), ring = this.$refs.ring, room = 4;
      for (const [name, value] of [["x", box.x - room], ["y", box.y - room], ["width", box.width + 2 * room], ["height", box.height + 2 * room]])
        ring.setAttribute(name, value);
      ring.style.transform = part.group.style.transform;
      ring.style.display = "";
      this.point(part);
    },
    overlay(shapes) {
      const above = this.$refs.above;
      above.replaceChildren();
      if (shapes.length && !this.pointed) return;
      for (const [, , x, y, angle, opacity, drawing] of shapes) {
        const group = made("g", { opacity });
        group.style.transform = `translate(${x}px, ${y}px) rotate(${angle}deg)`;
        group.innerHTML = drawing;
        above.append(group);
      }
    },
    hint(seat, action) {
      for (const part of this.parts.values()) {
        const offer = this.offer(part);
        part.group.classList.toggle("lx-hint", !!offer && offer[0] === seat && offer[1] === action);
      }
    },
    key(event) {
      if (typing(event)) return;
      const button = event.target.closest?.("button, a, [role=button]");
      const inside = this.$refs.svg.contains(event.target);
      const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const steer = this.offers.find((offer) => offer[3].includes(name));
      if (steer && !(button && !inside && (name === " " || name === "Enter"))) {
        event.preventDefault();
        this.choose(steer);
        return;
      }
      if (/^[0-9]$/.test(name) && this.dial(name)) {
        event.preventDefault();
      } else if (name === "Enter" && !button && this.dialled()) {
        event.preventDefault();
        this.choose(this.dialled());
      } else if (name.startsWith("Arrow") && this.offers.length) {
        event.preventDefault();
        this.finish();
        this.go(name);
      } else if ((name === "Enter" || name === " ") && inside) {
        const offer = this.offer(this.part(event.target));
        if (offer) {
          event.preventDefault();
          this.choose(offer);
        }
      } else if (/^[a-z?]$/.test(name) || name.startsWith("Arrow") || this.seeks(name) || (name === " " && !button)) {
        if (name === " " || name.startsWith("Arrow") || this.seeks(name)) event.preventDefault();
        this.$emit("key", name);
      }
    },
    // Choose a move by its number: at once if no longer number begins with it, else Enter does.
    // Return whether a number begins with the digits typed.
    dial(digit) {
      const begun = (digits) => this.offers.filter((offer) => numberOf(offer).startsWith(digits));
      const before = this.typed?.offers === this.offers ? this.typed.digits : "";
      const digits = begun(before + digit).length ? before + digit : digit;
      this.typed = { offers: this.offers, digits };
      const offer = this.dialled();
      if (offer && begun(digits).every((other) => other[1] === offer[1])) this.choose(offer);
      return begun(digits).length > 0;
    },
    // Return the offer whose number was typed; a number is forgotten when the offers change.
    dialled() {
      const digits = this.typed?.offers === this.offers && this.typed.digits;
      return this.offers.find((offer) => numberOf(offer) === digits);
    },
    // Whether a key goes to an end of a match, rather than of the page.
    seeks(name) {
      return (name === "Home" || name === "End") && !!this.$el.closest(".lx-viewer");
    },
    // Move the focus to the nearest offer in a direction.
    go(name) {
      const [dx, dy] = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[name];
      const parts = [...this.speaking.values()];
      const here = this.part(document.activeElement);
      let best = null, least = Infinity;
      for (const part of parts) {
        if (!here || !parts.includes(here)) { best = parts[0]; break; }
        const x = part.x - here.x, y = part.y - here.y, ahead = x * dx + y * dy;
        if (part === here || ahead < 1) continue;
        const far = ahead + 2.5 * Math.abs(x * dy - y * dx);
        if (far < least) [best, least] = [part, far];
      }
      best?.group.focus();
    },
  },
};
