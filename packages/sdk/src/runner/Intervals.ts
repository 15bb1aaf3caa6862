/** How often and how long, as the service says it to a runner, in milliseconds. */
import { type Bounds, bounded } from "../call/Bounds.ts"
import type { SessionConfig } from "../wire/Runner.ts"

const minute = 60_000

const bounds = {
  heartbeat_ms: { least: 10, most: 5 * minute, otherwise: 15_000 },
  poll_wait_ms: { least: 0, most: minute, otherwise: 25_000 },
  cancel_grace_ms: { least: 0, most: 60 * minute, otherwise: 30_000 },
  finalize_ms: { least: 0, most: 60 * minute, otherwise: 5 * minute }
} satisfies { readonly [Name in keyof SessionConfig]?: Bounds }

const day = 24 * 60 * minute

const leaseBounds: Bounds = { least: 1_000, most: day, otherwise: minute }

const retryBounds: Bounds = { least: 0, most: day, otherwise: 0 }

/** The same, with intervals that timers can keep. */
export const usable = (config: SessionConfig): SessionConfig => ({
  ...config,
  heartbeat_ms: bounded(config.heartbeat_ms, bounds.heartbeat_ms),
  poll_wait_ms: bounded(config.poll_wait_ms, bounds.poll_wait_ms),
  cancel_grace_ms: bounded(config.cancel_grace_ms, bounds.cancel_grace_ms),
  finalize_ms: bounded(config.finalize_ms, bounds.finalize_ms)
})

/** How long a lease lives. */
export const leaseMs = (said: number): number => bounded(said, leaseBounds)

/** How long it is until the next attempt. */
export const retryMs = (said: number): number => bounded(said, retryBounds)
