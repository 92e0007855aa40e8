import type { Example } from "../declare/command.ts";

/** What a person who meets the program may want to do first. */
export const firstExamples: readonly Example[] = [
  { line: "auth login --base-url https://forge.example.com", note: "sign in" },
  { line: "users list --two-factor disabled -o csv", note: "look, for people or for programs" },
  { line: "settings set signup_enabled=false --dry-run", note: "see the request before it is sent" },
  { line: "sandbox exec -- forgectl projects list", note: "try things where nothing can break" },
];

/** Help that belongs to no command. */
export const topics: Readonly<Record<string, string>> = {
  "exit-codes": `Exit codes.

   0  done; an empty list too
   1  refused by the server (400, 422) or server error (5xx)
   2  usage: bad flag, argument, or file, or a question answered with no or left with Esc;
      nothing was sent
   3  not found, or not visible to this token (404)
   4  no token, or not accepted (401)
   5  not allowed (403)
   6  conflict or stale (409, 412, a lost race)
   7  rate limited, retries spent (429)
   8  not ready yet, or a wait timed out
   9  some of a bulk operation failed
  10  differences found, with --exit-code
  11  network: DNS, TLS, refused, reset, timeout
  12  content does not match its checksum or length
  70  a bug in this program
 130  interrupted
`,
  environment: `Environment variables. A flag wins over them, they win over the profile.

  FORGECTL_TOKEN        access token; wins over a stored one, unless --profile names the profile
  FORGECTL_JOB_TOKEN    CI job token, used without an access token; in a CI job CI_JOB_TOKEN
  FORGECTL_PROFILE      stored profile to use
  FORGECTL_BASE_URL     instance address; in a CI job CI_SERVER_URL
  FORGECTL_REGISTRY_URL container registry address; in a CI job CI_REGISTRY
  FORGECTL_REGISTRY_USER, FORGECTL_REGISTRY_PASSWORD
                        sign-in for registry tokens; in a CI job CI_REGISTRY_USER and
                        CI_REGISTRY_PASSWORD
  FORGECTL_PROJECT      default of -p; in a CI job CI_PROJECT_ID
  FORGECTL_GROUP        default of -g
  FORGECTL_OUTPUT       table, json, ndjson, yaml, csv, or tsv
  FORGECTL_NO_INPUT     never ask; implied off a terminal and when CI is set
  FORGECTL_DEBUG        trace requests on stderr, secrets redacted
  FORGECTL_CA_FILE      certificate authorities beside the system's; in a CI job
                        CI_SERVER_TLS_CA_FILE
  FORGECTL_TIMEOUT      seconds to the first byte, and between bytes
  FORGECTL_RETRIES      attempts after the first
  FORGECTL_CONCURRENCY  requests in flight at once
  FORGECTL_MAX_ANSWER   MiB that one JSON answer may have, decoded; 64 unless given
  FORGECTL_COMPLETION_TIMEOUT
                        seconds that TAB may take where the instance is asked; 0.3 unless given,
                        0 asks no instance
  FORGECTL_CONFIG_DIR   folder of the profiles
  XDG_CACHE_HOME        folder for compiled code (in forgectl/code), which makes the next start
                        quicker; NODE_DISABLE_COMPILE_CACHE=1 keeps none. In forgectl/values are
                        the names and IDs that TAB offered, for 5 minutes
  NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE   color, if --color is not given
  FORGECTL_HYPERLINKS   1 or 0: whether names and IDs on a terminal are links to their pages; unless
                        given, where it is known to take them. --color never has none
  ACCESSIBLE            1: progress is not redrawn in place, a plain line tells it every 30 s;
                        words and numbers in place of bars, sparklines, and the heat map;
                        TERM=dumb does the same
  HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY      proxies, in either case
  VISUAL, EDITOR        editor for texts and files; vi if neither is set
`,
  output: `Output. Results go to stdout, everything else to stderr.

  table    on a terminal: fitted to its width, times as "3 days ago". Headers wrap first, then texts
           are cut with …; numbers, times, states, addresses, rules, and problems never are. Where
           a text would be left with fewer than 12 columns, each row becomes a record: a field on
           each line, nothing cut
  tsv      in a pipe: a header row, RFC 3339 times, nothing cut; tab, line end, and backslash
           as \\t \\n \\\\
  csv      RFC 4180; text that a spreadsheet would run as a formula is guarded with '
  json     one valid array or object; a list is printed once it is complete
  ndjson   one object a line, as the pages arrive; memory does not grow
  yaml     a sequence or a mapping

  --fields id,author.name   which fields, in this order, in every format
  --jq '.[].id'             a filter on the JSON result; strings are printed without quotes unless
                            -o json was given
  --no-header               no header row in table, csv, and tsv
  --limit all               the complete list; the default limit is 100 rows

With -o json or ndjson an error is one JSON object on stderr.
`,
};

/** What `forgectl help` takes besides commands. */
export const topicNames: readonly string[] = ["globals", ...Object.keys(topics)];
