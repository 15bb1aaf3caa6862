/** Links and sessions of the Integrations page in memory. */
import { ConsoleLink, isRedeemable } from "@runhook/core/domain/ConsoleLink"
import { ConsoleSession, isSamePerson } from "@runhook/core/domain/ConsoleSession"
import type { ConsoleSessionId } from "@runhook/core/domain/Ids"
import { ConsoleStore, LinkUnusable } from "@runhook/core/ports/ConsoleStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { storedAs } from "./StoredAs.ts"
import { transaction } from "./Transaction.ts"

const storedLink = storedAs(ConsoleLink)
const storedSession = storedAs(ConsoleSession)

export const layer: Layer.Layer<ConsoleStore, never, MemoryDatabase> = Layer.effect(
  ConsoleStore,
  Effect.gen(function* () {
    const { consoleLinks, consoleSessionHashes, consoleSessions } = yield* MemoryDatabase

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
      createLink: (link) => Effect.sync(() => void consoleLinks.set(link.tokenHash, storedLink(link))),

      redeem: (options) =>
        transaction(() => {
          const link = consoleLinks.get(options.tokenHash)
          if (link === undefined || !isRedeemable(link, options.at)) return Result.fail(new LinkUnusable())
          consoleLinks.set(link.tokenHash, { ...link, usedAt: options.at })
          return Result.succeed(begin(options.begin(link), options.replaces))
        }),

      begin: ({ replaces, session }) => Effect.sync(() => void begin(session, replaces)),

      find: (tokenHash) => Effect.sync(() => consoleSessions.get(tokenHash)),

      touch: ({ at, id }) =>
        Effect.sync(() => change(id, ({ lastSeenAt }) => ({ lastSeenAt: DateTime.max(lastSeenAt, at) }))),

      end: ({ at, id }) => Effect.sync(() => end(id, at)),

      endAll: ({ at, session }) =>
        Effect.sync(() => {
          const open = [...consoleSessions.values()].filter((each) => each.endedAt === null)
          const ended = open.filter((each) => each.id === session.id || isSamePerson(each, session))
          for (const { id } of ended) end(id, at)
          return ended.map(({ id }) => id)
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
