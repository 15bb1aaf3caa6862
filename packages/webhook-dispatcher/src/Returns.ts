/**
 * What goes back to the queue: deliveries that are leased and will not be sent by
 * this process, and claims whose answer never arrived. The store may hold deliveries
 * as this dispatcher's own that it knows nothing of, because a statement failed here
 * and was carried out there. They may show up at once, or as late as a lease after:
 * a database that hangs goes on with a statement.
 */
import type { DispatcherId } from "@runhook/core/shared/Ids"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type { LeasedDeliveries } from "./LeasedDeliveries.ts"
import type { InFlight } from "./receivers/Receiver.ts"

/** Between two searches for what may have been claimed. */
const searchEvery = Duration.seconds(1)

export type Returns = Effect.Success<ReturnType<typeof make>>

export const make = Effect.fnUntraced(function* (options: {
  readonly dispatcher: DispatcherId
  readonly lease: Duration.Duration
  readonly leased: LeasedDeliveries
  /** Called when some are due again. */
  readonly onDue: () => void
}) {
  const { dispatcher, lease, leased, onDue } = options
  const store = yield* DeliveryStore
  const run = yield* FiberSet.makeRuntime<never, void>()
  const gathered: Array<InFlight> = []
  let suspicion: { readonly until: DateTime.Utc; readonly searchAt: DateTime.Utc } | undefined
  let isSearching = false

  const suspect = (at: DateTime.Utc): void => {
    suspicion = { until: DateTime.addDuration(at, lease), searchAt: at }
  }

  const giveBackGathered = Effect.gen(function* () {
    yield* Effect.yieldNow
    const at = yield* DateTime.now
    const returned = gathered.splice(0)
    const ids = returned.map(({ delivery }) => delivery.id)
    yield* store.giveBack({ dispatcher, which: { _tag: "These", ids }, at }).pipe(
      // Not tried again: they may have been claimed by then. Otherwise they are found as claims unknown to any
      // dispatcher.
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.sync(() => suspect(at))
      )
    )
    for (const each of returned) leased.ended(each, { at: at.epochMilliseconds, isFinal: false })
    onDue()
  })

  const search = Effect.gen(function* () {
    const at = yield* DateTime.now
    if (suspicion === undefined || DateTime.isLessThan(at, suspicion.searchAt)) return
    isSearching = true
    const ids = leased.known(at.epochMilliseconds)
    const count = yield* Effect.ensuring(
      store.giveBack({ dispatcher, which: { _tag: "AllBut", ids }, at }),
      Effect.sync(() => (isSearching = false))
    )
    if (count > 0) yield* Effect.logInfo(`${count} deliveries that were claimed and not begun are due again`)
    const isOver = DateTime.isGreaterThanOrEqualTo(at, suspicion.until)
    suspicion = isOver ? undefined : { ...suspicion, searchAt: DateTime.addDuration(at, searchEvery) }
  })

  return {
    /** Gives back a delivery, together with all others of the same moment. Until then it is known. */
    giveBack: (inFlight: InFlight): void => {
      inFlight.stage = "returning"
      leased.hold(inFlight)
      gathered.push(inFlight)
      if (gathered.length === 1) run(giveBackGathered)
    },
    /** There may be claims whose answer never arrives, from now on. */
    suspect,
    /** Whether a search is under way: it would take what this dispatcher is given meanwhile for lost. */
    isSearching: (): boolean => isSearching,
    /** Gives back what was claimed and is not known here, if it is time to look for that. Not during a claim. */
    search
  }
})
