/** Every store keeps the entry that it is given with a change: both stand or fall together. It chooses none by itself. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import type { Stores } from "../Fixtures.ts"
import * as AuditedActivity from "./AuditedActivity.ts"
import * as AuditedCatalog from "./AuditedCatalog.ts"
import * as AuditedKeys from "./AuditedKeys.ts"
import * as AuditedSessions from "./AuditedSessions.ts"
import { type Arrangement, entriesOf, jana, nowhere } from "./AuditFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

const parts = [AuditedKeys, AuditedCatalog, AuditedActivity, AuditedSessions]

const changes = parts.flatMap((part) => Object.entries<Arrangement>(part.changes))

const repeats = parts.flatMap((part) => Object.entries<Arrangement>(part.repeats))

/** What tests store as hashes and sealed secrets. */
const secret = /hash of|"sealed|for-the-receiver-alone/

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("Audit log", { layer, name }, (it) => {
    it.effect.each(changes)(
      "tells of %s: who, from where, what it was and is, and no secret",
      ([, arrange]) =>
        Effect.gen(function* () {
          const { accountId, act, action, actor, after, before, seen, subject } = yield* arrange
          const [told, unchanged] = yield* Effect.all([entriesOf(accountId), seen])

          yield* act(jana)

          const [entry, ...rest] = yield* entriesOf(accountId)
          assert.deepStrictEqual(rest, told)
          assert.deepInclude(entry, {
            accountId,
            actor: { ...jana, ...actor },
            action,
            subject,
            before,
            after
          })
          assert.notDeepEqual(yield* seen, unchanged)
          assert.notMatch(JSON.stringify(entry), secret)
        })
    )

    it.effect.each(changes)("leaves no trace of %s whose entry cannot be kept", ([, arrange]) =>
      Effect.gen(function* () {
        const { accountId, act, seen } = yield* arrange
        const before = yield* Effect.all([entriesOf(accountId), seen])

        const exit = yield* Effect.exit(act(nowhere))

        assert.isTrue(Exit.isFailure(exit))
        assert.deepStrictEqual(yield* Effect.all([entriesOf(accountId), seen]), before)
      })
    )

    it.effect.each(repeats)("tells nothing of %s", ([, arrange]) =>
      Effect.gen(function* () {
        const { accountId, act } = yield* arrange
        const told = yield* entriesOf(accountId)

        yield* act(jana)

        assert.deepStrictEqual(yield* entriesOf(accountId), told)
      })
    )

    it.effect.each(changes)("makes %s without an entry, if it is given none to store", ([, arrange]) =>
      Effect.gen(function* () {
        const { accountId, act, seen } = yield* arrange
        const [told, unchanged] = yield* Effect.all([entriesOf(accountId), seen])

        yield* act(null)

        assert.deepStrictEqual(yield* entriesOf(accountId), told)
        assert.notDeepEqual(yield* seen, unchanged)
      })
    )
  })
