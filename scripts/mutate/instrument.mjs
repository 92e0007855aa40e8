/** What encloses the text of a mutant's place; `is` is true while the mutant is active. */
const around = {
  statement: (is) => [`{if(!${is}){`, "}}"],
  element: (is) => [`...(${is}?[]:[`, "])"],
  spread: (is) => [`(${is}?{}:(`, "))"],
  expression: (is, { after }) => [`(${is}?(${after}):(`, "))"],
};
const outermost = Object.keys(around);

/**
 * The text of a module with all its mutants in it, each behind the function of scripts/mutate/switch.cjs, which
 * `switchPath` names; `first` is the number of its first mutant. The calls are marked as pure so that the bundler
 * arranges modules as it does without them.
 */
export function instrument(text, mutants, { first, switchPath }) {
  const inserts = mutants.flatMap((mutant, index) => {
    const { start, end, form } = mutant;
    const [open, close] = around[form](`/*@__PURE__*/$m(${first + index})`, mutant);
    const rank = outermost.indexOf(form);
    return [
      { at: start, text: open, opens: 1, order: [-end, rank, index] },
      { at: end, text: close, opens: 0, order: [-start, -rank, -index] },
    ];
  });
  inserts.sort((a, b) => a.at - b.at || a.opens - b.opens || compare(a.order, b.order));
  const load = `process.getBuiltinModule("node:module").createRequire(${JSON.stringify(switchPath)})`;
  const parts = [`const $m=/*@__PURE__*/(()=>globalThis.$m??${load}(${JSON.stringify(switchPath)}))();`];
  let done = 0;
  for (const each of inserts) {
    parts.push(text.slice(done, each.at), each.text);
    done = each.at;
  }
  return `${parts.join("")}${text.slice(done)}`;
}

function compare(a, b) {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : a[at] - b[at];
}
