/** Links and sessions of the Integrations page in PostgreSQL. */
import type { SignInSessions } from "@runhook/core/people/SignInSessions"
import { type SignInLink, isRedeemable, openMax } from "@runhook/core/people/SignInLink"
import { type PersonSession, idleMax } from "@runhook/core/people/PersonSession"
import {
  PersonSessionNotFound,
  PeopleStore,
  LinkLimitReached,
  LinkNotFound,
  LinkUnusable,
  type SignInAudit
} from "@runhook/core/people/PeopleStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { isAccountKnown } from "../accounts/Removed.ts"
import { makeNote } from "../audit/AuditEntries.ts"
import { newest, pageOf } from "../sql/Paging.ts"
import { integer, text, timestamptz, uuid, uuids } from "../sql/Parameters.ts"
import { inserting } from "../sql/Records.ts"
import { idempotentOrDefect, inOneTransaction, orDefect } from "../sql/SqlErrors.ts"
import { linkColumns, linkRowOf, linksOf, sessionColumns, sessionsOf } from "./PeopleRows.ts"
import { makeEndSessions } from "./EndSessions.ts"

export const layer = Layer.effect(
  PeopleStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const atomic = inOneTransaction(sql)
    const note = yield* makeNote
    const { end, lock } = yield* makeEndSessions

    /** `isOpen` in SQL. */
    const isOpenAt = (at: DateTime.Utc) => sql`(
      ended_at IS NULL AND expires_at > ${timestamptz(at)}
      AND last_seen_at > ${timestamptz(DateTime.subtractDuration(at, idleMax))}
    )`

    const insert = (session: PersonSession) =>
      sql`INSERT INTO console_sessions ${inserting(sql, "console_sessions", session)}`

    /** How many links and sessions of the person are open, up to the limit, with the person locked. */
    const openOf = Effect.fnUntraced(function* ({ accountId, createdAt: at, person }: SignInLink) {
      yield* lock({ people: [person], sessions: [] })
      const found = yield* sql`
        SELECT FROM console_sessions
        WHERE person = ${uuid(person)} AND account_id = ${uuid(accountId)} AND ${isOpenAt(at)}
        UNION ALL
        SELECT FROM console_links
        WHERE person = ${uuid(person)} AND account_id = ${uuid(accountId)} AND used_at IS NULL
          AND withdrawn_at IS NULL AND expires_at > ${timestamptz(at)}
        LIMIT ${integer(openMax)}`
      return found.length
    })

    /** Call after `lock` of the replaced sessions. */
    const begin = Effect.fnUntraced(function* (
      { begun, kept, replaced }: SignInSessions,
      audit?: SignInAudit
    ) {
      const [{ signedInAt: at, tokenHash }] = begun
      const sessions = replaced.map(({ id }) => id)
      const ended = yield* end({ sessions, people: [], accountId: null, at, by: replaced }, audit)
      const moved = yield* sessionsOf(sql`
        UPDATE console_sessions
        SET token_hash = ${text(tokenHash)}
        WHERE id = ANY (${uuids(kept.map(({ id }) => id))}) AND ended_at IS NULL
        RETURNING ${sessionColumns}`)
      yield* Effect.forEach(begun, insert)
      yield* Effect.forEach(begun, (session) => note(audit?.begun(session)))
      return { begun, kept: moved, ended }
    })

    return PeopleStore.of({
      createLink: Effect.fnUntraced(function* (link, audit) {
        if (link.maker.id !== null && (yield* openOf(link)) >= openMax) {
          return yield* new LinkLimitReached({ limit: openMax })
        }
        yield* sql`INSERT INTO console_links ${inserting(sql, "console_links", linkRowOf(link))}`
        yield* note(audit?.(link))
      }, atomic),

      listLinks: Effect.fnUntraced(function* (accountId, page) {
        const links = yield* linksOf(sql`
          SELECT ${linkColumns}
          FROM console_links
          WHERE account_id = ${uuid(accountId)} AND ${newest(sql, "id", page)}`)
        return pageOf(links, page)
      }, idempotentOrDefect),

      withdraw: Effect.fnUntraced(function* ({ accountId, at, audit, id }) {
        const found = yield* sql`
            SELECT FROM console_links WHERE id = ${uuid(id)} AND account_id = ${uuid(accountId)}`
        if (found.length === 0) return yield* new LinkNotFound({ id })
        const withdrawn = yield* linksOf(sql`
            UPDATE console_links
            SET withdrawn_at = ${timestamptz(at)}
            WHERE id = ${uuid(id)} AND used_at IS NULL AND withdrawn_at IS NULL
              AND expires_at > ${timestamptz(at)}
            RETURNING ${linkColumns}`)
        yield* Effect.forEach(withdrawn, (link) => note(audit?.(link)))
      }, atomic),

      redeem: Effect.fnUntraced(function* (options) {
        const [asked] = yield* linksOf(
          sql`SELECT ${linkColumns} FROM console_links WHERE token_hash = ${text(options.tokenHash)} AND ${isAccountKnown("console_links")}`
        )
        if (asked === undefined) return yield* new LinkUnusable()
        // Before the link is locked: ending sessions locks them first, and then their links.
        yield* lock({ people: [asked.person], sessions: options.present.map(({ id }) => id) })
        const [link] = yield* linksOf(
          sql`SELECT ${linkColumns} FROM console_links WHERE id = ${uuid(asked.id)} FOR UPDATE`
        )
        const [maker] = yield* sessionsOf(
          sql`SELECT ${sessionColumns} FROM console_sessions WHERE id = ${uuid(asked.maker.id)}`
        )
        if (link === undefined || !isRedeemable(link, maker, options.at)) return yield* new LinkUnusable()
        yield* sql`UPDATE console_links SET used_at = ${timestamptz(options.at)} WHERE id = ${uuid(link.id)}`
        return yield* begin(options.begin(link, maker), options.audit)
      }, atomic),

      begin: flow(
        Effect.fnUntraced(function* (beginning: SignInSessions, audit?: SignInAudit) {
          const people = beginning.begun.map(({ person }) => person)
          yield* lock({ people, sessions: beginning.replaced.map(({ id }) => id) })
          const oldest = yield* Effect.forEach(beginning.begun, ({ accountId, person }) =>
            sessionsOf(sql`
              SELECT ${sessionColumns} FROM console_sessions
              WHERE person = ${uuid(person)} AND account_id = ${uuid(accountId)} AND ended_at IS NULL
              ORDER BY id DESC
              OFFSET ${integer(openMax - 1)}`)
          )
          return yield* begin({ ...beginning, replaced: [...beginning.replaced, ...oldest.flat()] }, audit)
        }),
        atomic
      ),

      find: flow(
        (tokenHash) =>
          sessionsOf(sql`
            SELECT ${sessionColumns} FROM console_sessions
            WHERE token_hash = ${text(tokenHash)} AND ${isAccountKnown("console_sessions")}
            ORDER BY id DESC`),
        idempotentOrDefect
      ),

      get: Effect.fnUntraced(function* (accountId, id) {
        const [session] = yield* sessionsOf(sql`
          SELECT ${sessionColumns} FROM console_sessions
          WHERE id = ${uuid(id)} AND account_id = ${uuid(accountId)}`)
        return session ?? (yield* new PersonSessionNotFound({ id }))
      }, idempotentOrDefect),

      list: Effect.fnUntraced(function* ({ accountId, at, page }) {
        const sessions = yield* sessionsOf(sql`
          SELECT ${sessionColumns}
          FROM console_sessions
          WHERE account_id = ${uuid(accountId)} AND ${isOpenAt(at)} AND ${newest(sql, "id", page)}`)
        return pageOf(sessions, page)
      }, idempotentOrDefect),

      // In the order of `lock`, to avoid a deadlock.
      touch: Effect.fnUntraced(function* ({ at, ids }) {
        yield* sql`
          UPDATE console_sessions
          SET last_seen_at = ${timestamptz(at)}
          WHERE id IN (
            SELECT id FROM console_sessions
            WHERE id = ANY (${uuids(ids)}) AND last_seen_at < ${timestamptz(at)}
            ORDER BY id
            FOR UPDATE
          )`
      }, orDefect),

      end: flow(
        Effect.fnUntraced(function* (ending, audit) {
          yield* lock(ending)
          return yield* end(ending, audit)
        }),
        atomic
      )
    })
  })
)
