/**
 * Creates executions where rows lie on several nodes: as a transaction of short
 * statements that goes out in one write. Citus splits a statement that does more
 * than insert, and plans a long one each time. The statements assume that every
 * execution may be created; a check fails otherwise, and names those that may not.
 */
import { ExecutionId } from "@runhook/core/domain/Ids"
import type { Change } from "@runhook/core/domain/run/Run"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Statement } from "effect/sql/Statement"
import { nothingOf } from "../../batches/Misjudged.ts"
import type { Clock } from "../../clock/StoreClock.ts"
import type { Pipelines } from "../../connections/Pipelines.ts"
import { rowsOf } from "../../rows/Rows.ts"
import { rowTable } from "../../rows/RowTable.ts"
import { notedRows, notingStatements } from "../../endpoints/EndpointOutbox.ts"
import { added } from "../../sql/Inserts.ts"
import { inBucket, uuids } from "../../sql/Parameters.ts"
import { countOf, fixedRows, namedIn } from "../../sql/Rows.ts"
import { type Fixed, fixed, type InBucket, statement } from "../../sql/Statement.ts"
import { hasKey } from "./Creation.ts"
import { batchOf, type CreatedRow, type Creating } from "./InsertExecutions.ts"
import {
  addedCounts,
  inserts,
  insertsOfTaken,
  isBegun,
  isRepeatable,
  isTaken,
  judgedKeys,
  type Made,
  madeColumns,
  timedColumns
} from "./Inserts.ts"
import { counted, released, withinLimits } from "./CreateChecks.ts"
import { taken, takenBy } from "./TakenAtOnce.ts"

interface Batch extends InBucket {
  readonly made: ReadonlyArray<Made>
}

/** A statement whose first relation, `asked`, is what is made: those columns of it that the text names. */
const about = (text: Fixed<Batch>) => {
  const needed = namedIn(timedColumns, text, "")
  const textOf = (count: "many" | "one") =>
    statement(
      fixed<Batch>`WITH asked AS (SELECT * FROM ${fixedRows("asked", ({ made }: Batch) => made, needed, count)})${text}`
    )
  const texts = { one: textOf("one"), many: textOf("many") }
  return (sql: SqlClient, batch: Batch) => texts[countOf(batch.made)](sql, batch)
}

const known = about(fixed<Batch>`
SELECT WHERE ${nothingOf<Batch>(fixed`
  SELECT a.id, 'known'
  FROM asked a
  CROSS JOIN LATERAL (
    SELECT FROM idempotency_keys k
    WHERE k.bucket = ${inBucket} AND k.api_key_id = a.api_key_id AND k.key = a.idempotency_key
      AND k.expires_at > a.now_at
    LIMIT 1
  ) AS k`)}`)

const accounts = uuids(({ made }: Batch) => [...new Set(made.map(({ execution }) => execution.accountId))])

const within = about(fixed<Batch>`,
${counted<Batch>(accounts)},${withinLimits("asked", "counted")}
SELECT WHERE ${nothingOf<Batch>(fixed`SELECT id, refused_by FROM judged WHERE refused_by IS NOT NULL`)}`)

const unheld = about(fixed<Batch>`
SELECT WHERE ${nothingOf<Batch>(fixed`
  SELECT a.id, 'held'
  FROM asked a
  CROSS JOIN LATERAL (
    SELECT FROM webhook_receivers r
    WHERE r.bucket = ${inBucket} AND r.account_id = a.account_id AND r.origin = a.origin
      AND (r.openings > 0 OR r.held_until > a.now_at)
    LIMIT 1
  ) AS r`)}`)

const SlotRow = Schema.Struct({ id: ExecutionId, slot: Schema.Int })

const slotTable = rowTable({ id: "id", slot: "slot::integer" }, SlotRow)
const slotRows = rowsOf(slotTable)

