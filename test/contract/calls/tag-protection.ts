import { listTagProtectionRules } from "../../../src/api/endpoints/registry.ts";
import { call } from "../call.ts";

export const sandbox = { asDeployed: true };

export const calls = [call(listTagProtectionRules, { project: "acme/website" }, { as: "maintainer" })];
