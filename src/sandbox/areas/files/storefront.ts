import { createHash } from "node:crypto";
import { noise } from "../events/noise.ts";

/** A planned file: null removes it. */
type PlannedFile = string | Buffer | { readonly executable: string } | null;

export interface PlannedCommit {
  readonly by: "maintainer" | "developer" | "owner";
  /** Days before today. */
  readonly days: number;
  readonly message: string;
  readonly files: Readonly<Record<string, PlannedFile>>;
  /** Tag on it. */
  readonly tag?: string;
  /** Its branch; `main` by default. A new one starts at the tip of `main`. */
  readonly branch?: string;
}

/** An image of one pixel. */
const logo = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** In large file storage: the repository contains only a pointer to it. */
export const heroImage = noise("hero.psd", 200_000);

const heroPointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${createHash("sha256")
  .update(heroImage)
  .digest("hex")}\nsize ${heroImage.length}\n`;

const cart = (discount: string) => `import type { Item } from "../../seed/item";

class Cart {
  private items: Item[] = [];

  add(item: Item): void {
    this.items.push(item);
  }

  total(): number {
${discount}
  }
}
`;
const plainTotal = "    return this.items.reduce((sum, item) => sum + item.price, 0);";
const discountTotal = `    const sum = this.items.reduce((total, item) => total + item.price * item.count, 0);
    return sum > 10_000 ? Math.round(sum * 0.95) : sum;`;

const readme = (...more: string[]) => ["# Storefront", "", "The shop.", ...more, ""].join("\n");

const deploy = (lines: string) => ({ executable: `#!/bin/sh\nset -eu\n${lines}` });

/** The history of project 7, oldest first. */
export const storefront: readonly PlannedCommit[] = [
  {
    by: "owner",
    days: 400,
    message: "Begin the shop",
    files: { "README.md": readme(), ".gitignore": "node_modules/\ndist/\n" },
  },
  {
    by: "maintainer",
    days: 380,
    message: "Add the cart\n\nPrices are in cents.",
    files: {
      "package.json": '{\n  "name": "storefront",\n  "version": "0.1.0"\n}\n',
      "src/item.ts": "export interface Item {\n  name: string;\n  /** In cents. */\n  price: number;\n}\n",
      "src/cart.ts": cart(plainTotal),
    },
  },
  {
    by: "developer",
    days: 350,
    message: "Deploy with a script",
    files: { "scripts/deploy.sh": deploy("npm run build\nrsync -a dist/ web:/srv/shop/\n") },
  },
  {
    by: "maintainer",
    days: 300,
    message: "Release 1.0.0",
    tag: "v1.0.0",
    files: {
      "package.json": '{\n  "name": "storefront",\n  "version": "1.0.0"\n}\n',
      "CHANGELOG.md": "# Changes\n\n## 1.0.0\n\n- First release\n",
      "ROADMAP.md": "# Roadmap\n\n- Discounts\n",
    },
  },
  {
    by: "developer",
    days: 200,
    message: "Logo and hero image",
    files: {
      "assets/logo.png": logo,
      "assets/hero.psd": heroPointer,
      ".gitattributes": "*.psd filter=lfs diff=lfs merge=lfs -text\n",
    },
  },
  {
    by: "maintainer",
    days: 150,
    message: "Say how to run it",
    files: {
      "README.md": readme("", "## Development", "", "    npm ci", "    npm start"),
      "docs/old.md": "# Old notes\n\nNot true any more.\n",
      "docs/prices in €.md": "# Prices\n\nAll prices are in cents of a euro.\n",
      "data/stores.csv": Buffer.from("city;street\nM\u00fcnchen;Hauptstra\u00dfe 1\nK\u00f6ln;Ring 7\n", "latin1"),
    },
  },
  {
    by: "developer",
    days: 90,
    message: "Count items, and give a discount",
    files: {
      "src/item.ts":
        "export interface Item {\n  name: string;\n  /** In cents. */\n  price: number;\n  count: number;\n}\n",
      "src/cart.ts": cart(discountTotal),
    },
  },
  {
    by: "owner",
    days: 60,
    message: "Release 1.1.0",
    tag: "v1.1.0",
    files: {
      "package.json": '{\n  "name": "storefront",\n  "version": "1.1.0"\n}\n',
      "CHANGELOG.md": "# Changes\n\n## 1.1.0\n\n- A discount from 100.00 on\n\n## 1.0.0\n\n- First release\n",
      "ROADMAP.md": null,
    },
  },
  {
    by: "developer",
    days: 20,
    message: "Deploy: check first",
    files: { "scripts/deploy.sh": deploy("npm run build\nnpm test\nrsync -a dist/ web:/srv/shop/\n") },
  },
  {
    by: "developer",
    days: 10,
    message: "Checkout: first page",
    branch: "feature/checkout",
    files: { "src/checkout.ts": 'export const pages = ["address", "payment", "review"];\n' },
  },
  {
    by: "developer",
    days: 4,
    message: "Checkout: as the team likes it",
    branch: "feature/checkout",
    files: { "src/checkout.ts": 'export const pages = ["address", "review", "payment"];\n' },
  },
  {
    by: "maintainer",
    days: 2,
    message: "README: where help is",
    files: {
      "README.md": readme(
        "",
        "## Development",
        "",
        "    npm ci",
        "    npm start",
        "",
        "## Help",
        "",
        "Ask in the forum.",
      ),
    },
  },
];
