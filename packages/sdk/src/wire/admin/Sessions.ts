/** Signing in to the Integrations page, and who has. */
import type { Answer } from "../Envelope.ts"

/** A viewer looks, an admin changes as well. */
export type Role = "viewer" | "admin"

export interface CreateConsoleLink {
  /** `admin` unless given. */
  readonly role?: Role
  /** Whom the link is for, as the audit log will call them. */
  readonly name?: string
  /** From 60 to 86,400; 900 unless given. */
  readonly expires_in_seconds?: number
}

export interface ConsoleLinkCreated extends Answer {
  /** Signs in once, by the button of the page that it opens. */
  readonly url: string
  readonly expires_at: string
}

export interface SignInWays extends Answer {
  /** Whether there is an OpenID Connect provider: it begins at `/integrations/oidc/start`. */
  readonly oidc: boolean
}

export interface SessionAccount {
  readonly id: string
  readonly name: string
  readonly role: Role
}

export interface SessionDetail extends Answer {
  readonly id: string
  readonly name: string
  readonly accounts: ReadonlyArray<SessionAccount>
  readonly method: "link" | "oidc"
  readonly signed_in_at: string
  readonly expires_at: string
  /** When it ends unless it is used until then. */
  readonly idle_expires_at: string
}
