import { expect, test } from "vitest";
import type { Exchange } from "../../../src/api/transport/exchange.ts";
import { InFlight } from "../../../src/api/transport/in-flight.ts";

test("each exchange in progress is resumed and aborted, until it is no longer one", () => {
  const events: string[] = [];
  const exchange = (name: string) => {
    const resume = () => void events.push(`resume ${name}`);
    return { resume, abort: (error: unknown) => void events.push(`${name}: ${error}`) } as unknown as Exchange;
  };
  const [a, b, c] = [exchange("a"), exchange("b"), exchange("c")];
  const all = new InFlight();
  for (const each of [a, b, c]) all.add(each);
  all.delete(a);
  all.delete(exchange("another"));
  all.resume();
  all.abort("stopped");
  expect(events).toEqual(["resume b", "resume c", "b: stopped", "c: stopped"]);
});
