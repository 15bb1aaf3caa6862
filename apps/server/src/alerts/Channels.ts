/** Alerts leave by the guarded sender of callbacks, and by the operator's mail server if there is one. */
import { AlertChannels } from "@runhook/core/alerts/AlertChannels"
import type { WebhookRequest } from "@runhook/core/signing/SignedRequest"
import { BaseUrl } from "@runhook/http/BaseUrl"
import * as HttpSender from "@runhook/webhook-dispatcher/HttpSender"
import { type AttemptResult, Sender } from "@runhook/webhook-dispatcher/Sender"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ServerSettings } from "../settings/ServerSettings.ts"
import * as SmtpMail from "./SmtpMail.ts"

const refusal = Effect.succeed("This service sends no mails")

/** Without the place that a redirect leads to: that may show the rest of a URL that is a secret. */
const errorOf = ({ error, status }: AttemptResult): string | null =>
  status !== null && status >= 300 && status < 400
    ? `The receiver answered ${status}, and redirects are not followed`
    : error

type Options = Pick<ServerSettings, "alertFrom" | "authorities" | "baseUrl" | "mailServer" | "roles">

export const layer = ({ alertFrom, authorities, baseUrl, mailServer, roles }: Options) =>
  Layer.effect(
    AlertChannels,
    Effect.gen(function* () {
      const sender = yield* Sender
      const smtp =
        mailServer === undefined || alertFrom === undefined
          ? null
          : yield* SmtpMail.make({ server: mailServer, from: alertFrom, authorities: authorities ?? [] })
      // A process that answers no requests knows the page only if it is told.
      const hasPage = baseUrl !== undefined || roles.includes("api")
      return {
        sendsMail: smtp !== null,
        pageUrl: hasPage ? `${yield* BaseUrl}/integrations` : null,
        post: (request: WebhookRequest) => Effect.map(sender.send(request), errorOf),
        mail: smtp?.mail ?? (() => refusal)
      }
    })
  ).pipe(Layer.provide(HttpSender.layer))
