/** Alerts and their targets in PostgreSQL. */
import { Alert } from "@runhook/core/alerts/Alert"
import { type AlertAllowance, allowanceFor } from "@runhook/core/alerts/AlertAllowance"
import { AlertTarget } from "@runhook/core/alerts/AlertTarget"
import {
  type AlertOwner,
  AlertStore,
  AlertTargetLimitReached,
  AlertTargetNotFound,
  type AlertTargetRef
} from "@runhook/core/alerts/AlertStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { isAccountKnown } from "../accounts/Removed.ts"
import { makeNote } from "../audit/AuditEntries.ts"
import { columnsOf, rowTable } from "../rows/RowTable.ts"
import { firstOf, rowsOf } from "../rows/Rows.ts"
import { integer, text, timestamptz, uuid } from "../sql/Parameters.ts"
import { inserting, setting } from "../sql/Records.ts"
import { rows } from "../sql/Rows.ts"
import { decodedFirst, idempotentOrDefect, inOneTransaction, upkeepOrDefect } from "../sql/SqlErrors.ts"
import { makeTroubles } from "./Troubles.ts"

const targetTable = rowTable(columnsOf(AlertTarget, "t."), AlertTarget)
const alertTable = rowTable(columnsOf(Alert, "l."), Alert)

const TurnRow = Schema.Struct({ number: Schema.Int })
const CountRow = Schema.Struct({ targets: Schema.Int })

const ofAlert = {
  account_id: uuid(({ accountId }: Alert) => accountId),
  kind: text(({ kind }: Alert) => kind),
  subject: text(({ subject }: Alert) => subject),
  name: text(({ name }: Alert) => name),
  count: integer(({ count }: Alert) => count),
  since: timestamptz(({ since }: Alert) => since),
  seen_at: timestamptz(({ seenAt }: Alert) => seenAt),
  missed_at: timestamptz(({ missedAt }: Alert) => missedAt),
  opened_at: timestamptz(({ openedAt }: Alert) => openedAt),
  closed_at: timestamptz(({ closedAt }: Alert) => closedAt)
}

const ofAllowance = {
  subject: text(({ subject }: AlertAllowance) => subject),
  max: integer(({ max }: AlertAllowance) => max)
}

/** Rolls back. */
class NothingLeft extends Schema.TaggedError<NothingLeft>()("NothingLeft", {}) {}

