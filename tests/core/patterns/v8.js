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
  // V8 11.3 finds other matches in replace than in exec now and then; then it is no measure.
  let last = 0;
  let expected = '';
  for (const [index, text, groups, named] of matches) {
    expected += t.slice(last, index) + r.replace(
      /\$(?:([$&`'])|([0-9]{1,2})|<([^>]*)>)/g,
      (whole, sign, digits, name) => {
        if (sign) return { $: '$', '&': text, '`': t.slice(0, index), "'": t.slice(index + text.length) }[sign];
        if (name !== undefined) return Object.keys(named).length ? named[name] ?? '' : whole;
        for (let size = digits.length; size; size--) {
          const number = Number(digits.slice(0, size));
          if (number && number <= groups.length) return (groups[number - 1] ?? '') + digits.slice(size);
        }
        return whole;
      },
    );
    last = index + text.length;
  }
  const split = replaced !== expected + t.slice(last);
  pattern.lastIndex = at;
  return escaped({ matches, replaced, split, from: shown(pattern.exec(t)), source: pattern.source });
}
