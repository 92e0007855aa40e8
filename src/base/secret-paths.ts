// Addresses at which other services take messages without further credentials: a part of their path is the secret.
// Unlike names of parameters, paths tell nothing, so that only the forms of known services are hidden.

const step = String.raw`[^\s/?#"'<>]+`;
const anyHost = String.raw`[^\s/?#"'<>@:]+`;

/** Hosts, and the path up to the secret part: the next step of the path, or all that follows. */
const services: Readonly<Record<"step" | "rest", readonly (readonly [host: string, path: string])[]>> = {
  step: [
    // Slack: the team and the app come first.
    [String.raw`hooks\.slack(?:-gov)?\.com`, `services/${step}/${step}/`],
    [String.raw`hooks\.slack(?:-gov)?\.com`, `(?:workflows|triggers)/(?:${step}/){2,3}`],
    // Discord
    [String.raw`(?:\w+\.)?discord(?:app)?\.com`, String.raw`api/(?:v\d+/)?webhooks/\d+/`],
    // Telegram
    [String.raw`api\.telegram\.org`, "(?:file/)?bot"],
    // PagerDuty
    [String.raw`events(?:\.eu)?\.pagerduty\.com`, "(?:integration|x-ere)/"],
    // IFTTT
    [String.raw`maker\.ifttt\.com`, `trigger/${step}/(?:json/)?with/key/`],
    // Make
    [String.raw`hook\.(?:[a-z\d]+\.)?(?:make|integromat)\.com`, ""],
    // Lark
    [String.raw`open\.(?:feishu\.cn|larksuite\.com)`, "open-apis/bot/(?:v2/)?hook/"],
    // Webex
    [String.raw`(?:webexapis\.com|api\.ciscospark\.com)`, "v1/webhooks/incoming/"],
    // Mattermost and Rocket.Chat, at any host
    [anyHost, String.raw`(?:[\w-]+/)*hooks/(?=[a-z\d]{26}(?:[\s/?#"'<>]|$))`],
    [anyHost, String.raw`hooks/[A-Za-z\d]{17,24}/(?=[A-Za-z\d]{40,})`],
  ],
  rest: [
    // Teams
    [String.raw`[\w-]+\.webhook\.office\.com`, "webhookb2/"],
    [String.raw`outlook\.office(?:365)?\.com`, "webhook/"],
    // Zapier
    [String.raw`hooks\.zapier\.com`, String.raw`hooks/(?:catch|standard)/(?:\d+/)?`],
  ],
};

function pattern(part: keyof typeof services, secret: string): RegExp {
  const places = services[part].map(([host, path]) => String.raw`${host}(?::\d+)?/${path}`);
  return new RegExp(String.raw`(://(?:[^\s/?#"'<>@]*@)?(?:${places.join("|")}))(${secret})`, "gi");
}

const patterns = [pattern("step", step), pattern("rest", String.raw`[^\s?#"'<>]+`)];

/** `{key}`: the instance puts the value of a URL variable there. */
const placeholders = /\{[a-z\d._-]{1,100}\}/gi;

/** The parameter `value` of CI/CD variables, and of headers and URL variables of webhooks, in paths of the API. */
const valueInQuery =
  /(\/(?:variables|url_variables|custom_headers)(?:\/[^\s/?#"'<>]*)?\?(?:[^\s&?#"'<>]*&)*value=)[^\s&#"'<>]+/gi;

/** The same of each of a list of variables or headers: `variables[][value]`, its brackets encoded or not. */
const valuesInQuery =
  /([?&](?:\w{1,50}_)?(?:variables(?:_attributes)?|custom_headers)(?:\[|%5B)[^\s=&#"'<>]{0,100}?(?:\[|%5B)value(?:\]|%5D)=)[^\s&#"'<>]+/gi;

/** Puts a mask in place of the secret parts of known paths, and of addresses of known services, inside a text. */
export function replaceSecretPaths(given: string, mask: string): string {
  const text = /value(?:\]|%5D)?=/i.test(given)
    ? given.replace(valueInQuery, `$1${mask}`).replace(valuesInQuery, `$1${mask}`)
    : given;
  if (!text.includes("://")) return text;
  const treated = (whole: string, lead: string, secret: string) => {
    const isShown = secret.replace(placeholders, "").replaceAll("/", "").replace("IncomingWebhook", "") === "";
    return isShown ? whole : `${lead}${mask}`;
  };
  return patterns.reduce((shown, each) => shown.replace(each, treated), text);
}
