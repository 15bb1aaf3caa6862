/** Standing endpoints in memory. */
import { type Delivery, isFetched } from "@runhook/core/deliveries/Delivery"
import { isForsaken, isFetchNews } from "@runhook/core/endpoints/Messages"
import { isTelling } from "@runhook/core/endpoints/Subscription"
import { WebhookEndpoint, withSecret } from "@runhook/core/endpoints/WebhookEndpoint"
import { receiverKey } from "@runhook/core/deliveries/claim/Receiver"
import type { Owner } from "@runhook/core/keys/Owner"
import {
  EndpointLimitReached,
  EndpointNotFound,
  type EndpointRef,
  EndpointStore,
  type Mailbox
} from "@runhook/core/endpoints/EndpointStore"
import { CallbackOrder } from "@runhook/core/deliveries/DeliveryStore"
import { EventId, newId } from "@runhook/core/shared/Ids"
import { DeliveryInlets } from "@runhook/core/deliveries/queue/DeliveryInlets"
import * as Array from "effect/Array"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Order from "effect/Order"
import * as Result from "effect/Result"
import { makeAudited } from "../audit/Audited.ts"
import { MemoryDatabase } from "../MemoryDatabase.ts"
import { storedAs } from "../tables/StoredAs.ts"
import { transaction } from "../tables/Transaction.ts"
import { fanOut } from "./FanOut.ts"
import { cancelAbandoned, fetchMessages } from "./FetchMessages.ts"

const stored = storedAs(WebhookEndpoint)
const byId = Order.mapInput(Order.String, ({ id }: WebhookEndpoint) => id)

const isOwned = ({ accountId, apiKeyId }: Owner, endpoint: WebhookEndpoint): boolean =>
  endpoint.accountId === accountId && (apiKeyId === null || endpoint.apiKeyId === apiKeyId)

export const layer = Layer.effect(
  EndpointStore,
  Effect.gen(function* () {
    const tables = yield* MemoryDatabase
    const { deliveries, endpoints } = tables
    const audited = yield* makeAudited
    const inlets = yield* DeliveryInlets
    const order = yield* CallbackOrder
    const nextEventId = Effect.provideService(newId(EventId), SecureRandom, yield* SecureRandom)

    const find = (ref: EndpointRef): Result.Result<WebhookEndpoint, EndpointNotFound> => {
      const endpoint = endpoints.get(ref.id)
      return endpoint !== undefined && isOwned(ref, endpoint)
        ? Result.succeed(endpoint)
        : Result.fail(new EndpointNotFound({ id: ref.id }))
    }

    const change = (
      ref: EndpointRef,
      next: (before: WebhookEndpoint) => WebhookEndpoint,
      note: (before: WebhookEndpoint, after: WebhookEndpoint) => void
    ) =>
      Result.map(find(ref), (before) => {
        const after = stored(next(before))
        note(before, after)
        endpoints.set(ref.id, after)
        return after
      })

    const waitingFor = ({ accountId, url }: Mailbox): ReadonlyArray<Delivery> => [
      ...deliveries.waitingFor(receiverKey({ accountId, origin: url }))
    ]

    /** What waits for it, but for what is being sent. */
    const toldTo = ({ accountId, id }: WebhookEndpoint): ReadonlyArray<Delivery> =>
      [...deliveries.values()].filter(
        (each) =>
          each.accountId === accountId &&
          each.endpointId === id &&
          each.state === "pending" &&
          !tables.claimers.has(each.id)
      )

    const isSilenced = ({ apiKeyId }: WebhookEndpoint, at: DateTime.Utc): boolean => {
      const key = apiKeyId === null ? undefined : tables.apiKeys.get(apiKeyId)
      return key !== undefined && !isTelling(key, at)
    }

    return EndpointStore.of({
      create: (endpoint, { audit, limit }) =>
        audited((note) => {
          const own = [...endpoints.values()].filter(({ accountId }) => accountId === endpoint.accountId)
          if (own.length >= limit) return Result.fail(new EndpointLimitReached({ limit }))
          const row = stored(endpoint)
          note(audit?.(row))
          endpoints.set(row.id, row)
          return Result.void
        }),

      get: (ref) => transaction(() => find(ref)),

      list: (owner) =>
        Effect.sync(() =>
          Array.sort(
            [...endpoints.values()].filter((each) => isOwned(owner, each)),
            byId
          )
        ),

      update: (ref, { at, audit, change: changed }) =>
        audited((note) =>
          change(
            ref,
            (before) => ({ ...before, ...changed, updatedAt: at }),
            (before, after) => note(audit?.(before, after))
          )
        ),

      rotate: (ref, { audit, ...secret }) =>
        audited((note) =>
          change(
            ref,
            (before) => withSecret(before, secret),
            (_, after) => note(audit?.(after))
          )
        ),

      remove: (ref, { at, audit }) =>
        audited((note) =>
          Result.map(find(ref), (endpoint) => {
            note(audit?.(endpoint))
            endpoints.delete(ref.id)
            cancelAbandoned(tables, toldTo(endpoint), at)
          })
        ),

      fanOut: Effect.fnUntraced(function* (options) {
        const runSync = Effect.runSyncWith(yield* Effect.context<never>())
        const newEventId = () => runSync(nextEventId)
        return yield* Effect.sync(() => fanOut(tables, { ...options, inlets, newEventId }))
      }),

      fetch: (mailbox, options) =>
        Effect.sync(() => {
          const { at } = options
          const endpoint = endpoints.get(mailbox.id)
          if (endpoint !== undefined && isFetchNews(endpoint, at))
            endpoints.set(mailbox.id, { ...endpoint, fetchedAt: at })
          return fetchMessages(tables, waitingFor(mailbox), { ...options, order })
        }),

      given: (mailbox, ids) =>
        Effect.sync(() => waitingFor(mailbox).filter(({ attempts, id }) => attempts > 0 && ids.includes(id))),

      changed: (mailboxes, at) =>
        Effect.sync(() =>
          mailboxes.flatMap((mailbox) => {
            const [first] = waitingFor(mailbox)
            const isDue = first?.nextAttemptAt && DateTime.isLessThanOrEqualTo(first.nextAttemptAt, at)
            return isDue || !endpoints.has(mailbox.id) ? [mailbox.id] : []
          })
        ),

      prune: ({ at, limit }) =>
        Effect.sync(() => {
          let pruned = 0
          for (const endpoint of endpoints.values()) {
            if (isSilenced(endpoint, at)) pruned += cancelAbandoned(tables, toldTo(endpoint), at)
            if (!isFetched(endpoint) || pruned >= limit) continue
            if (isForsaken(endpoint, at)) {
              endpoints.delete(endpoint.id)
              pruned += cancelAbandoned(tables, waitingFor(endpoint), at) + 1
              continue
            }
            const expired = waitingFor(endpoint).filter(({ expiresAt, nextAttemptAt }) =>
              [expiresAt, nextAttemptAt ?? at].every((moment) => DateTime.isLessThanOrEqualTo(moment, at))
            )
            pruned += expired.length
            fetchMessages(tables, expired, { at, order, limit: expired.length, bytesMax: Infinity })
          }
          return pruned >= limit
        })
    })
  })
)
