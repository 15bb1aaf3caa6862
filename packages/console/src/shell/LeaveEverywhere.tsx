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
  return (
    <Dialog title="Sign out everywhere?" isOpen={isLeavingEverywhere.value} onClose={stay}>
      <p>
        {session.value?.method === "oidc"
          ? "Every browser in which you are signed in is signed out, this one too, and so is everybody you let in by links."
          : "This browser is signed out, and so is everybody let in by a link that was made in it."}{" "}
        Your unused links end. API keys go on as they are.
      </p>
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
