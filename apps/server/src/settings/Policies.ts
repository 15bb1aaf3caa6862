/** What operators decide about callbacks, and about how much callers may ask for. */
import { networkInterfaces } from "node:os"
import { withOwnAddresses } from "@runhook/core/shared/target/TargetPolicy"
import { CallbackOrder } from "@runhook/core/deliveries/DeliveryStore"
import {
  ArtifactQuota,
  CallbackTargets,
  ExecutionLimits,
  ScheduleLimits,
  UsageKept
} from "@runhook/core/Settings"
import { PageBytes } from "@runhook/http/limits/PageBytes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ServerSettings } from "./ServerSettings.ts"

export const layer = ({
  accountMaxLive,
  accountRateLimit,
  artifactQuota,
  callbackOrder,
  callbackTargets,
  pageBytes,
  schedulesMax,
  schedulesShortest,
  usageKept
}: ServerSettings): Layer.Layer<never> =>
  Layer.mergeAll(
    Layer.succeed(CallbackOrder, callbackOrder),
    Layer.succeed(PageBytes, pageBytes),
    Layer.succeed(ScheduleLimits, { perAccount: schedulesMax, shortest: schedulesShortest }),
    Layer.succeed(UsageKept, usageKept),
    Layer.succeed(ArtifactQuota, artifactQuota),
    Layer.sync(CallbackTargets, () => withOwnAddresses(callbackTargets, ownAddresses())),
    Layer.effect(
      ExecutionLimits,
      Effect.map(ExecutionLimits, (limits) => ({ ...limits, accountMaxLive, accountRateLimit }))
    )
  )

const ownAddresses = (): ReadonlyArray<string> =>
  Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address))
