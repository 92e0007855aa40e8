import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { signedIn } from "../support/answering.ts";
import { requestsIn, sandboxSession, session } from "../support/session.ts";

const cacheNotice = "settings are cached: a change may take up to 60 seconds to take effect\n";

let log: string[];
let admin: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  log = [];
  admin = await sandboxSession({ log: (line) => log.push(line) });
});

const requests = () => requestsIn(log);

describe("settings list", () => {
  test("returns every setting, sorted, and whether it differs from the default", async () => {
    const { code, stdout, stderr } = await admin.run("settings", "list");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [header, ...lines] = stdout.trimEnd().split("\n");
    expect(header).toBe("name\tvalue\tdefault\tdiffers");
    expect(lines.length).toBeGreaterThan(200);
    expect(lines).toEqual([...lines].sort());
    expect(lines).toContain("signup_enabled\tfalse\ttrue\tyes");
    expect(lines).toContain("jobqueue_job_limiter_mode\tcompress\tcompress\tno");
    expect(lines).toContain("after_sign_out_path\thttps://acme.example/\t\tunknown");
    expect(lines.filter((line) => /^(id|created_at|updated_at)\t/.test(line))).toEqual([]);
  });

  const listed = async (...words: string[]) => {
    const { stdout } = await admin.run("settings", "list", "-o", "json", ...words);
    return JSON.parse(stdout) as { name: string; value: unknown; default: unknown; differs: string }[];
  };

  test("--changed omits settings with the documented default, and those without one", async () => {
    const changed = await listed("--changed");
    expect(changed).toContainEqual(expect.objectContaining({ name: "signup_enabled", value: false, default: true }));
    const all = await listed();
    expect(changed).toEqual(all.filter(({ differs }) => differs === "yes"));
    expect(changed.every((each) => each.default !== null && each.default !== each.value)).toBe(true);
  });

  test("--search finds words of the name and the description, in any order and case", async () => {
    const found = async (...words: string[]) => (await listed(...words)).map(({ name }) => name);
    expect(await found("--search", "SIGNUP enabled")).toContain("signup_enabled");
    expect(await found("--search", "signing up")).toEqual(await found("--search", "up Signing"));
    expect(await found("--search", "signing up")).toContain("signup_enabled");
    expect(await found("--search", "signup_enabled")).toEqual(["signup_enabled"]);
    expect(await found("--search", "signup_enabled", "--changed")).toEqual(["signup_enabled"]);
    expect(await found("--search", "no such thing")).toEqual([]);
    expect(await found("--search", "")).toHaveLength((await found()).length);
  });

  test("accepts the list flags on the rows of its one request", async () => {
    requests();
    const { code, stdout, stderr } = await admin.run(..."settings list -L 2 --page 2 --per-page 2".split(" "));
    expect(code).toBe(0);
    expect(stdout.split("\n").map((line) => line.split("\t")[0])).toEqual([
      "name",
      "admin_notification_email",
      "after_sign_out_path",
      "",
    ]);
    expect(stderr).toMatch(/^shown 2 of 2\d\d, from page 2 on; /);
    expect(requests()).toEqual(["GET /api/v4/application/settings 200"]);
  });

  test("filters, and knows the existing fields", async () => {
    const words = "settings list --jq".split(" ");
    const { stdout } = await admin.run(
      ...words,
      '.[] | select(.deprecated and .name == "signin_enabled") | .documented',
    );
    expect(stdout).toBe("true\n");
    const wrong = await admin.run("settings", "list", "--fields", "name,nope");
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("try:   the fields are name, value, differs, default, deprecated, documented\n");
  });
});

