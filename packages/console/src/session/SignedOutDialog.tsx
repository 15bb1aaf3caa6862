/** Comes up where a session ends in the middle of something; what was typed stays as it is below. */
import { useAction } from "../data/Acting.ts"
import { Button } from "../parts/Button.tsx"
import { Code } from "../parts/Copy.tsx"
import { Dialog } from "../parts/Dialog.tsx"
import { Outcome } from "../parts/problem/ProblemNote.tsx"
import { askWho, standing } from "./Session.ts"

export const SignedOutDialog = () => {
  const again = useAction(askWho)
  return (
    <Dialog title="You were signed out" isOpen={standing.value._tag === "SignedOut"} onClose={again.run}>
      <p>This page and what you typed stay as they are: open a new link in another tab, then come back.</p>
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
