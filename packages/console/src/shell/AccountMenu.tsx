/** Shows the current account and user, with the ways to change either. */
import { useId, useRef } from "preact/hooks"
import { Followed, useFollowed } from "../data/Followed.ts"
import { useAction } from "../data/useAction.ts"
import { sentenceCase } from "../format/Amounts.ts"
import { Button } from "../parts/Button.tsx"
import { ChoiceField } from "../parts/Field.tsx"
import { Moment } from "../parts/Moment.tsx"
import { Outcome } from "../parts/problem/ProblemNote.tsx"
import { UntrustedText } from "../parts/UntrustedText.tsx"
import { chooseAccount, membership, session, signOut } from "../session/Session.ts"
import "./AccountMenu.css"
import { remember, remembered } from "../data/Preferences.ts"
import { Dialog } from "../parts/Dialog.tsx"
import { service } from "./Paths.ts"

/** The colour schemes of the page: the system's, light or dark. */
const themes = ["system", "light", "dark"] as const

type Theme = (typeof themes)[number]

const themeOf = (name: string | null): Theme => themes.find((theme) => theme === name) ?? "system"

const theme = new Followed(themeOf(remembered("theme")))

// Without one, the sheet follows the system.
const show = (): void => {
  document.documentElement.style.colorScheme = theme.value === "system" ? "" : theme.value
}

show()

const chooseTheme = (next: Theme): void => {
  theme.value = next
  show()
  remember("theme", next)
}

export const AccountMenu = () => {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const leave = useAction(signOut)
  const chosenTheme = useFollowed(theme)
  const who = session.value
  const shown = membership.value
  if (who === undefined || shown === undefined) return null
  const others = who.accounts.filter((each) => each.id !== shown.id)
  const close = () => menu.current?.hidePopover()

  return (
    <div class="foot">
      <button type="button" class="bare whose" popovertarget={id}>
        <span>
          <strong>
            <UntrustedText text={shown.name} isBrief class="clip" />
          </strong>
          <span class="quiet">
            <UntrustedText text={who.name} isBrief class="clip" />, {shown.role}
          </span>
        </span>
        <span aria-hidden="true">⋯</span>
      </button>
      <div class="account" id={id} popover="auto" ref={menu} role="group" aria-label="Account">
        <p>
          <strong>
            <UntrustedText text={who.name} />
          </strong>
          <br />
          <span class="quiet">
            {who.method === "link" ? "Signed in by link" : "Signed in with your company account"},{" "}
            <Moment at={who.signed_in_at} />. The session ends at <Moment at={who.expires_at} /> at the
            latest.
          </span>
        </p>
        <ul>
          {[shown, ...others].map((each) => (
            <li key={each.id}>
              <button
                type="button"
                class="bare"
                aria-current={each.id === shown.id ? "true" : undefined}
                onClick={() => {
                  close()
                  chooseAccount(each.id)
                }}
              >
                <UntrustedText text={each.name} isBrief class="clip" />
                <span class="tag">{each.role}</span>
              </button>
            </li>
          ))}
        </ul>
        <p class="quiet">
          {shown.role === "viewer"
            ? "As a viewer you can look, but not make changes."
            : "As an admin you can make changes."}
        </p>
        <ChoiceField
          label="Theme"
          value={chosenTheme}
          onText={(next) => chooseTheme(themeOf(next))}
          options={themes.map((each) => [each, sentenceCase(each)])}
        />
        <p>
          <a href={`${service}/docs`}>Documentation</a>, <a href={`${service}/docs/api`}>API reference</a>
        </p>
        <p class="acts">
          <Button isRunning={leave.isRunning} onPress={() => leave.run({ everywhere: false })}>
            Sign out
          </Button>
          <Button
            onPress={() => {
              close()
              isSignOutEverywhereOpen.value = true
            }}
          >
            Sign out everywhere…
          </Button>
        </p>
        <Outcome problem={leave.problem} />
      </div>
    </div>
  )
}

const isSignOutEverywhereOpen = new Followed(false)

const stay = () => {
  isSignOutEverywhereOpen.value = false
}

/** Asks before signing out all browsers of the user. It is not in the sidebar, which small screens hide. */
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
