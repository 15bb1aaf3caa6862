/** What development mode prints once it is ready. */
import { linkSeconds } from "@runhook/core/people/SignInLink"
import { BaseUrl } from "@runhook/http/BaseUrl"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { whenServing } from "../process/Readiness.ts"
import { type AdminKeyOrigin, AdminKeyOrigins } from "../settings/Secrets.ts"
import type { ServerSettings } from "../settings/ServerSettings.ts"
import { DemoAccount } from "./DemoAccount.ts"
import { demoLink } from "./DemoConsole.ts"
import { curlOf } from "./DemoCurl.ts"
import { inboxPath } from "./DemoPaths.ts"
import { retentionNotice } from "./RetentionNotice.ts"

const renderBanner = (options: {
  readonly baseUrl: string
  readonly consoleUrl: string
  readonly key: string
  readonly signingSecret: string
  readonly adminKey: string
  readonly keeping: string
  readonly curl: string
}): string => {
  const { adminKey, baseUrl, consoleUrl, curl, keeping, key, signingSecret } = options
  return `
  Runhook is running in development mode.

    Start here     ${baseUrl}/
    API            ${baseUrl}/api/v1/integrations
    Docs           ${baseUrl}/docs
    Inbox          ${baseUrl}${inboxPath}
    Demo key       ${key}
    Signing secret ${signingSecret}
    Integrations   ${consoleUrl}
                   signs in one browser, once, within a day; another: npx runhook console-link
    Admin key      ${adminKey}

  ${keeping}
  To queue an execution, paste this into another shell; its callbacks show in the inbox:

${curl}

  Ctrl-C stops the server.
`
}

const adminKeyWords = (origin: AdminKeyOrigin): string => {
  switch (origin._tag) {
    case "Set":
      return "the one in RUNHOOK_ADMIN_KEY"
    case "Kept":
      return `kept in ${origin.path}`
    case "Made":
      return `${Redacted.value(origin.key)}\n                   printed this once, and kept in ${origin.path}`
  }
}

/** Prints it. */
export const layer = (settings: ServerSettings) =>
  whenServing(
    Effect.gen(function* () {
      const baseUrl = yield* BaseUrl
      const { agent, key, signingSecret, task } = yield* DemoAccount
      const text = renderBanner({
        baseUrl,
        consoleUrl: yield* demoLink(linkSeconds.max),
        key: Redacted.value(key),
        signingSecret: Redacted.value(signingSecret),
        adminKey: adminKeyWords(yield* AdminKeyOrigins),
        keeping: retentionNotice(settings),
        curl: curlOf({ baseUrl, key: Redacted.value(key), agentId: agent.id, taskId: task.id })
      })
      yield* Console.log(text)
    })
  )
