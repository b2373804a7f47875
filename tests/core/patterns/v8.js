// One case in, what V8 makes of it out; everything beyond ASCII as \uXXXX, one escape a unit.
function tripscopeCase(line) {
  const { p, f, t, r, at } = JSON.parse(line);
  const escaped = (value) =>
    JSON.stringify(value).replace(/[^\x20-\x7e]/g, (unit) =>
      '\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0'));
  let pattern;
  try {
    pattern = new RegExp(p, f);
  } catch (error) {
    return escaped({ error: error.message });
  }
  const shown = (found) => found && [
    found.index, found[0], [...found].slice(1).map((group) => group ?? null),
    Object.fromEntries(Object.entries(found.groups ?? {}).map(([k, v]) => [k, v ?? null])),
  ];
  const one = pattern.exec(t);
  pattern.lastIndex = 0;
  const matches = f.includes('g') ? [...t.matchAll(pattern)].map(shown) : one ? [shown(one)] : [];
  pattern.lastIndex = 0;
  const replaced = t.replace(pattern, r);
  // Some builds of V8 find other matches in replace than in exec: then its replace is no measure.
  pattern.lastIndex = 0;
  let last = 0;
  let marked = '';
  for (const [index, text] of matches) {
    marked += t.slice(last, index) + '\ue000';
    last = index + text.length;
  }
  const split = t.replace(pattern, '\ue000') !== marked + t.slice(last);
  pattern.lastIndex = at;
  return escaped({ matches, replaced, split, from: shown(pattern.exec(t)), source: pattern.source });
}
