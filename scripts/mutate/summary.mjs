const goal = 0.9;
const states = ["killed", "timed out", "refused", "survived", "not covered"];
/** Those that were noticed: by a test, by a bound, or by the compiler, which `npm run check` runs. */
const noticed = states.slice(0, 3);

/** The table of a run, a row per room, with what survived and what no test reaches. */
export function summary(results, { begun, chosen, unused, missing, again }) {
  const rooms = [...new Set(results.map(roomOf))].sort();
  const rows = rooms.map((room) =>
    row(
      room,
      results.filter((each) => roomOf(each) === room),
    ),
  );
  const open = (state) =>
    results.filter((each) => each.state === state).sort((a, b) => (a.mutant.id < b.mutant.id ? -1 : 1));
  const share = sharesOf(results).killed;
  const lines = [
    "",
    ["room      ", " mutants", ...states.map((state) => state.padStart(11)), "  killed"].join("  "),
    ...rows,
    ...(rooms.length > 1 ? [row("all", results)] : []),
    ...open("survived").flatMap(({ mutant, tests, of }) => [
      "",
      `survived ${tests} of ${of} test files: ${mutant.id}`,
      ...change(mutant),
    ]),
    ...open("not covered").flatMap(({ mutant }) => ["", `not covered: ${mutant.id}`, ...change(mutant)]),
    "",
    ...missing
      .slice(0, 1)
      .map(() => `${missing.length} test files were not used: what they reach was not found out in time`),
    ...unused.slice(0, 1).map(() => `not used, since they fail without a mutant: ${unused.join(", ")}`),
    ...(results.length < chosen ? [`${results.length} of ${chosen} mutants in the time given`] : []),
    `${Math.round((Date.now() - begun) / 1000)} seconds; again: ${again}`,
  ];
  return { lines, isGood: results.length > 0 && share >= goal };
}

function roomOf({ mutant }) {
  return mutant.file.split("/")[1];
}

function row(room, results) {
  const { counts, killed } = sharesOf(results);
  const cells = counts.map((count) => String(count).padStart(11));
  return [
    room.padEnd(10),
    String(results.length).padStart(8),
    ...cells,
    `${(100 * killed).toFixed(1).padStart(6)} %`,
  ].join("  ");
}

function sharesOf(results) {
  const counts = states.map((state) => results.filter((each) => each.state === state).length);
  const killed = results.filter(({ state }) => noticed.includes(state)).length;
  return { counts, killed: killed / Math.max(1, results.length) };
}

function change({ before, after, form }) {
  const short = (text) => (text.length > 300 ? `${text.slice(0, 300)}…` : text);
  return [`  - ${short(before)}`, `  + ${form === "expression" ? short(after) : "(removed)"}`];
}
