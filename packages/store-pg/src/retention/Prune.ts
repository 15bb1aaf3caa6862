/** Prunes what is old, each kind by itself. */
import { retentionDefault } from "@runhook/core/sweeps/Retention"
import type { Prunable, PruneRound } from "@runhook/core/sweeps/SweepStore"
import * as Effect from "effect/Effect"
import { makeEraseAccounts } from "./EraseAccounts.ts"
import { makePruneAudit } from "./PruneAudit.ts"
import { makePruneDeliveries } from "./PruneDeliveries.ts"
import { makePruneExecutions } from "./PruneExecutions.ts"
import { makePruneRows } from "./PruneRows.ts"
import { makePruneUploads } from "./PruneUploads.ts"

export const makePrune = Effect.gen(function* () {
  const pruneRows = yield* makePruneRows
  const pruners = {
    accounts: yield* makeEraseAccounts,
    audit: yield* makePruneAudit,
    deliveries: yield* makePruneDeliveries,
    executions: yield* makePruneExecutions,
    uploads: yield* makePruneUploads
  }
  return (of: Prunable, { retention = retentionDefault, ...times }: PruneRound) => {
    const round = { ...times, retention }
    switch (of) {
      case "accounts":
      case "audit":
      case "deliveries":
      case "executions":
      case "uploads":
        return pruners[of](round)
      default:
        return pruneRows(of, round)
    }
  }
})
