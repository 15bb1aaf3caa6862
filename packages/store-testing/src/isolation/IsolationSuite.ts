/**
 * What every store does with the ids of an account in the name of another:
 * nothing, as far as `storedRows` shows, which must show all there is. The other is a
 * neighbour, whose id ends alike: a store that spreads accounts by their ids keeps
 * what is theirs in one place.
 */
import { assert } from "@effect/vitest"
import { AccountId, newId } from "@runhook/core/shared/Ids"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import { makeAccount } from "../catalog/CatalogFixtures.ts"
import { makeTenant, type Stores } from "../Fixtures.ts"
import type { SuiteOptions } from "../Suite.ts"
import { attempts } from "./IsolationAttempts.ts"
import { type Busy, makeBusyTenant } from "./IsolationFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

/** The attempts that change something for the account itself. Were they not seen, nothing would be proven of its neighbour. */
const changes = [
  "stop",
  "answer",
  "claim",
  "start",
  "finish",
  "register an artifact",
  "settle a delivery",
  "try a delivery now",
  "cancel a replay",
  "cancel a job",
  "change a key",
  "revoke a key",
  "rotate a key",
  "rotate a signing secret",
  "revoke a runner key",
  "change an agent",
  "change a task",
  "publish a version",
  "move a tag",
  "make a version current",
  "say how far work is",
  "put a person out",
  "withdraw a link"
]

/** An account that has nothing. */
const makeNeighbour = Effect.fnUntraced(function* (accountId: AccountId) {
  const id = AccountId.make((yield* newId(AccountId)).slice(0, -4) + accountId.slice(-4))
  yield* makeAccount({ id })
  return id
})

/** Whether an answer tells of nothing: an empty page, list or map, or nothing at all. */
const isEmpty = (answer: unknown): boolean => {
  if (answer === undefined) return true
  if (answer instanceof Map) return answer.size === 0
  if (Array.isArray(answer)) return answer.length === 0
  return typeof answer === "object" && answer !== null && "items" in answer && isEmpty(answer.items)
}

const isNotFound = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "_tag" in error && String(error._tag).endsWith("NotFound")

export const suite = <R>(
  name: string,
  layer: Layer.Layer<Stores | R, unknown>,
  { storedRows }: SuiteOptions<R>
) =>
  suiteOf("Isolation", { layer, name }, (it) => {
    let arranged: Busy | undefined

    /** One for all attempts of strangers, since none may change anything of it. */
    const makeTarget = Effect.fnUntraced(function* () {
      return (arranged ??= yield* makeBusyTenant(yield* makeTenant()))
    })

    it.effect.each(Object.entries(attempts))(
      "hides what is an account's from its neighbour: %s",
      ([, attempt]) =>
        Effect.gen(function* () {
          const busy = yield* makeTarget()
          const { tenant } = busy
          const stranger = yield* makeNeighbour(tenant.accountId)
          const before = yield* storedRows(tenant.accountId)

          const found = yield* Effect.exit(attempt({ ...busy, stranger }))

          const isHidden = Exit.match(found, {
            onSuccess: isEmpty,
            onFailure: (cause) =>
              cause.reasons.every((reason) => reason._tag === "Fail" && isNotFound(reason.error))
          })
          assert.isTrue(isHidden, JSON.stringify(found))
          assert.deepStrictEqual(yield* storedRows(tenant.accountId), before)
        })
    )

    it.effect.each(changes)("shows by `storedRows` what the account itself changes: %s", (what) =>
      Effect.gen(function* () {
        const tenant = yield* makeTenant()
        const busy = yield* makeBusyTenant(tenant)
        const before = yield* storedRows(tenant.accountId)

        yield* attempts[what]?.({ ...busy, stranger: tenant.accountId }) ?? assert.fail(what)

        assert.notDeepEqual(yield* storedRows(tenant.accountId), before)
      })
    )
  })
