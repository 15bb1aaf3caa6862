/**
 * Polls that wait for messages, of one process. Signals wake them; whatever those miss is found by one look for all of
 * them together, every few seconds. While none waits, nothing is looked for.
 */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { EndpointId } from "../domain/Ids.ts"
import { EndpointStore, type Mailbox } from "../ports/EndpointStore.ts"
import { Signals } from "../ports/Signals.ts"
import * as Loop from "./Loop.ts"
import { lookEvery } from "./LongPoll.ts"

export const makeParkedPolls = Effect.gen(function* () {
  const store = yield* EndpointStore
  const signals = yield* Signals
  const scope = yield* Effect.scope
  const parked = new Map<EndpointId, { readonly mailbox: Mailbox; polls: number }>()
  let looking: Fiber.Fiber<never> | undefined

  const look = Effect.gen(function* () {
    const mailboxes = [...parked.values()].map(({ mailbox }) => mailbox)
    const due = yield* store.due(mailboxes, yield* DateTime.now)
    if (due.length > 0) yield* signals.notify(due.map((id) => `messages:${id}` as const))
  })
  const looks = Loop.forever(Effect.delay(look, lookEvery), {
    failure: "Waiting messages could not be looked for",
    afterFailure: Effect.void
  })

  const enter = Effect.fnUntraced(function* (mailbox: Mailbox) {
    const known = parked.get(mailbox.id) ?? { mailbox, polls: 0 }
    known.polls++
    parked.set(mailbox.id, known)
    looking ??= yield* Effect.forkIn(looks, scope)
  })

  const leave = Effect.fnUntraced(function* ({ id }: Mailbox) {
    const known = parked.get(id)
    if (known !== undefined && --known.polls === 0) parked.delete(id)
    if (parked.size > 0 || looking === undefined) return
    const ended = looking
    looking = undefined
    yield* Fiber.interrupt(ended)
  })

  /** Looks for its messages until the scope ends. */
  return (mailbox: Mailbox) => Effect.acquireRelease(enter(mailbox), () => leave(mailbox))
})
