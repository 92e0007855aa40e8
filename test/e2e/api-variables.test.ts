import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";

// The most common secret of the API without a command of its own: the value of a CI/CD variable.

const value = "hunter2-of-the-database";
const variable = { variable_type: "env_var", key: "DB_PASSWORD", value, masked: true, environment_scope: "*" };

async function place() {
  const session = await alteringSession(({ path, method }) => {
    if (path.includes("custom_attributes")) return { status: 200, body: [{ key: "location", value: "Berlin" }] };
    if (!/\/variables(?:\/|\?|$)/.test(path)) return undefined;
    return { status: method === "POST" ? 201 : 200, body: method === "GET" ? [variable] : variable };
  });
  writeFileSync(join(session.home, "value"), value);
  return session;
}

const shown = ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr;

test.each([
  ["projects/7/variables", "-X", "POST", "-f", "key=DB_PASSWORD", "-F", "value=@value"],
  ["groups/acme/variables/DB_PASSWORD?filter[environment_scope]=*", "-X", "PUT", "-F", "value=@value"],
  ["admin/ci/variables", "-f", "key=DB_PASSWORD", "-f", `value=${value}`],
  [`projects/7/variables?key=DB_PASSWORD&value=${value}`, "-X", "POST"],
  [`projects/7/pipeline?ref=main&variables[][key]=A&variables[][value]=${value}`, "-X", "POST"],
  [`projects/7/pipeline?ref=main&variables%5B%5D%5Bkey%5D=A&variables%5B%5D%5Bvalue%5D=${value}`, "-X", "POST"],
  [
    "projects/7/jobs/1/play",
    "-f",
    "job_variables_attributes[][key]=A",
    "-f",
    `job_variables_attributes[][value]=${value}`,
  ],
  ["groups/acme/hooks/2/custom_headers/X-Key", "-X", "PUT", "-f", `value=${value}`],
  ["projects/7/pipeline", "-f", "ref=main", "-f", "variables[][key]=A", "-f", `variables[][value]=${value}`],
])("api %s hides the value, in the answer, a dry run, a trace, and a batch", async (...words) => {
  const { run } = await place();
  for (const more of [[], ["--dry-run"], ["--debug"], ["-o", "yaml"]]) {
    const done = await run("api", ...words, ...more);
    expect(shown(done)).not.toContain(value);
    if (words[0]?.split("?")[0]?.includes("variables")) expect(done.code, done.stderr).toBe(0);
  }
  const input = JSON.stringify({ args: ["api", ...words] });
  for (const more of [[], ["--dry-run"]])
    expect(shown(await run("batch", "-", "-o", "ndjson", ...more, { input }))).not.toContain(value);
  const { stderr } = await run("api", ...words, "--dry-run");
  expect(stderr.includes("value is a secret, and an argument shows")).toBe(
    words.some((word) => /^[\w[\]]*value\]?=h/.test(word)),
  );
});

test("a list of variables hides their values unless --reveal is given; other keys and values are shown", async () => {
  const { run } = await place();
  for (const words of [["-o", "json"], ["--paginate"], ["-i"], ["-o", "table"]]) {
    const hidden = await run("api", "projects/7/variables", ...words);
    expect([hidden.code, shown(hidden).includes(value)]).toEqual([0, false]);
    expect(hidden.stderr.match(/--reveal shows them/g)).toHaveLength(1);
    const revealed = await run("api", "projects/7/variables", ...words, "--reveal");
    expect(revealed.stdout).toContain(value);
  }
  expect((await run("api", "projects/7/custom_attributes")).stdout).toContain("Berlin");
});

test("a list whose objects have parts by -f and by -F is refused, since their order is not known", async () => {
  const { run } = await place();
  const words = [
    "-f",
    "variables[][key]=A",
    "-F",
    "variables[][value]=@value",
    "-f",
    "variables[][key]=B",
    "--dry-run",
  ];
  const mixed = await run("api", "projects/7/pipeline", ...words);
  expect([mixed.code, mixed.stderr]).toEqual([
    2,
    expect.stringContaining("parts of variables[] are given with -f and"),
  ]);
  const typed = words.map((word) => (word === "-f" ? "-F" : word));
  const { stdout } = await run("api", "projects/7/pipeline", ...typed, "-f", "ref=main", "--jq", ".[0].body.variables");
  expect(JSON.parse(stdout)).toEqual([{ key: "A", value: "[redacted]" }, { key: "B" }]);
});

test("a private key is hidden whatever its field is called, and a certificate is not", async () => {
  const { run, home } = await place();
  const pem = (kind: string) => `-----BEGIN ${kind}-----\n${value}\n-----END ${kind}-----\n`;
  writeFileSync(join(home, "key.pem"), pem("EC PRIVATE KEY"));
  writeFileSync(join(home, "cert.pem"), pem("CERTIFICATE"));
  const words = ["projects/7/pages/domains", "-f", "domain=docs.acme.example", "--dry-run"];
  const sent = async (file: string) => shown(await run("api", ...words, "-F", `key=@${file}`));
  expect([(await sent("key.pem")).includes(value), (await sent("cert.pem")).includes(value)]).toEqual([false, true]);
});

