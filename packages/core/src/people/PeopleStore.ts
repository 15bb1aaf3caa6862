/** Keeps the links and the sessions of the Integrations page. */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Audit, Audited } from "../audit/AuditEntry.ts"
import type { End } from "../audit/SessionEvents.ts"
import type { SignInSessions } from "./SignInSessions.ts"
import type { SignInLink } from "./SignInLink.ts"
import type { PersonSession } from "./PersonSession.ts"
import {
  type AccountId,
  SignInLinkId,
  PersonSessionId,
  type PersonId,
  type InAccount
} from "../shared/Ids.ts"
import type { Page, PageRequest } from "../shared/Page.ts"

/** The link is unknown, used, withdrawn or expired. The answer never says which. */
export class LinkUnusable extends Schema.TaggedError<LinkUnusable>()("LinkUnusable", {}) {
  override get message() {
    return "The link has expired, or was used before: ask for a new one"
  }
}

/** So many sessions and links of the person who makes another link are open. */
export class LinkLimitReached extends Schema.TaggedError<LinkLimitReached>()("LinkLimitReached", {
  limit: Schema.Int
}) {
  override get message() {
    return `You and those whom you let in have reached the limit of ${this.limit} open sessions and links: end some of them, or ask an operator for a link`
  }
}

/** No such link in the account. */
export class LinkNotFound extends Schema.TaggedError<LinkNotFound>()("LinkNotFound", { id: SignInLinkId }) {
  override get message() {
    return `There is no link ${this.id}`
  }
}

/** No such session in the account. */
export class PersonSessionNotFound extends Schema.TaggedError<PersonSessionNotFound>()(
  "PersonSessionNotFound",
  { id: PersonSessionId }
) {
  override get message() {
    return `There is no session ${this.id}`
  }
}

/** What is recorded of each session and link that an ending ends. */
export interface SignOutAudit {
  readonly ended: Audit<[session: PersonSession, end: End]>
  readonly withdrawn: Audit<[link: SignInLink, end: End]>
}

/** What is recorded of each session that begins, and of what it replaces. */
export interface SignInAudit extends SignOutAudit {
  readonly begun: Audit<[session: PersonSession]>
}

/** Whose sessions end. */
export interface Ending extends End {
  /** These, and all that their links began, and what those began. */
  readonly sessions: ReadonlyArray<PersonSessionId>
  /** All of these people: in the account, or in every one. */
  readonly people: ReadonlyArray<PersonId>
  readonly accountId: AccountId | null
}

/** The sessions that began, those that were kept, and those that ended. */
export interface Begun extends Pick<SignInSessions, "begun" | "kept"> {
  readonly ended: ReadonlyArray<PersonSessionId>
}

export class PeopleStore extends Context.Service<
  PeopleStore,
  {
    /** Fails for a member whose person has `openMax` sessions and links open in the account. */
    createLink(link: SignInLink, audit?: Audit<[created: SignInLink]>): Effect.Effect<void, LinkLimitReached>

    /** Newest first, including links that no longer sign anyone in. */
    listLinks(accountId: AccountId, page: PageRequest): Effect.Effect<Page<SignInLink>>

    /** Makes a link unusable. One that was used, withdrawn or has expired stays as it is. */
    withdraw(
      options: InAccount<SignInLinkId> & Audited<[withdrawn: SignInLink]>
    ): Effect.Effect<void, LinkNotFound>

    /**
     * Uses up the link of the token, and stores what `begin` makes of it and of the
     * session that made it, all at once. If several use one link, one succeeds; if the
     * session that made it ends meanwhile, either it does not sign in, or what it began
     * ends too.
     */
    redeem(options: {
      readonly tokenHash: string
      readonly at: DateTime.Utc
      /** The browser's sessions until now. */
      readonly present: ReadonlyArray<PersonSession>
      readonly begin: (link: SignInLink, maker: PersonSession | undefined) => SignInSessions
      readonly audit?: SignInAudit | undefined
    }): Effect.Effect<Begun, LinkUnusable>

    /**
     * Stores sessions without a link, and ends those that they replace as `end` does.
     * Of as many open sessions of a person in an account as `openMax`, the oldest is
     * replaced too.
     */
    begin(beginning: SignInSessions, audit?: SignInAudit): Effect.Effect<Begun>

    /** The sessions of the token, ended or not, the newest first. */
    find(tokenHash: string): Effect.Effect<ReadonlyArray<PersonSession>>

    get(accountId: AccountId, id: PersonSessionId): Effect.Effect<PersonSession, PersonSessionNotFound>

    /** The sessions of the account that are open then, the newest first. */
    list(options: {
      readonly accountId: AccountId
      readonly at: DateTime.Utc
      readonly page: PageRequest
    }): Effect.Effect<Page<PersonSession>>

    /** Records that the sessions were in use. The latest moment wins. */
    touch(options: {
      readonly ids: ReadonlyArray<PersonSessionId>
      readonly at: DateTime.Utc
    }): Effect.Effect<void>

    /**
     * Ends sessions, and withdraws the links that those or these people made, all at
     * once. A session that has ended keeps its moment. Answers which ended now.
     */
    end(ending: Ending, audit?: SignOutAudit): Effect.Effect<ReadonlyArray<PersonSessionId>>
  }
>()("@runhook/core/people/PeopleStore") {}