describe("settings get", () => {
  test("prints one value bare, several as a record in the requested order", async () => {
    expect(await admin.run("settings", "get", "after_sign_out_path")).toEqual({
      code: 0,
      stdout: "https://acme.example/\n",
      stderr: "",
    });
    const { stdout } = await admin.run("settings", "get", "session_expire_delay", "restricted_visibility_levels");
    expect(stdout).toBe('session_expire_delay\trestricted_visibility_levels\n480\t["public"]\n');
  });

  test("prints the whole object without a name", async () => {
    const { stdout } = await admin.run("settings", "get", "-o", "json");
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, session_expire_delay: 480, snippet_size_limit: 52428800 });
  });

  test("suggests the nearest for an unknown name, and explains why a documented one may be missing", async () => {
    expect(await admin.run("settings", "get", "signup_enbled")).toEqual({
      code: 3,
      stdout: "",
      stderr: 'error: the instance has no setting "signup_enbled"\ntry:   did you mean signup_enabled?\n',
    });
    for (const verb of ["get", "explain"]) {
      const { stderr } = await admin.run("settings", verb, "sign_up");
      expect(stderr).toContain("try:   forgectl settings list --search 'sign up'\n");
    }
    expect((await admin.run("settings", "list", "--search", "sign up", "--jq", ".[].name")).stdout).toContain(
      "signup_",
    );
    const secret = await admin.run("settings", "get", "external_pipeline_validation_service_token");
    expect(secret.code).toBe(3);
    expect(secret.stderr).toContain("is documented, and missing in the instance's answer");
  });

  test("requires an administrator", async () => {
    const { code, stdout, stderr } = await admin.as("developer").run("settings", "get");
    expect({ code, stdout }).toEqual({ code: 5, stdout: "" });
    expect(stderr).toMatch(
      /^error: could not get the instance's settings \(GET \/api\/v4\/application\/settings → 403\)/,
    );
  });
});

