import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { lossyProxy } from "../support/lossy-proxy.ts";
import { requestsIn, sandboxSession } from "../support/session.ts";

const log: string[] = [];
let admin: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  admin = await sandboxSession({ log: (line) => log.push(line) });
  writeFileSync(join(admin.home, "one.txt"), "one\n");
  writeFileSync(join(admin.home, 'two "2".png'), "two\n");
  writeFileSync(join(admin.home, "empty"), "");
  mkdirSync(join(admin.home, "folder"));
  execFileSync("mkfifo", [join(admin.home, "pipe")]);
});

const run = (line: string) => admin.run(...line.split(" "));
const requests = () => requestsIn(log);

interface Made {
  id: number;
  url: string;
  markdown: string;
}

async function make(name = "one.txt"): Promise<Made> {
  return JSON.parse((await admin.run("uploads", "create", name, "-p", "7", "--jq", ".[0]", "-o", "json")).stdout);
}

describe("uploads create", () => {
  test("sends files and prints the links to paste", async () => {
    const { code, stdout, stderr } = await admin.run("uploads", "create", "one.txt", 'two "2".png', "-p", "7");
    expect(code).toBe(0);
    // They are sent concurrently, in any order.
    expect(stderr).toMatch(/^2 of 2 done\nundo: forgectl uploads delete (?:10 11|11 10) -p 7 --base-url \S+\n$/);
    const [header, first = "", second = ""] = stdout.split("\n");
    expect(header).toBe("file\tid\tmarkdown\tstatus\terror");
    expect(first).toMatch(/^one\.txt\t\d+\t\[one\.txt\]\(\/uploads\/[0-9a-f]{32}\/one\.txt\)\tcreated\t$/);
    expect(second).toMatch(/^two "2"\.png\t\d+\t!\[two_.*\]\(\/uploads\/[0-9a-f]{32}\/two_.*\.png\)\tcreated\t$/);
    const { stdout: listed } = await run(
      "uploads list -p 7 -L 2 --fields filename,size,uploaded_by.username --no-header",
    );
    expect(listed.split("\n").toSorted()).toEqual(["", "one.txt\t4\troot", expect.stringMatching(/^two_.*\t4\troot$/)]);
  });

  test("shows the request of a dry run without the content", async () => {
    const { stdout } = await run("uploads create one.txt -p 7 --dry-run -o json");
    expect(JSON.parse(stdout)).toEqual([
      { method: "POST", url: `${admin.sandbox.url}/api/v4/projects/7/uploads`, body: { file: "one.txt (4 bytes)" } },
    ]);
  });

  test("one that fails does not stop the others: exit 9", async () => {
    const faulty = await sandboxSession({ faults: "POST /projects/7/uploads=400" });
    for (const name of ["a.txt", "b.txt"]) writeFileSync(join(faulty.home, name), name);
    const words = "uploads create a.txt b.txt -p 7 --concurrency 1 --fields file,status --no-header";
    const { code, stdout, stderr } = await faulty.run(...words.split(" "));
    expect({ code, stdout }).toEqual({ code: 9, stdout: "a.txt\trefused\nb.txt\tcreated\n" });
    expect(stderr).toContain("error: 1 of 2 failed");
  });

  test.each([
    ["one.txt nothing", "the file nothing does not exist"],
    ["one.txt empty", "empty is empty"],
    ["folder", "folder is a folder"],
    ["pipe", "pipe is not a regular file"],
    ["", "missing <file>"],
  ])("%s is refused before anything is sent", async (files, message) => {
    requests();
    const { code, stdout, stderr } = await run(`uploads create -p 7 ${files}`.trim());
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(requests()).toEqual([]);
  });

  test("groups have no uploads, and the error says so", async () => {
    const { code, stderr } = await run("uploads create one.txt -g acme");
    expect(code).toBe(2);
    expect(stderr).toContain("--group: the documented API uploads to projects only; give a project");
  });

  test("one that is too large names the setting, alone and among others", async () => {
    const faulty = await sandboxSession({ faults: "POST /projects/7/uploads=413*always" });
    for (const name of ["a.txt", "b.txt"]) writeFileSync(join(faulty.home, name), name);
    const alone = await faulty.run(..."uploads create a.txt -p 7".split(" "));
    expect([alone.code, alone.stderr]).toEqual([
      1,
      expect.stringMatching(
        /; the setting max_attachment_size is the maximum size of an upload in MiB\ntry: {3}forgectl settings get max_attachment_size\n/,
      ),
    ]);
    const two = await faulty.run(..."uploads create a.txt b.txt -p 7".split(" "));
    expect([two.code, two.stdout.match(/max_attachment_size/g)]).toEqual([9, Array(2).fill("max_attachment_size")]);
  });

  test("a lost answer: the hint is not to repeat the upload, but how to check it", async () => {
    const { url } = await lossyProxy(admin.sandbox.url, { how: "reset" });
    const { code, stderr } = await admin.run(..."uploads create one.txt -p 7 -o json --base-url".split(" "), url);
    expect([code, JSON.parse(stderr).error]).toEqual([
      11,
      expect.objectContaining({
        outcome_text: "the change may have been made anyway",
        hint: expect.stringContaining(`forgectl --base-url ${url} uploads list -p 7`),
        retryable: false,
        outcome: "unknown",
      }),
    ]);
  });
});

