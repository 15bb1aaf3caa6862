/** Asks once before every browser of somebody is signed out. It stands beside the sidebar, which is away on small screens. */
import { signal } from "@preact/signals"
import { useAction } from "../data/Acting.ts"
import { Button } from "../parts/Button.tsx"
import { Dialog } from "../parts/Dialog.tsx"
import { Outcome } from "../parts/problem/ProblemNote.tsx"
import { session, signOut } from "../session/Session.ts"

export const isLeavingEverywhere = signal(false)

const stay = () => {
  isLeavingEverywhere.value = false
}

export const LeaveEverywhere = () => {
  const leave = useAction(signOut, stay)
  const who = session.value
  return (
    <Dialog title="Sign out everywhere?" isOpen={isLeavingEverywhere.value} onClose={stay}>
      {who?.method === "oidc" ? (
        <p>
          Every browser in which you are signed in is signed out, this one too, and so is everybody whom you
          let in by links. Links of yours that nobody has used do not work any more. API keys go on as they
          are.
        </p>
      ) : (
        <p>
          This browser is signed out, and so is every other that signed in by a link made in it, or in one of
          those. Links of yours that nobody has used do not work any more. API keys go on as they are.
        </p>
      )}
      <Outcome problem={leave.problem} />
      <p class="acts">
        <Button kind="risk" isRunning={leave.isRunning} onPress={() => leave.run({ everywhere: true })}>
          Sign out everywhere
        </Button>
        <Button onPress={stay}>Stay signed in</Button>
      </p>
    </Dialog>
  )
}
