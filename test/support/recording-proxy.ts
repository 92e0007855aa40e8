import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { atEnd } from "./ending.ts";

/** A change as it was sent. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  /** The names of the parameters in its query and its body. */
  readonly names: readonly string[];
}

/**
 * A proxy that passes reads on, and records changes. They are answered with 403, so that what is behind it stays as it
 * is, and a job continues with the next; while it is `open` they are passed on too.
 */
export async function recordingProxy() {
  const sent: Sent[] = [];
  const proxy = {
    url: "",
    /** The address of the instance behind it. */
    target: "",
    open: false,
    /** What was sent since the last time. */
    taken: () => sent.splice(0),
  };
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    const { method = "", url = "", headers } = incoming;
    if (!proxy.open && method !== "GET" && method !== "HEAD") {
      sent.push({ method, path: url.replace(/\?.*/s, ""), names: [...namesInQuery(url), ...namesIn(body.toString())] });
      return void outgoing.writeHead(403, { "content-type": "application/json" }).end('{"message":"no"}');
    }
    const onward = request(new URL(url, proxy.target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    onward.end(body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}

/** Those that have a value: instances ignore one that is empty. */
function namesInQuery(url: string): string[] {
  return [...new URL(url, "http://x").searchParams].flatMap(([name, value]) => (value === "" ? [] : name));
}

/** The names in a body of JSON, of a form, or of a form with files. */
function namesIn(body: string): string[] {
  if (body.startsWith("{")) return Object.keys(JSON.parse(body));
  if (body.startsWith("--")) return [...body.matchAll(/form-data; name="(.*?)"/g)].map(([, name = ""]) => name);
  return [...new URLSearchParams(body).keys()];
}