describe("uploads list", () => {
  test("is of a project or of a group", async () => {
    expect((await run("uploads list -g acme --fields id,filename,size,uploaded_by.username")).stdout).toBe(
      "id\tfilename\tsize\tuploaded_by.username\n9\ton-call.csv\t36\tmateo.marin\n" +
        "8\troadmap.md\t33\tolivia.ortega\n7\tletterhead.png\t70\t\n",
    );
    expect((await run("uploads list -p 3 --jq .[].filename")).stdout).toBe("latency.csv\n");
  });

  test("needs exactly one of them", async () => {
    const both = await run("uploads list -p 7 -g acme");
    expect([both.code, both.stderr.split("\n")[0]]).toEqual([2, "error: give only one of --project and --group"]);
    const none = await run("uploads list");
    expect([none.code, none.stderr.split("\n")[0]]).toEqual([2, "error: missing -p, --project or -g, --group"]);
  });
});

describe("uploads download", () => {
  const logo = "/uploads/6e173ac296917f04694ac02bf691a741/logo.png";
  const inFolder = (name: string) => {
    const cwd = join(admin.home, name);
    mkdirSync(cwd);
    return { cwd, there: () => readdirSync(cwd), read: (file: string) => readFileSync(join(cwd, file), "utf8") };
  };

  test("by ID, under the instance's name, made safe, which never replaces a file", async () => {
    const { cwd, there, read } = inFolder("by-id");
    const first = await admin.run("uploads", "download", "8", "-g", "acme", { cwd });
    expect(first).toEqual({ code: 0, stdout: "file\tsize\nroadmap.md\t33\n", stderr: "" });
    expect(read("roadmap.md")).toBe("# Roadmap\n\n1. Search\n2. Payments\n");
    const again = await admin.run("uploads", "download", "8", "-g", "acme", { cwd });
    expect(again.code).toBe(2);
    expect(again.stderr).toContain("roadmap.md already exists");
    expect(there()).toEqual(["roadmap.md"]);
  });

  test("by secret, in every form, with the Guest role; -O names the file or stdout", async () => {
    const { cwd, there, read } = inFolder("by-secret");
    const guest = admin.as("guest");
    requests();
    for (const form of [
      `![logo](${logo})`,
      logo.slice("/uploads/".length),
      `${admin.sandbox.url}/-/project/7${logo}`,
    ]) {
      const { code } = await guest.run("uploads", "download", form, "-p", "7", "-O", "target.png", { cwd });
      expect([form, code]).toEqual([form, 0]);
    }
    expect(requests()).toEqual(Array(3).fill(`GET /api/v4/projects/7${logo} 200`));
    expect(there()).toEqual(["target.png"]);
    expect(read("target.png").slice(1, 4)).toBe("PNG");
    const { stdout } = await admin.run("uploads", "download", "8", "-g", "1", "-O", "-", { cwd });
    expect(stdout).toBe("# Roadmap\n\n1. Search\n2. Payments\n");
    expect((await guest.run("uploads", "download", "1", "-p", "7", { cwd })).code).toBe(5);
  });

  test("an incomplete body leaves the target unchanged", async () => {
    const faulty = await sandboxSession({ faults: "GET /groups/1/uploads/8=truncate*always" });
    writeFileSync(join(faulty.home, "kept.md"), "old");
    const words = "uploads download 8 -g 1 -O kept.md --retries 0".split(" ");
    expect((await faulty.run(...words)).code).toBe(11);
    expect(readFileSync(join(faulty.home, "kept.md"), "utf8")).toBe("old");
  });

  test("a file in place of a folder and an invalid reference are refused before anything is sent", async () => {
    requests();
    writeFileSync(join(admin.home, "file"), "");
    const target = await run("uploads download 1 -p 7 -O file/logo.png");
    expect([target.code, target.stderr.split("\n")[0]]).toEqual([2, "error: file is not a folder"]);
    expect((await run("uploads download logo.png -p 7")).code).toBe(2);
    expect(requests()).toEqual([]);
  });
});

