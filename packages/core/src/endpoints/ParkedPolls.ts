/**
 * Mailboxes at which callers of this process wait for messages, or did a moment ago, and what it knows of them. Signals
 * wake the waits; whatever those miss is found by one look for all of them together. So a wait that begins again asks
 * nothing while nothing has come. While none waits, nothing is looked for.
 */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { isFetchNews } from "./Messages.ts"
import type { WebhookEndpoint } from "./WebhookEndpoint.ts"
import type { EndpointId } from "../shared/Ids.ts"
import { type EndpointRef, EndpointStore } from "./EndpointStore.ts"
import { type Mark, Signals } from "../signals/Signals.ts"
import * as Loop from "../engine/Loop.ts"
import { lookEvery } from "../engine/LongPoll.ts"

/** A message whose signal was lost comes this much later at most. */
const lookTogetherEvery = Duration.seconds(1)

/** What was read of a mailbox, after that mark in the order of the signals. */
interface Read {
  readonly mailbox: WebhookEndpoint
  readonly mark: Mark
  readonly nextDueAt: DateTime.Utc | null
}

interface Parked {
  polls: number
  leftAt: DateTime.Utc
  read: Read | undefined
}

export const makeParkedPolls = Effect.gen(function* () {
  const store = yield* EndpointStore
  const signals = yield* Signals
  const scope = yield* Effect.scope
  const parked = new Map<EndpointId, Parked>()
  let isLooking = false

  /** Answers whether to look again. */
  const look = Effect.gen(function* () {
    const at = yield* DateTime.now
    const since = DateTime.subtractDuration(at, lookEvery)
    // A caller that has just left will probably wait again.
    for (const [id, { leftAt, polls }] of parked)
      if (polls === 0 && DateTime.isLessThan(leftAt, since)) parked.delete(id)
    const isMore = parked.size > 0
    isLooking = isMore
    const mailboxes = [...parked.values()].flatMap(({ read }) => read?.mailbox ?? [])
    const changed = mailboxes.length === 0 ? [] : yield* store.changed(mailboxes, at)
    if (changed.length > 0) yield* signals.notify(changed.map((id) => `messages:${id}` as const))
    return isMore
  })
  const looks = Effect.delay(look, lookTogetherEvery).pipe(
    Loop.surviving("Waiting messages could not be looked for", Effect.succeed(true)),
    Effect.repeat({ while: (isMore) => isMore })
  )

  const enter = Effect.fnUntraced(function* (id: EndpointId) {
    const place = parked.get(id) ?? { polls: 0, leftAt: yield* DateTime.now, read: undefined }
    place.polls++
    parked.set(id, place)
    if (isLooking) return
    isLooking = true
    yield* Effect.forkIn(looks, scope)
  })

  const leave = Effect.fnUntraced(function* (id: EndpointId) {
    const place = parked.get(id)
    if (place === undefined) return
    place.polls--
    place.leftAt = yield* DateTime.now
    if (place.polls === 0 && place.read === undefined) parked.delete(id)
  })

  return {
    /** Looks for its messages until the scope ends, and a little longer. */
    park: (id: EndpointId) => Effect.acquireRelease(enter(id), () => leave(id)),

    /** What was read of the caller's mailbox, as long as a fetch would find nothing, and have nothing to note. */
    idle({ accountId, apiKeyId, id }: EndpointRef, at: DateTime.Utc): Read | undefined {
      const read = parked.get(id)?.read
      if (read === undefined) return undefined
      const { mailbox, mark, nextDueAt } = read
      const isOwn = mailbox.accountId === accountId && (apiKeyId === null || mailbox.apiKeyId === apiKeyId)
      const isQuiet = signals.isQuiet([`messages:${id}`], mark) && !isFetchNews(mailbox, at)
      const isLater = nextDueAt === null || DateTime.isGreaterThan(nextDueAt, at)
      return isOwn && isQuiet && isLater ? read : undefined
    },

    /** A mailbox was read at that time, and that noted. */
    note(read: Read, at: DateTime.Utc): void {
      const { mailbox } = read
      const place = parked.get(mailbox.id)
      const fetchedAt = isFetchNews(mailbox, at) ? at : mailbox.fetchedAt
      if (place !== undefined) place.read = { ...read, mailbox: { ...mailbox, fetchedAt } }
    }
  }
})
