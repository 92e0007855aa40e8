import { expect } from "vitest";
import { createApi } from "../../../../src/api/client.ts";
import { endpoint } from "../../../../src/api/endpoint.ts";
import { boolean, entity, id, required, string } from "../../../../src/api/field.ts";
import { Redactor } from "../../../../src/api/redact.ts";
import { fromBatches } from "../../../../src/api/transport/byte-stream.ts";
import type { Probe, WireRequest, WireResponse } from "../../../../src/api/transport/message.ts";
import { Failure } from "../../../../src/base/errors.ts";

export const base = "https://forge.example";
export const json = { "content-type": "application/json" };
export type Given = Partial<Omit<WireResponse, "body">> & { text?: string };

/** A client whose requests are answered by `answer`; without a network, since it is an interface. */
export function clientOf(answer: (request: WireRequest) => Given | Failure, more: object = {}) {
  const sent: WireRequest[] = [];
  const warnings: string[] = [];
  const redactor = new Redactor();
  let discarded = 0;
  const send = async (request: WireRequest): Promise<WireResponse> => {
    sent.push(request);
    const given = answer(request);
    if (given instanceof Failure) throw given;
    const { text = given.status === 404 ? '{"message":"404 Not found"}' : "{}", ...rest } = given;
    const bytes = (async function* () {
      yield text === "" ? [] : [Buffer.from(text)];
    })();
    const discard = async () => {
      discarded++;
    };
    const plain = { status: 200, headers: json, url: request.url, repeated: false, refusedBefore: false };
    return { ...plain, body: fromBatches(bytes), discard, ...rest };
  };
  const probe = async (url: string) => ({ peer: url }) as Probe;
  const api = createApi({
    baseUrl: () => base,
    registryUrl: () => "https://registry.example",
    credential: async () => ({ token: "t0ken-of-ana", kind: "access", source: "FORGECTL_TOKEN" }),
    headerPrefix: "X-Service",
    concurrency: 2,
    dryRun: false,
    pause: async () => {},
    transport: async () => ({ send, probe, close: async () => {} }),
    redactor,
    warn: (text: string) => warnings.push(text),
    ...more,
  });
  return { api, sent, warnings, redactor, discarded: () => discarded };
}
export const lines = (sent: WireRequest[]) =>
  sent.map(({ method, url }) => `${method} ${url.replace(`${base}/api/v4`, "")}`);
export const failure = async (promise: Promise<unknown>): Promise<Failure> => {
  const error = await promise.then(
    () => expect.unreachable("it was expected to fail"),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Failure);
  return error as unknown as Failure;
};

export const Thing = entity("Thing", {
  id: required(id()),
  name: string(),
  on: boolean(),
  key: string("", { secret: true }),
});
export const params = { thing_id: required(id()), name: string(), on: boolean(), key: string("", { secret: true }) };
export const get = endpoint({
  route: "GET /things/:thing_id",
  summary: "Get a thing",
  params,
  returns: Thing,
  access: {},
});
export const update = endpoint({
  route: "PUT /things/:thing_id",
  summary: "Update it",
  params,
  returns: Thing,
  access: {},
});
export const silent = endpoint({
  route: "POST /things/:thing_id",
  summary: "Rename it",
  params: { ...params, new_id: id() },
  returns: "nothing",
  access: {},
  readBy: { endpoint: get, places: { thing_id: "new_id" } },
});
export const remove = endpoint({
  route: "DELETE /things/:thing_id",
  summary: "Delete it",
  params,
  returns: "nothing",
  access: {},
});
export const listed = endpoint({
  route: "GET /things",
  summary: "List things",
  params: {},
  returns: Thing,
  page: "offset",
  access: {},
});
export const content = endpoint({
  route: "GET /raw",
  summary: "Download it",
  params: {},
  returns: "bytes",
  access: {},
});
export const one = { thing_id: 7 };