test("a value in an address is hidden where a proxy repeats the address", async () => {
  const { run } = await alteringSession(({ path }) =>
    path.includes("/variables/")
      ? { status: 400, body: { message: `no route for ${encodeURIComponent(path)}` } }
      : undefined,
  );
  const { code, stderr } = await run("api", "-X", "PUT", `projects/7/variables/K?x=a?b&value=${value}`);
  expect([code, stderr.includes(value)], stderr).toEqual([1, false]);
});

test("a value that is a word hides no other text", async () => {
  const { run } = await place();
  const words = ["-f", "ref=main", "-f", "variables[][key]=BRANCH", "-f", "variables[][value]=main"];
  const { stdout } = await run("api", "projects/7/pipeline", ...words, "--dry-run", "--jq", ".[0].body");
  const { stdout: inQuery } = await run(
    "api",
    "-X",
    "PUT",
    "projects/7/variables/A?raw=1&value=ma&masked=1",
    "--dry-run",
  );
  expect(inQuery).toContain("/projects/7/variables/A?raw=1&value=[redacted]&masked=1");
  expect(JSON.parse(stdout)).toEqual({ ref: "main", variables: [{ key: "BRANCH", value: "[redacted]" }] });
});

test("a value from a file that an instance repeats in an error is hidden, and a short one, which may be any word, is not", async () => {
  const { run, home } = await alteringSession(({ path, method, sent }) =>
    path.includes("variables") && method === "POST"
      ? { status: 400, body: { message: { value: [`is invalid: ${(sent as { value: string }).value}!`] } } }
      : undefined,
  );
  for (const [text, isShown] of [
    [`${value}\n`, false],
    ["short", true],
  ] as const) {
    writeFileSync(join(home, "value"), text);
    const { code, stderr } = await run("api", "projects/7/variables", "-f", "key=A", "-F", "value=@value");
    expect(code).toBe(1);
    expect(stderr).toContain(isShown ? "is invalid: short!" : "is invalid: [redacted]");
    expect(stderr.includes(value)).toBe(false);
  }
});

test("what is shown in place of a secret is not sent back; in a longer text it is a word like any other", async () => {
  let sent: unknown;
  const { run } = await alteringSession(({ path, method, sent: body }) => {
    if (!path.includes("variables")) return undefined;
    if (method !== "GET") sent = body;
    return { status: 200, body: variable };
  });
  const at = "projects/7/variables/DB_PASSWORD";
  const { stdout } = await run("api", at, "-q");
  for (const [words, input] of [
    [["--input", "-"], stdout],
    [["--input", "-"], JSON.stringify({ variables: [JSON.parse(stdout)] })],
    [["--input", "-"], JSON.stringify({ a: [{ b: JSON.parse(stdout) }] })],
    [["-f", "value=[redacted]"], ""],
    [["-F", "value=@-"], "[redacted]\n"],
    [["-f", "url=https://[redacted]@hooks.example/x"], ""],
    [["-f", "description=Relay https://[redacted]@relay.example/x for all"], ""],
    [["--input", "-"], JSON.stringify({ description: "See [it](https://[redacted]@relay.example/x)\nand more" })],
    [["-f", "variables[][key]=A", "-f", "variables[][value]=[redacted]"], ""],
    [["-f", "a[token]=[redacted]"], ""],
    [["-F", "value=@-"], "MODE=a\nURL=https://[redacted]@relay.example/x\n"],
  ] as const) {
    const refused = await run("api", "-X", "PUT", at, ...words, { input });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("was shown in place of a secret")]);
  }
  expect((await run("api", "-X", "PUT", `${at}?value=[redacted]`)).code).toBe(2);
  const words = '{"a":"hunter2secret","b":"https://[redacted]@x"}';
  expect((await run("api", "-X", "PUT", at, "-f", `description=${words}`)).stderr).not.toContain("hunter2");
  expect(sent).toBeUndefined();
  expect((await run("api", "projects?search=[redacted]")).code).toBe(0);
  expect((await run("api", "-X", "PUT", at, "-f", "description=[redacted]")).code).toBe(0);
  const text = "POST /variables?value=[redacted] was refused";
  expect((await run("api", "-X", "PUT", at, "-f", `description=${text}`)).code).toBe(0);
  expect(sent).toEqual({ description: text });
  const note = "It answered: GET https://[redacted]@relay.example/x failed";
  expect((await run("api", `${at}/notes`, "-f", `body=${note}`)).code).toBe(0);
  expect(sent).toEqual({ body: note });
  const { stdout: whole } = await run("api", at, "--reveal");
  expect((await run("api", "-X", "PUT", at, "--input", "-", { input: whole })).code).toBe(0);
  expect(sent).toMatchObject({ value });
});
