/** Keeps the links and the sessions of the Integrations page. */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ConsoleLink } from "../domain/console/ConsoleLink.ts"
import type { ConsoleSession } from "../domain/console/ConsoleSession.ts"
import type { ConsoleSessionId } from "../domain/Ids.ts"

/** The link is unknown, used or expired. The answer never says which. */
export class LinkUnusable extends Schema.TaggedError<LinkUnusable>()("LinkUnusable", {}) {
  override get message() {
    return "The link has expired, or was used before: ask for a new one"
  }
}

export class ConsoleStore extends Context.Service<
  ConsoleStore,
  {
    createLink(link: ConsoleLink): Effect.Effect<void>

    /**
     * Uses up the link of the token, stores the session that `begin` makes of it, and
     * ends the session it replaces, all at once. If two use one link, one succeeds.
     */
    redeem(options: {
      readonly tokenHash: string
      readonly at: DateTime.Utc
      readonly begin: (link: ConsoleLink) => ConsoleSession
      /** The browser's session until now. */
      readonly replaces: ConsoleSessionId | null
    }): Effect.Effect<ConsoleSession, LinkUnusable>

    /** Stores a session without a link, and ends the session it replaces. */
    begin(options: {
      readonly session: ConsoleSession
      readonly replaces: ConsoleSessionId | null
    }): Effect.Effect<void>

    /** The session of the token, ended or not; undefined when there is none. */
    find(tokenHash: string): Effect.Effect<ConsoleSession | undefined>

    /** Records that the session was in use. The latest moment wins. */
    touch(options: { readonly id: ConsoleSessionId; readonly at: DateTime.Utc }): Effect.Effect<void>

    /** Ends the session. Ending it again keeps the first moment. */
    end(options: { readonly id: ConsoleSessionId; readonly at: DateTime.Utc }): Effect.Effect<void>

    /** Ends the session and all open sessions of the same person, by `isSamePerson`. Answers which. */
    endAll(options: {
      readonly session: ConsoleSession
      readonly at: DateTime.Utc
    }): Effect.Effect<ReadonlyArray<ConsoleSessionId>>

    /** Prunes up to `limit` links and as many sessions that expired before the instant. */
    forget(options: {
      readonly before: DateTime.Utc
      readonly limit: number
    }): Effect.Effect<{ readonly hasMore: boolean }>
  }
>()("@runhook/core/ports/ConsoleStore") {}
