// Addresses at which other services take messages without further credentials: a part of their path is the secret.
// Unlike names of parameters, paths tell nothing, so that only the forms of known services are hidden.

const step = String.raw`[^\s/?#"'<>]+`;

/** Up to the secret part, which is the next step of the path, or all of its steps. */
const services = {
  step: [
    // Slack: the team and the app come first.
    String.raw`hooks\.slack(?:-gov)?\.com/services/${step}/${step}/`,
    String.raw`hooks\.slack(?:-gov)?\.com/(?:workflows|triggers)/(?:${step}/){2,3}`,
    // Discord
    String.raw`(?:\w+\.)?discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d+/`,
    // Telegram
    String.raw`api\.telegram\.org/(?:file/)?bot`,
    // PagerDuty
    String.raw`events(?:\.eu)?\.pagerduty\.com/(?:integration|x-ere)/`,
    // IFTTT
    String.raw`maker\.ifttt\.com/trigger/${step}/(?:json/)?with/key/`,
    // Make
    String.raw`hook\.(?:[a-z\d]+\.)?(?:make|integromat)\.com/`,
    // Lark
    String.raw`open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/(?:v2/)?hook/`,
    // Webex
    String.raw`(?:webexapis\.com|api\.ciscospark\.com)/v1/webhooks/incoming/`,
    // Mattermost and Rocket.Chat, at any host
    String.raw`[^\s/?#"'<>@]+/(?:[\w-]+/)?hooks/(?=[a-z\d]{26}(?:[\s?#"'<>]|$))`,
    String.raw`[^\s/?#"'<>@]+/hooks/[A-Za-z\d]{17,24}/(?=[A-Za-z\d]{40,})`,
  ],
  rest: [
    // Teams
    String.raw`[\w-]+\.webhook\.office\.com/webhookb2/`,
    String.raw`outlook\.office(?:365)?\.com/webhook/`,
    // Zapier
    String.raw`hooks\.zapier\.com/hooks/(?:catch|standard)/(?:\d+/)?`,
  ],
};

const secretStep = new RegExp(`(://(?:${services.step.join("|")}))(${step})`, "gi");
const secretRest = new RegExp(String.raw`(://(?:${services.rest.join("|")}))([^\s?#"'<>]+)`, "gi");

/** Replaces the secret parts of the paths of known addresses inside a text. */
export function replaceSecretPaths(text: string, replaced: (secret: string) => string): string {
  if (!text.includes("://")) return text;
  const treat = (_: string, lead: string, secret: string) => `${lead}${replaced(secret)}`;
  return text.replace(secretStep, treat).replace(secretRest, treat);
}
