import { afterAll, afterEach } from "vitest";
import { endFile, endTest } from "./ending.ts";
import "./equal-bytes.ts";

// Runs before each test file: a module that several files of one process import runs only for the first of them.
afterEach(endTest);
afterAll(endFile);
