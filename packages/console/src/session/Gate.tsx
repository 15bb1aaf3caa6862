/** Shows the console to signed-in users, and keeps it, with unsaved input, when a session has just ended. */
import { useLocation } from "../shell/Location.ts"
import { useEffect } from "preact/hooks"
import { useFollowed } from "../data/Followed.ts"
import { Skeleton } from "../parts/Skeleton.tsx"
import { EmptyState } from "../parts/EmptyState.tsx"
import { ProblemNote } from "../parts/problem/ProblemNote.tsx"
import { SignIn } from "../views/sign-in/SignIn.tsx"
import { Frame } from "../shell/Frame.tsx"
import { pathTo } from "../shell/Paths.ts"
import { chosen, loadSession, membership, session, signInState } from "./Session.ts"
import { SignedOutDialog } from "./SignedOutDialog.tsx"

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
