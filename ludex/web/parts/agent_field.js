// A text field with suggestions; its value is sent on every keystroke, and checked when it is left.
const CLICK = 300; // milliseconds of a click, which a message that moves its button would take away
export default {
  template: `<div class="lx-agent">
    <q-input ref="field" v-model="text" :label="label" :hint="hint" :error="!!error" :error-message="error" no-error-icon :for="id + '-field'" outlined dense
      :inputmode="typed ? 'text' : 'none'" autocomplete="off" autocapitalize="off" spellcheck="false" role="combobox" aria-autocomplete="list"
      :aria-expanded="open ? 'true' : 'false'" :aria-controls="open ? id + '-list' : undefined"
      :aria-activedescendant="open && at >= 0 ? id + '-option-' + at : undefined"
      @focus="fresh = true" @click="clicked" @blur="left" @keydown="key">
      <template v-slot:append><q-icon name="arrow_drop_down" /></template>
    </q-input>
    <div v-if="open && shown.length" ref="list" :id="id + '-list'" class="lx-options" role="listbox"
      aria-label="To choose from" @mousedown.prevent>
      <div v-for="([name, words], number) in shown" :key="name" :id="id + '-option-' + number" role="option"
        :aria-selected="number === at ? 'true' : 'false'" @click="take(name)">{{ words }}</div>
    </div></div>`,
  props: { value: String, label: String, hint: String, error: String, options: Array, id: String },
  emits: ["update:value", "taken", "left"],
  data() {
    // On a touch screen the first tap opens the list without a keyboard, which a second one raises.
    const typed = !matchMedia("(hover: none)").matches;
    return { text: this.value, open: false, filtered: false, fresh: false, at: -1, typed };
  },
  computed: {
    // All after a click; only matching ones while typing.
    shown() {
      const wanted = this.text.trim().toLowerCase();
      return this.filtered && wanted ? this.options.filter((one) => one[1].toLowerCase().includes(wanted)) : this.options;
    },
  },
  watch: {
    value(text) {
      this.quiet = text !== this.text;
      this.text = text;
    },
    // Synchronous, so that the value reaches the server before the next click does.
    text: {
      flush: "sync",
      handler(text) {
        if (this.quiet) return void (this.quiet = false);
        [this.open, this.filtered, this.at] = [true, true, -1];
        this.$emit("update:value", text);
      },
    },
  },
  methods: {
    updateValue() {
      this.quiet = this.value !== this.text; // else the list would open
      this.text = this.value;
    },
    // Typing replaces the text.
    selectText() {
      this.$refs.field.select();
    },
    left() {
      this.open = false;
      this.typed = !matchMedia("(hover: none)").matches;
      setTimeout(() => this.$emit("left"), CLICK);
    },
    clicked() {
      if (this.fresh) this.$refs.field.select(); // typing replaces the text
      else this.typed = true;
      this.fresh = false;
      [this.open, this.filtered, this.at] = [true, false, this.options.findIndex((one) => one[0] === this.text)];
      this.follow();
    },
    take(name) {
      this.text = name;
      this.open = false;
      this.$emit("taken", name);
    },
    key(event) {
      if (event.key === "Escape" || event.key === "Tab") this.open = false;
      if (event.key === "Enter") {
        event.preventDefault();
        this.take(this.open && this.at >= 0 ? this.shown[this.at][0] : this.text);
      }
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      if (!this.open) return this.clicked();
      const count = this.shown.length;
      this.at = count ? (this.at + step + count + (this.at < 0 && step < 0)) % count : -1;
      this.follow();
    },
    async follow() {
      await this.$nextTick();
      this.$refs.list?.children[this.at]?.scrollIntoView({ block: "nearest" });
    },
  },
};
