/** Comes up where a session ends in the middle of something; what was typed stays as it is below. */
import { useState } from "preact/hooks"
import { useAction } from "../data/Acting.ts"
import { Button } from "../parts/Button.tsx"
import { Code } from "../parts/Copy.tsx"
import { Dialog } from "../parts/Dialog.tsx"
import { Outcome } from "../parts/problem/ProblemNote.tsx"
import { Words } from "../parts/Words.tsx"
import { pathTo } from "../shell/Paths.ts"
import { askAgain, askWho, membership, standing } from "./Session.ts"

export const SignedOutDialog = () => {
  const now = standing.value
  // Escape closes a dialog, and this question stands until it is answered.
  const [round, setRound] = useState(0)
  const again = useAction(askWho)
  const stay = () => {
    askAgain()
    setRound((before) => before + 1)
  }
  if (now._tag === "Elsewhere") {
    const show = () => {
      standing.value = { _tag: "SignedIn", session: now.session }
    }
    return (
      <Dialog key={round} title="This is another account" isOpen onClose={stay}>
        <p>
          You are signed in again, but not to <Words text={membership.value?.name ?? ""} />, which this page
          shows. Open a link to it in another tab, then come back; or go on without what you typed here.
        </p>
        <Outcome problem={again.problem} />
        <p class="acts">
          <Button kind="first" isRunning={again.isRunning} onPress={again.run}>
            I am signed in to it now
          </Button>
          <Button onPress={show}>
            Show <Words text={now.session.accounts[0]?.name ?? "the other account"} isBrief />
          </Button>
        </p>
      </Dialog>
    )
  }
  return (
    <Dialog key={round} title="You were signed out" isOpen={now._tag === "SignedOut"} onClose={stay}>
      <p>
        After 12 hours without a click, after 7 days, or since you signed out elsewhere. This page and what
        you typed stay as they are:{" "}
        <a href={pathTo("/sign-in")} target="_blank" rel="noreferrer">
          sign in in another tab
        </a>
        , then come back.
      </p>
      <Code text="npx runhook console-link" of="command that makes a link" />
      <Outcome problem={again.problem} />
      <p class="acts">
        <Button kind="first" isRunning={again.isRunning} onPress={again.run}>
          I am signed in again
        </Button>
      </p>
    </Dialog>
  )
}
