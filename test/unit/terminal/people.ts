/** An entity with a field of every kind that is rendered in a particular way. */
export const person = {
  name: "person",
  shape: {
    id: { kind: "id" },
    name: { kind: "string" },
    created_at: { kind: "timestamp" },
    bot: { kind: "boolean" },
    storage: { kind: "bytes" },
    elapsed: { kind: "seconds" },
    emails: { kind: "array", item: { kind: "string" } },
    identities: {
      kind: "array",
      item: { kind: "object", shape: { provider: { kind: "string" }, token: { kind: "string", secret: true } } },
    },
    home: { kind: "object", shape: { id: { kind: "id" }, path: { kind: "string" } } },
    custom: { kind: "map" },
    token: { kind: "string", secret: true },
  },
} as const;

export const ann = {
  id: 7,
  name: "Ann",
  created_at: "2026-03-07T11:00:00.000Z",
  bot: false,
  storage: 1_572_864,
  elapsed: 65,
  emails: ["ann@example.com", "a@example.com"],
  identities: [{ provider: "saml", token: "t-1" }],
  home: { id: 3, path: "ann" },
  custom: { team: "blue" },
  token: "s3cret",
};

export const bob = {
  id: 1234,
  name: "Bob",
  created_at: null,
  bot: true,
  storage: 0,
  elapsed: 0.35,
  emails: [],
  identities: [],
  home: null,
  custom: {},
  token: null,
};
