/** Asks once before every browser of somebody is signed out. It stands beside the sidebar, which is away on small screens. */
import { signal } from "@preact/signals"
import { useAction } from "../data/Acting.ts"
import { Button } from "../parts/Button.tsx"
import { Dialog } from "../parts/Dialog.tsx"
import { Outcome } from "../parts/problem/ProblemNote.tsx"
import { Words } from "../parts/Words.tsx"
import { session, signOut } from "../session/Session.ts"

export const isLeavingEverywhere = signal(false)

const stay = () => {
  isLeavingEverywhere.value = false
}

export const LeaveEverywhere = () => {
  const leave = useAction(signOut, stay)
  const who = session.value
  const isAlone = who?.accounts.length === 1
  return (
    <Dialog title="Sign out everywhere?" isOpen={isLeavingEverywhere.value} onClose={stay}>
      {who?.method === "oidc" ? (
        <p>
          Every browser in which you are signed in is signed out, this one too. API keys go on as they are.
        </p>
      ) : (
        <p>
          Every browser that signed in by a link for <Words text={who?.name ?? ""} /> to{" "}
          {isAlone ? "this account" : "one of your accounts"} is signed out, this one too. Links that nobody
          has used yet still work. API keys go on as they are.
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
