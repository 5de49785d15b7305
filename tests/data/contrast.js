(() => {
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
    .reduce((sum, c, n) => sum + c * [.2126, .7152, .0722][n], 0);
  const parts = (colour) => colour.match(/[\d.]+/g).map(Number);
  const behind = (one) => { for (; one; one = one.parentElement) { const c = parts(getComputedStyle(one).backgroundColor); if (c[3] !== 0) return c; } return [255, 255, 255]; };
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + .05) / (y + .05); };
  const low = [];
  for (const one of document.querySelectorAll("body *")) {
    const style = getComputedStyle(one);
    if (!one.checkVisibility() || one.closest(".skip")) continue;
    const says = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const colour = one.closest("svg") ? style.fill : style.color;
    if (says && ratio(parts(colour), behind(one.closest("svg") ?? one)) < 4.5) low.push(`${one.tagName} ${one.textContent.slice(0, 30)}`);
    if (/^(INPUT|SELECT|TEXTAREA|BUTTON)$/.test(one.tagName) && parseFloat(style.borderTopWidth) && ratio(parts(style.borderTopColor), behind(one.parentElement)) < 3) low.push(`edge of ${one.tagName} ${one.textContent.slice(0, 20)}`);
  }
  return low;
})()