describe("settings set", () => {
  test("sends typed values and prints the current ones", async () => {
    requests();
    const set = await admin.run(
      ..."settings set signup_enabled=1 snippet_size_limit=1000 valid_runner_registrars=group,project -o json".split(
        " ",
      ),
    );
    expect({ ...set, stdout: JSON.parse(set.stdout) }).toEqual({
      code: 0,
      stdout: { signup_enabled: true, snippet_size_limit: 1000, valid_runner_registrars: ["group", "project"] },
      stderr:
        `${cacheNotice}undo: forgectl settings set signup_enabled=false snippet_size_limit=52428800 ` +
        `'valid_runner_registrars=["project","group"]' --base-url ${admin.sandbox.url}\n`,
    });
    expect(requests()).toEqual(["GET /api/v4/application/settings 200", "PUT /api/v4/application/settings 200"]);
    expect((await admin.run("settings", "get", "signup_enabled")).stdout).toBe("true\n");
    expect((await admin.run("settings", "set", "signup_enabled=false", "-q")).stderr).toBe("");
  });

  test("reads a value from a file or from stdin", async () => {
    await writeFile(join(admin.home, "branches.json"), '{ "allow_force_push": true }\n');
    const { stdout } = await admin.run(
      ..."settings set default_branch_protection_defaults=@branches.json after_sign_up_text=- -q -o json".split(" "),
      { input: "Welcome.\n" },
    );
    expect(JSON.parse(stdout)).toMatchObject({
      default_branch_protection_defaults: { allow_force_push: true },
      after_sign_up_text: "Welcome.",
    });
  });

  test("lists every invalid value before anything is sent", async () => {
    requests();
    expect(
      await admin.run(
        ..."settings set wiki_page_max_content_bytes=5 jobqueue_job_limiter_mode=x snippet_size_limit=abc".split(" "),
      ),
    ).toEqual({
      code: 2,
      stdout: "",
      stderr: [
        "error: 3 problems with the settings",
        'field: snippet_size_limit: "abc" is not an integer; write digits only, as in 3600',
        "field: wiki_page_max_content_bytes: must be at least 1024 bytes, not 5",
        'field: jobqueue_job_limiter_mode: "x" is not one of its values; one of track, compress',
        "outcome: nothing was changed",
        "try:   forgectl settings explain snippet_size_limit",
        "see:   forgectl settings set --help",
        "",
      ].join("\n"),
    });
    expect(requests()).toEqual([]);
  });

  test("names what an enabled setting requires, and sends existing values too", async () => {
    requests();
    const missing = await admin.run(..."settings set spamsvc_enabled=true -o json".split(" "));
    expect(missing.code).toBe(2);
    expect(JSON.parse(missing.stderr).error).toMatchObject({
      code: "invalid_settings",
      fields: {
        spamsvc_api_key: [
          "is required when spamsvc_enabled is enabled; give spamsvc_api_key a value, or leave spamsvc_enabled out",
        ],
      },
    });
    expect(requests()).toEqual(["GET /api/v4/application/settings 200"]);
    const there = await admin.run("settings", "set", "throttle_authenticated_web_enabled=true");
    expect(there).toEqual({
      code: 0,
      stdout: "throttle_authenticated_web_enabled\ntrue\n",
      stderr:
        "sent along as they were read, since they are required: throttle_authenticated_web_period_in_seconds, " +
        `throttle_authenticated_web_requests_per_period\n${cacheNotice}` +
        `undo: forgectl settings set throttle_authenticated_web_enabled=false --base-url ${admin.sandbox.url}\n`,
    });
  });

  test("--wait ends when the instance returns the values, without a cache notice", async () => {
    const cached = await sandboxSession({ settingsCacheSeconds: 2 });
    const values = async () => (await cached.run("settings", "get", "terminal_max_session_time")).stdout;
    await values();
    const waited = await cached.run("settings", "set", "terminal_max_session_time=77", "--wait", "--jq", ".[]");
    expect(waited).toEqual({
      code: 0,
      stdout: "77\n",
      stderr: `undo: forgectl settings set terminal_max_session_time=0 --base-url ${cached.sandbox.url}\n`,
    });
    expect(await values()).toBe("77\n");
    const late = await cached.run("settings", "set", "terminal_max_session_time=78", "--wait", "--wait-timeout", "1");
    expect([late.code, late.stderr]).toEqual([
      8,
      expect.stringContaining("try:   forgectl settings get terminal_max_session_time\n"),
    ]);
    const idle = await cached.run("settings", "set", "terminal_max_session_time=79", "--wait-timeout", "1");
    expect([idle.code, idle.stderr]).toEqual([2, expect.stringMatching(/^error: --wait-timeout needs --wait\n/)]);
  });

  test("never shows a secret", async () => {
    const secret = 'tell-no-"one"';
    const words = "settings set spamsvc_enabled=true spamsvc_api_key=- --debug -o json".split(" ");
    const set = await admin.run(...words, { input: `${secret}\n` });
    expect(set.code).toBe(0);
    expect(JSON.parse(set.stdout)).toEqual({ spamsvc_enabled: true, spamsvc_api_key: "[redacted]" });
    for (const name of ["spamsvc_api_key", "issuetracker_connect_application_key"]) {
      const dry = await admin.run("settings", "set", `${name}=-`, "--dry-run", "-o", "json", { input: secret });
      expect(JSON.parse(dry.stdout)[0].body).toEqual({ [name]: "[redacted]" });
      expect(dry.stdout + dry.stderr + set.stdout + set.stderr).not.toContain("tell-no");
    }
    const argument = await admin.run("settings", "set", "spamsvc_api_key=hunter22", "-n");
    expect(argument.stderr).toBe(
      "warning: spamsvc_api_key is a secret, and an argument shows in process lists and in the shell's history; " +
        "use spamsvc_api_key=- or spamsvc_api_key=@file\n",
    );
    expect(argument.stdout).not.toContain("hunter22");
  });

  test("shows the request of a dry run and changes nothing", async () => {
    requests();
    const { code, stdout } = await admin.run(..."settings set admin_mode=true --dry-run".split(" "));
    expect(code).toBe(0);
    expect(stdout).toBe(
      `method\turl\tbody\nPUT\t${admin.sandbox.url}/api/v4/application/settings\t{"admin_mode":true}\n`,
    );
    expect(requests()).toEqual(["GET /api/v4/application/settings 200"]);
  });

  test("refuses an unknown name after asking the instance, and without asking with --strict", async () => {
    requests();
    const unknown = await admin.run("settings", "set", "signup_enbled=1", "-q");
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain(
      "neither the API documents nor the instance have it; did you mean signup_enabled?",
    );
    expect(requests()).toEqual(["GET /api/v4/application/settings 200"]);
    const strict = await admin.run("settings", "set", "signup_enbled=1", "--strict");
    expect(strict.code).toBe(2);
    expect(strict.stderr).toContain("did you mean signup_enabled?");
    expect(requests()).toEqual([]);
  });

  test("warns of a deprecated setting and names its replacement", async () => {
    const { code, stderr } = await admin.run("settings", "set", "throttle_unauthenticated_enabled=false", "-q");
    expect(code).toBe(0);
    expect(stderr).toBe(
      "warning: throttle_unauthenticated_enabled is deprecated since 14.3; " +
        "use throttle_unauthenticated_web_enabled or throttle_unauthenticated_api_enabled\n",
    );
  });

  test("asks before a change that can lock users out", async () => {
    const host = new URL(admin.sandbox.url).host;
    requests();
    const asked = await admin.run("settings", "set", "admin_mode=true");
    expect(asked.code).toBe(2);
    expect(asked.stderr).toBe(
      `error: this would set admin_mode to true on ${host}, which can lock users out, and needs confirmation\n` +
        "try:   add --yes to confirm, or --dry-run to see the requests\nsee:   forgectl settings set --help\n",
    );
    expect(requests()).toEqual(["GET /api/v4/application/settings 200"]);
    expect((await admin.run("settings", "set", "admin_mode=true", "--yes")).code).toBe(0);
    // It is already true, so this cannot lock out users.
    expect((await admin.run("settings", "set", "admin_mode=true")).code).toBe(0);
  });

  test.each([
    [
      ["signup_enabled"],
      'error: "signup_enabled" has no value\ntry:   write it as name=value, such as signup_enabled=false',
    ],
    [["=1"], 'error: "=1" does not name a setting\n'],
    [["__proto__=1"], 'error: "__proto__" does not name a setting\n'],
    [["signup_enabled=1", "signup_enabled=0"], "error: signup_enabled is given twice\n"],
    [
      ["home_page_url=-", "terms=-"],
      "error: stdin can be the value of one setting only, not of home_page_url and terms\n",
    ],
    [["terms=@nowhere.md"], "error: the file nowhere.md does not exist\n"],
    [["terms=@"], "error: terms=@: missing <file>\n"],
    // What a command that failed leaves.
    [["domain_allowlist=-"], "error: domain_allowlist=-: stdin is empty\ntry:   an empty value is domain_allowlist=\n"],
    [["domain_allowlist=@/dev/null"], "error: domain_allowlist=@/dev/null: /dev/null is empty\n"],
    [[], "error: missing <"],
  ])("refuses %j", async (words, message) => {
    requests();
    const { code, stdout, stderr } = await admin.run("settings", "set", ...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(requests()).toEqual([]);
  });
});

describe("settings explain", () => {
  const offline = session();

  test("needs no instance", async () => {
    const { code, stdout } = await offline.run(..."settings explain wiki_page_max_content_bytes -o table".split(" "));
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        "name         wiki_page_max_content_bytes",
        "description  How large a wiki page may be",
        "type         integer",
        "default      5242880",
        "min          1024",
        "unit         bytes",
        "",
      ].join("\n"),
    );
  });

  test("shows people lists as lists, a default of false, and nothing that does not apply", async () => {
    const shown = async (name: string) => (await offline.run("settings", "explain", name, "-o", "table")).stdout;
    expect(await shown("codesearch_enabled")).toMatch(/^default +false\nrequires +codesearch_url\n$/m);
    expect(await shown("valid_runner_registrars")).toMatch(/^values +group, project$/m);
    expect(await shown("throttle_unauthenticated_enabled")).toMatch(
      /^use +throttle_unauthenticated_web_enabled, throttle_unauthenticated_api_enabled$/m,
    );
    expect(await shown("default_branch_protection_defaults")).toMatch(
      /^properties +allowed_to_push \(array of objects\), allow_force_push \(boolean\), /m,
    );
    expect(await shown("external_pipeline_validation_service_token")).toMatch(/^secret +yes\nwrite_only +yes\n/m);
  });

  test("shows requirements and replacements", async () => {
    const explain = async (name: string) =>
      JSON.parse((await offline.run("settings", "explain", name, "-o", "json")).stdout);
    expect(await explain("codesearch_enabled")).toMatchObject({ default: false, requires: ["codesearch_url"] });
    expect(await explain("codesearch_url")).toMatchObject({ required_by: "codesearch_enabled" });
    expect(await explain("throttle_unauthenticated_enabled")).toMatchObject({
      deprecated: true,
      deprecated_since: "14.3",
      use: ["throttle_unauthenticated_web_enabled", "throttle_unauthenticated_api_enabled"],
    });
    expect(await explain("allowed_integrations")).toMatchObject({
      items: "string",
      applies_when: "allow_all_integrations is false",
      tier: "ultimate",
    });
    expect(await explain("external_pipeline_validation_service_token")).toMatchObject({
      secret: true,
      write_only: true,
    });
  });

  test("gives a script the same columns for every setting", async () => {
    const { stdout } = await offline.run(
      ..."settings explain asciidoc_max_includes --fields name,default,max,values".split(" "),
    );
    expect(stdout).toBe("name\tdefault\tmax\tvalues\nasciidoc_max_includes\t32\t64\t\n");
  });

  test("suggests the nearest for an unknown name", async () => {
    expect(await offline.run("settings", "explain", "chatap-enabled")).toEqual({
      code: 3,
      stdout: "",
      stderr: 'error: the API documents have no setting "chatap-enabled"\ntry:   did you mean chatapp_enabled?\n',
    });
  });
});

