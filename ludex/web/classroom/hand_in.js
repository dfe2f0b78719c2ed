// Handing in from the browser: a file, or a folder without what is no part of a program.
Object.assign(window.lx, {
  pick(folder, most) {
    const input = document.createElement("input");
    input.type = "file";
    if (folder) input.webkitdirectory = true;
    else input.accept = ".py,.zip";
    input.addEventListener("change", () => lx.handIn([...input.files], most));
    input.click();
  },

  async handIn(files, most) {
    const line = document.querySelector(".lx-hand-in");
    const path = (file) => file.webkitRelativePath || file.name;
    const kept = files.filter((file) => !/(^|\/)(\.|__pycache__\/)/.test(path(file)));
    if (!kept.length) return;
    if (kept.reduce((sum, file) => sum + file.size, 0) > most) {
      line.textContent = `That is more than ${most >> 10} KiB.`;
      return;
    }
    line.textContent = "Sending …";
    const form = new FormData();
    for (const file of kept) form.append("file", file, path(file));
    const answer = await fetch("/api/class/programs", { method: "POST", body: form }).catch(() => null);
    const said = await answer?.json().catch(() => null);
    line.textContent = answer?.ok
      ? `${said.name} has arrived; its check is below.`
      : said?.error ?? "The server does not answer.";
  },
});
