/** `runhook settings`: every setting and its default. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { renderSettingsPage, renderSettingsText } from "../settings/SettingsPage.ts"
import { print } from "../output/Writer.ts"

export const settingsCommand = Command.make(
  "settings",
  {
    isMarkdown: Flag.Boolean("markdown").pipe(
      Flag.withDescription("As the page docs/operating/settings.md"),
      Flag.withDefault(false)
    )
  },
  ({ isMarkdown }) => print((isMarkdown ? renderSettingsPage() : renderSettingsText()).trimEnd())
).pipe(Command.withDescription("Print every setting with its default and meaning"))
