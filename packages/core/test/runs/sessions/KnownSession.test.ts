import { assert, describe, it } from "@effect/vitest"
import { AccountId, newId, RunnerKeyId, SessionId } from "@runhook/core/shared/Ids"
import type { RunnerSession } from "@runhook/core/runs/sessions/RunnerSession"
import { Signals } from "@runhook/core/signals/Signals"
import * as InProcessSignals from "@runhook/core/signals/InProcessSignals"
import { KnownSession } from "@runhook/core/runs/sessions/KnownSession"
import { lookEvery } from "@runhook/core/engine/LongPoll"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const now = DateTime.makeUnsafe("2030-01-01T00:00:00Z")

/** A session of which a process has just heard, and found nothing to tell and no work. */
const makeKnownSession = Effect.fnUntraced(function* () {
  const signals = yield* Signals
  const session: RunnerSession = {
    id: yield* newId(SessionId),
    accountId: yield* newId(AccountId),
    runnerKeyId: yield* newId(RunnerKeyId),
    instanceId: "instance",
    runnerName: "Runner",
    version: null,
    agentIds: null,
    capacity: 1,
    labels: {},
    isDraining: false,
    drainRequestedAt: null,
    createdAt: now,
    lastSeenAt: now
  }
  const known = new KnownSession({ signals, lifetime: lookEvery, session })
  yield* known.polls
  const then = { at: now, mark: signals.mark() }
  known.hear(session, [], then)
  known.look({ claims: [], isMoreDue: false, nextDueAt: null }, then)
  return { known, session }
})

/** Whether nothing need be asked. */
const isKnown = (known: KnownSession, at: DateTime.Utc) => [
  known.isHeard({ inFlight: [], isDraining: false }, at),
  known.idle(at) !== undefined
]

describe("What is known of a session", () => {
  it.layer(Layer.merge(InProcessSignals.layer, layerWebCrypto))((it) => {
    it.effect.each([
      { what: "counts until it is read again", after: Duration.millis(4_999), counts: true },
      { what: "counts for five seconds", after: lookEvery, counts: false },
      { what: "counts no more when the clock was set back", after: Duration.millis(-1), counts: false }
    ])("$what", ({ after, counts }) =>
      Effect.gen(function* () {
        const { known } = yield* makeKnownSession()

        assert.deepStrictEqual(isKnown(known, DateTime.addDuration(now, after)), [counts, counts])
      })
    )

    it.effect("counts while it polls here, and no more once it has polled elsewhere", () =>
      Effect.gen(function* () {
        const { known, session } = yield* makeKnownSession()
        yield* known.polls
        const here = isKnown(known, now)

        // As it is heard from the other process.
        yield* (yield* Signals).notify([`poll:${session.id}`])
        yield* known.polls

        assert.deepStrictEqual(
          [here, isKnown(known, now)],
          [
            [true, true],
            [false, false]
          ]
        )
      })
    )

    it.effect("does not count for what it says anew", () =>
      Effect.gen(function* () {
        const { known } = yield* makeKnownSession()

        assert.isFalse(known.isHeard({ inFlight: [], isDraining: true }, now))
      })
    )

    it.effect("counts no more when deferred work is due", () =>
      Effect.gen(function* () {
        const signals = yield* Signals
        const { known } = yield* makeKnownSession()
        const nextDueAt = DateTime.addDuration(now, 3)
        known.look({ claims: [], isMoreDue: false, nextDueAt }, { at: now, mark: signals.mark() })

        const idle = [known.idle(DateTime.addDuration(now, 2)), known.idle(nextDueAt)]

        assert.deepStrictEqual(idle, [{ claims: [], isMoreDue: false, nextDueAt }, undefined])
      })
    )
  })
})
