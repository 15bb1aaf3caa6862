/** The frame around every view: sidebar, search field, live indicator. */
import { useLocation } from "./Location.ts"
import { useEffect, useLayoutEffect } from "preact/hooks"
import { useFollowed } from "../data/Followed.ts"
import { forgetAll } from "../data/Kept.ts"
import { retryLive, shareChanges } from "../live/SharedStream.ts"
import { Icon } from "../parts/Icon.tsx"
import { membership, refused, signInState } from "../session/Session.ts"
import { switchZone, zone } from "../time/Zone.ts"
import { Finder } from "./palette/Palette.tsx"
import { Help, isHelpOpen } from "./Help.tsx"
import { SignOutEverywhere } from "./AccountMenu.tsx"
import { LiveMark } from "./LiveMark.tsx"
import { ConnectionLostNote, LimitedNote } from "./ConnectionLostNote.tsx"
import { navigation } from "./Navigation.ts"
import { pathTo } from "./Paths.ts"
import { Router } from "./Router.tsx"
import { visits } from "./Visits.ts"
import { listenForShortcuts, useRowKeys, useShortcut } from "./Shortcuts.ts"
import { Sidebar, sideId } from "./Sidebar.tsx"

export const Frame = () => {
  const { route } = useLocation()
  useFollowed(zone)
  useLayoutEffect(
    () => listenForShortcuts(new Map(navigation.map(({ key, path }) => [key, () => route(pathTo(path))]))),
    []
  )
  const { id: accountId, role } = membership.value ?? {}
  useEffect(() => forgetAll, [])
  useEffect(
    () => () => {
      visits.value = []
    },
    [accountId]
  )
  const isSignedIn = signInState.value._tag === "SignedIn"
  // Before the views' first calls, which wait for it.
  useLayoutEffect(
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
      <Sidebar />
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
            aria-label="Keyboard shortcuts"
            title="Keyboard shortcuts"
            onClick={() => {
              isHelpOpen.value = true
            }}
          >
            ?
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <ConnectionLostNote onRetry={retryLive} />
        <LimitedNote />
        {/* Another account, or another role in it, is another page: nothing of the one before stays. */}
        <Router key={`${accountId} ${role}`} />
      </main>
      <Help />
      <SignOutEverywhere />
    </div>
  )
}
