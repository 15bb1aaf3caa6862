/** Alerts: what operators, members of an account and callers with a key do with them alike. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import {
  type AlertItem,
  type AlertTargetChangeBody,
  AlertTargetItem,
  type NewAlertTargetBody
} from "@runhook/contract/alerts/AlertWire"
import type { AlertTarget, AlertTargetChange } from "@runhook/core/alerts/AlertTarget"
import { type AlertOfAccount, factsOf } from "@runhook/core/alerts/AlertText"
import { shownAddress } from "@runhook/core/audit/AlertEvents"
import type { AlertTargetId } from "@runhook/core/shared/Ids"
import type { MissingCapability } from "@runhook/core/shared/Refusals"
import { AlertChannels } from "@runhook/core/alerts/AlertChannels"
import type { AlertOwner } from "@runhook/core/alerts/AlertStore"
import { Alerts } from "@runhook/core/alerts/Alerts"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { toApiError } from "../errors/ErrorTable.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { inDomainNames, showing } from "../shared/Names.ts"
import { type Audience, keyHolder, makeMembers, type Of, type OfOne, type Sent } from "../shared/Audience.ts"

type OfTarget<Path> = OfOne<Path, AlertTargetId>

const targetItem = showing(AlertTargetItem)<AlertTarget>({ address: shownAddress })

const targetChange = (body: typeof AlertTargetChangeBody.Type): AlertTargetChange => inDomainNames(body)

/** Lists show what is or was open. */
const alertItem = (alert: AlertOfAccount, pageUrl: string | null): typeof AlertItem.Type => ({
  ...factsOf(alert, pageUrl),
  since: alert.since,
  opened_at: alert.openedAt ?? alert.seenAt,
  closed_at: alert.closedAt
})

/** `ownerOf` answers whose alerts the path is about, if the caller may ask for them. */
const alertHandlers = Effect.fnUntraced(function* <Path, R>(
  ownerOf: (path: Path) => Effect.Effect<AlertOwner, MissingCapability, R>
) {
  const alerts = yield* Alerts
  const { pageUrl } = yield* AlertChannels

  const refOf = (params: OfTarget<Path>["params"]) =>
    Effect.map(ownerOf(params), (owner) => ({ owner, id: params.id }))

  return {
    list: Effect.fnUntraced(function* ({ params }: Of<Path>) {
      const { alerts: listed, isMore } = yield* alerts.list(yield* ownerOf(params))
      return { data: listed.map((alert) => alertItem(alert, pageUrl)), is_more: isMore }
    }, toApiError),

    targets: Effect.fnUntraced(function* ({ params }: Of<Path>) {
      const targets = yield* alerts.targets(yield* ownerOf(params))
      return { data: targets.map(targetItem) }
    }, toApiError),

    addTarget: Effect.fnUntraced(function* ({ params, payload }: Of<Path> & Sent<typeof NewAlertTargetBody>) {
      const { secret, target } = yield* alerts.addTarget({
        owner: yield* ownerOf(params),
        channel: payload.channel,
        address: payload.address,
        kinds: payload.kinds ?? null,
        pausedUntil: payload.paused_until ?? null
      })
      return { ...targetItem(target), signing_secret: secret && Redacted.value(secret) }
    }, toApiError),

    getTarget: Effect.fnUntraced(function* ({ params }: OfTarget<Path>) {
      return targetItem(yield* alerts.getTarget(yield* refOf(params)))
    }, toApiError),

    changeTarget: Effect.fnUntraced(function* ({
      params,
      payload
    }: OfTarget<Path> & Sent<typeof AlertTargetChangeBody>) {
      return targetItem(yield* alerts.changeTarget(yield* refOf(params), targetChange(payload)))
    }, toApiError),

    removeTarget: Effect.fnUntraced(function* ({ params }: OfTarget<Path>) {
      yield* alerts.removeTarget(yield* refOf(params))
    }, toApiError),

    testTarget: Effect.fnUntraced(function* ({ params }: OfTarget<Path>) {
      const error = yield* alerts.testTarget(yield* refOf(params))
      return { taken: error === null, error }
    }, toApiError)
  }
})

/** Whose alerts the audience's paths are about. */
const accountOf =
  <Path, R>(who: Audience<Path, never, R>) =>
  (path: Path) =>
    Effect.map(who.ownerOf(path, "alerts:manage"), ({ accountId }) => accountId)

export const AlertHandlers = handlersOf(
  IntegrationApi,
  "alerts",
  Effect.fnUntraced(function* (handle) {
    return handle(yield* alertHandlers(accountOf(keyHolder)))
  })
)

export const AdminAlertHandlers = handlersOf(
  AdminApi,
  "alerts",
  Effect.fnUntraced(function* (handle) {
    return handle(yield* alertHandlers(accountOf(yield* makeMembers)))
  })
)

export const ServiceAlertHandlers = handlersOf(
  AdminApi,
  "serviceAlerts",
  Effect.fnUntraced(function* (handle) {
    return handle(yield* alertHandlers(() => Effect.succeed(null)))
  })
)
