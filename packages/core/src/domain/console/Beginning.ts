/** What a sign-in makes of the sessions of its browser. Pure functions. */
import type { NonEmptyReadonlyArray } from "effect/Array"
import * as DateTime from "effect/DateTime"
import type { ConsoleSessionId } from "../Ids.ts"
import type { ConsoleLink } from "./ConsoleLink.ts"
import { type ConsoleSession, sessionMax } from "./ConsoleSession.ts"
import type { Membership } from "./Membership.ts"

export interface Beginning {
  readonly begun: NonEmptyReadonlyArray<ConsoleSession>
  /** These stay, and are opened by the new cookie alone. */
  readonly kept: ReadonlyArray<ConsoleSession>
  readonly replaced: ReadonlyArray<ConsoleSession>
}

/** What is new about the sessions that begin. */
export interface NewBrowser {
  readonly tokenHash: string
  readonly fromAddress: string | null
  readonly at: DateTime.Utc
}

/**
 * The session that a link begins, which ends no later than that of the member who
 * made the link. Whoever is already signed in by other links keeps those accounts;
 * if both links are for one account, the newer one decides.
 */
export const begunBy = (
  link: ConsoleLink,
  options: NewBrowser & {
    readonly id: ConsoleSessionId
    /** The session that made the link; undefined for the link of an operator. */
    readonly maker: ConsoleSession | undefined
    readonly present: ReadonlyArray<ConsoleSession>
  }
): Beginning => {
  const { accountId, name, person, role } = link
  const { id, maker, present } = options
  const isKept = (each: ConsoleSession) => each.method === "link" && each.accountId !== accountId
  const fields = { id, accountId, name, person, role, method: "link", maker: link.maker.id } as const
  return {
    begun: [newSession(fields, options, maker?.expiresAt ?? null)],
    kept: present.filter(isKept),
    replaced: present.filter((each) => !isKept(each))
  }
}

/** A session of somebody whom a provider knows. */
export const begunAtProvider = (
  person: Pick<ConsoleSession, "id" | "name" | "person"> & Membership,
  browser: NewBrowser
): ConsoleSession => newSession({ ...person, method: "oidc", maker: null }, browser, null)

const newSession = (
  fields: Pick<ConsoleSession, "accountId" | "id" | "maker" | "method" | "name" | "person" | "role">,
  { at, fromAddress, tokenHash }: NewBrowser,
  latest: DateTime.Utc | null
): ConsoleSession => {
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
