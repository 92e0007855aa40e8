import { group } from "../../declare/command.ts";
import { login } from "./login.ts";
import { logout } from "./logout.ts";
import { status } from "./status.ts";
import { token } from "./token.ts";

export const auth = group("auth", "Sign in and out, and show all sign-ins", [login, status, token, logout]);
