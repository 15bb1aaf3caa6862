import { assert, describe } from "@effect/vitest"
import { AccountId } from "@runhook/core/shared/Ids"
import { Signals } from "@runhook/core/signals/Signals"
import { Draining } from "@runhook/core/engine/Draining"
import { Unauthorized } from "@runhook/core/keys/Authentication"
import { Changes, followersMax } from "@runhook/core/accounts/Changes"
import { test } from "@runhook/test-support/engine/Test"
import { makeTenant } from "@runhook/test-support/engine/Tenant"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import { follow } from "./Following.ts"

describe("Following an account", () => {
  test("is done when the service begins to stop", function* () {
    const tenant = yield* makeTenant()
    const following = yield* follow(tenant.caller.accountId)
    const waiting = yield* Effect.forkChild(following.next, { startImmediately: true })

    yield* (yield* Draining).begin

    assert.isTrue(Option.isNone(yield* Fiber.join(waiting)))
  })

  test("is done when its key is ended, or ends by itself, and not while the store cannot say", function* () {
    const { caller } = yield* makeTenant()
    const { accountId, id } = caller
    const opensUntil = yield* Ref.make<Effect.Effect<DateTime.Utc | null, Unauthorized>>(
      Effect.die(new Error("the database is away"))
    )
    const key = { id, opensUntil: Effect.flatten(Ref.get(opensUntil)) }
    const following = yield* (yield* Changes).follow({ accountId, after: null, key })
    const waiting = yield* Effect.forkChild(following.next, { startImmediately: true })
    const end = DateTime.add(yield* DateTime.now, { minutes: 10 })

    yield* TestClock.adjust("1 minute")
    const whileAway = waiting.pollUnsafe()
    yield* Ref.set(opensUntil, Effect.succeed(end))
    yield* TestClock.adjust("10 seconds")
    yield* Ref.set(opensUntil, Effect.fail(new Unauthorized()))
    yield* TestClock.adjust("8 minutes")
    const beforeItsEnd = waiting.pollUnsafe()
    yield* (yield* Signals).notify([`key:${id}`])

    assert.isTrue(Option.isNone(yield* Fiber.join(waiting)))
    assert.deepStrictEqual([whileAway, beforeItsEnd], [undefined, undefined])
  })

  test("is done two seconds after its key was ended elsewhere, when no cache says otherwise any more", function* () {
    const { caller } = yield* makeTenant()
    const { accountId, id } = caller
    const opensUntil = yield* Ref.make<Effect.Effect<DateTime.Utc | null, Unauthorized>>(Effect.succeed(null))
    const key = { id, opensUntil: Effect.flatten(Ref.get(opensUntil)) }
    const following = yield* (yield* Changes).follow({ accountId, after: null, key })
    const waiting = yield* Effect.forkChild(following.next, { startImmediately: true })

    // Until it listens, and until it has heard.
    yield* TestClock.adjust("1 second")
    yield* (yield* Signals).notify([`key:${id}`])
    yield* TestClock.adjust(0)
    yield* TestClock.adjust("1999 millis")
    const cached = waiting.pollUnsafe()
    yield* Ref.set(opensUntil, Effect.fail(new Unauthorized()))
    yield* TestClock.adjust("1 milli")

    assert.isUndefined(cached)
    assert.isTrue(Option.isNone(yield* Fiber.join(waiting)))
  })

  test("is done at the moment at which its key ends by itself", function* () {
    const { caller } = yield* makeTenant()
    const { accountId, id } = caller
    const end = DateTime.add(yield* DateTime.now, { minutes: 10 })
    const opensUntil = Effect.flatMap(DateTime.now, (at) =>
      DateTime.isLessThan(at, end) ? Effect.succeed(end) : Effect.fail(new Unauthorized())
    )
    const following = yield* (yield* Changes).follow({ accountId, after: null, key: { id, opensUntil } })
    const waiting = yield* Effect.forkChild(following.next, { startImmediately: true })

    yield* TestClock.adjust("599 seconds")
    const before = waiting.pollUnsafe()
    yield* TestClock.adjust("1 second")

    assert.isUndefined(before)
    assert.isTrue(Option.isNone(yield* Fiber.join(waiting)))
  })

  test("is refused when there are too many, and let in when one has left", function* () {
    const tenant = yield* makeTenant()
    const { accountId } = tenant.caller
    const one = yield* Scope.make()
    yield* Scope.provide(follow(accountId), one)
    yield* Effect.replicateEffect(follow(accountId), followersMax.account - 1)

    const refusal = yield* Effect.flip(follow(accountId))
    yield* Scope.close(one, Exit.void)
    const letIn = yield* Effect.exit(follow(accountId))

    assert.deepInclude(refusal, { _tag: "TooManyFollowers", scope: "account", limit: followersMax.account })
    assert.isTrue(Exit.isSuccess(letIn))
  })

  test("is refused an account that there is not", function* () {
    const { caller } = yield* makeTenant()

    const refusal = yield* Effect.flip(follow(AccountId.make(caller.id)))

    assert.strictEqual(refusal._tag, "AccountNotFound")
  })
})
