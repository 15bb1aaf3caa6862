/** Links and sessions of the Integrations page in PostgreSQL. */
import { linkMade, sessionBegun, sessionEnded } from "@runhook/core/domain/audit/SessionEvents"
import { ConsoleLink } from "@runhook/core/domain/console/ConsoleLink"
import { accountsOf, ConsoleSession } from "@runhook/core/domain/console/ConsoleSession"
import type { ConsoleSessionId } from "@runhook/core/domain/Ids"
import { ConsoleStore, LinkUnusable } from "@runhook/core/ports/ConsoleStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { uuids } from "../sql/Arrays.ts"
import { makeNote } from "../audit/AuditEntries.ts"
import { PointReads } from "../connections/PointReads.ts"
import { instant } from "../sql/Instants.ts"
import { decoded, decodedFirst, orDefect, idempotentOrDefect, upkeepOrDefect } from "../sql/SqlErrors.ts"

export const layer = Layer.effect(
  ConsoleStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const reads = yield* PointReads
    const note = yield* makeNote

    const linkColumns = sql.literal(`
      id, token_hash AS "tokenHash", account_id AS "accountId", role, name, created_at AS "createdAt",
      expires_at AS "expiresAt", used_at AS "usedAt"`)

    const sessionColumns = sql.literal(`
      id, token_hash AS "tokenHash", name, method, subject, memberships, signed_in_at AS "signedInAt",
      last_seen_at AS "lastSeenAt", expires_at AS "expiresAt", ended_at AS "endedAt"`)

    const end = (id: ConsoleSessionId, at: DateTime.Utc) => sql`
      UPDATE console_sessions
      SET ended_at = ${instant(at)}::timestamptz
      WHERE id = ${id}::uuid AND ended_at IS NULL`

    const begin = Effect.fnUntraced(function* (session: ConsoleSession, replaces: ConsoleSessionId | null) {
      if (replaces !== null) yield* end(replaces, session.signedInAt)
      yield* sql`
        INSERT INTO console_sessions (
          id, token_hash, name, method, subject, memberships, signed_in_at, last_seen_at, expires_at, ended_at
        )
        VALUES (
          ${session.id}::uuid, ${session.tokenHash}::text, ${session.name}::text, ${session.method}::text,
          ${session.subject}::text, ${JSON.stringify(session.memberships)}::json,
          ${instant(session.signedInAt)}::timestamptz, ${instant(session.lastSeenAt)}::timestamptz,
          ${instant(session.expiresAt)}::timestamptz, ${instant(session.endedAt)}::timestamptz
        )`
      yield* Effect.forEach(sessionBegun(session), note)
    })

    /** Notes the ends of sessions that had not ended before. */
    const tellEnd = (ended: ReadonlyArray<ConsoleSession>, at: DateTime.Utc) =>
      Effect.forEach(
        ended.flatMap((session) => sessionEnded({ ...session, endedAt: null }, at)),
        note
      )

    return ConsoleStore.of({
      createLink: Effect.fnUntraced(
        function* (link) {
          yield* sql`
          INSERT INTO console_links (id, token_hash, account_id, role, name, created_at, expires_at, used_at)
          VALUES (
            ${link.id}::uuid, ${link.tokenHash}::text, ${link.accountId}::uuid, ${link.role}::text,
            ${link.name}::text, ${instant(link.createdAt)}::timestamptz, ${instant(link.expiresAt)}::timestamptz,
            ${instant(link.usedAt)}::timestamptz
          )`
          yield* note(linkMade(link))
        },
        (creating) => sql.withTransaction(creating),
        orDefect
      ),

      redeem: Effect.fnUntraced(
        function* (options) {
          // The condition is the whole race: whoever comes second no longer matches.
          const link = yield* decodedFirst(ConsoleLink)(sql`
            UPDATE console_links
            SET used_at = ${instant(options.at)}::timestamptz
            WHERE token_hash = ${options.tokenHash}::text AND used_at IS NULL
              AND expires_at > ${instant(options.at)}::timestamptz
            RETURNING ${linkColumns}`)
          if (link === undefined) return yield* new LinkUnusable()
          const session = options.begin(link)
          yield* begin(session, options.replaces)
          return session
        },
        (redeeming) => sql.withTransaction(redeeming),
        orDefect
      ),

      begin: flow(
        ({ replaces, session }) => begin(session, replaces),
        (beginning) => sql.withTransaction(beginning),
        orDefect
      ),

      find: flow(
        (tokenHash) =>
          decodedFirst(ConsoleSession)(
            reads`SELECT ${sessionColumns} FROM console_sessions WHERE token_hash = ${tokenHash}::text`
          ),
        idempotentOrDefect
      ),

      touch: Effect.fnUntraced(function* ({ at, id }) {
        yield* sql`
          UPDATE console_sessions
          SET last_seen_at = ${instant(at)}::timestamptz
          WHERE id = ${id}::uuid AND last_seen_at < ${instant(at)}::timestamptz`
      }, orDefect),

      end: Effect.fnUntraced(
        function* ({ at, id }) {
          yield* tellEnd(yield* decoded(ConsoleSession)(sql`${end(id, at)} RETURNING ${sessionColumns}`), at)
        },
        (ending) => sql.withTransaction(ending),
        orDefect
      ),

      // The words of `isSamePerson`.
      endAll: Effect.fnUntraced(
        function* ({ at, session }) {
          const ended = yield* decoded(ConsoleSession)(sql`
          UPDATE console_sessions
          SET ended_at = ${instant(at)}::timestamptz
          WHERE ended_at IS NULL AND (
            id = ${session.id}::uuid
            OR method = ${session.method}::text AND CASE method
              WHEN 'oidc' THEN subject = ${session.subject}::text
              ELSE name = ${session.name}::text AND EXISTS (
                SELECT FROM json_array_elements(memberships) AS membership
                WHERE (membership ->> 'accountId')::uuid = ANY (${uuids(accountsOf(session))}::uuid[])
              )
            END
          )
          RETURNING ${sessionColumns}`)
          yield* tellEnd(ended, at)
          return ended.map(({ id }) => id)
        },
        (ending) => sql.withTransaction(ending),
        orDefect
      ),

      forget: Effect.fnUntraced(function* ({ before, limit }) {
        const over = (table: "console_links" | "console_sessions") => sql`
          DELETE FROM ${sql(table)}
          WHERE id = ANY (ARRAY(
            SELECT id FROM ${sql(table)}
            WHERE expires_at < ${instant(before)}::timestamptz
            ORDER BY expires_at
            LIMIT ${limit}::integer
          ))
          RETURNING id`
        const links = yield* over("console_links")
        const sessions = yield* over("console_sessions")
        return { hasMore: Math.max(links.length, sessions.length) === limit }
      }, upkeepOrDefect)
    })
  })
)
