/** The signed-in user, and which of their accounts the page shows. */
import {
  type Account,
  RunhookAdmin,
  type SessionAccount,
  type SessionDetail,
  UnauthorizedError
} from "@runhook/sdk/admin"
import { remember, remembered } from "../data/Preferences.ts"
import { serviceUrl } from "../shell/Location.ts"
import { after, now } from "../time/Clock.ts"
import { Followed } from "../data/Followed.ts"
import { untilFollowed } from "../live/Live.ts"

/** Milliseconds without a key, a click or a scroll after which the user counts as absent. */
const absentAfterMs = 5 * 60_000

let lastAt = now()

const note = () => {
  lastAt = now()
}

for (const sign of ["keydown", "pointerdown", "wheel"]) {
  addEventListener(sign, note, { capture: true, passive: true })
}

/** Whether the user is active on the page. */
const isUserPresent = (): boolean => now() - lastAt < absentAfterMs

/** The browser's other tabs, which share its cookie, hear of a sign-in or sign-out. */
const tabs = new BroadcastChannel(`runhook.console.session ${serviceUrl()}`)

const tellTabs = (): void => tabs.postMessage("changed")

type SignInState =
  | { readonly _tag: "Asking" }
  /** `before` is the session that has just ended, if any, so that unsaved input stays. */
  | { readonly _tag: "SignedOut"; readonly before: SessionDetail | undefined }
  /** Signed in, but without access to the account that is shown, which may have unsaved input. */
  | { readonly _tag: "Elsewhere"; readonly before: SessionDetail; readonly session: SessionDetail }
  | { readonly _tag: "SignedIn"; readonly session: SessionDetail }
  | { readonly _tag: "Unknown"; readonly error: unknown }

export const signInState = new Followed<SignInState>({ _tag: "Asking" })

/** For how many seconds the service wants no more requests of this page. */
export const limitedFor = new Followed(0)

/** The service that this page came from. */
export const admin = new RunhookAdmin({
  baseUrl: serviceUrl(),
  session: true,
  retries: 1,
  onRequest: ({ headers, url }) => {
    // Background refreshes must not keep the session alive.
    if (!isUserPresent()) headers.set("x-runhook-idle", "1")
    return url.includes("/accounts/") ? untilFollowed() : undefined
  },
  onResponse: ({ headers, status }) => {
    // The call is repeated by itself, but not for as long as the service says.
    const seconds = Number(headers.get("retry-after"))
    if (status !== 429 || seconds === 0) return
    limitedFor.value = seconds
    after(1_000 * seconds, () => {
      limitedFor.value = 0
    })
  }
})

/** Counts the requests for the session and its changes: an answer that was overtaken is ignored. */
let asked = 0

/** Loads the session. Fails if the service does not answer and the page is in use, so that unsaved input stays. */
export const loadSession = async (): Promise<void> => {
  asked += 1
  const mine = asked
  try {
    const next = await admin.session.get()
    if (mine === asked) signedIn(next)
  } catch (error) {
    if (mine !== asked) return
    if (error instanceof UnauthorizedError) signedOut()
    else if (session.value === undefined) signInState.value = { _tag: "Unknown", error }
    else throw error
  }
}

/** Signs in by a link, and shows the link's account. */
export const signIn = async (token: string): Promise<void> => {
  const next = await admin.session.begin({ token })
  asked += 1
  chooseAccount(next.accounts[0]?.id ?? "")
  signInState.value = { _tag: "SignedIn", session: next }
  tellTabs()
}

/** The user is signed in, maybe by another tab. */
const signedIn = (next: SessionDetail): void => {
  const before = session.value
  const shown = membership.value
  if (before === undefined || shown === undefined) {
    signInState.value = { _tag: "SignedIn", session: next }
  } else if (next.accounts.some(({ id }) => id === shown.id)) {
    // The page stays on the account that it showed.
    chosen.value = shown.id
    signInState.value = { _tag: "SignedIn", session: next }
  } else {
    signInState.value = { _tag: "Elsewhere", before, session: next }
  }
}

/** The session has expired or was ended elsewhere. */
const signedOut = (): void => {
  signInState.value = { _tag: "SignedOut", before: session.value }
}

/** Processes of the service may disagree about a session for so long, in milliseconds. */
const checkPauseMs = 5_000

let checkedAt = Number.NEGATIVE_INFINITY

/** Checks the session by itself, but not again and again. */
export const checkSession = (): void => {
  if (now() - checkedAt < checkPauseMs) return
  checkedAt = now()
  void loadSession().catch(() => {})
}

/** A call was refused with 401. It may have been sent before the user signed in again. */
export const refused = (): void => {
  if (signInState.value._tag === "SignedOut") return
  signedOut()
  checkSession()
}

/** Ends the session, here or in every browser of the same person, and clears the page. */
export const signOut = async (options: { readonly everywhere: boolean }): Promise<void> => {
  try {
    await admin.session.end(options)
  } catch (error) {
    // It had already ended.
    if (!(error instanceof UnauthorizedError)) throw error
  }
  asked += 1
  signInState.value = { _tag: "SignedOut", before: undefined }
  tellTabs()
}

const sessionOf = (at: SignInState): SessionDetail | undefined => {
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

/** The current session, or the one that has just ended. These four change with a view of the whole page: see Gate. */
export const session = {
  get value() {
    return sessionOf(signInState.value)
  }
}

/** The id of the account that was chosen. */
export const chosen = new Followed(
  new URLSearchParams(location.search).get("account") ?? remembered("account")
)

/** Shows another account of the same person. */
export const chooseAccount = (id: string): void => {
  chosen.value = id
  remember("account", id)
}

/** The account that the page shows. */
export const membership = {
  get value(): SessionAccount | undefined {
    const accounts = session.value?.accounts ?? []
    return accounts.find(({ id }) => id === chosen.value) ?? accounts[0]
  }
}

export const isAdmin = {
  get value() {
    return membership.value?.role === "admin"
  }
}

let calls: Account | undefined

/** The calls of that account. Views are only shown when there is one. */
export const account = {
  get value(): Account {
    const id = membership.value?.id ?? ""
    if (calls?.id !== id) calls = admin.account(id)
    return calls
  }
}

/** Reloads the session, if there was one. A failure is left to the next call. */
const reloadSession = () => {
  if (session.value !== undefined) void loadSession().catch(() => {})
}

// Signing in or out in one tab affects all tabs; and a session may expire while a tab is hidden.
tabs.addEventListener("message", reloadSession)
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) reloadSession()
})

/** Signs the page out when a call says that the session has ended. */
export const endExpiredSession = (error: unknown): void => {
  if (error instanceof UnauthorizedError) refused()
}
