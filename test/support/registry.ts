import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash, createSign, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "./ending.ts";

// A real container registry (Debian's docker-registry) and the token endpoint that it trusts.

/** Why a real registry cannot run here; undefined if it can. */
export function whyNoRegistry(): string | undefined {
  for (const [program, flag] of [
    ["docker-registry", "--version"],
    ["openssl", "version"],
  ] as const) {
    if (spawnSync(program, [flag]).error !== undefined)
      return `there is no ${program} here (apt-get install ${program})`;
  }
  return undefined;
}

interface Grant {
  type: string;
  name: string;
  actions: string[];
}

export interface TokenEndpoint {
  url: string;
  folder: string;
  /** The scopes of each request that was answered. */
  asked: string[][];
  sign(access: Grant[]): string;
}

/** Users of the token endpoint, with the same password; `reader` may only pull. */
export const password = "correct horse battery";

/** A `/jwt/auth` that grants whatever is requested; its certificate is `cert.pem` of the folder. */
export async function startTokenEndpoint(): Promise<TokenEndpoint> {
  const folder = mkdtempSync(join(tmpdir(), "forgectl-registry-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-days", "2", "-subj", "/CN=forgectl-test"];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, ...subject], {
    stdio: "ignore",
  });
  const x5c = [readFileSync(cert, "utf8").replace(/-----[A-Z ]+-----|\s/g, "")];
  const asked: string[][] = [];
  const sign = (access: Grant[]) => {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      ...{ iss: "forgectl-test", sub: "robot", aud: "container_registry", jti: randomUUID() },
      ...{ iat: now, nbf: now - 5, exp: now + 300, access },
    };
    const text = [{ typ: "JWT", alg: "RS256", x5c }, claims].map(encode).join(".");
    return `${text}.${createSign("RSA-SHA256").update(text).sign(readFileSync(key, "utf8"), "base64url")}`;
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const [user, given] = Buffer.from(request.headers.authorization?.slice(6) ?? "", "base64")
      .toString()
      .split(":");
    const right = url.pathname === "/jwt/auth" && url.searchParams.get("service") === "container_registry";
    if (!right || given !== password) {
      response.writeHead(right ? 401 : 404).end('{"errors":[{"code":"UNAUTHORIZED","message":"access denied"}]}');
      return;
    }
    const scopes = url.searchParams.getAll("scope");
    asked.push(scopes);
    const access = scopes.map(grantOf).map((grant) => (user === "reader" ? onlyPull(grant) : grant));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ token: sign(access) }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, folder, asked, sign };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function grantOf(scope: string): Grant {
  const [type = "", name = "", actions = ""] = scope.split(":");
  return { type, name, actions: actions.split(",") };
}

function onlyPull({ type, name, actions }: Grant): Grant {
  return { type, name, actions: actions.filter((action) => action === "pull") };
}

/** Starts a separate registry on a free port; it is stopped after the file's tests. */
export async function startRegistry(tokens: TokenEndpoint, options: { deletes: boolean }): Promise<string> {
  const address = `127.0.0.1:${await freePort()}`;
  const name = `registry-${randomUUID()}`;
  const config = join(tokens.folder, `${name}.yml`);
  const auth = { realm: `${tokens.url}/jwt/auth`, service: "container_registry", issuer: "forgectl-test" };
  // JSON is YAML.
  const content = {
    version: 0.1,
    log: { level: "error", accesslog: { disabled: true } },
    storage: {
      filesystem: { rootdirectory: join(tokens.folder, name) },
      delete: { enabled: options.deletes },
    },
    http: { addr: address, secret: "test" },
    auth: { token: { ...auth, rootcertbundle: join(tokens.folder, "cert.pem") } },
  };
  writeFileSync(config, JSON.stringify(content));
  const child = spawn("docker-registry", ["serve", config], { stdio: ["ignore", "ignore", "pipe"] });
  atEnd(() => end(child));
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk;
  });
  for (let waited = 0; waited < 10_000; waited += 50) {
    const answer = await fetch(`http://${address}/v2/`).catch(() => undefined);
    if (answer?.status === 401) return `http://${address}`;
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the registry did not start: ${said}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, "exit");
  child.kill();
  await exited;
}

async function freePort(): Promise<number> {
  const socket = createSocket().listen(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address() as AddressInfo;
  socket.close();
  await once(socket, "close");
  return port;
}

/**
 * Pushes an image of one tiny layer under some tags.
 *
 * @returns the manifest's digest
 */
export async function pushImage(
  tokens: TokenEndpoint,
  registry: string,
  image: string,
  tags: string[],
): Promise<string> {
  const authorization = `Bearer ${tokens.sign([{ type: "repository", name: image, actions: ["pull", "push"] }])}`;
  const send = async (method: string, url: string, body: string, type = "application/octet-stream") => {
    const response = await fetch(new URL(url, registry), {
      method,
      body,
      headers: { authorization, "content-type": type },
    });
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
    return response;
  };
  const blob = async (text: string, mediaType: string) => {
    const digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
    const opened = await send("POST", `/v2/${image}/blobs/uploads/`, "");
    const place = new URL(opened.headers.get("location") ?? "", registry);
    place.searchParams.set("digest", digest);
    await send("PUT", place.href, text);
    return { mediaType, size: Buffer.byteLength(text), digest };
  };
  const kind = "application/vnd.docker";
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: `${kind}.distribution.manifest.v2+json`,
    config: await blob(`{"image":"${image} ${tags}"}`, `${kind}.container.image.v1+json`),
    layers: [await blob("layer", `${kind}.image.rootfs.diff.tar.gzip`)],
  });
  for (const tag of tags) {
    await send("PUT", `/v2/${image}/manifests/${tag}`, manifest, `${kind}.distribution.manifest.v2+json`);
  }
  return `sha256:${createHash("sha256").update(manifest).digest("hex")}`;
}
