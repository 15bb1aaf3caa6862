/** Shows the current account and user, with the ways to change either. */
import { useId, useRef } from "preact/hooks"
import { useFollowed } from "../data/Followed.ts"
import { useAction } from "../data/useAction.ts"
import { Button } from "../parts/Button.tsx"
import { ChoiceField } from "../parts/Field.tsx"
import { Moment } from "../parts/Moment.tsx"
import { Outcome } from "../parts/problem/ProblemNote.tsx"
import { UntrustedText } from "../parts/UntrustedText.tsx"
import { chooseAccount, membership, session, signOut } from "../session/Session.ts"
import { isSignOutEverywhereOpen } from "./SignOutEverywhere.tsx"
import { chooseTheme, theme, themeOf, themes } from "./Theme.ts"
import "./AccountMenu.css"

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
          options={themes.map((each) => [each, `${each.charAt(0).toUpperCase()}${each.slice(1)}`])}
        />
        <p>
          <a href="/docs">Documentation</a>, <a href="/docs/api">API reference</a>
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
