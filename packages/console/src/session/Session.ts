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
import { now } from "../time/Clock.ts"
import { isSomebodyThere } from "./Presence.ts"
import { listenToTabs, tellTabs } from "./Tabs.ts"

export type Standing =
  | { readonly _tag: "Asking" }
  /** Nobody is, or nobody is any more: `before` is who was, so that what they typed stays. */
  | { readonly _tag: "SignedOut"; readonly before: SessionDetail | undefined }
  /** Somebody is, but not to the account that is shown, in which something may have been typed. */
  | { readonly _tag: "Elsewhere"; readonly before: SessionDetail; readonly session: SessionDetail }
  | { readonly _tag: "SignedIn"; readonly session: SessionDetail }
  | { readonly _tag: "Unknown"; readonly error: unknown }

export const standing = signal<Standing>({ _tag: "Asking" })

/** The service that this page came from. */
export const admin = new RunhookAdmin({
  baseUrl: location.origin,
  session: true,
  retries: 1,
  onRequest: ({ headers }) => {
    // A page that keeps itself up to date keeps no session alive.
    if (!isSomebodyThere()) headers.set("x-runhook-idle", "1")
  }
})

/** How often it was asked, or made known, who is signed in: an answer that others have overtaken says nothing. */
let asked = 0

/** Asks who is signed in. Fails while somebody was, and nobody answers: what they typed stays. */
export const askWho = async (): Promise<void> => {
  asked += 1
  const mine = asked
  try {
    const next = await admin.session.get()
    if (mine === asked) signedIn(next)
  } catch (error) {
    if (mine !== asked) return
    if (error instanceof UnauthorizedError) signedOut()
    else if (session.peek() === undefined) standing.value = { _tag: "Unknown", error }
    else throw error
  }
}

/** Signs in here, and shows what they come for: the account of the link. */
export const signIn = async (token: string): Promise<void> => {
  const next = await admin.session.begin({ token })
  asked += 1
  chooseAccount(next.accounts[0]?.id ?? "")
  standing.value = { _tag: "SignedIn", session: next }
  tellTabs()
}

/** Somebody is signed in, maybe since another tab did it. */
const signedIn = (next: SessionDetail): void => {
  const before = session.peek()
  const shown = membership.peek()
  if (before === undefined || shown === undefined) {
    standing.value = { _tag: "SignedIn", session: next }
  } else if (next.accounts.some(({ id }) => id === shown.id)) {
    // Whatever else there is now, the page goes on where it was.
    chosen.value = shown.id
    standing.value = { _tag: "SignedIn", session: next }
  } else {
    standing.value = { _tag: "Elsewhere", before, session: next }
  }
}

/** Somebody else ended the session, or time did. */
const signedOut = (): void => {
  standing.value = { _tag: "SignedOut", before: session.peek() }
}

/** Processes of the service may disagree for so long who is signed in, in milliseconds. */
const doubtMs = 5_000

let doubtedAt = Number.NEGATIVE_INFINITY

/** Asks without being told to, and so not on and on. */
export const askAgain = (): void => {
  if (now() - doubtedAt < doubtMs) return
  doubtedAt = now()
  void askWho().catch(() => {})
}

/** A call was refused. It may have been on its way since before somebody signed in again. */
export const refused = (): void => {
  if (standing.peek()._tag === "SignedOut") return
  signedOut()
  askAgain()
}

/** Ends the session, here or in every browser of the same person, and shows nothing of it any more. */
export const signOut = async (options: { readonly everywhere: boolean }): Promise<void> => {
  try {
    await admin.session.end(options)
  } catch (error) {
    // It has ended before.
    if (!(error instanceof UnauthorizedError)) throw error
  }
  asked += 1
  standing.value = { _tag: "SignedOut", before: undefined }
  tellTabs()
}

const sessionOf = (at: Standing): SessionDetail | undefined => {
  switch (at._tag) {
    case "SignedIn":
      return at.session
    case "SignedOut":
    case "Elsewhere":
      return at.before
    default:
      return undefined
  }
}

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

/** Looks again, unless nobody was signed in to begin with. What cannot be found out now is with the next call. */
const lookAgain = () => {
  if (session.peek() !== undefined) void askWho().catch(() => {})
}

// Who signs in or out in one tab does so in all of them; and time passes while a tab is away.
listenToTabs(lookAgain)
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) lookAgain()
})
