/** `--watch`: shows what a call answers again whenever it changes. */
import type { Account } from "@runhook/sdk/admin"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type { CommandFailed } from "../logging/Reporting.ts"
import { type Columns, isForPeople, textOf } from "../output/Output.ts"
import { called } from "./AdminClient.ts"
import { print } from "../output/Writer.ts"

/** Changes are hints: it also looks by itself, so none that is missed matters for long. */
const lookEvery = "5 seconds"

/** Between two looks, however much changes. */
const pause = "500 millis"

/** Of the look, not of what it shows. */
const requestId = /"request_id": "\w+"/

/** Clears a terminal, and the lines above what it shows. */
const clear = "\u001b[2J\u001b[3J\u001b[H"

export const watched = <A, R>(account: Account, look: Effect.Effect<A, CommandFailed, R>, columns: Columns) =>
  Effect.scoped(
    Effect.gen(function* () {
      const hints = yield* Queue.sliding<void>(1)
      yield* Effect.forkScoped(
        called(async (signal) => {
          for await (const _ of account.changes({ signal })) Queue.offerUnsafe(hints, undefined)
        })
      )
      const onTerminal = (yield* isForPeople) && process.stdout.isTTY
      let last = ""
      return yield* Effect.forever(
        Effect.gen(function* () {
          const text = yield* textOf(yield* look, columns)
          const shown = text.replace(requestId, "")
          if (shown !== last) {
            if (onTerminal) process.stdout.write(clear)
            yield* print(text)
          }
          // Only a write tells whether somebody still reads, and JSON may have empty lines.
          else if (!process.stdout.isTTY) yield* print("")
          last = shown
          yield* Effect.sleep(pause)
          yield* Effect.raceFirst(Queue.take(hints), Effect.sleep(lookEvery))
        })
      )
    })
  )
