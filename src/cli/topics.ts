import type { Example } from "../declare/command.ts";

/** First steps for a new user. */
export const firstExamples: readonly Example[] = [
  { line: "auth login --base-url https://forge.example.com", note: "sign in" },
  { line: "users list --two-factor disabled -o csv", note: "list, as a table or for programs" },
  { line: "settings set signup_enabled=false --dry-run", note: "see the request before it is sent" },
  { line: "sandbox exec -- forgectl projects list", note: "try commands without risk" },
];

/** Help topics that are not commands. */
export const topics: Readonly<Record<string, string>> = {
  "exit-codes": `Exit codes.

    0  success; an empty list too
    1  refused by the server (400, 422), server error (5xx), or not the answer of an instance
    2  usage: bad flag, argument, or file, or a question answered with no or canceled with Esc;
       nothing was sent
    3  not found, or not visible to this token (404, as instances answer it)
    4  no token, or not accepted (401)
    5  permission denied (403)
    6  conflict or stale (409, 412, a concurrent change)
    7  rate limited, retries exhausted (429)
    8  not ready yet, or a wait timed out
    9  part of a bulk operation failed, or the instance stored something else than was sent
   10  differences found, with --exit-code
   11  network: DNS, TLS, refused, reset, timeout
   12  content does not match its checksum or length
   70  a bug in this program
  130  interrupted
`,
  environment: `Environment variables. Flags override them, and they override the profile.

  FORGECTL_TOKEN        access token; overrides a stored one, unless --profile names the profile
  FORGECTL_TOKEN_FILE   file that holds the access token alone, such as a mounted secret, if
                        FORGECTL_TOKEN is not set; missing or empty is exit 4
  FORGECTL_JOB_TOKEN    CI job token, used without an access token; in a CI job CI_JOB_TOKEN
  FORGECTL_PROFILE      stored profile to use; in a CI job (CI_JOB_TOKEN is set) no other is used
  FORGECTL_BASE_URL     instance address; in a CI job CI_SERVER_URL
  FORGECTL_REGISTRY_URL
                        container registry address; in a CI job CI_REGISTRY
  FORGECTL_REGISTRY_USER, FORGECTL_REGISTRY_PASSWORD
                        sign-in for registry tokens; in a CI job CI_REGISTRY_USER and
                        CI_REGISTRY_PASSWORD
  FORGECTL_READ_ONLY    1: every change is refused (exit 5), as with a profile's read-only=true;
                        a name that is nearly this one does the same, with a warning
  FORGECTL_SANDBOX      1 in what sandbox exec runs: suggested commands name the sandbox's address
  FORGECTL_PROJECT      default of -p; in a CI job CI_PROJECT_ID
  FORGECTL_GROUP        default of -g
  FORGECTL_OUTPUT       table, json, ndjson, yaml, csv, or tsv
  FORGECTL_NO_INPUT     never ask; implied without a terminal and when CI is set
  FORGECTL_DEBUG        trace requests on stderr, secrets redacted
  FORGECTL_CA_FILE      certificate authorities besides the system's; in a CI job
                        CI_SERVER_TLS_CA_FILE
  FORGECTL_TIMEOUT      seconds to the first byte, and between bytes; default 60
  FORGECTL_RETRIES      attempts after the first; default 4
  FORGECTL_CONCURRENCY  requests in flight at once; default 10
  CI_NODE_INDEX, CI_NODE_TOTAL
                        the part of a job with parallel:, for --shard ci
  FORGECTL_MAX_ANSWER   maximum MiB of one JSON answer, decoded; default 64
  FORGECTL_COMPLETION_TIMEOUT
                        seconds that TAB may wait for the instance; default 0.3,
                        0 sends no requests
  FORGECTL_CONFIG_DIR   folder of the profiles, an absolute path; otherwise forgectl in
                        XDG_CONFIG_HOME, in APPDATA on Windows, or ~/.config, where they are
                        refused if another user than this one and root can have written them
  FORGECTL_STATE_DIR    folder of the records of runs, an absolute path; otherwise forgectl in
                        XDG_STATE_HOME, in LOCALAPPDATA on Windows, or ~/.local/state
  HOME                  home folder; if it is empty or relative, that of the user database.
                        On Windows USERPROFILE
  SHELL, XDG_DATA_HOME, ZDOTDIR
                        where completion install finds the shell, and writes its script and
                        the man pages; it says if PATH and MANPATH do not lead man there
  XDG_CACHE_HOME        folder for compiled code (in forgectl/code), which makes the next start
                        faster; NODE_DISABLE_COMPILE_CACHE=1 turns it off. forgectl/values has
                        the names and IDs that TAB offered, for 5 minutes
  NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE   color, if --color is not given
  FORGECTL_HYPERLINKS   1 or 0: whether names and IDs on a terminal are links to their pages; by
                        default, if the terminal is known to support them. --color never turns
                        them off
  TERM, TERM_PROGRAM, TERM_PROGRAM_VERSION, TMUX, STY, VTE_VERSION, KONSOLE_VERSION, WT_SESSION,
  KITTY_WINDOW_ID, WEZTERM_PANE, GHOSTTY_RESOURCES_DIR, ALACRITTY_WINDOW_ID, DOMTERM
                        what the terminal is, and so whether it supports links
  ACCESSIBLE            1: progress is a plain line every 30 s, not redrawn in place;
                        words and numbers replace bars, sparklines, and the heat map, and
                        questions are plain lines with numbered choices;
                        TERM=dumb does the same
  LC_ALL, LC_CTYPE, LANG
                        the first that is set; C, POSIX, and a charset other than UTF-8: arrows,
                        dots, and pointers are ASCII, and words and numbers replace pictures
  HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY
                        proxies, in either case; in a CGI script (REQUEST_METHOD is set) not
                        HTTP_PROXY, but http_proxy: a request sets the former there
  VISUAL, EDITOR        editor for texts and files; vi if neither is set
  PAGER                 shows a guide on a terminal; less if it is not set
  CI                    set by CI systems: no prompts
  TF_BUILD, TEAMCITY_VERSION
                        the same, of two systems that do not set CI

Variables of Node, which runs this program. The executable, the Debian package, and the image ignore
NODE_OPTIONS and OPENSSL_CONF. Installed from npm or a clone, Node reads them before this program
starts, and loads the modules that they name: switch them off there if other programs need them
(NODE_OPTIONS= OPENSSL_CONF= forgectl ...). Unless NODE_OPTIONS is set, be it empty, Node also takes
it from the file of an --env-file=<file> anywhere before --, even one that is the text of a flag:
write --body="$text". Node 22 and newer do what the file of an --experimental-config-file=<file>
says wherever that is on the line, also after --, and run the modules that it names: write
./"$path" for the path of a file of others, and give other texts to forgectl batch. The executable
reads that file, but runs nothing of it, and ends with exit 9 if there is none.

  NODE_EXTRA_CA_CERTS   file of further certificate authorities, as FORGECTL_CA_FILE
  NODE_USE_SYSTEM_CA    1: also the certificate authorities of the system, or of SSL_CERT_FILE and
                        SSL_CERT_DIR; Node 22.19 or newer
  NODE_TLS_REJECT_UNAUTHORIZED
                        0: certificates are not checked, and anyone can impersonate the instance
  NODE_COMPILE_CACHE, NODE_V8_COVERAGE, NODE_REDIRECT_WARNINGS
                        Node writes files there
  NODE_DEBUG            Node's own trace on stderr, in which no secret is redacted
  NODE_REPL_EXTERNAL_MODULE, NODE_CHANNEL_FD, NODE_UNIQUE_ID
                        must not be set: Node ends with exit 9, or with 1, 70, or 134
`,
  output: `Output. Results go to stdout, everything else to stderr.

  table    on a terminal: fitted to its width; times of the last week as "Sat 12:26", local, older
           ones as a date, with --times all in full. Headers wrap first, then texts are cut and end
           in three dots; numbers, times, states, addresses, rules, and problems never are. If a
           text would get fewer than 12 columns, each row becomes a record: one field per line,
           nothing cut
  tsv      in a pipe: a header row, RFC 3339 times, nothing cut; tab, line end, and backslash
           as \\t \\n \\\\
  csv      RFC 4180; text that a spreadsheet would run as a formula is prefixed with ',
           also behind a ; or at a later line's beginning
  json     one valid array or object; a list is printed once it is complete
  ndjson   one object per line, as the pages arrive; memory use is constant
  yaml     a sequence or a mapping

  --fields id,author.name   these fields, in this order, in every format
  --jq '.[].id'             filters the JSON result; strings are printed without quotes unless
                            -o json is typed on the same line
  --no-header               no header row in table, csv, and tsv
  --limit all               the complete list; the default limit is 100 rows

A bare value (auth token, settings get NAME, a --jq string) is printed bare, whatever format
a profile or FORGECTL_OUTPUT sets. With -o json or ndjson an error is one JSON object on stderr.
`,
};

/** Words that `forgectl help` accepts besides commands. */
export const topicNames: readonly string[] = ["globals", ...Object.keys(topics)];
