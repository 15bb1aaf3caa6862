/** Whose turn it is among the events of an execution: the rules of `core/domain/delivery/DeliveryOrder`, in SQL. */
import {
  attemptsWaited,
  type DeliveryOrder,
  excuses,
  failuresWaited,
  refusalsWaited
} from "@runhook/core/domain/delivery/DeliveryOrder"
import { recoverySeconds } from "@runhook/core/domain/delivery/Receiver"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { smallint } from "../../sql/Parameters.ts"

/** Whether a pending delivery `e` in its first round, with the row `r` of its receiver if there is one, has had its chance. */
export const hasUsedUpTurn = (
  sql: SqlClient,
  { bucket, order }: { readonly bucket: number; readonly order: DeliveryOrder }
): Fragment =>
  order === "bounded"
    ? sql`coalesce(
        e.attempts >= ${sql.literal(`${attemptsWaited}`)} AND coalesce(r.openings, 0) = 0
        AND (r.closed_at IS NULL OR e.attempted_at > r.closed_at)
        AND (
          SELECT max(a.number) = e.attempts AND (
            count(*) FILTER (WHERE a.phase <> 'policy') >= ${sql.literal(`${failuresWaited}`)}
            OR count(*) FILTER (WHERE a.phase = 'done' AND a.status NOT IN (${sql.literal(excuses.join(", "))}))
              >= ${sql.literal(`${refusalsWaited}`)}
          )
          FROM webhook_attempts a
          WHERE a.bucket = ${smallint(bucket)} AND a.delivery_id = e.id AND a.round = 1
        ),
        FALSE
      )`
    : sql`FALSE`

/** Until when the trouble of the receiver `r` lasts; null when it has none. */
export const troubleEnd = (sql: SqlClient): Fragment =>
  sql.literal(`greatest(r.held_until, r.closed_at + interval '${recoverySeconds} seconds')`)
