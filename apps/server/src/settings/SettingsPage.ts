/** The page of settings in the documentation, made from their table. */
import { settings } from "../config.ts"
import { fileVariableOf, type Setting } from "./Setting.ts"

export const renderSettingsPage = (): string =>
  [
    "# Settings",
    "",
    "Environment variables configure Runhook. An empty one counts as unset. A server that cannot start prints one line for",
    "each problem, and exits with code 1. A secret may come from a file: where two names stand, the second names the file that",
    "holds what the first would. The line breaks at its end do not count. Both may be set, but not to different values.",
    "A variable that begins with `RUNHOOK_` and is none of these is ignored, with a warning at the start.",
    "",
    "`runhook settings --markdown` prints this page.",
    "",
    "| Setting | Default | Meaning |",
    "|---|---|---|",
    ...Object.values(settings).map(
      (each) => `| ${namesOf(each, (name) => `\`${name}\``)} | ${each.default} | ${each.meaning} |`
    ),
    ""
  ].join("\n")

/** The same for a terminal. */
export const renderSettingsText = (): string =>
  Object.values(settings)
    .map((each) =>
      [namesOf(each, String), `  ${plain(each.meaning)}`, `  Default: ${plain(each.default)}`, ""].join("\n")
    )
    .join("\n")

/** The same for programs. */
export const describedSettings = () =>
  Object.values(settings).map(({ default: unset, isSecret, meaning, name }) => ({
    name,
    file: isSecret ? fileVariableOf(name) : null,
    default: plain(unset),
    meaning: plain(meaning)
  }))

const namesOf = (
  { isSecret, name }: Pick<Setting<unknown>, "isSecret" | "name">,
  show: (name: string) => string
): string => (isSecret ? `${show(name)} or ${show(fileVariableOf(name))}` : show(name))

const plain = (markdown: string): string => markdown.replaceAll("`", "")
