/** Shown when a session ends while the page is in use; unsaved input stays below it. */
import { useState } from "preact/hooks"
import { useAction } from "../data/useAction.ts"
import { useFollowed } from "../data/Followed.ts"
import { Button } from "../parts/Button.tsx"
import { Dialog } from "../parts/Dialog.tsx"
import { Outcome } from "../parts/problem/ProblemNote.tsx"
import { UntrustedText } from "../parts/UntrustedText.tsx"
import { pathTo } from "../shell/Paths.ts"
import { checkSession, loadSession, membership, signInState } from "./Session.ts"

export const SignedOutDialog = () => {
  const now = useFollowed(signInState)
  // Escape would close it, but this question needs an answer.
  const [round, setRound] = useState(0)
  const again = useAction(loadSession)
  const stay = () => {
    checkSession()
    setRound((before) => before + 1)
  }
  if (now._tag === "Elsewhere") {
    const show = () => {
      signInState.value = { _tag: "SignedIn", session: now.session }
    }
    return (
      <Dialog key={round} title="This is another account" onClose={stay}>
        <p>
          You are signed in again, but not to <UntrustedText text={membership.value?.name ?? ""} />, which
          this page shows. Open a link to it in another tab, then come back; or go on without what you typed
          here.
        </p>
        <Outcome problem={again.problem} />
        <p class="acts">
          <Button kind="first" isRunning={again.isRunning} onPress={again.run}>
            I am signed in to it now
          </Button>
          <Button onPress={show}>
            Show <UntrustedText text={now.session.accounts[0]?.name ?? "the other account"} isBrief />
          </Button>
        </p>
      </Dialog>
    )
  }
  return now._tag !== "SignedOut" ? null : (
    <Dialog key={round} title="You were signed out" onClose={stay}>
      <p>
        Your session has ended, or you signed out elsewhere. This page and what you typed stay as they are:{" "}
        <a href={pathTo("/sign-in")} target="_blank" rel="noreferrer">
          sign in in another tab
        </a>
        , then come back.
      </p>
      <Outcome problem={again.problem} />
      <p class="acts">
        <Button kind="first" isRunning={again.isRunning} onPress={again.run}>
          I am signed in again
        </Button>
      </p>
    </Dialog>
  )
}
