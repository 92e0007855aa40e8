import { afterAll, afterEach } from "vitest";
import { endFile, endTest } from "./ending.ts";

// Runs ahead of each test file: a module that several files of one process import runs for the first of them alone.
afterEach(endTest);
afterAll(endFile);
