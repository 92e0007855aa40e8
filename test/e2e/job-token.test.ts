import { beforeAll, describe, expect, test } from "vitest";
import { requestsIn, sandboxSession } from "../support/session.ts";

let log: string[];
let admin: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  log = [];
  admin = await sandboxSession({ log: (line) => log.push(line) });
});

const run = (line: string) => admin.run(...line.split(" "));

const requests = () => requestsIn(log);

describe("job-token", () => {
  test("limit changes the setting and prints the new one", async () => {
    requests();
    const asked = await run("job-token limit off -p acme/docs");
    expect([asked.code, asked.stderr]).toEqual([
      2,
      expect.stringContaining("this would open project acme/docs to the job tokens of every project of the instance"),
    ]);
    expect(requests()).toEqual([]);
    expect(await run("job-token limit off -p acme/docs -o json --yes")).toMatchObject({
      code: 0,
      stderr: "",
      stdout: '{\n  "inbound_enabled": false,\n  "outbound_enabled": true\n}\n',
    });
    expect(await run("job-token limit on -p acme/docs")).toMatchObject({
      stdout: "inbound_enabled\toutbound_enabled\ntrue\ttrue\n",
    });
    expect(requests()).toEqual([
      "PATCH /api/v4/projects/acme%2Fdocs/job_token_scope 204",
      "GET /api/v4/projects/acme%2Fdocs/job_token_scope 200",
      "PATCH /api/v4/projects/acme%2Fdocs/job_token_scope 204",
      "GET /api/v4/projects/acme%2Fdocs/job_token_scope 200",
    ]);
    expect(await run("job-token get -p 2 --jq .inbound_enabled")).toMatchObject({ stdout: "true\n" });
  });

  test("a dry run of limit shows the one request", async () => {
    requests();
    expect(await run("job-token limit off -p 2 --dry-run -o json")).toMatchObject({
      code: 0,
      stdout: `${JSON.stringify(
        [{ method: "PATCH", url: `${admin.sandbox.url}/api/v4/projects/2/job_token_scope`, body: { enabled: false } }],
        undefined,
        2,
      )}\n`,
    });
    expect(requests()).toEqual([]);
  });

  test("projects are listed, added, and removed", async () => {
    const list = () => run("job-token projects list -p 8 --fields id,path_with_namespace --no-header");
    expect((await list()).stdout).toBe("8\tacme/mobile/android-app\n");
    expect((await run("job-token projects add 12 -p 8")).stdout).toBe("source_project_id\ttarget_project_id\n8\t12\n");
    expect((await list()).stdout).toBe("8\tacme/mobile/android-app\n12\topen-tools/cli\n");
    const again = await run("job-token projects add 12 -p 8");
    expect(again.code).toBe(6);
    expect(again.stderr).toContain("already in the job token allowlist");
    const asked = await run("job-token projects remove 12 -p 8");
    expect(asked).toMatchObject({ code: 2, stdout: "" });
    expect(asked.stderr).toContain("this would revoke the access of project 12 (project 8), and needs confirmation");
    expect((await run("job-token projects remove 12 -p 8 --yes")).stdout).toBe(
      "target_project_id\tstatus\n12\tdeleted\n",
    );
    expect(await run("job-token projects remove 12 -p 8 --yes")).toMatchObject({ code: 3, stdout: "" });
  });

  test("groups are listed, added, and removed", async () => {
    expect((await run("job-token groups add 8 -p 8 -o ndjson")).stdout).toBe(
      '{"source_project_id":8,"target_group_id":8}\n',
    );
    expect((await run("job-token groups list -p 8 --fields id,name")).stdout).toBe("id\tname\n8\tOpen Tools\n");
    expect((await run("job-token groups remove 8 -p 8 -y")).stdout).toBe("target_group_id\tstatus\n8\tdeleted\n");
    expect(await run("job-token groups list -p 8 -o json")).toMatchObject({ code: 0, stdout: "[]\n" });
  });

  test("needs a Maintainer, and says so", async () => {
    const { code, stderr } = await admin.as("developer").run("job-token", "get", "-p", "7");
    expect(code).toBe(5);
    expect(stderr).toContain("this needs the Maintainer role");
  });

  test.each([
    ["job-token limit maybe -p 7", '<on|off>: must be one of on, off, not "maybe"'],
    ["job-token limit -p 7", "missing <on|off>"],
    ["job-token projects add 0 -p 7", "<project-id>: must be an ID (a whole number of at least 1) or a name"],
    ["job-token groups remove 99999999999999999999 -p 7 -y", "<group-id>: must be an ID"],
    ["job-token get", "missing -p, --project"],
  ])("%s is refused before anything is sent", async (line, message) => {
    requests();
    const { code, stdout, stderr } = await run(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(requests()).toEqual([]);
  });
});
