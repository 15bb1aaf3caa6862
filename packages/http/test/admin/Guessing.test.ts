import { assert, it } from "@effect/vitest"
import { CurrentActor, theService } from "@runhook/core/audit/Actor"
import { Accounts } from "@runhook/core/accounts/Accounts"
import { PersonSessions } from "@runhook/core/people/PersonSessions"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { failureLimit } from "../../src/authentication/FailedKeys.ts"
import { errorOf, sending } from "../Hosts.ts"
import { Host, service, test } from "../Service.ts"

/** As many guesses as count before they are slowed down. */
const guess = Effect.gen(function* () {
  const send = yield* Host
  for (let turn = 0; turn < failureLimit.burst; turn++) {
    const { status } = yield* send("/api/v1/admin/accounts", {
      headers: { authorization: `Bearer guess-${turn}` }
    })
    assert.strictEqual(status, 401)
  }
})

test("admin keys are guessed no faster than others", function* () {
  const send = yield* Host
  yield* guess

  const refused = yield* send("/api/v1/admin/accounts", { headers: { authorization: "Bearer another" } })

  assert.strictEqual(refused.status, 429)
  assert.strictEqual((yield* errorOf(refused)).code, "rate_limited")
})

it.effect("a link signs in beside one who guesses", () =>
  Effect.gen(function* () {
    const send = yield* Host
    const account = yield* Effect.flatMap(Accounts, (accounts) => accounts.create("Acme"))
    const { token } = yield* Effect.flatMap(PersonSessions, (sessions) =>
      sessions.makeLink({
        accountId: account.id,
        role: "admin",
        name: "Ada",
        validFor: Duration.minutes(15)
      })
    )
    yield* guess

    const { status } = yield* send(
      "/api/v1/admin/session",
      sending("POST", JSON.stringify({ token: Redacted.value(token) }))
    )

    assert.strictEqual(status, 200)
  }).pipe(Effect.provideService(CurrentActor, theService), Effect.provide(service))
)
