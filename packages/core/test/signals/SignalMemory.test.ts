import { AccountId, AgentId, newId, SessionId } from "@runhook/core/shared/Ids"
import { SignalMemory } from "@runhook/core/signals/SignalMemory"
import { assert, describe, it } from "@effect/vitest"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"

const makeSession = () => Effect.map(newId(SessionId), (id) => `session:${id}` as const)

describe("The memory of signals", () => {
  it.layer(layerWebCrypto)((it) => {
    it.effect("knows what was signalled since a moment, and what was not", () =>
      Effect.gen(function* () {
        const memory = new SignalMemory()
        const [session, other] = [yield* makeSession(), yield* makeSession()]
        memory.note(session)
        const then = memory.mark()
        const before = memory.isQuiet([session, other], then)

        memory.note(session)

        const after = [memory.isQuiet([session, other], then), memory.isQuiet([other], then)]
        assert.deepStrictEqual([before, ...after], [true, false, true])
      })
    )

    it.effect("knows of work of any agent of an account", () =>
      Effect.gen(function* () {
        const memory = new SignalMemory()
        const [account, another] = [yield* newId(AccountId), yield* newId(AccountId)]
        const then = memory.mark()

        memory.note(`work:${account}:${yield* newId(AgentId)}`)

        const quiet = [account, another].map((id) => memory.isQuiet([`work:${id}`], then))
        assert.deepStrictEqual(quiet, [false, true])
      })
    )

    it.effect("takes everything for signalled when anything may have been", () =>
      Effect.sync(() => {
        const memory = new SignalMemory()
        const then = memory.mark()

        memory.note("anything")

        const quiet = [then, memory.mark()].map((since) => memory.isQuiet([], since))
        assert.deepStrictEqual(quiet, [false, true])
      })
    )

    it.effect("takes what it has forgotten, among too many others, for signalled until then", () =>
      Effect.gen(function* () {
        const memory = new SignalMemory()
        const first = yield* makeSession()
        const then = memory.mark()
        memory.note(first)

        const others = yield* Effect.replicateEffect(makeSession(), 20_000)
        for (const each of others) memory.note(each)

        const quiet = [then, then + 1].map((since) => memory.isQuiet([first], since))
        assert.deepStrictEqual(quiet, [false, true])
      })
    )
  })
})
