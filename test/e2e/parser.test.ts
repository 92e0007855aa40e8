import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { binary, node, sandboxSession } from "../support/session.ts";

// undici parses answers with WebAssembly, which V8 compiles again if it seems worthwhile: `node --trace-...` shows it.

test("the parser of answers is compiled once, however many answers there are", async () => {
  const user = await sandboxSession();
  const lines = Array.from({ length: 100 }, () => '{"args": ["users", "get", "1"]}\n').join("");
  const traced = ["--trace-wasm-compilation-times", binary, "batch", "-", "-o", "ndjson"];
  const running = promisify(execFile)(node, traced, { env: user.env as NodeJS.ProcessEnv });
  running.child.stdin?.end(lines);
  const { stdout } = await running;
  expect(stdout.match(/^\{.*"username":/gm)).toHaveLength(100);
  const compiled = stdout.match(/^Compiled function .*$/gm) ?? [];
  expect(compiled.filter((line) => line.includes("Liftoff")).length).toBeGreaterThan(5);
  expect(compiled.filter((line) => !line.includes("Liftoff"))).toEqual([]);
});
