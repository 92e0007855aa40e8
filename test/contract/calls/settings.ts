import { getSettings, updateSettings } from "../../../src/api/endpoints/settings.ts";
import { call } from "../call.ts";

export const calls = [call(getSettings, {}), call(updateSettings, { settings: { terminal_max_session_time: 3600 } })];
