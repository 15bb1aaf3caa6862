/** Every command of `runhook`. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Completions from "effect/cli/Completions"
import * as Console from "effect/Console"
import { accountsCommand } from "./commands/accounts.ts"
import { alertsCommand } from "./commands/alerts.ts"
import { artifactsCommand } from "./commands/artifacts.ts"
import { backupCommand, restoreCommand, verifyBackupCommand } from "./commands/backup.ts"
import { plain, plainGroup } from "./commands/contract/PlainCommand.ts"
import { deliveriesCommand } from "./commands/deliveries.ts"
import { doctorCommand } from "./commands/doctor.ts"
import { executionsCommand } from "./commands/executions.ts"
import { listenCommand } from "./commands/listen.ts"
import { migrateCommand } from "./commands/migrate.ts"
import { openapiCommand } from "./commands/openapi.ts"
import { serve, serveCommand, startCommand } from "./commands/serve.ts"
import { settingsCommand } from "./commands/settings.ts"
import { tasksCommand } from "./commands/tasks.ts"
import { typesCommand } from "./commands/types.ts"
import { verifyEvidenceCommand } from "./commands/verify-evidence.ts"
import { verifyWebhookCommand } from "./commands/verify-webhook.ts"
import { Json } from "./output/Output.ts"

const completionsCommand = Command.make(
  "completions",
  {
    shell: Argument.Literals("shell", ["bash", "zsh", "fish"]).pipe(
      Argument.withDescription("The shell that completes commands and flags")
    )
  },
  ({ shell }) => {
    const script = Completions.generate("runhook", shell, Completions.fromCommand(every()))
    // It says in a comment how to make it, by a flag that is not offered.
    return Console.log(script.replaceAll("runhook --completions", "runhook completions"))
  }
).pipe(
  Command.withDescription("Print a script that makes a shell complete commands"),
  Command.withExamples([
    { command: "source <(runhook completions bash)", description: "For this shell; zsh takes the same" },
    {
      command: "runhook completions fish > ~/.config/fish/completions/runhook.fish",
      description: "For every shell to come"
    }
  ])
)

export const runhook = Command.make("runhook", {}, () => serve({ isMemory: false, isTrial: false })).pipe(
  Command.withDescription(
    "Queue task executions on agents, follow them, and get a signed callback on every change. Without a command: serve."
  ),
  Command.withSubcommands([
    {
      group: "The service",
      commands: [
        startCommand,
        serveCommand,
        migrateCommand,
        backupCommand,
        verifyBackupCommand,
        restoreCommand,
        doctorCommand,
        settingsCommand
      ]
    },
    {
      group: "What a running service has",
      commands: [
        accountsCommand,
        plainGroup("keys", "Manage the integration keys of a running server"),
        plainGroup("runner-keys", "Manage the runner keys of a running server"),
        plainGroup("agents", "Manage the agents, on which executions run"),
        tasksCommand,
        executionsCommand,
        plainGroup("schedules", "Create executions again and again"),
        deliveriesCommand,
        plainGroup("endpoints", "Keep receivers of the events of all executions"),
        alertsCommand
      ]
    },
    {
      group: "People on the Integrations page",
      commands: [
        plain("console-link", "console-link").pipe(Command.withGlobalFlags([Json])),
        plainGroup(
          "console-links",
          "See and take back links to the Integrations page; runhook console-link makes one"
        ),
        plainGroup("console-sessions", "See who is signed in to the Integrations page, and sign them out")
      ]
    },
    {
      group: "Tools",
      commands: [
        listenCommand,
        artifactsCommand,
        verifyWebhookCommand,
        verifyEvidenceCommand,
        openapiCommand,
        typesCommand,
        completionsCommand
      ]
    }
  ])
)

const every = (): Command.Command.Any => runhook
