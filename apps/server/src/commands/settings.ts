/** `runhook settings`: every setting and its default. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { describedSettings, renderSettingsPage, renderSettingsText } from "../settings/SettingsPage.ts"
import { Json, report } from "../output/Output.ts"

export const settingsCommand = Command.make(
  "settings",
  {
    isMarkdown: Flag.Boolean("markdown").pipe(
      Flag.withDescription("As the page docs/operating/settings.md"),
      Flag.withDefault(false)
    )
  },
  ({ isMarkdown }) =>
    report({
      lines: [(isMarkdown ? renderSettingsPage() : renderSettingsText()).trimEnd()],
      json: { data: describedSettings() }
    })
).pipe(
  Command.withDescription("Print every setting with its default and meaning"),
  Command.withGlobalFlags([Json])
)
