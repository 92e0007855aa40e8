import { expect, test } from "vitest";
import { hideInAddresses } from "../../../src/base/secrets.ts";

// Addresses whose path is the secret, by the documents of the services that give them.

test.each([
  ["https://hooks.slack.com/services/T0AAAAAAA/B0AAAAAAA/", "XXXXsecretXXXX", ""],
  ["https://hooks.slack.com/workflows/T0AAAAAAA/A0AAAAAAA/123456/", "XXXXsecretXXXX", ""],
  ["https://hooks.slack.com/triggers/E0AAAAAAA/123456/", "XXXXsecretXXXX", ""],
  ["https://discord.com/api/webhooks/123456/", "abc-DEF_xyz", "/slack?wait=true"],
  ["https://discordapp.com/api/v10/webhooks/123456/", "abc-DEF_xyz", ""],
  ["https://acme.webhook.office.com/webhookb2/", "a-b@c-d/IncomingWebhook/0123abcd/e-f", ""],
  ["https://hooks.zapier.com/hooks/catch/123456/", "abcdef/", ""],
  ["https://api.telegram.org/bot", "123456:AAbbCC", "/sendMessage?chat_id=1"],
  ["https://events.pagerduty.com/integration/", "0123456789abcdef", "/enqueue"],
  ["https://maker.ifttt.com/trigger/deployed/with/key/", "abc-DEF", ""],
  ["https://hook.eu1.make.com/", "abcdefghijklmnop", ""],
  ["https://open.feishu.cn/open-apis/bot/v2/hook/", "0123-4567", ""],
  ["https://webexapis.com/v1/webhooks/incoming/", "Y2lzY29zcGFyazov", ""],
  ["https://chat.acme.example/hooks/", "abcdefghij0123456789klmnop", ""],
  ["https://acme.example/mattermost/hooks/", "abcdefghij0123456789klmnop", ""],
  ["https://acme.example/a/b/hooks/", "abcdefghij0123456789klmnop", "/"],
  ["https://hooks.slack.com:443/services/T0AAAAAAA/B0AAAAAAA/", "XXXXsecretXXXX", ""],
  ["https://rocket.acme.example/hooks/abcdefghijklmnopq/", "A".repeat(48), ""],
])("%s%s%s", (lead, secret, end) => {
  const [address, hidden] = [lead + secret + end, `${lead}[redacted]${end}`];
  expect(hideInAddresses(address)).toBe(hidden);
  expect(hideInAddresses(hidden)).toBe(hidden);
  expect(hideInAddresses(`the hook "${address}" is off`)).toBe(`the hook "${hidden}" is off`);
});

test.each([
  "https://hooks.acme.example/hooks/deploys",
  "https://ci.acme.example/hooks/abc/def",
  "https://hooks.slack.com/services/{path}",
  "https://hooks.slack.com/services/T0AAAAAAA/B0AAAAAAA/{a}{b}",
  "https://acme.webhook.office.com/webhookb2/{team}/IncomingWebhook/{id}/{owner}",
  "https://hooks.slack.com/services/T0AAAAAAA/B0AAAAAAA/{token}",
  "https://discord.com/channels/123456/789",
  "https://events.pagerduty.com/v2/enqueue",
])("%s is shown as it is", (address) => expect(hideInAddresses(address)).toBe(address));
