/** Calls the function `store_moves` (`functions/store_moves.sql`) with what each move stores. */
import { EventId, ExecutionId } from "@runhook/core/shared/Ids"
import * as Schema from "effect/Schema"
import { auditColumns } from "../../audit/AuditEntries.ts"
import { type Call, databaseFunction } from "../../engine/DatabaseFunction.ts"
import { boolean, text } from "../../sql/Parameters.ts"
import type { Columns } from "../../sql/Rows.ts"
import { callbackColumns } from "./CallbackColumns.ts"
import { changeColumns } from "./ChangeColumns.ts"
import type { Step } from "./Move.ts"
import { runColumns } from "./RunColumns.ts"
import { waitColumns } from "./WaitColumns.ts"

/** What becomes of a move whose run is locked: a group skips it, so that no move waits for the lock of another. */
export type Locked = "skip" | "wait"

/**
 * A move that was stored: by the database's clock when; whether its callback has begun, and behind which other one; and
 * whether endpoints are to be told of it.
 */
const StoredRow = Schema.Struct({
  id: ExecutionId,
  now: Schema.Finite,
  isBegun: Schema.Boolean,
  behind: Schema.NullOr(EventId),
  hasListeners: Schema.Boolean
})

/** The columns of the arguments, each by its name in the function. */
const moveColumns: Columns<Step> = {
  ...runColumns,
  ...changeColumns,
  ...waitColumns,
  ...callbackColumns,
  announced: text(({ change }) => change.announced),
  ...auditColumns<Step>(({ audit }) => audit)
}

/** Moves of one bucket, and what becomes of those whose runs are locked. */
interface Moves extends Call<Step> {
  readonly locked: Locked
}

export const storeMoves = databaseFunction({
  name: "store_moves",
  parameters: { waits: boolean(({ locked }: Moves) => locked === "wait") },
  columns: moveColumns,
  answer: StoredRow
})
