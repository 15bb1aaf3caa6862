/** Shows the console to signed-in users, and keeps it, with unsaved input, when a session has just ended. */
import { useLocation } from "../shell/Location.ts"
import { useEffect, useState } from "preact/hooks"
import { useFollowed } from "../data/Followed.ts"
import { Skeleton } from "../parts/Skeleton.tsx"
import { EmptyState } from "../parts/EmptyState.tsx"
import { Outcome, ProblemNote } from "../parts/problem/ProblemNote.tsx"
import { SignIn } from "../views/sign-in/SignIn.tsx"
import { Frame } from "../shell/Frame.tsx"
import { pathTo } from "../shell/Paths.ts"
import { checkSession, chosen, loadSession, membership, session, signInState } from "./Session.ts"
import { useAction } from "../data/useAction.ts"
import { Button } from "../parts/Button.tsx"
import { Dialog } from "../parts/Dialog.tsx"
import { UntrustedText } from "../parts/UntrustedText.tsx"

export const Gate = () => {
  const { path } = useLocation()
  const now = useFollowed(signInState)
  useFollowed(chosen)
  const isSigningIn = path === pathTo("/sign-in")
  useEffect(() => {
    if (!isSigningIn && signInState.value._tag === "Asking") void loadSession()
  }, [isSigningIn])

  if (isSigningIn) return <SignIn />
  if (session.value !== undefined && membership.value !== undefined) {
    return (
      <>
        <Frame />
        <SignedOutDialog />
      </>
    )
  }
  if (now._tag === "SignedOut") return <SignIn />
  return (
    <main class="alone">
      {now._tag === "Asking" ? (
        <Skeleton />
      ) : now._tag === "Unknown" ? (
        <ProblemNote error={now.error} onRetry={() => void loadSession()} />
      ) : (
        <EmptyState title="No account">
          You are signed in, but have access to no account. Ask the operator.
        </EmptyState>
      )}
    </main>
  )
}

/** Shown when a session ends while the page is in use; unsaved input stays below it. */
const SignedOutDialog = () => {
  const now = useFollowed(signInState)
  // Escape would close it, but this question needs an answer.
  const [round, setRound] = useState(0)
  const again = useAction(loadSession)
  const stay = () => {
    checkSession()
    setRound((before) => before + 1)
  }
  const isElsewhere = now._tag === "Elsewhere"
  return now._tag !== "SignedOut" && !isElsewhere ? null : (
    <Dialog
      key={round}
      title={isElsewhere ? "This is another account" : "You were signed out"}
      onClose={stay}
    >
      {isElsewhere ? (
        <p>
          You are signed in again, but not to <UntrustedText text={membership.value?.name ?? ""} />, which
          this page shows. Open a link to it in another tab, then come back; or go on without what you typed
          here.
        </p>
      ) : (
        <p>
          Your session has ended, or you signed out elsewhere. This page and what you typed stay as they are:{" "}
          <a href={pathTo("/sign-in")} target="_blank" rel="noreferrer">
            sign in in another tab
          </a>
          , then come back.
        </p>
      )}
      <Outcome problem={again.problem} />
      <p class="acts">
        <Button kind="first" action={again}>
          {isElsewhere ? "I am signed in to it now" : "I am signed in again"}
        </Button>
        {isElsewhere ? (
          <Button
            onPress={() => {
              signInState.value = { _tag: "SignedIn", session: now.session }
            }}
          >
            Show <UntrustedText text={now.session.accounts[0]?.name ?? "the other account"} isBrief />
          </Button>
        ) : null}
      </p>
    </Dialog>
  )
}
