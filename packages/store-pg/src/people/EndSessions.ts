/** Ends sessions and everything that was started by them, within a transaction. */
import type { Ending, SignOutAudit } from "@runhook/core/people/PeopleStore"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { makeNote } from "../audit/AuditEntries.ts"
import { timestamptz, uuid, uuids } from "../sql/Parameters.ts"
import { linkColumns, linksOf, sessionColumns, sessionsOf } from "./PeopleRows.ts"

export const makeEndSessions = Effect.gen(function* () {
  const sql = yield* SqlClient
  const note = yield* makeNote

  /**
   * Keeps others from starting or ending sessions of these people, and of the people who have these sessions. A
   * statement of its own, so that the next one sees what others did before. All that belongs together has one person,
   * and starting a session by another person's link locks that person here too.
   */
  const lock = ({ people, sessions }: Pick<Ending, "people" | "sessions">) => sql`
    SELECT FROM console_sessions
    WHERE ended_at IS NULL AND (
      person = ANY (${uuids(people)})
      OR person IN (SELECT person FROM console_sessions WHERE id = ANY (${uuids(sessions)}))
    )
    ORDER BY id
    FOR UPDATE`

  /** Call after `lock` with the same arguments. Answers which sessions ended now. */
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
