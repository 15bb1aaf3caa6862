/** Asks before signing out all browsers of the user. It is not in the sidebar, which small screens hide. */
import { useAction } from "../data/useAction.ts"
import { Dialog } from "../parts/Dialog.tsx"
import { session, signOut } from "../session/Session.ts"
import { Followed, useFollowed } from "../data/Followed.ts"

export const isSignOutEverywhereOpen = new Followed(false)

const stay = () => {
  isSignOutEverywhereOpen.value = false
}

export const SignOutEverywhere = () => {
  const leave = useAction(() => signOut({ everywhere: true }), stay)
  return !useFollowed(isSignOutEverywhereOpen) ? null : (
    <Dialog
      title="Sign out everywhere?"
      onClose={stay}
      confirm={{
        word: "Sign out everywhere",
        action: leave,
        isRisk: true,
        isOpenToAll: true,
        cancel: "Stay signed in"
      }}
    >
      <p>
        {session.value?.method === "oidc"
          ? "All your browsers are signed out, including this one, and so is everyone you let in by links."
          : "This browser is signed out, and so is everyone let in by a link created in it."}{" "}
        Your unused links are withdrawn. API keys keep working.
      </p>
    </Dialog>
  )
}
