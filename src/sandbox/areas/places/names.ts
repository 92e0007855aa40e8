export const givenNames = words(`
  Aaliyah Adrian Aisha Alejandro Amara Anders Anika Astrid Beatriz Björn Camille Carlos Chidi Chloe Daniela
  Diego Elena Emeka Emil Fatima Felix Freya Gabriel Hannah Hiroshi Ingrid Isabel Jakub Jasmine Jonas Kavya
  Kenji Kofi Laila Leandro Lucía Magnus Maja Malik Mei Nadia Niamh Nikolai Noor Olumide Oscar Paulina Rafael
  Ravi Rosa Samir Sanjay Sofia Tariq Thandiwe Tomás Uma Viktor Yara Zanele
`);

export const familyNames = words(`
  Abadi Adeyemi Ahlberg Almeida Andersson Bakker Banerjee Becker Castillo Chen Cohen Costa Dlamini Dubois
  Eriksen Farouk Fernández Fischer García Haddad Hansen Hoffmann Ibrahim Ito Jansen Jensen Kaur Kim Kowalski
  Kumar Larsen Leroy Lindqvist Marchetti Mbeki Mendes Moreau Murphy Nakamura Nguyen Novak Nwosu Okafor Olsen
  Park Petrov Quinn Ramírez Rossi Sato Schmidt Silva Singh Suzuki Tanaka Torres Vasquez Weber Yilmaz Zhang
`);

/** Users whose names are hard to display: other scripts, wide characters, right-to-left text, an emoji. */
export const unusualNames: readonly (readonly [username: string, name: string])[] = [
  ["zoe.mueller", "Zoë Müller-Größe"],
  ["li.xiaolong", "李小龙"],
  ["yamada.hanako", "山田 花子"],
  ["olga.ivanova", "Ольга Иванова"],
  ["mohammed.ali", "محمد علي"],
  ["lukasz.zolc", "Łukasz Żółć"],
  ["siobhan.obrien", "Siobhán O'Brien"],
  ["kim.jisoo", "김지수"],
  ["ada.rocket", "Ada 🚀 Rocket"],
  ["nguyen.anh", "Nguyễn Thị Ánh"],
];

export const jobTitles: readonly string[] = [
  "Software Engineer",
  "Senior Software Engineer",
  "Site Reliability Engineer",
  "Product Manager",
  "Designer",
  "Security Engineer",
  "Data Scientist",
  "Technical Writer",
  "Engineering Manager",
  "QA Engineer",
  "Release Manager",
];

export const places: readonly (readonly [location: string, utcOffset: number])[] = [
  ["Amsterdam, Netherlands", 60],
  ["Austin, TX", -360],
  ["Bengaluru, India", 330],
  ["Berlin, Germany", 60],
  ["Cape Town, South Africa", 120],
  ["Dublin, Ireland", 0],
  ["Lagos, Nigeria", 60],
  ["Lisbon, Portugal", 0],
  ["Melbourne, Australia", 600],
  ["Mexico City, Mexico", -360],
  ["Osaka, Japan", 540],
  ["São Paulo, Brazil", -180],
  ["Seattle, WA", -480],
  ["Singapore", 480],
  ["Toronto, Canada", -300],
  ["Warsaw, Poland", 60],
];

export const issueTitles: readonly string[] = [
  "Checkout button does nothing on small screens",
  "Search returns archived products",
  "Slow queries on the orders page",
  "Add dark mode",
  "Upgrade the base image",
  "Document the release process",
  "Flaky test in the payment suite",
  "Support single sign-on",
  "Memory leak in the worker",
  "Wrong time zone in the weekly report",
  "Retry failed webhooks",
  "Rate limit the public endpoints",
  "Improve error messages of the importer",
  "Remove the legacy API",
  "Cache invalidation after price changes",
  "Export to CSV drops umlauts",
  "Keyboard navigation in the menu",
  "Rotate the signing keys",
  "Backups are not restored in staging",
  "Introduce feature flags",
];

export const mergeTitles: readonly string[] = [
  "Fix rounding of discounts",
  "Add an index on orders.created_at",
  "Refactor the session store",
  "Bump dependencies",
  "Draft: new onboarding flow",
  "Use structured logging",
  "Handle empty carts",
  "Translate the settings page",
  "Speed up the build by caching layers",
  "Validate addresses on the server",
  "Drop support for TLS 1.1",
  "Add a health check endpoint",
];

export const comments: readonly string[] = [
  "I can reproduce this on the latest release.",
  "Thanks, looks good to me.",
  "Could we add a test for this?",
  "Let's move this to the next milestone.",
  "Here is the stack trace:\n\n```\nTypeError: total is not a function\n```",
  "Assigning to myself.",
  "Is this still an issue after the last deployment?",
  "**Decision:** we keep the old behavior.",
  "Please rebase, the pipeline is red.",
  "Nice work! :tada:",
  "See also the discussion in the design document.",
];

export const commitTitles: readonly string[] = [
  "Fix typo in the readme",
  "Handle missing prices",
  "Add tests for the cart",
  "Tidy up imports",
  "Update translations",
  "Log the request id",
  "Make the timeout configurable",
  'Revert "Use the new cache"',
  "Prepare the release",
  "Remove dead code",
  "Correct the content type",
  "Follow the new naming",
  "Pin the compiler version",
];

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
