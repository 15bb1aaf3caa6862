/** The endpoints that this process knows, bucket by bucket, as of a revision. An account that has none costs nothing. */
import { WebhookEndpoint } from "@runhook/core/domain/endpoint/WebhookEndpoint"
import { type EndpointKey, isToldOf, type Subscription } from "@runhook/core/domain/endpoint/Subscription"
import type { EndpointEvent } from "@runhook/core/domain/endpoint/EndpointEvent"
import { type AccountId, EventId, newId } from "@runhook/core/domain/Ids"
import { ApiKeyRecord } from "@runhook/core/domain/keys/ApiKeyRecord"
import type { Change } from "@runhook/core/domain/run/Run"
import * as Array from "effect/Array"
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import * as Struct from "effect/Struct"
import { SqlClient } from "effect/sql/SqlClient"
import { columnsOf, rowTable } from "../rows/RowTable.ts"
import { rowsOf } from "../rows/Rows.ts"
import { smallint, uuids } from "../sql/Parameters.ts"
import { decodedFirst, retryLostConnection } from "../sql/SqlErrors.ts"
import { noRevision } from "./EndpointRevisions.ts"

/** The endpoints of a bucket at a revision. */
export class EndpointsAt {
  readonly revision: number
  readonly #ofAccounts: Readonly<Record<string, ReadonlyArray<Subscription>>>

  constructor(
    revision: number,
    endpoints: ReadonlyArray<{ readonly accountId: AccountId; readonly subscription: Subscription }>
  ) {
    this.revision = revision
    const grouped = Array.groupBy(endpoints, ({ accountId }) => accountId)
    this.#ofAccounts = Object.fromEntries(
      Object.entries(grouped).map(([id, own]) => [id, own.map(({ subscription }) => subscription)])
    )
  }

  isTold(accountId: AccountId): boolean {
    return this.#ofAccounts[accountId] !== undefined
  }

  /** Which of them are told of a change. */
  toldOf(change: Change): ReadonlyArray<Subscription> {
    if (change.announced === null) return []
    const own = this.#ofAccounts[change.run.execution.accountId] ?? []
    return own.filter((subscription) => isToldOf(subscription, change))
  }
}

const RevisionRow = Schema.Struct({ revision: Schema.Int })

const fields = [
  "accountId",
  "agentIds",
  "apiKeyId",
  "eventTypes",
  "id",
  "isEnabled",
  "taskIds",
  "url"
] as const
const Known = Schema.Struct(Struct.pick(WebhookEndpoint.fields, fields))
const knownTable = rowTable(columnsOf(Known, "p."), Known)

const Key = Schema.Struct(
  Struct.pick(ApiKeyRecord.fields, [
    "id",
    "allowedAgentIds",
    "allowedTaskIds",
    "capabilities",
    "expiresAt",
    "revokedAt"
  ])
)
const keyTable = rowTable(columnsOf(Key, "k."), Key)

export class KnownEndpoints extends Context.Service<
  KnownEndpoints,
  {
    /** The endpoints of a bucket, as they were when this process last asked. */
    of(bucket: number): Effect.Effect<EndpointsAt, SqlError | Schema.SchemaError>
    /** They have changed. */
    forget(bucket: number): void
    /** What is to be stored for endpoints beside a change. */
    tellings(known: EndpointsAt, change: Change): Effect.Effect<ReadonlyArray<EndpointEvent>>
  }
>()("@runhook/store-pg/endpoints/KnownEndpoints") {
  static readonly layer = Layer.effect(
    KnownEndpoints,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const random = yield* SecureRandom
      const nextId = Effect.provideService(newId(EventId), SecureRandom, random)
      const known = new Map<number, EndpointsAt>()

      const read = Effect.fnUntraced(function* (bucket: number) {
        // First of all: what is read after it is no older.
        const row = yield* decodedFirst(RevisionRow)(
          sql`SELECT revision FROM webhook_endpoint_revisions WHERE bucket = ${smallint(bucket)}`
        )
        if (row === undefined) return new EndpointsAt(noRevision, [])
        const endpoints = yield* rowsOf(knownTable)(sql`
          SELECT ${sql.literal(knownTable.columns)}
          FROM webhook_endpoints p
          WHERE p.bucket = ${smallint(bucket)} AND p.is_enabled AND p.removed_at IS NULL`)
        const ids = [...new Set(endpoints.flatMap(({ apiKeyId }) => apiKeyId ?? []))]
        const keys =
          ids.length === 0
            ? []
            : yield* rowsOf(keyTable)(sql`
                SELECT ${sql.literal(keyTable.columns)} FROM api_keys k WHERE k.id = ANY (${uuids(ids)})`)
        const byId = new Map<string | null, EndpointKey>(keys.map((key) => [key.id, key]))
        return new EndpointsAt(
          row.revision,
          endpoints.flatMap((endpoint) => {
            const { accountId, apiKeyId } = endpoint
            const key = apiKeyId === null ? null : byId.get(apiKeyId)
            return key === undefined ? [] : [{ accountId, subscription: { ...endpoint, key } }]
          })
        )
      })

      return KnownEndpoints.of({
        of: (bucket) =>
          Effect.suspend(() => {
            const found = known.get(bucket)
            if (found !== undefined) return Effect.succeed(found)
            return Effect.tap(retryLostConnection(read(bucket)), (endpoints) =>
              Effect.sync(() => known.set(bucket, endpoints))
            )
          }),
        forget: (bucket) => known.delete(bucket),
        tellings: (endpoints, change) =>
          Effect.forEach(endpoints.toldOf(change), ({ apiKeyId, id: endpointId, url }) =>
            Effect.map(nextId, (id) => ({ id, endpointId, apiKeyId, url }))
          )
      })
    })
  )
}
