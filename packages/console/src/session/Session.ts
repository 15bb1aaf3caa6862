/** Who is signed in, and which of their accounts the page shows. */
import { computed, signal } from "@preact/signals"
import {
  type Account,
  RunhookAdmin,
  type SessionAccount,
  type SessionDetail,
  UnauthorizedError
} from "@runhook/sdk/admin"
import { remember, remembered } from "../data/Remembered.ts"

export type Standing =
  | { readonly _tag: "Asking" }
  /** Nobody is, or nobody is any more: `before` is who was, so that what they typed stays. */
  | { readonly _tag: "SignedOut"; readonly before: SessionDetail | undefined }
  | { readonly _tag: "SignedIn"; readonly session: SessionDetail }
  | { readonly _tag: "Unknown"; readonly error: unknown }

export const standing = signal<Standing>({ _tag: "Asking" })

/** The service that this page came from. */
export const admin = new RunhookAdmin({ baseUrl: location.origin, session: true, retries: 1 })

/** Asks who is signed in. */
export const askWho = async (): Promise<void> => {
  try {
    standing.value = { _tag: "SignedIn", session: await admin.session.get() }
  } catch (error) {
    if (error instanceof UnauthorizedError) signedOut()
    else standing.value = { _tag: "Unknown", error }
  }
}

/** Somebody else ended the session, or time did. */
export const signedOut = (): void => {
  standing.value = { _tag: "SignedOut", before: sessionOf(standing.peek()) }
}

const sessionOf = (now: Standing): SessionDetail | undefined =>
  now._tag === "SignedIn" ? now.session : now._tag === "SignedOut" ? now.before : undefined

/** Who is signed in, or was until a moment ago. */
export const session = computed(() => sessionOf(standing.value))

const chosen = signal(new URLSearchParams(location.search).get("account") ?? remembered("account"))

/** Shows another account of the same person. */
export const chooseAccount = (id: string): void => {
  chosen.value = id
  remember("account", id)
}

/** The account that the page shows. */
export const membership = computed<SessionAccount | undefined>(() => {
  const accounts = session.value?.accounts ?? []
  return accounts.find(({ id }) => id === chosen.value) ?? accounts[0]
})

export const isAdmin = computed(() => membership.value?.role === "admin")

/** Its calls. Views stand below the gate, where there is one. */
export const account = computed<Account>(() => admin.account(membership.value?.id ?? ""))
