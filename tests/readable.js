// What a page lacks for people who see badly, use a keyboard or hear it: a list of faults.
() => {
  const faults = [];
  const shown = (e) => e.getClientRects().length && getComputedStyle(e).visibility !== 'hidden';
  const name = (e) => (e.getAttribute('aria-label') || e.innerText || e.title ||
    (e.labels && [...e.labels].map((l) => l.innerText).join(' ')) ||
    (e.getAttribute('aria-labelledby') || '').split(' ').map((id) => document.getElementById(id)?.innerText).join(' ') || '').trim();
  for (const e of document.querySelectorAll('button, a[href], input, select, textarea, [role=button], [role=slider]'))
    if (shown(e) && e.type !== 'hidden' && !name(e)) faults.push('no name: ' + e.outerHTML.slice(0, 120));
  // Who speaks to the page says what is written on a button: its name must have these words.
  for (const e of document.querySelectorAll('button[aria-label], a[aria-label]')) {
    const copy = e.cloneNode(true);
    copy.querySelectorAll('[aria-hidden=true]').forEach((part) => part.remove());
    const said = copy.textContent.trim().toLowerCase();
    if (shown(e) && !e.getAttribute('aria-label').toLowerCase().includes(said)) faults.push('another name: ' + said);
  }
  for (const e of document.querySelectorAll('main *'))
    if (/auto|scroll/.test(getComputedStyle(e).overflow) && e.scrollHeight > e.clientHeight + 1 && e.tabIndex < 0 &&
        !e.querySelector('a[href], button, input, select, textarea, [tabindex="0"]')) faults.push('scrolls, but not by keys: ' + e.className);
  const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
  for (const id of new Set(ids.filter((id, i) => ids.indexOf(id) !== i))) faults.push('twice: #' + id);
  if (!document.documentElement.lang) faults.push('no language');
  if (!document.title) faults.push('no title');
  if (document.querySelectorAll('main').length !== 1) faults.push('not one main part');
  if (document.querySelectorAll('h1').length !== 1) faults.push('not one first heading');
  for (const e of document.querySelectorAll('[tabindex]')) if (e.tabIndex > 0) faults.push('tab order: ' + e.outerHTML.slice(0, 80));
  const rgb = (text) => { const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number); return [r, g, b, a]; };
  const light = ([r, g, b]) => { const f = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
  const ground = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
    if (!c.startsWith('rgb')) continue; const found = rgb(c); if (found[3] > 0.9) return found; } return [255, 255, 255, 1]; };
  for (const e of document.querySelectorAll('main *')) {
    if (e.closest('svg, canvas, .q-btn[disabled], [disabled]') || !shown(e)) continue;
    if (![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
    const style = getComputedStyle(e); if (!style.color.startsWith('rgb')) continue;
    const one = light(rgb(style.color)), two = light(ground(e));
    const ratio = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    if (ratio < 4.5) faults.push(`contrast ${ratio.toFixed(2)}: ${e.className} ${e.textContent.trim().slice(0, 40)}`);
  }
  return faults;
}
