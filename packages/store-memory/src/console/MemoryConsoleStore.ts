/** Links and sessions of the Integrations page in memory. */
import { linkMade, sessionBegun, sessionEnded } from "@runhook/core/domain/audit/SessionEvents"
import { ConsoleLink, isRedeemable } from "@runhook/core/domain/console/ConsoleLink"
import { ConsoleSession, isSamePerson } from "@runhook/core/domain/console/ConsoleSession"
import type { ConsoleSessionId } from "@runhook/core/domain/Ids"
import { ConsoleStore, LinkUnusable } from "@runhook/core/ports/ConsoleStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { makeAudited } from "../audit/Audited.ts"
import { MemoryDatabase } from "../MemoryDatabase.ts"
import { storedAs } from "../tables/StoredAs.ts"

const storedLink = storedAs(ConsoleLink)
const storedSession = storedAs(ConsoleSession)

export const layer = Layer.effect(
  ConsoleStore,
  Effect.gen(function* () {
    const { consoleLinks, consoleSessionHashes, consoleSessions } = yield* MemoryDatabase
    const audited = yield* makeAudited

    const change = (id: ConsoleSessionId, next: (session: ConsoleSession) => Partial<ConsoleSession>) => {
      const hash = consoleSessionHashes.get(id)
      const session = hash === undefined ? undefined : consoleSessions.get(hash)
      if (session !== undefined)
        consoleSessions.set(session.tokenHash, storedSession({ ...session, ...next(session) }))
    }

    const end = (id: ConsoleSessionId, at: DateTime.Utc) =>
      change(id, ({ endedAt }) => ({ endedAt: endedAt ?? at }))

    const begin = (session: ConsoleSession, replaces: ConsoleSessionId | null) => {
      if (replaces !== null) end(replaces, session.signedInAt)
      const stored = storedSession(session)
      consoleSessions.set(session.tokenHash, stored)
      consoleSessionHashes.set(session.id, session.tokenHash)
      return stored
    }

    /** Drops up to so many rows that expired before the instant; answers how many. */
    const drop = <Row extends { readonly expiresAt: DateTime.Utc }>(
      table: Map<string, Row>,
      { before, limit }: { readonly before: DateTime.Utc; readonly limit: number }
    ) => {
      const over = [...table]
        .filter(([, { expiresAt }]) => DateTime.isLessThan(expiresAt, before))
        .slice(0, limit)
      for (const [key] of over) table.delete(key)
      return over.map(([, row]) => row)
    }

    return ConsoleStore.of({
      createLink: (link) =>
        audited((note) => {
          const row = storedLink(link)
          note(linkMade(row))
          consoleLinks.set(row.tokenHash, row)
          return Result.void
        }),

      redeem: (options) =>
        audited((note) => {
          const link = consoleLinks.get(options.tokenHash)
          if (link === undefined || !isRedeemable(link, options.at)) return Result.fail(new LinkUnusable())
          const session = options.begin(link)
          sessionBegun(session).forEach(note)
          consoleLinks.set(link.tokenHash, { ...link, usedAt: options.at })
          return Result.succeed(begin(session, options.replaces))
        }),

      begin: ({ replaces, session }) =>
        audited((note) => {
          sessionBegun(session).forEach(note)
          begin(session, replaces)
          return Result.void
        }),

      find: (tokenHash) => Effect.sync(() => consoleSessions.get(tokenHash)),

      touch: ({ at, id }) =>
        Effect.sync(() => change(id, ({ lastSeenAt }) => ({ lastSeenAt: DateTime.max(lastSeenAt, at) }))),

      end: ({ at, id }) =>
        audited((note) => {
          const hash = consoleSessionHashes.get(id)
          const session = hash === undefined ? undefined : consoleSessions.get(hash)
          if (session !== undefined) sessionEnded(session, at).forEach(note)
          end(id, at)
          return Result.void
        }),

      endAll: ({ at, session }) =>
        audited((note) => {
          const open = [...consoleSessions.values()].filter((each) => each.endedAt === null)
          const ended = open.filter((each) => each.id === session.id || isSamePerson(each, session))
          ended.flatMap((each) => sessionEnded(each, at)).forEach(note)
          for (const { id } of ended) end(id, at)
          return Result.succeed(ended.map(({ id }) => id))
        }),

      forget: (round) =>
        Effect.sync(() => {
          const links = drop(consoleLinks, round)
          const sessions = drop(consoleSessions, round)
          for (const { id } of sessions) consoleSessionHashes.delete(id)
          return { hasMore: Math.max(links.length, sessions.length) === round.limit }
        })
    })
  })
)
