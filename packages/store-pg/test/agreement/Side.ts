/** What a sequence works on in one of the stores: an account with two keys, and all that its steps have been answered. */
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import type { WebhookEndpoint } from "@runhook/core/endpoints/WebhookEndpoint"
import type { Execution } from "@runhook/core/executions/Execution"
import { DispatcherId, type InputId } from "@runhook/core/shared/Ids"
import type { RunnerSession } from "@runhook/core/runs/sessions/RunnerSession"
import { makeApiKey } from "@runhook/store-testing/catalog/CatalogFixtures"
import { idAt, makeTenant, second, type Tenant } from "@runhook/store-testing/Fixtures"
import { makeSession } from "@runhook/store-testing/runs/RunFixtures"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"

export interface Side {
  /** The keys, of one account. */
  readonly tenants: readonly [Tenant, Tenant]
  readonly dispatcher: DispatcherId
  /** Seconds since the beginning. */
  seconds: number
  readonly executions: Array<Execution>
  readonly sessions: Array<RunnerSession>
  readonly inputs: Array<{ readonly execution: Execution; readonly id: InputId }>
  readonly deliveries: Array<Delivery>
  readonly endpoints: Array<WebhookEndpoint>
}

/** A side whose sequence begins at a second: later than all before it, since no clock of a store goes back. */
export const makeSide = Effect.fnUntraced(function* (seconds: number) {
  const tenant = yield* makeTenant({ capacity: 3 })
  const other = { ...tenant, apiKeyId: (yield* makeApiKey(tenant.accountId)).id }
  const seen = { createdAt: second(seconds), lastSeenAt: second(seconds) }
  const side: Side = {
    tenants: [tenant, other],
    dispatcher: yield* idAt(DispatcherId, second(seconds)),
    seconds,
    executions: [],
    sessions: [
      yield* makeSession(tenant, { ...seen, capacity: 4 }),
      yield* makeSession(tenant, { ...seen, capacity: 2 })
    ],
    inputs: [],
    deliveries: [],
    endpoints: []
  }
  return side
})

export const now = ({ seconds }: Side): DateTime.Utc => second(seconds)

/** The one so many places before the latest; undefined if there is none at all. */
export const fromEnd = <A>(all: ReadonlyArray<A>, which: number): A | undefined =>
  all.length === 0 ? undefined : all.at(-1 - (which % all.length))

/** Keeps a thing as it is now, in place of what was known of it. */
export const keep = <A extends { readonly id: string }>(all: Array<A>, ...things: ReadonlyArray<A>): void => {
  for (const thing of things) {
    const place = all.findIndex(({ id }) => id === thing.id)
    if (place === -1) all.push(thing)
    else all[place] = thing
  }
}
