/** The page of settings in the documentation, made from their table. */
import { settings } from "./config.ts"

export const renderSettingsPage = (): string =>
  [
    "# Settings",
    "",
    "Runhook is set up by environment variables. An empty one counts as unset. A server that cannot start says so with one",
    "line for each problem, and exits with code 1.",
    "",
    "This page is made by `npx runhook settings --markdown`.",
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
