/** Links and sessions of the Integrations page in memory. */
import type { SignInSessions } from "@runhook/core/people/SignInSessions"
import { SignInLink, isRedeemable, openMax, stateOf } from "@runhook/core/people/SignInLink"
import { PersonSession, isOpen } from "@runhook/core/people/PersonSession"
import type { PersonSessionId } from "@runhook/core/shared/Ids"
import {
  PersonSessionNotFound,
  PeopleStore,
  type Ending,
  LinkLimitReached,
  LinkNotFound,
  LinkUnusable,
  type SignInAudit,
  type SignOutAudit
} from "@runhook/core/people/PeopleStore"
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { makeAudited, type Note } from "../audit/Audited.ts"
import { MemoryDatabase } from "../MemoryDatabase.ts"
import { pageOf } from "../tables/Paging.ts"
import { storedAs } from "../tables/StoredAs.ts"

const storedLink = storedAs(SignInLink)
const storedSession = storedAs(PersonSession)

export const layer = Layer.effect(
  PeopleStore,
  Effect.gen(function* () {
    const { consoleLinks, consoleSessions } = yield* MemoryDatabase
    const audited = yield* makeAudited

    const allOf = <Row>(table: ReadonlyMap<unknown, Row>, isWanted: (row: Row) => boolean) =>
      [...table.values()].filter(isWanted)

    /** The open sessions with these ids, and those that they began. */
    const withBegun = (ids: ReadonlyArray<PersonSessionId>): ReadonlyArray<PersonSession> => {
      const found = allOf(consoleSessions, ({ endedAt, id }) => endedAt === null && ids.includes(id))
      const begun = allOf(consoleSessions, ({ maker }) => maker !== null && ids.includes(maker))
      return begun.length === 0 ? found : [...found, ...withBegun(begun.map(({ id }) => id))]
    }

    const end = (note: Note, ending: Ending, audit?: SignOutAudit) => {
      const { accountId, at, people } = ending
      const isOf = (each: SignInLink | PersonSession) =>
        people.includes(each.person) && (accountId === null || accountId === each.accountId)
      const ofPeople = allOf(consoleSessions, isOf).map(({ id }) => id)
      const ended = Arr.dedupe(withBegun([...ending.sessions, ...ofPeople]))
      const makers = new Set([...ending.sessions, ...ended.map(({ id }) => id)])
      const withdrawn = allOf(
        consoleLinks,
        (link) =>
          stateOf(link, at) === "open" &&
          (isOf(link) || (link.maker.id !== null && makers.has(link.maker.id)))
      )
      for (const session of ended) note(audit?.ended(session, ending))
      for (const link of withdrawn) note(audit?.withdrawn(link, ending))
      for (const session of ended) consoleSessions.set(session.id, { ...session, endedAt: at })
      for (const link of withdrawn) consoleLinks.set(link.tokenHash, { ...link, withdrawnAt: at })
      return ended.map(({ id }) => id)
    }

    const begin = (note: Note, beginning: SignInSessions, audit?: SignInAudit) => {
      const begun = Arr.map(beginning.begun, storedSession)
      const [{ signedInAt: at, tokenHash }] = begun
      for (const session of begun) note(audit?.begun(session))
      const sessions = beginning.replaced.map(({ id }) => id)
      const ended = end(note, { sessions, people: [], accountId: null, at, by: beginning.replaced }, audit)
      const kept = beginning.kept.flatMap(({ id }) => {
        const session = consoleSessions.get(id)
        return session?.endedAt === null ? [{ ...session, tokenHash }] : []
      })
      for (const session of [...begun, ...kept]) consoleSessions.set(session.id, session)
      return { begun, kept, ended }
    }

    return PeopleStore.of({
      createLink: (link, audit) =>
        audited((note) => {
          const { accountId, createdAt, maker, person } = link
          const isOf = (each: SignInLink | PersonSession) =>
            each.person === person && each.accountId === accountId
          const open = [
            ...allOf(consoleSessions, (each) => isOf(each) && isOpen(each, createdAt)),
            ...allOf(consoleLinks, (each) => isOf(each) && stateOf(each, createdAt) === "open")
          ]
          if (maker.id !== null && open.length >= openMax) {
            return Result.fail(new LinkLimitReached({ limit: openMax }))
          }
          const row = storedLink(link)
          note(audit?.(row))
          consoleLinks.set(row.tokenHash, row)
          return Result.void
        }),

      listLinks: (accountId, page) =>
        Effect.sync(() =>
          pageOf(
            allOf(consoleLinks, (link) => link.accountId === accountId),
            page
          )
        ),

      withdraw: ({ accountId, at, audit, id }) =>
        audited((note) => {
          const [link] = allOf(consoleLinks, (each) => each.id === id && each.accountId === accountId)
          if (link === undefined) return Result.fail(new LinkNotFound({ id }))
          if (stateOf(link, at) === "open") {
            note(audit?.(link))
            consoleLinks.set(link.tokenHash, { ...link, withdrawnAt: at })
          }
          return Result.void
        }),

      redeem: ({ at, audit, begin: beginningOf, tokenHash }) =>
        audited((note) => {
          const link = consoleLinks.get(tokenHash)
          const maker = link?.maker.id ? consoleSessions.get(link.maker.id) : undefined
          if (link === undefined || !isRedeemable(link, maker, at)) return Result.fail(new LinkUnusable())
          const begun = begin(note, beginningOf(link, maker), audit)
          consoleLinks.set(link.tokenHash, { ...link, usedAt: at })
          return Result.succeed(begun)
        }),

      begin: (beginning, audit) =>
        audited((note) => {
          const oldest = beginning.begun.flatMap(({ accountId, person }) =>
            allOf(
              consoleSessions,
              (each) => each.person === person && each.accountId === accountId && each.endedAt === null
            )
              .toSorted((one, other) => (one.id < other.id ? 1 : -1))
              .slice(openMax - 1)
          )
          const replaced = [...beginning.replaced, ...oldest]
          return Result.succeed(begin(note, { ...beginning, replaced }, audit))
        }),

      find: (tokenHash) =>
        Effect.sync(
          () =>
            pageOf(
              allOf(consoleSessions, (session) => session.tokenHash === tokenHash),
              { after: null, limit: Number.MAX_SAFE_INTEGER }
            ).items
        ),

      get: (accountId, id) =>
        Effect.suspend(() => {
          const session = consoleSessions.get(id)
          return session?.accountId === accountId
            ? Effect.succeed(session)
            : Effect.fail(new PersonSessionNotFound({ id }))
        }),

      list: ({ accountId, at, page }) =>
        Effect.sync(() =>
          pageOf(
            allOf(consoleSessions, (session) => session.accountId === accountId && isOpen(session, at)),
            page
          )
        ),

      touch: ({ at, ids }) =>
        Effect.sync(() => {
          for (const session of allOf(consoleSessions, ({ id }) => ids.includes(id))) {
            const lastSeenAt = DateTime.max(session.lastSeenAt, at)
            consoleSessions.set(session.id, storedSession({ ...session, lastSeenAt }))
          }
        }),

      end: (ending, audit) => audited((note) => Result.succeed(end(note, ending, audit)))
    })
  })
)
