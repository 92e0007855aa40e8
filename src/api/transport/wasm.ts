import { setFlagsFromString } from "node:v8";

/** On Node 20 the exit waits some 140 ms for WebAssembly (undici's parser) that is being recompiled and never used. */
export function quietWasmTiering(): void {
  setFlagsFromString("--wasm-tiering-budget=100000000");
}
