/** What every view stands in: the sidebar, the field on top, the mark that says whether it is live. */
import { useLocation } from "preact-iso/router"
import { useEffect } from "preact/hooks"
import { retryLive, shareChanges } from "../live/Sharing.ts"
import { Icon } from "../parts/Icon.tsx"
import { membership, refused, standing } from "../session/Session.ts"
import { switchZone } from "../time/Zone.ts"
import { Finder } from "./Finder.tsx"
import { Help, isHelpOpen } from "./Help.tsx"
import { LeaveEverywhere } from "./LeaveEverywhere.tsx"
import { LiveMark } from "./LiveMark.tsx"
import { LostNote } from "./LostNote.tsx"
import { navigation } from "./Navigation.ts"
import { pathTo } from "./Paths.ts"
import { Router } from "./Router.tsx"
import { useRowKeys } from "./RowKeys.ts"
import { listenForShortcuts, useShortcut } from "./Shortcuts.ts"
import { Side, sideId } from "./Side.tsx"

export const Frame = () => {
  const { route } = useLocation()
  useEffect(
    () =>
      listenForShortcuts(
        new Map(
          navigation.flatMap(({ key, path }) =>
            key === undefined ? [] : [[key, () => route(pathTo(path))] as const]
          )
        )
      ),
    []
  )
  const accountId = membership.value?.id
  const isSignedIn = standing.value._tag === "SignedIn"
  useEffect(
    () => (accountId === undefined || !isSignedIn ? undefined : shareChanges(accountId, refused)),
    [accountId, isSignedIn]
  )
  useShortcut("t", "Show times in UTC, or in your zone", switchZone)
  useRowKeys()
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Side />
      <header class="top">
        <button type="button" class="menu" popovertarget={sideId} aria-label="Menu">
          <Icon name="menu" />
        </button>
        <Finder />
        <div class="aside">
          <LiveMark />
          <button
            type="button"
            class="bare help"
            aria-label="Keys"
            title="Keys"
            onClick={() => {
              isHelpOpen.value = true
            }}
          >
            ?
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <LostNote onRetry={retryLive} />
        {/* Another account is another page: nothing of the one before stays. */}
        <Router key={accountId} />
      </main>
      <Help />
      <LeaveEverywhere />
    </div>
  )
}
