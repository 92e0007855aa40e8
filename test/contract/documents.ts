import { readdirSync, readFileSync } from "node:fs";
import type { Endpoint } from "../../src/api/endpoint.ts";

const here = (path: string) => new URL(path, import.meta.url);

const modules = await Promise.all(
  readdirSync(here("../../src/api/endpoints/")).map((file) => import(here(`../../src/api/endpoints/${file}`).pathname)),
);

/** The client's endpoints. */
export const endpoints = modules
  .flatMap((module) => Object.values(module as Record<string, unknown>))
  .filter((value): value is Endpoint => typeof value === "object" && value !== null && "route" in value);

/** The lines of a table that was written from the documents alone, by column. */
export function linesOf(table: string): string[][] {
  return readFileSync(here(table), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split("\t"));
}

/** The client's endpoints of a path of the documents, which have other names in it. */
export function endpointsOf(method: string, path: string): Endpoint[] {
  return endpoints.filter((each) => placeless(each.method, each.path) === placeless(method, path));
}

function placeless(method: string, path: string): string {
  return `${method} ${path.replace(/[:*][a-z_]+/g, ":")}`;
}
