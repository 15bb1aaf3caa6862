/** Every command of `runhook`. */
import * as Command from "effect/cli/Command"
import { accountsCommand } from "./commands/accounts.ts"
import { artifactsCommand } from "./commands/artifacts.ts"
import { consoleLinkCommand } from "./commands/console-link.ts"
import { consoleLinksCommand } from "./commands/console-links.ts"
import { consoleSessionsCommand } from "./commands/console-sessions.ts"
import { deliveriesCommand } from "./commands/deliveries.ts"
import { doctorCommand } from "./commands/doctor.ts"
import { keysCommand } from "./commands/keys.ts"
import { migrateCommand } from "./commands/migrate.ts"
import { openapiCommand } from "./commands/openapi.ts"
import { runnerKeysCommand } from "./commands/runner-keys.ts"
import { type Server, serve, serveCommand, startCommand } from "./commands/serve.ts"
import { settingsCommand } from "./commands/settings.ts"
import { verifyWebhookCommand } from "./commands/verify-webhook.ts"

export const runhook = (server: Server) =>
  Command.make("runhook", {}, () => serve(server)).pipe(
    Command.withDescription(
      "Queue task executions on agents, follow them, and get a signed callback on every change. Without a command: serve."
    ),
    Command.withSubcommands([
      startCommand(server),
      serveCommand(server),
      accountsCommand,
      consoleLinkCommand,
      consoleLinksCommand,
      consoleSessionsCommand,
      keysCommand,
      runnerKeysCommand,
      deliveriesCommand,
      artifactsCommand,
      migrateCommand,
      doctorCommand,
      openapiCommand,
      settingsCommand,
      verifyWebhookCommand
    ])
  )
