/** Reads a log as it grows, also over a restart of the service. */
import type { Clock } from "../call/Clock.ts"
import { lookMs } from "../call/Retry.ts"
import type { CallOptions } from "../call/Settings.ts"
import { isFinished } from "../requests/Finished.ts"
import { type Follow, type Numbered, seenFrom, seenIn } from "../requests/Follow.ts"
import type { Send } from "./Send.ts"

/** The items, until the last. The options hold for each request; without limits of theirs, it is repeated until it is answered. */
export async function* follow<Item extends Numbered>(
  following: Follow<Item, CallOptions>,
  { clock, send }: { readonly clock: Clock; readonly send: Send }
): AsyncGenerator<Item, void, undefined> {
  const { look, owner } = following
  const { signal = new AbortController().signal } = look.options ?? {}
  const options = { retries: Infinity, timeoutMs: Infinity, ...look.options, signal }
  let after = seenFrom(following)
  let isFinal = false
  for (;;) {
    const lookedAt = clock.now()
    const { data } = await send({ ...look, query: { ...look.query, after }, options })
    const { fresh, isOver, position } = seenIn(data, { ...following, position: after })
    for (const item of fresh) {
      signal.throwIfAborted()
      yield item
    }
    if (isOver || (isFinal && data.length === 0)) return
    after = position
    if (data.length > 0) continue
    isFinal = owner !== undefined && isFinished(await send({ ...owner, options }))
    if (!isFinal) await clock.sleep(Math.max(0, lookedAt + lookMs - clock.now()), signal)
  }
}
