/** Ends sessions with all that was begun by them, within a transaction. */
import type { Ending, SignOutAudit } from "@runhook/core/ports/PeopleStore"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { makeNote } from "../audit/AuditEntries.ts"
import { timestamptz, uuid, uuids } from "../sql/Parameters.ts"
import { linkColumns, linksOf, sessionColumns, sessionsOf } from "./PeopleRows.ts"

export const makeEndSessions = Effect.gen(function* () {
  const sql = yield* SqlClient
  const note = yield* makeNote

  /**
   * Lets nobody else begin or end sessions of these people, nor of those who have
   * these sessions. A statement of its own: the next one sees what the others did
   * before. All that belongs together has one person, and whoever begins a session by
   * the link of another finds that one among those it locks here.
   */
  const lock = ({ people, sessions }: Pick<Ending, "people" | "sessions">) => sql`
    SELECT FROM console_sessions
    WHERE ended_at IS NULL AND (
      person = ANY (${uuids(people)})
      OR person IN (SELECT person FROM console_sessions WHERE id = ANY (${uuids(sessions)}))
    )
    ORDER BY id
    FOR UPDATE`

  /** After `lock` of the same. Answers which ended now. */
  const end = Effect.fnUntraced(function* (ending: Ending, audit?: SignOutAudit) {
    const { accountId, at, people, sessions } = ending
    const isOfPeople = sql`(
      person = ANY (${uuids(people)}) AND (${uuid(accountId)} IS NULL OR account_id = ${uuid(accountId)})
    )`
    const ended = yield* sessionsOf(sql`
      WITH RECURSIVE ending AS (
        SELECT id FROM console_sessions
        WHERE ended_at IS NULL AND (id = ANY (${uuids(sessions)}) OR ${isOfPeople})
        UNION
        SELECT begun.id
        FROM ending
        JOIN console_sessions made ON made.id = ending.id
        JOIN console_sessions begun ON begun.person = made.person AND begun.maker = made.id
        WHERE begun.ended_at IS NULL
      )
      UPDATE console_sessions
      SET ended_at = ${timestamptz(at)}
      WHERE id IN (SELECT id FROM ending)
      RETURNING ${sessionColumns}`)
    const ids = ended.map(({ id }) => id)
    const withdrawn = yield* linksOf(sql`
      UPDATE console_links
      SET withdrawn_at = ${timestamptz(at)}
      WHERE used_at IS NULL AND withdrawn_at IS NULL AND expires_at > ${timestamptz(at)}
        AND (maker_id = ANY (${uuids([...sessions, ...ids])}) OR ${isOfPeople})
      RETURNING ${linkColumns}`)
    yield* Effect.forEach(ended, (session) => note(audit?.ended(session, ending)))
    yield* Effect.forEach(withdrawn, (link) => note(audit?.withdrawn(link, ending)))
    return ids
  })

  return { lock, end }
})
