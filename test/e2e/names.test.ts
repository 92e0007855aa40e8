import { describe, expect, test } from "vitest";
import { signedIn } from "../support/answering.ts";
import { requestsIn, sandboxSession } from "../support/session.ts";

const log: string[] = [];
const admin = await sandboxSession({ log: (line) => log.push(line) });
const { url } = admin.sandbox;
const run = (line: string, env = {}) => admin.run(...line.split(" "), { env });

describe("a project or group by any of its names", () => {
  test.each([
    "7",
    "7/",
    "acme/storefront",
    "acme/storefront//",
    `${url}/acme/storefront`,
    `${url}/acme/storefront/`,
    `${url}/acme/storefront.git`,
    `${url}/acme/storefront/-/merge_requests/19?tab=x#note_1`,
  ])("-p %s", async (name) => {
    const { code, stdout, stderr } = await run(`registry list --fields id -p ${name}`);
    expect([code, stdout], stderr).toEqual([0, "id\n12\n13\n14\n"]);
    expect((await run("registry list --fields id", { FORGECTL_PROJECT: name })).stdout).toBe(stdout);
    expect((await run(`projects get ${name} --fields id --no-header`)).stdout).toBe("7\n");
  });

  test.each(["acme", "acme/", `${url}/acme`, `${url}/groups/acme/-/hooks`])("-g %s", async (name) => {
    const { code, stdout } = await run(`hooks list -g ${name} --fields id --no-header`);
    expect([code, stdout]).toEqual([0, "1\n2\n3\n"]);
    expect((await run(`groups get ${name} --fields full_path --no-header`)).stdout).toBe("acme\n");
  });

  test.each(["https://other.example.com/acme/storefront", `${url.replace("//", "//user:pw@")}/acme/x`])(
    "another instance's address, %s, is refused before anything is sent, and a password in it is not repeated",
    async (address) => {
      log.length = 0;
      const { code, stderr } = await run(`errors disable -p ${address}`);
      expect([code, requestsIn(log)]).toEqual([2, []]);
      expect(stderr).toContain(`--project: the address is not on this instance, ${url}`);
      expect(stderr).not.toContain("pw@");
    },
  );
});

describe("hooks and registry repositories by name, in scripts too", () => {
  test("a hook by its unique name", async () => {
    expect((await run("hooks get Deploys -g acme --fields id,name")).stdout).toBe("id\tname\n2\tDeploys\n");
    const change = await run("hooks update Deploys -g acme --description x -n --jq .[].url");
    expect([change.code, change.stdout]).toEqual([0, `${url}/api/v4/groups/acme/hooks/2\n`]);
    expect(change.stderr).toContain("hook Deploys is hook 2");
  });

  test("a name that two have is refused with both; none is exit 3", async () => {
    for (const at of ["a", "b"]) await run(`hooks create https://${at}.example.com/x -g acme --name Twice`);
    log.length = 0;
    const { code, stderr } = await run("hooks delete Twice -g acme --yes");
    expect(code).toBe(2);
    expect(stderr).toMatch(/cause: \d+ \(https:\/\/a\.example\.com\/x\), \d+ \(https:\/\/b\.example\.com\/x\)/);
    expect(requestsIn(log).filter((line) => !line.startsWith("GET "))).toEqual([]);
    expect((await run("hooks get Nothing -g acme")).code).toBe(3);
  });

  test("digits are an ID, even if a hook has them as its name", async () => {
    await run("hooks create https://c.example.com/x -g acme --name 2");
    expect((await run("hooks get 2 -g acme --fields name --no-header")).stdout).toBe("Deploys\n");
    expect((await run("hooks get 2.5 -g acme")).code).toBe(2);
  });

  test("a repository by its path, with or without its project", async () => {
    const of = async (line: string) => (await run(line)).stdout;
    expect(await of("registry get acme/storefront/worker --fields id --no-header")).toBe("13\n");
    expect(await of("registry get acme/storefront --fields id --no-header")).toBe("12\n");
    expect(await of("registry delete acme/storefront/worker 12 -p 7 -n --jq .[].url")).toBe(
      `${url}/api/v4/projects/7/registry/repositories/13\n${url}/api/v4/projects/7/registry/repositories/12\n`,
    );
    expect((await run("registry get acme/nothing/there")).code).toBe(3);
  });
});

test("a change to a project that has moved says the new path, and is not made", async () => {
  const project = { id: 7, path_with_namespace: "acme/shop", web_url: "http://x" };
  const place = await signedIn((request, response, origin) => {
    const moved = request.method !== "GET";
    response.writeHead(moved ? 301 : 200, {
      "content-type": "application/json",
      ...(moved && { location: `${origin}/forge/api/v4/projects/7/error_tracking/settings` }),
    });
    response.end(JSON.stringify(project));
  });
  const { code, stderr } = await place.run(..."errors disable -p acme/storefront".split(" "));
  expect([code, place.seen.at(-1)]).toEqual([1, "GET /forge/api/v4/projects/acme%2Fstorefront"]);
  expect(stderr).toContain("error: the project acme/storefront has moved to acme/shop");
  expect(stderr).toContain("try:   -p acme/shop\n");
});