test("settings diff says of which profile the settings could not be read", async () => {
  const both = session({});
  for (const [name, role] of [
    ["root", "administrator"],
    ["dev", "developer"],
  ] as const) {
    const words = [
      "auth",
      "login",
      "--profile",
      name,
      "--base-url",
      admin.sandbox.url,
      "--token-stdin",
      "--insecure-storage",
    ];
    expect((await both.run(...words, { input: admin.sandbox.tokens[role] })).code).toBe(0);
  }
  const { code, stderr } = await both.run("settings", "diff", "root", "dev");
  expect(code).toBe(5);
  expect(stderr).toMatch(/^error: profile dev: could not get /);
});

test("an address that an instance shows with a mask is not sent along, and in no undo line", async () => {
  const changes: string[] = [];
  const { run } = await signedIn((request, response) => {
    const shown = { id: 1, codesearch_url: "https://user:********@search.example", terms: "********\nBe kind" };
    let sent = "";
    request.on("data", (part) => (sent += part));
    request.on("end", () => {
      if (request.method === "PUT") changes.push(sent);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ ...shown, ...JSON.parse(sent || "{}") }));
    });
  });
  const on = await run("settings", "set", "codesearch_enabled=true", "--yes");
  expect([on.code, on.stderr]).toEqual([2, expect.stringContaining("codesearch_url: is required")]);
  const other = await run("settings", "set", "codesearch_url=https://other.example", "--yes");
  expect([other.code, other.stderr]).toEqual([0, expect.not.stringContaining("undo: ")]);
  expect((await run("settings", "set", "enforce_terms=true", "--yes")).code).toBe(0);
  expect(changes).toEqual([
    '{"codesearch_url":"https://other.example"}',
    '{"enforce_terms":true,"terms":"********\\nBe kind"}',
  ]);
});

test("what is exported is applied again, in whatever white space a text ends or begins", async () => {
  const { home, run } = await sandboxSession();
  for (const text of ["a\n\n\n", "  a\n b\n", "a\n ", "4e1234567"]) {
    await writeFile(join(home, "text"), text);
    expect((await run("settings", "set", "shared_runners_text=@text", "--yes")).code).toBe(0);
    const { stdout } = await run("settings", "export", "-O", "-");
    await writeFile(join(home, "settings.yaml"), stdout);
    const applied = await run("settings", "apply", "-f", "settings.yaml", "--dry-run");
    expect([text, applied.code, applied.stderr]).toEqual([text, 0, "no change; 1 object matches\n"]);
  }
});
