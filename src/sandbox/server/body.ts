import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";
import type { SpooledFile } from "../store/blobs.ts";
import { assign, isHash, type RawParams, rawParams } from "./nested.ts";
import { badRequest, Problem, tooLarge } from "./problem.ts";

/** The maximum size of a body without uploaded files, in bytes. */
const MAX_BODY = 64 * 1024 * 1024;

/** A file of a multipart form, received whole. It is removed after the request unless a blob adopts it. */
export class UploadedFile implements SpooledFile {
  readonly path: string;
  /** The client's name for it, without folders; may be empty. */
  readonly filename: string;
  readonly contentType: string;
  readonly size: number;
  readonly sha256: string;

  constructor(fields: SpooledFile & { readonly filename: string; readonly contentType: string }) {
    this.path = fields.path;
    this.filename = fields.filename;
    this.contentType = fields.contentType;
    this.size = fields.size;
    this.sha256 = fields.sha256;
  }
}

export interface Body {
  readonly values: RawParams;
  /** Removes the received files that were not adopted. */
  discard(): Promise<void>;
}

/**
 * Reads the parameters of a body: JSON, a form, or a multipart form. Other bodies have no parameters.
 * `spool` returns the folder for files; without it their bytes are discarded.
 */
export async function readBody(incoming: IncomingMessage, spool?: () => string): Promise<Body> {
  const type = (incoming.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "multipart/form-data") return readMultipart(incoming, spool);
  const isJson = type === "application/json" || type.endsWith("+json");
  if (!isJson && type !== "application/x-www-form-urlencoded") return plain(rawParams());
  const text = await readText(incoming);
  return plain(isJson ? fromJson(text) : fromPairs(new URLSearchParams(text)));
}

/** The parameters of a query string or a URL-encoded form. */
export function fromPairs(pairs: URLSearchParams): RawParams {
  const values = rawParams();
  for (const [key, value] of pairs) assign(values, key, value);
  return values;
}

function plain(values: RawParams): Body {
  return { values, discard: async () => {} };
}

function fromJson(text: string): RawParams {
  if (text.trim() === "") return rawParams();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest("the body is not valid JSON");
  }
  if (isDeep(value)) throw badRequest("the body is nested too deeply");
  if (!isHash(value)) throw badRequest("the body is not a JSON object");
  return value;
}

/** The maximum nesting of objects and arrays in a body. */
const MAX_DEPTH = 100;

/** Whether a value exceeds the maximum nesting; iterative, because deep nesting would exhaust recursion. */
function isDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return false;
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      size += (chunk as Buffer).length;
      if (size > MAX_BODY) throw tooLarge();
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    throw error instanceof Problem ? error : badRequest("the body is incomplete");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw badRequest("the body is not valid UTF-8");
  }
}

async function readMultipart(incoming: IncomingMessage, spool?: () => string): Promise<Body> {
  const values = rawParams();
  const paths: string[] = [];
  const discard = async () => {
    await Promise.all(paths.map((path) => rm(path, { force: true })));
  };
  const receive = async (stream: Readable, filename: string, contentType: string, name: string) => {
    if (spool === undefined) {
      stream.resume();
      return;
    }
    const path = join(spool(), `upload-${randomUUID()}`);
    paths.push(path);
    assign(values, name, new UploadedFile({ ...(await receiveFile(stream, path)), filename, contentType }));
  };
  try {
    await parseMultipart(incoming, values, receive);
  } catch (error) {
    await discard();
    throw error;
  }
  return { values, discard };
}

type Receive = (stream: Readable, filename: string, contentType: string, name: string) => Promise<void>;

/**
 * Passes the request to busboy. Not with `pipeline`, which would destroy the request and the connection needed to send
 * the 400.
 */
function parseMultipart(incoming: IncomingMessage, values: RawParams, receive: Receive): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      incoming.unpipe();
      incoming.resume();
      reject(error);
    };
    let parser: BusboyInstance;
    try {
      parser = new Busboy({
        headers: incoming.headers as BusboyHeaders,
        limits: { fieldSize: MAX_BODY, fieldNameSize: 1000, fields: 10_000, files: 100 },
      });
    } catch {
      fail(badRequest("the multipart form has no boundary"));
      return;
    }
    const files: Promise<void>[] = [];
    const streams: Readable[] = [];
    parser.on("field", (name, value, _nameTruncated, valueTruncated) => {
      if (valueTruncated) fail(tooLarge());
      else assign(values, name, value);
    });
    parser.on("file", (name, stream, filename, _encoding, mimeType) => {
      streams.push(stream);
      // If the form is truncated, the parser fails each of its files, and errors of unread files must be handled too.
      stream.on("error", (error) => fail(badRequest(`the multipart form is malformed: ${error.message}`)));
      const received = receive(stream, filename ?? "", mimeType, name);
      received.catch(fail);
      files.push(received);
    });
    parser.on("error", () => fail(badRequest("the multipart form is malformed")));
    parser.on("finish", () => Promise.all(files).then(() => resolve(), fail));
    incoming.on("close", () => {
      if (incoming.complete) return;
      const disconnected = new Error("the client disconnected");
      parser.destroy(disconnected);
      for (const stream of streams) stream.destroy(disconnected);
    });
    incoming.pipe(parser);
  });
}

async function receiveFile(stream: Readable, path: string): Promise<SpooledFile> {
  const hash = createHash("sha256");
  let size = 0;
  await pipeline(
    stream,
    async function* count(source: AsyncIterable<Buffer>) {
      for await (const chunk of source) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(path, { mode: 0o600 }),
  );
  return { path, size, sha256: hash.digest("hex") };
}