export const layer = Layer.effect(
  AlertStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const atomic = inOneTransaction(sql)
    const note = yield* makeNote
    const troubles = yield* makeTroubles
    const targetColumns = sql.literal(targetTable.columns)

    const ofOwner = (owner: AlertOwner) => sql`t.account_id IS NOT DISTINCT FROM ${uuid(owner)}`

    const find = Effect.fnUntraced(function* ({ id, owner }: AlertTargetRef, lock: Fragment) {
      const target = yield* firstOf(targetTable)(
        sql`SELECT ${targetColumns} FROM alert_targets t WHERE t.id = ${uuid(id)} AND ${ofOwner(owner)} ${lock}`
      )
      return target ?? (yield* new AlertTargetNotFound({ id }))
    })

    const locked = (ref: AlertTargetRef) => find(ref, sql`FOR UPDATE`)

    return AlertStore.of({
      addTarget: Effect.fnUntraced(function* (target, { audit, limit }) {
        // Those who add targets at the same time wait for each other.
        yield* sql`
          INSERT INTO alert_turns AS t (id, number, until) VALUES (1, 0, 'epoch')
          ON CONFLICT (id) DO UPDATE SET number = t.number`
        const found = yield* decodedFirst(CountRow)(sql`
          SELECT count(*)::integer AS targets FROM alert_targets t WHERE ${ofOwner(target.accountId)}`)
        if ((found?.targets ?? 0) >= limit) return yield* new AlertTargetLimitReached({ limit })
        yield* sql`INSERT INTO alert_targets ${inserting(sql, "alert_targets", target)}`
        yield* note(audit?.(target))
      }, atomic),

      targetsOf: flow(
        (owner) =>
          rowsOf(targetTable)(
            sql`SELECT ${targetColumns} FROM alert_targets t WHERE ${ofOwner(owner)} ORDER BY t.id`
          ),
        idempotentOrDefect
      ),

      targets: rowsOf(targetTable)(sql`
        SELECT ${targetColumns}
        FROM alert_targets t
        WHERE t.account_id IS NULL OR ${isAccountKnown("t")}
        ORDER BY t.last_sent_at NULLS FIRST, t.id`).pipe(idempotentOrDefect),

      getTarget: (ref) => idempotentOrDefect(find(ref, sql``)),

      changeTarget: Effect.fnUntraced(function* (ref, { at, audit, change }) {
        const before = yield* locked(ref)
        const changed = { ...change, updatedAt: at }
        yield* sql`
          UPDATE alert_targets SET ${setting(sql, "alert_targets", changed)} WHERE id = ${uuid(ref.id)}`
        const after = { ...before, ...changed }
        yield* note(audit?.(before, after))
        return after
      }, atomic),

      removeTarget: Effect.fnUntraced(function* (ref, audit) {
        const target = yield* locked(ref)
        yield* sql`DELETE FROM alert_targets WHERE id = ${uuid(ref.id)}`
        yield* note(audit?.(target))
      }, atomic),

      takeTurn: Effect.fnUntraced(function* ({ at, until }) {
        const turn = yield* decodedFirst(TurnRow)(sql`
          INSERT INTO alert_turns AS t (id, number, until)
          SELECT 1, 1, ${timestamptz(until)}
          WHERE EXISTS (SELECT FROM alert_targets)
          ON CONFLICT (id) DO UPDATE SET number = t.number + 1, until = excluded.until
          WHERE t.until <= ${timestamptz(at)}
          RETURNING t.number`)
        return turn?.number ?? null
      }, upkeepOrDefect),

      troubles: flow(troubles, upkeepOrDefect),

      alerts: flow(
        (owner) =>
          rowsOf(alertTable)(sql`
            SELECT ${sql.literal(alertTable.columns)}
            FROM alerts l
            WHERE ${owner === null ? sql`TRUE` : sql`l.account_id = ${uuid(owner)}`}
              AND ${isAccountKnown("l")}`),
        idempotentOrDefect
      ),

      replaceAlerts: Effect.fnUntraced(
        function* ({ alerts, turn }) {
          const own = yield* sql`
            SELECT FROM alert_turns WHERE id = 1 AND number = ${integer(turn)} FOR UPDATE`
          if (own.length === 0) return false
          const kept = rows("kept", alerts, ofAlert)
          yield* sql`
            DELETE FROM alerts l
            WHERE NOT EXISTS (
              SELECT FROM ${kept}
              WHERE kept.account_id = l.account_id AND kept.kind = l.kind AND kept.subject = l.subject
            )`
          yield* sql`
            INSERT INTO alerts (
              account_id, kind, subject, name, count, since, seen_at, missed_at, opened_at, closed_at
            )
            -- Only those that have changed: a conflict would write to the row even if it changes nothing.
            SELECT account_id, kind, subject, name, count, since, seen_at, missed_at, opened_at, closed_at
            FROM ${kept}
            EXCEPT
            SELECT account_id, kind, subject, name, count, since, seen_at, missed_at, opened_at, closed_at
            FROM alerts
            ON CONFLICT (account_id, kind, subject) DO UPDATE
            SET name = excluded.name, count = excluded.count, since = excluded.since, seen_at = excluded.seen_at,
              missed_at = excluded.missed_at, opened_at = excluded.opened_at, closed_at = excluded.closed_at`
          return true
        },
        (replacing) => sql.withTransaction(replacing),
        upkeepOrDefect
      ),

      useAllowances: Effect.fnUntraced(
        function* (allowances, at) {
          if (allowances.length === 0) return true
          yield* sql`
            DELETE FROM alert_allowances WHERE since <= ${timestamptz(DateTime.subtractDuration(at, allowanceFor))}`
          const used = yield* sql`
            INSERT INTO alert_allowances AS a (subject, since, remaining)
            SELECT subject, ${timestamptz(at)}, max - 1 FROM ${rows("wanted", allowances, ofAllowance)}
            ORDER BY subject
            ON CONFLICT (subject) DO UPDATE SET remaining = a.remaining - 1 WHERE a.remaining > 0
            RETURNING subject`
          // Undoes what others had left.
          return used.length === allowances.length || (yield* new NothingLeft())
        },
        atomic,
        Effect.catchTag("NothingLeft", () => Effect.succeed(false))
      ),

      beginAttempt: Effect.fnUntraced(function* ({ attempts, id }, until) {
        const begun = yield* sql`
          UPDATE alert_targets
          SET attempts = attempts + 1, next_attempt_at = ${timestamptz(until)}
          WHERE id = ${uuid(id)} AND attempts = ${integer(attempts)}
          RETURNING id`
        return begun.length > 0
      }, inOneTransaction(sql)),

      endAttempt: Effect.fnUntraced(function* ({ attempts, id, sent }) {
        yield* sql`
          UPDATE alert_targets SET ${setting(sql, "alert_targets", sent)}
          WHERE id = ${uuid(id)} AND attempts = ${integer(attempts)}`
      }, idempotentOrDefect)
    })
  })
)
