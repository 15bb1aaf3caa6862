/** The link to the Integrations page of the demo account, for the person at this machine. */
import { CurrentActor, theService } from "@runhook/core/audit/Actor"
import { linkSeconds } from "@runhook/core/people/SignInLink"
import { PersonSessions } from "@runhook/core/people/PersonSessions"
import { linkUrl } from "@runhook/http/authentication/SignInPage"
import { BaseUrl } from "@runhook/http/BaseUrl"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { DemoAccount } from "./DemoAccount.ts"
import { forOwner } from "./DemoOwner.ts"
import { consoleLinkPath } from "./DemoPaths.ts"

/** The person's name in the audit log. */
const name = "You, at this machine"

/** A new link, valid for so many seconds. */
export const demoLink = Effect.fnUntraced(function* (seconds: number) {
  const { agent } = yield* DemoAccount
  const sessions = yield* PersonSessions
  const { token } = yield* sessions
    .makeLink({ accountId: agent.accountId, role: "admin", name, validFor: Duration.seconds(seconds) })
    .pipe(Effect.provideService(CurrentActor, theService), Effect.orDie)
  return linkUrl(yield* BaseUrl, token)
})

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const services = yield* Effect.context<BaseUrl | PersonSessions | DemoAccount>()
    const baseUrl = yield* BaseUrl
    yield* router.add("GET", consoleLinkPath, (request) =>
      forOwner(
        request,
        baseUrl,
        Effect.map(demoLink(linkSeconds.default), (url) => HttpServerResponse.redirect(url)).pipe(
          Effect.provide(services)
        )
      )
    )
  })
)
