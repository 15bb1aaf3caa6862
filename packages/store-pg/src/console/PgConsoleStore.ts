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
import { makeNote } from "../audit/AuditEntries.ts"
import { PointReads } from "../connections/PointReads.ts"
import { integer, json, text, timestamptz, uuid, uuids } from "../sql/Parameters.ts"
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
      SET ended_at = ${timestamptz(at)}
      WHERE id = ${uuid(id)} AND ended_at IS NULL`

    const begin = Effect.fnUntraced(function* (session: ConsoleSession, replaces: ConsoleSessionId | null) {
      if (replaces !== null) yield* end(replaces, session.signedInAt)
      yield* sql`
        INSERT INTO console_sessions (
          id, token_hash, name, method, subject, memberships, signed_in_at, last_seen_at, expires_at, ended_at
        )
        VALUES (
          ${uuid(session.id)}, ${text(session.tokenHash)}, ${text(session.name)}, ${text(session.method)},
          ${text(session.subject)}, ${json(JSON.stringify(session.memberships))},
          ${timestamptz(session.signedInAt)}, ${timestamptz(session.lastSeenAt)},
          ${timestamptz(session.expiresAt)}, ${timestamptz(session.endedAt)}
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
            ${uuid(link.id)}, ${text(link.tokenHash)}, ${uuid(link.accountId)}, ${text(link.role)},
            ${text(link.name)}, ${timestamptz(link.createdAt)}, ${timestamptz(link.expiresAt)},
            ${timestamptz(link.usedAt)}
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
            SET used_at = ${timestamptz(options.at)}
            WHERE token_hash = ${text(options.tokenHash)} AND used_at IS NULL
              AND expires_at > ${timestamptz(options.at)}
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
            reads`SELECT ${sessionColumns} FROM console_sessions WHERE token_hash = ${text(tokenHash)}`
          ),
        idempotentOrDefect
      ),

      touch: Effect.fnUntraced(function* ({ at, id }) {
        yield* sql`
          UPDATE console_sessions
          SET last_seen_at = ${timestamptz(at)}
          WHERE id = ${uuid(id)} AND last_seen_at < ${timestamptz(at)}`
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
          SET ended_at = ${timestamptz(at)}
          WHERE ended_at IS NULL AND (
            id = ${uuid(session.id)}
            OR method = ${text(session.method)} AND CASE method
              WHEN 'oidc' THEN subject = ${text(session.subject)}
              ELSE name = ${text(session.name)} AND EXISTS (
                SELECT FROM json_array_elements(memberships) AS membership
                WHERE (membership ->> 'accountId')::uuid = ANY (${uuids(accountsOf(session))})
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
            WHERE expires_at < ${timestamptz(before)}
            ORDER BY expires_at
            LIMIT ${integer(limit)}
          ))
          RETURNING id`
        const links = yield* over("console_links")
        const sessions = yield* over("console_sessions")
        return { hasMore: Math.max(links.length, sessions.length) === limit }
      }, upkeepOrDefect)
    })
  })
)
