import { entity, integer, json, map, nullable, string, uncut } from "../../../api/field.ts";
import { UsageError } from "../../../base/errors.ts";
import type { Context } from "../../../context.ts";
import { command } from "../../../declare/command.ts";
import type { Listening } from "../../../local-http.ts";
import type { RowsView } from "../../../terminal/view.ts";
import { folderAbove } from "../../../transfer/folder-above.ts";
import { readSecretToken } from "../change.ts";
import { Receiver } from "./receiver.ts";

const Arrival = entity("HookArrival", {
  received_at: string("Time of arrival, in UTC"),
  event: nullable(string("Note Hook, among others")),
  place: nullable(string("Path of the project or the group")),
  title: nullable(string("Title of the event")),
  status: integer("Status of the answer"),
  error: nullable(uncut("Why it was refused, not saved, or not forwarded")),
  file: nullable(uncut("File of the saved body")),
  path: string("Request path"),
  headers: map("Headers; those that may contain a secret are masked"),
  body: json("The payload; text if it is not JSON"),
});

const mebibyte = 1024 * 1024;
/** The platform does not send larger bodies. */
const maxBytes = 25 * mebibyte;
/** The platform's own timeout is shorter. */
const arrivalMs = 60_000;
/** The platform sends the head at once. */
const headMs = 5_000;
const connections = 32;

export const listen = command({
  name: "listen",
  summary: "Receive deliveries of webhooks on this machine and show them",
  details:
    "A receiver on 127.0.0.1, for a sandbox, an instance on this machine, or a tunnel. One line per delivery; " +
    "-o ndjson prints all of it. With --token-file, deliveries without the secret token are answered 401, shown, and not " +
    "counted. --forward relays each delivery, including headers, and returns its answer. Requests from browsers, to " +
    "names other than loopback, and over 25 MiB are refused. Ctrl-C ends it, with exit code 130 if fewer than --count " +
    "have arrived; exit code 9 if a delivery could not be saved or forwarded. With --dry-run they are neither saved nor " +
    "forwarded, and answered with 503.",
  params: {
    port: integer("TCP port; default any free one", { placeholder: "n", min: 0, max: 65_535 }),
    token_file: string("File with the hook's secret token", { placeholder: "file", completes: "file" }),
    forward: string("Relay each delivery to this address", { placeholder: "url" }),
    save: string("Save each body as a file in this folder", {
      placeholder: "dir",
      completes: "directory",
      writes: "whole",
    }),
    count: integer("End after this many deliveries", { placeholder: "n", min: 1 }),
  },
  returns: Arrival,
  prints: "rows",
  examples: [
    { line: "hooks listen --port 9000" },
    { line: "hooks listen --port 9000 --token-file token.txt --forward http://127.0.0.1:3000/webhook" },
    { line: "hooks listen --port 9000 --save deliveries -o ndjson", note: "all details, and a file with each body" },
  ],
  related: ["hooks create", "hooks test", "sandbox start"],
  standalone: true,
  changes: ({ forward }) => forward !== undefined,
  async run(context, flags): Promise<RowsView> {
    if (context.config.quiet && !flags.port) {
      throw new UsageError("with --quiet the chosen port is not shown", { hint: "name it with --port" });
    }
    const forward = flags.forward === undefined ? undefined : forwardTo(flags.forward);
    const token =
      flags.token_file === undefined ? undefined : await readSecretToken(context, flags.token_file, "--token-file");
    const { dryRun } = context.config;
    if (flags.save !== undefined) await prepareFolder(context, flags.save);
    const wanted = { token, forward, folder: flags.save, count: flags.count, maxBytes };
    const isKept = (forward ?? flags.save) !== undefined;
    const receiver = new Receiver(context, dryRun && isKept ? { ...wanted, ...neither } : wanted);
    const server = await open(context, flags.port ?? 0, receiver);
    if (forward !== undefined && isSameServer(forward, server.port)) {
      await server.close();
      throw new UsageError("--forward points to this receiver itself");
    }
    if (dryRun && isKept)
      context.notice("a dry run: deliveries are neither saved nor forwarded, and answered with 503");
    context.notice(`listening on http://127.0.0.1:${server.port}; Ctrl-C stops it`);
    const stop = () => receiver.end();
    context.signal.addEventListener("abort", stop, { once: true });
    if (context.signal.aborted) stop();
    return {
      rows: receiver.rows(),
      columns: ["received_at", "event", "place", "title", "status", "error"],
      live: true,
      validIfPartial: true,
      finishes: false,
      until: async (printed) => {
        try {
          await printed;
        } finally {
          receiver.end();
          await server.close();
        }
        const failure = receiver.failure();
        if (failure !== undefined) throw failure;
      },
    };
  },
});

/** A dry run shows deliveries. What is sent to a receiver cannot be taken back. */
const neither = { forward: undefined, folder: undefined, isRefusing: true };

async function open(context: Context, port: number, receiver: Receiver): Promise<Listening> {
  const idleMs = arrivalMs + context.config.timeoutMs;
  const limits = { bodyBytes: maxBytes, heldBytes: 4 * maxBytes, connections, headMs, arrivalMs, idleMs };
  try {
    return await context.http.listen(port, limits, receiver);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EADDRINUSE" && code !== "EACCES") throw error;
    throw new UsageError(`--port: ${port} ${code === "EACCES" ? "may not be used" : "is in use"}`, {
      code: "port_unavailable",
      hint: "leave out --port for any free one",
    });
  }
}

function forwardTo(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new UsageError(`--forward: must be an http or https address, not "${text}"`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new UsageError("--forward: an argument shows in process lists; leave user and password out of the address");
  }
  return url;
}

function isSameServer(url: URL, port: number): boolean {
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(url.hostname);
  return isHere && Number(url.port || (url.protocol === "https:" ? 443 : 80)) === port;
}

/** Creates the folder if necessary, but not in a dry run. */
async function prepareFolder(context: Context, folder: string): Promise<void> {
  const kind = (await context.files.facts(folder))?.kind;
  if (kind !== undefined && kind !== "folder") throw new UsageError(`--save: ${folder} is not a folder`);
  if (kind === "folder") return;
  await folderAbove(context, folder, "--save");
  if (!context.config.dryRun) await context.files.makeFolder(folder, { mode: 0o700 });
}
