/** Sessions and leases in PostgreSQL. */
import { finish } from "@runhook/core/runs/EndMoves"
import { ask } from "@runhook/core/runs/InputMoves"
import type { InputRequest } from "@runhook/core/runs/InputRequest"
import { giveBack, start } from "@runhook/core/runs/LeaseMoves"
import { RunStore } from "@runhook/core/runs/RunStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { SqlClient } from "effect/sql/SqlClient"
import { type ExecutionRef, PgRuns } from "./moves/PgRuns.ts"
import { idempotentOrDefect, inOneTransaction, orDefect } from "../sql/SqlErrors.ts"
import { makeClaimRuns } from "./claim/Claims.ts"
import { makeCheckpoints } from "./Checkpoints.ts"
import { makeHeartbeats } from "./Heartbeats.ts"
import { makeSessions } from "./Sessions.ts"

export const layer = Layer.effect(
  RunStore,
  Effect.gen(function* () {
    const runs = yield* PgRuns
    const sessions = yield* makeSessions
    const beat = yield* makeHeartbeats
    const claim = yield* makeClaimRuns
    const checkpoints = yield* makeCheckpoints
    const atomic = inOneTransaction(yield* SqlClient)

    return RunStore.of({
      get: flow(runs.get, idempotentOrDefect),

      openSession: flow(sessions.open, orDefect),

      getSession: flow(sessions.get, idempotentOrDefect),

      listSessions: flow(sessions.list, idempotentOrDefect),

      drainSession: flow(sessions.drain, orDefect),

      closeSession: flow(sessions.close, orDefect),

      claim: flow(claim, idempotentOrDefect),

      beat: flow(beat, idempotentOrDefect),

      start: (options) => orDefect(runs.move(asked(options), (run, at) => start(run, { ...options, at }))),

      finish: (options) => orDefect(runs.move(asked(options), (run, at) => finish(run, { ...options, at }))),

      keepCheckpoint: flow(checkpoints.keep, atomic),

      giveBack: flow(
        (options) => runs.move(asked(options), (run, at) => giveBack(run, { ...options, at })),
        orDefect
      ),

      ask: Effect.fnUntraced(function* (options) {
        let { input } = options
        const change = yield* runs.move(asked(options), (run, at) =>
          Result.map(ask(run, { ...options, input: askedAt(options.input, at), at }), (found) => {
            input = found.input
            return found.change
          })
        )
        return { change, input }
      }, orDefect)
    })
  })
)

const asked = ({ accountId, at, id }: ExecutionRef & { readonly at: DateTime.Utc }) => ({
  ref: { accountId, id },
  at
})

/** The question asked at another moment, and open for as long. */
const askedAt = (input: InputRequest, at: DateTime.Utc): InputRequest => ({
  ...input,
  askedAt: at,
  expiresAt: DateTime.addDuration(at, DateTime.distance(input.askedAt, input.expiresAt))
})
