/** The page of settings in the documentation, made from their table. */
import { settings } from "../config.ts"

export const renderSettingsPage = (): string =>
  [
    "# Settings",
    "",
    "Environment variables configure Runhook. An empty one counts as unset. A server that cannot start prints one line for",
    "each problem, and exits with code 1.",
    "",
    "`npx runhook settings --markdown` prints this page.",
    "",
    "| Setting | Default | Meaning |",
    "|---|---|---|",
    ...Object.values(settings).map((each) => `| \`${each.name}\` | ${each.default} | ${each.meaning} |`),
    ""
  ].join("\n")

/** The same for a terminal. */
export const renderSettingsText = (): string =>
  Object.values(settings)
    .map((each) =>
      [each.name, `  ${plain(each.meaning)}`, `  Default: ${plain(each.default)}`, ""].join("\n")
    )
    .join("\n")

const plain = (markdown: string): string => markdown.replaceAll("`", "")