test("a change is not sent at all if a read before it shows that the project has moved", async () => {
  const settings = { active: true, integrated: true, project_name: null, sentry_external_url: null, api_url: null };
  const project = { id: 7, path_with_namespace: "acme/shop", web_url: "http://x" };
  const redirecting = await signedIn((request, response, origin) => {
    const rest = /projects\/acme%2Fstorefront(.*)$/.exec(request.url ?? "")?.[1];
    const body = request.url?.endsWith("/projects/7")
      ? project
      : { ...settings, deploy_access_levels: [{ id: 1, access_level: 40 }], name: "production" };
    if (rest === undefined)
      return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    response.writeHead(301, { location: `${origin}/forge/api/v4/projects/7${rest}` }).end();
  });
  const line = "envs update production -p acme/storefront --remove-allow 1 --yes";
  const { code, stderr } = await redirecting.run(...line.split(" "));
  expect([code, redirecting.seen.filter((each) => !each.startsWith("GET "))]).toEqual([1, []]);
  expect(stderr).toContain("error: the project acme/storefront has moved to acme/shop");
});

test("a read with HEAD shows it too", async () => {
  for (const flag of ["-n", "-q"]) {
    const { code, stderr } = await run(`files put README.md -p acme/shop -b main -m x --content y ${flag}`);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("the project acme/shop has moved to acme/storefront\n"),
    ]);
    expect(stderr).toContain("outcome: nothing was sent\ntry:   -p acme/storefront\n");
  }
});

test.each([
  ["job-token projects add 9 -p acme/old", "the project acme/old has moved to acme/new"],
  ["job-token projects remove 9 -p acme/old --yes", "the project acme/old has moved to acme/new"],
  ["job-token projects add acme/old -p 9", "the project acme/old has moved to acme/new"],
  ["saml links add X -g ac.me --access-level 10", "the group ac.me has moved to other"],
  ["ldap links remove -g ac.me --cn x --provider p --yes", "the group ac.me has moved to other"],
  ["envs protect x -p 9 --allow group:ac.me", "the group ac.me has moved to other"],
])("%s is not made by the ID that an earlier path leads to", async (line, message) => {
  const place = await signedIn((request, response) => {
    const project = { id: 7, path_with_namespace: "acme/new", web_url: "http://x" };
    const group = { id: 5, full_path: "other", name: "x", web_url: "http://x" };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(request.url?.includes("/projects/acme%2Fold") ? project : group));
  });
  const { code, stderr } = await place.run(...line.split(" "));
  expect([code, place.seen.filter((each) => !each.startsWith("GET "))]).toEqual([1, []]);
  expect(stderr).toContain(`error: ${message}\n`);
});

test("a list of a group that has moved is read", async () => {
  const place = await signedIn((request, response) => {
    const group = { id: 5, full_path: "other", name: "x", web_url: "http://x" };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(request.url?.includes("/saml_group_links") ? [] : group));
  });
  expect((await place.run("saml", "links", "list", "-g", "ac.me")).code).toBe(0);
});

test.each([
  ["registry prune -p acme/old --delete-regex .* --yes", "the project acme/old has moved to acme/new"],
  ["registry prune -p acme/old --delete-regex .* --dry-run", "the project acme/old has moved to acme/new"],
  ["registry prune -p acme/old --delete-regex .* --save p.json", "the project acme/old has moved to acme/new"],
  ["registry prune -g old --delete-regex .* --via tags --yes", "the group old has moved to acme"],
  ["each --projects-of old --yes -- job-token limit on", "the group old has moved to acme"],
  ["each --groups-of old --yes -- hooks update 1 --name x", "the group old has moved to acme"],
])("%s is not made for what an earlier path leads to", async (line, message) => {
  const place = await signedIn((request, response) => {
    const [url = ""] = (request.url ?? "").split("?");
    const repository = { id: 3, name: "", path: "acme/new", project_id: 7, location: "x", created_at: null };
    const tag = {
      name: "v1",
      path: "acme/new:v1",
      location: "x",
      digest: "sha256:1",
      created_at: "2020-01-01T00:00:00Z",
    };
    const answers: [RegExp, unknown][] = [
      [/repositories$/, [repository]],
      [/tags$/, [tag]],
      [/tags\/v1$/, tag],
      [/\/groups\/old\/projects$/, [{ id: 7, path_with_namespace: "acme/new", web_url: "http://x" }]],
      [/descendant_groups$/, []],
      [/rules$/, []],
      [/groups\/old$/, { id: 5, full_path: "acme", name: "x", web_url: "http://x" }],
      [/./, { id: 7, path_with_namespace: "acme/new", web_url: "http://x" }],
    ];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(answers.find(([pattern]) => pattern.test(url))?.[1]));
  });
  const { code, stderr } = await place.run(...line.split(" "));
  expect([code, place.seen.filter((each) => !each.startsWith("GET "))]).toEqual([1, []]);
  expect(stderr).toContain(`error: ${message}\n`);
});
