/** How a sign-in changes the sessions of its browser. Pure functions. */
import type { NonEmptyReadonlyArray } from "effect/Array"
import * as DateTime from "effect/DateTime"
import type { PersonSessionId } from "../shared/Ids.ts"
import type { SignInLink } from "./SignInLink.ts"
import { type PersonSession, sessionMax } from "./PersonSession.ts"
import type { Membership } from "./Membership.ts"

export interface SignInSessions {
  readonly begun: NonEmptyReadonlyArray<PersonSession>
  /** These stay, and only the new cookie opens them. */
  readonly kept: ReadonlyArray<PersonSession>
  readonly replaced: ReadonlyArray<PersonSession>
}

/** What new sessions have in common. */
export interface SignInBrowser {
  readonly tokenHash: string
  readonly fromAddress: string | null
  readonly at: DateTime.Utc
}

/**
 * The session that a link begins, which ends no later than that of the member who
 * made the link. A person who is already signed in by other links keeps those accounts;
 * if both links are for one account, the newer one decides.
 */
export const startByLink = (
  link: SignInLink,
  options: SignInBrowser & {
    readonly id: PersonSessionId
    /** The session that made the link; undefined for the link of an operator. */
    readonly maker: PersonSession | undefined
    readonly present: ReadonlyArray<PersonSession>
  }
): SignInSessions => {
  const { accountId, name, person, role } = link
  const { id, maker, present } = options
  const isKept = (each: PersonSession) => each.method === "link" && each.accountId !== accountId
  const fields = { id, accountId, name, person, role, method: "link", maker: link.maker.id } as const
  return {
    begun: [newSession(fields, options, maker?.expiresAt ?? null)],
    kept: present.filter(isKept),
    replaced: present.filter((each) => !isKept(each))
  }
}

/** A session of a person whom a provider knows. */
export const startAtProvider = (
  person: Pick<PersonSession, "id" | "name" | "person"> & Membership,
  browser: SignInBrowser
): PersonSession => newSession({ ...person, method: "oidc", maker: null }, browser, null)

const newSession = (
  fields: Pick<PersonSession, "accountId" | "id" | "maker" | "method" | "name" | "person" | "role">,
  { at, fromAddress, tokenHash }: SignInBrowser,
  latest: DateTime.Utc | null
): PersonSession => {
  const end = DateTime.addDuration(at, sessionMax)
  return {
    ...fields,
    tokenHash,
    fromAddress,
    signedInAt: at,
    lastSeenAt: at,
    expiresAt: latest === null ? end : DateTime.min(end, latest),
    endedAt: null
  }
}
