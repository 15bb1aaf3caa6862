/** Shows the console to who is signed in, and keeps it, with what was typed, for who was until a moment ago. */
import { useLocation } from "preact-iso/router"
import { useEffect } from "preact/hooks"
import { Bones } from "../parts/Bones.tsx"
import { None } from "../parts/None.tsx"
import { ProblemNote } from "../parts/problem/ProblemNote.tsx"
import { Frame } from "../shell/Frame.tsx"
import { lazy } from "../shell/Lazy.tsx"
import { pathTo } from "../shell/Paths.ts"
import { askWho, membership, session, standing } from "./Session.ts"
import { SignedOutDialog } from "./SignedOutDialog.tsx"

const SignIn = lazy(() => import("../views/sign-in/SignIn.tsx").then((view) => view.SignIn))

export const Gate = () => {
  const { path } = useLocation()
  const isSigningIn = path === pathTo("/sign-in")
  useEffect(() => {
    if (!isSigningIn && standing.peek()._tag === "Asking") void askWho()
  }, [isSigningIn])

  if (isSigningIn) return <SignIn />
  const now = standing.value
  if (session.value !== undefined && membership.value !== undefined) {
    return (
      <>
        <Frame />
        <SignedOutDialog />
      </>
    )
  }
  switch (now._tag) {
    case "Asking":
      return (
        <main class="alone">
          <Bones />
        </main>
      )
    case "Unknown":
      return (
        <main class="alone">
          <ProblemNote error={now.error} onRetry={() => void askWho()} />
        </main>
      )
    case "SignedIn":
      return (
        <main class="alone">
          <None title="No account">
            You are signed in, but no account is yours. Ask the operator for one.
          </None>
        </main>
      )
    case "SignedOut":
      return <SignIn />
  }
}
