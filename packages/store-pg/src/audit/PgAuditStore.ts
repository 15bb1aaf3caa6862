/** The audit log in PostgreSQL. */
import { Actor } from "@runhook/core/audit/Actor"
import { AuditEntry } from "@runhook/core/audit/AuditEntry"
import { type AuditFilter, AuditStore } from "@runhook/core/audit/AuditStore"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { within } from "../sql/IdTimes.ts"
import { makeLooks, type Range } from "../sql/Looks.ts"
import { behind, oneMore } from "../sql/Paging.ts"
import { integer, smallint, text, uuid } from "../sql/Parameters.ts"
import { decoded, orDefect, idempotentOrDefect } from "../sql/SqlErrors.ts"
import { makeNote } from "./AuditEntries.ts"
import { columnsOf, listOf } from "../rows/RowTable.ts"

const EntryRow = Schema.Struct({
  id: AuditEntry.fields.id,
  accountId: AuditEntry.fields.accountId,
  actorKind: Actor.fields.kind,
  actorId: Actor.fields.id,
  actorPerson: Actor.fields.person,
  actorName: Actor.fields.name,
  fromAddress: Actor.fields.fromAddress,
  requestId: Actor.fields.requestId,
  action: AuditEntry.fields.action,
  subjectKind: AuditEntry.fields.subject.fields.kind,
  subjectId: AuditEntry.fields.subject.fields.id,
  subjectName: AuditEntry.fields.subject.fields.name,
  before: AuditEntry.fields.before,
  after: AuditEntry.fields.after
})

export const layer = Layer.effect(
  AuditStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const buckets = yield* Buckets
    const note = yield* makeNote
    const { lookedAt, pageOfLooked } = yield* makeLooks
    const entryColumns = sql.literal(listOf(columnsOf(EntryRow, "l.")))

    const wanted = ({ actor, kind, text: mention }: AuditFilter) => {
      const folded = mention?.toLowerCase() ?? null
      return sql.and([
        sql.literal("TRUE"),
        ...(kind === null ? [] : [sql`l.subject_kind = ${text(kind)}`]),
        ...(actor === null
          ? []
          : [sql`${text(actor)} IN (l.actor_kind, l.actor_name, l.actor_id, l.actor_person::text)`]),
        ...(mention === null
          ? []
          : [
              sql`(
                position(${text(folded)} IN l.folded_names) > 0
                OR ${text(mention)} IN (l.subject_id, l.actor_id, l.actor_person::text, l.request_id)
              )`
            ])
      ])
    }

    return AuditStore.of({
      list: Effect.fnUntraced(function* (accountId, filter, page) {
        const { from, subjectId, to } = filter
        const bucket = yield* buckets.of(accountId)
        const range: Range = {
          rows: sql`
            audit_log l
            WHERE l.bucket = ${smallint(bucket)} AND l.account_id = ${uuid(accountId)}
              ${subjectId === null ? sql`` : sql`AND l.subject_id = ${text(subjectId)}`}
              AND ${behind(sql, "l.id", page)} AND ${within(sql, "l.id", { from, to })}`,
          name: "l",
          id: "l.id"
        }
        const rows = yield* decoded(EntryRow)(sql`
          SELECT ${entryColumns}
          FROM ${lookedAt(range)}
          WHERE ${wanted(filter)}
          ORDER BY l.id DESC
          LIMIT ${integer(oneMore(page))}`)
        return yield* pageOfLooked(rows.map(entryOfRow), range, page)
      }, idempotentOrDefect),

      add: flow(note, orDefect)
    })
  })
)

const entryOfRow = (row: typeof EntryRow.Type): AuditEntry => ({
  id: row.id,
  accountId: row.accountId,
  actor: {
    kind: row.actorKind,
    id: row.actorId,
    person: row.actorPerson,
    name: row.actorName,
    fromAddress: row.fromAddress,
    requestId: row.requestId
  },
  action: row.action,
  subject: { kind: row.subjectKind, id: row.subjectId, name: row.subjectName },
  before: row.before,
  after: row.after
})
