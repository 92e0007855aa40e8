import { lookup } from "node:dns/promises";

/** The addresses of a host name, as connections look them up; rejects with the system's error. */
export async function lookUp(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}
