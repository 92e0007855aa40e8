import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";

test("whose a row is says the program, not a field of the answer: an instance could name another one", async () => {
  const { run, home, env } = await alteringSession(({ method, path, body, status }) => {
    if (method === "PATCH" || status !== 200 || !path.endsWith("job_token_scope")) return undefined;
    return { body: { ...(body as object), profile: "prod", project: { id: 1 }, group: "g", failure: "none" } };
  });
  writeFileSync(join(home, "p.txt"), "acme/docs\n");
  const address = `base-url=${env.FORGECTL_BASE_URL}`;
  await run("profiles", "set", "staging", address, `token-command=echo ${env.FORGECTL_TOKEN}`);
  const each = "each --profiles staging --projects-file p.txt --yes --fields profile,project".split(" ");
  for (const command of ["get", "limit on"]) {
    for (const [format, shown] of [
      ["ndjson", '{"profile":"staging","project":"acme/docs"}\n'],
      ["csv", "profile,project\nstaging,acme/docs\n"],
    ] as const) {
      const { stdout } = await run(...each, "-o", format, "--", "job-token", ...command.split(" "));
      expect([command, stdout]).toEqual([command, shown]);
    }
  }
});

test("what has no columns of its own is shown by the fields of its first row, in every format", async () => {
  const { run, env } = await alteringSession(({ path, status }) => {
    if (path.endsWith("/api/v4/words")) return { status: 200, body: ["alpha", "beta"] };
    if (path.endsWith("/api/v4/owners")) return { status: 200, body: [] };
    return status === 200 && path.endsWith("/api/v4/version")
      ? { body: { version: "17.8.1", revision: "8b1" } }
      : undefined;
  });
  for (const name of ["one", "two"]) {
    const address = `base-url=${env.FORGECTL_BASE_URL}`;
    await run("profiles", "set", name, address, `token-command=echo ${env.FORGECTL_TOKEN}`);
  }
  const each = async (...words: string[]) => {
    const { code, stdout } = await run("each", "--profiles", "one,two", "-q", ...words);
    return { code, lines: stdout.replace(/\n$/, "").split("\n") };
  };
  expect(await each("--", "api", "version")).toEqual({
    code: 0,
    lines: ["profile\tversion\trevision\tfailure", "one\t17.8.1\t8b1\t", "two\t17.8.1\t8b1\t"],
  });
  expect(await each("-o", "csv", "--fields", "profile,version", "--", "api", "version")).toEqual({
    code: 0,
    lines: ["profile,version", "one,17.8.1", "two,17.8.1"],
  });
  expect((await each("-o", "csv", "--", "api", "projects?per_page=100", "--paginate")).lines[0]).toMatch(
    /^profile,id,.*path_with_namespace,.*,failure$/,
  );
  expect((await each("-o", "csv", "--", "api", "words", "--paginate")).lines).toEqual([
    "profile,result,failure",
    ...["one", "two"].flatMap((name) => [`${name},alpha,`, `${name},beta,`]),
  ]);
  expect((await each("-o", "csv", "--", "api", "owners", "--paginate")).lines).toEqual(["profile,failure"]);
  const { stdout } = await run("api", "words", "--paginate", "-o", "csv");
  expect(stdout).toBe("result\nalpha\nbeta\n");
  const settings = await each("--", "settings", "get");
  expect(settings.lines[0]).toContain("\tsignup_enabled\t");
});

test("an audit of which a part could not be read has its rows and its columns inside each and batch", async () => {
  const { run, home, env } = await alteringSession(({ path }) => {
    const isHidden = path.endsWith("/projects/acme%2Fdocs/job_token_scope");
    return isHidden ? { status: 403, body: { message: "403 Forbidden" } } : undefined;
  });
  await run("profiles", "set", "one", `base-url=${env.FORGECTL_BASE_URL}`, `token-command=echo ${env.FORGECTL_TOKEN}`);
  const audits = [
    ["audit", "-g", "acme"],
    ["job-token", "audit", "-g", "acme"],
  ];
  writeFileSync(join(home, "audits.ndjson"), audits.map((args) => JSON.stringify({ args })).join("\n"));
  const batch = await run("batch", "audits.ndjson", "--keep-order", "-o", "json");
  const lines = JSON.parse(batch.stdout) as { exit: number; result: object[] }[];
  expect(batch.code).toBe(9);
  for (const [index, args] of audits.entries()) {
    const alone = await run(...args, "--profile", "one", "-o", "csv");
    expect([alone.code, lines[index]?.exit]).toEqual([9, 9]);
    const [columns = "", ...rows] = alone.stdout.trim().split("\n");
    expect(lines[index]?.result).toHaveLength(rows.length);
    const { code, stdout } = await run("each", "--profiles", "one", "-o", "csv", "--", ...args);
    const [header, ...shown] = stdout.trim().split("\n");
    expect([code, header, shown.toSorted()]).toEqual([
      9,
      `profile,${columns},failure`,
      rows.map((row) => `one,${row},`).toSorted(),
    ]);
  }
});
