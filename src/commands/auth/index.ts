import { login } from "./login.ts";
import { logout } from "./logout.ts";
import { status } from "./status.ts";
import { token } from "./token.ts";

export const auth = [login, status, token, logout];
