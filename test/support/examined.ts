import type { Result, RunOptions, Session } from "./session.ts";

interface Row {
  check: string;
  result: "ok" | "warn" | "fail" | "skipped";
  detail: string;
  hint: string | null;
}

export interface Examined extends Result {
  rows: Row[];
  /** `dns: fail` of each check that is not ok, in order. */
  wrong: string[];
  of(check: string): Row;
}

/** Runs `doctor` with these words. */
export async function examined(place: Session, ...words: (string | RunOptions)[]): Promise<Examined> {
  const result = await place.run("doctor", "-o", "json", ...words);
  const rows: Row[] = JSON.parse(result.stdout);
  return {
    ...result,
    rows,
    wrong: rows
      .filter((row) => row.result === "fail" || row.result === "warn")
      .map((row) => `${row.check}: ${row.result}`),
    of: (check) => {
      const row = rows.find((each) => each.check === check);
      if (row === undefined) throw new Error(`there is no check ${check}`);
      return row;
    },
  };
}