describe("uploads delete", () => {
  test("accepts every form of an upload, and prints each as typed", async () => {
    const [one, two, three] = [await make(), await make(), await make()];
    requests();
    const forms = [String(one.id), two.url.replace("/uploads/", ""), three.markdown];
    const { code, stdout } = await admin.run("uploads", "delete", ...forms, "-p", "7", "--yes", "--concurrency", "1");
    expect(code).toBe(0);
    expect(stdout).toBe(`upload\tstatus\terror\n${forms.map((form) => `${form}\tdeleted\t\n`).join("")}`);
    expect(requests()).toEqual([
      "GET /api/v4/projects/7/uploads 200",
      `DELETE /api/v4/projects/7/uploads/${one.id} 204`,
      `DELETE /api/v4/projects/7${two.url} 204`,
      `DELETE /api/v4/projects/7${three.url} 204`,
    ]);
  });

  test("asks first, and reports missing ones", async () => {
    const { id } = await make();
    const asked = await run(`uploads delete ${id} -p 7`);
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain(`this would delete upload ${id} (project 7), and needs confirmation`);
    const some = await run(`uploads delete ${id} 999 -p 7 -y -o json`);
    expect(some.code).toBe(9);
    expect(JSON.parse(some.stdout)).toEqual([
      { upload: String(id), status: "deleted" },
      { upload: "999", status: "refused", error: expect.stringContaining("404 Upload Not Found") },
    ]);
    expect((await run("uploads delete 999 -g acme -y")).code).toBe(3);
  });

  test("an invalid reference is refused before anything is sent", async () => {
    requests();
    const { code, stderr } = await run("uploads delete 1 /uploads/abc/logo.png -p 7 --yes");
    expect(code).toBe(2);
    expect(stderr).toContain('"/uploads/abc/logo.png" is not an upload: its secret has 3 characters instead of 32');
    expect(requests()).toEqual([]);
  });

  test("accepts addresses of this instance and this project only, in any spelling", async () => {
    const { id, url } = await make();
    const here = admin.sandbox.url;
    requests();
    const refused = async (address: string, scope = "-p 7") => {
      const { code, stdout, stderr } = await run(`uploads delete ${address} ${scope} --yes`);
      const lines = stderr.split("\n").slice(0, -1);
      return [code, stdout, lines[0]?.replace(address, "…"), requests().filter((line) => line.startsWith("DELETE"))];
    };
    const other = 'error: "…" is not an upload of ';
    for (const address of [
      `https://other.example/api/v4/projects/7/uploads/${id}`,
      `${here.replace("http:", "https:")}/api/v4/projects/7/uploads/${id}`,
      `http://localhost.example/-/project/7${url}`,
    ]) {
      expect(await refused(address)).toEqual([2, "", `${other}${here}`, []]);
    }
    const of = (owner: string, given: string) => [2, "", `error: "…" is an upload of ${owner}, not of ${given}`, []];
    expect(await refused(`${here}/api/v4/projects/9/uploads/${id}`)).toEqual(of("project 9", "project 7"));
    expect(await refused(`${here}/-/group/1/uploads/${id}`)).toEqual(of("group 1", "project 7"));
    expect(await refused(`/acme/website${url}`)).toEqual(of("project acme/website", "project 7"));
    expect(await refused(`[x](/-/project/9${url})`, "-g acme")).toEqual(of("project 9", "group acme"));
    const unknown = await run(`uploads delete /acme/nowhere${url} -p 7 --yes`);
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining("this may not be an upload of project 7"),
    ]);
    // The same project under its ID and its path, and each upload once.
    const forms = [`${here}/acme/storefront${url}`, `/-/project/7${url}`, url, url.slice("/uploads/".length)];
    const { code, stdout } = await admin.run("uploads", "delete", ...forms, "-p", "7", "--yes", "--no-header");
    expect([code, stdout]).toEqual([0, `${forms[0]}\tdeleted\t\n`]);
    expect((await run(`uploads download ${here}/api/v4/projects/9/uploads/1 -p 7 -O -`)).code).toBe(2);
  });

  test("needs the Maintainer role", async () => {
    const { code, stderr } = await admin.as("developer").run(..."uploads delete 2 -p 7 -y".split(" "));
    expect(code).toBe(5);
    expect(stderr).toContain("this needs the Maintainer role");
  });
});