/** Takes the slots of what polls are to have, if nothing goes first for its agent. */
const take = about(fixed<Batch>`,
made AS (SELECT * FROM asked),${taken}
SELECT ${slotTable.columns} FROM taken
WHERE ${nothingOf<Batch>(fixed`
  SELECT id, 'untaken' FROM asked WHERE session_id IS NOT NULL AND id NOT IN (SELECT id FROM taken)`)}`)

/** Tells those executions their slots, which the statement above alone knows. */
const seat = statement(fixed<Batch>`
UPDATE executions e
SET slot = s.slot
FROM agent_slots s
WHERE e.bucket = ${inBucket} AND e.id = ANY (${uuids(({ made }: Batch) => made.map(({ execution }) => execution.id))})
  AND s.bucket = ${inBucket} AND s.agent_id = e.agent_id AND s.execution_id = e.id`)

/** Strikes what has ended off the counts. */
const strike = statement(fixed<Batch>`
WITH ${counted<Batch>(accounts)},
${released}
UPDATE live_counts c
SET live = c.live - r.ended
FROM (SELECT account_id, api_key_id, count(*)::integer AS ended FROM released GROUP BY account_id, api_key_id) AS r
WHERE c.bucket = ${inBucket} AND c.account_id = ANY (${accounts})
  AND c.account_id = r.account_id AND c.api_key_id = r.api_key_id`)

/**
 * Stores all, or fails with a word for each that is not made as it is taken for:
 * `known` by its idempotency key, `removed` with its account, by which limit it is refused, `held` where its
 * event may not be begun by the place that it has, `untaken` where the poll that
 * waits for it may not have it. None has the idempotency key of another.
 */
export const createInParts =
  (clock: Clock, pipelines: Pipelines["Service"]) =>
  (sql: SqlClient, creating: Creating & { readonly isStruck: boolean }) => {
    const { asked, at, bucket } = batchOf(clock, creating)
    const made = asked.map((each): Made => {
      const now = at ?? each.execution.createdAt
      return { ...each, at: now, taken: each.poll && takenBy(each, each.poll, now).run }
    })
    const some = (text: (sql: SqlClient, batch: Batch) => Statement<object>, of: (made: Made) => boolean) => {
      const found = made.filter(of)
      return found.length === 0 ? [] : [text(sql, { bucket, made: found })]
    }
    const all = { bucket, made }
    const taking = made.some(isTaken) ? [take(sql, all)] : []
    const noting = notingStatements(sql, bucket, made.flatMap(changesOf))
    const statements = [
      ...taking,
      ...some(known, isRepeatable),
      ...(creating.isStruck ? [strike(sql, all)] : []),
      within(sql, all),
      ...some(unheld, isBegun),
      ...added(
        sql,
        {
          batch: { bucket },
          columns: madeColumns,
          parts: [addedCounts, judgedKeys, ...inserts("made", made.some(hasKey)), ...insertsOfTaken]
        },
        made
      ),
      ...some(seat, isTaken),
      ...noting
    ]
    return Effect.gen(function* () {
      const answers = yield* pipelines.transaction(statements)
      const slots = yield* slotRows({ values: Effect.succeed(taking.length === 0 ? [] : (answers[0] ?? [])) })
      const noted = yield* notedRows({
        values: Effect.succeed(noting.length === 0 ? [] : (answers.at(-1) ?? []))
      })
      const byId = new Map(slots.map(({ id, slot }) => [id, slot]))
      const listened = new Set(noted.map(({ id }) => id))
      return made.map((each): CreatedRow => ({
        id: each.execution.id,
        isMade: true,
        begunAt: isBegun(each) ? each.at : null,
        takenAt: isTaken(each) ? each.at : null,
        slot: byId.get(each.execution.id) ?? null,
        hasListeners: listened.has(each.execution.id),
        refusedBy: null
      }))
    })
  }

/** What endpoints are told of: that it is created, and perhaps that a poll has started it. */
const changesOf = (made: Made): ReadonlyArray<Change> =>
  made.poll === undefined ? [made.change] : [made.change, takenBy(made, made.poll, made.at)]
