/** The keyboard shortcuts of this view, and the switch for them. */
import { Button } from "../parts/Button.tsx"
import { Dialog } from "../parts/Dialog.tsx"
import { Pick } from "../parts/Pick.tsx"
import { navigation } from "./Navigation.ts"
import { areShortcutsOn, shortcuts, switchShortcuts, useShortcut } from "./Shortcuts.ts"
import { Followed, useFollowed } from "../data/Followed.ts"

export const isHelpOpen = new Followed(false)

export const Help = () => {
  useShortcut("?", "Keyboard shortcuts", () => {
    isHelpOpen.value = true
  })
  const close = () => {
    isHelpOpen.value = false
  }
  const known = new Map(useFollowed(shortcuts).map(({ key, words }) => [key, words]))
  const isOn = useFollowed(areShortcutsOn)
  return !useFollowed(isHelpOpen) ? null : (
    <Dialog title="Keyboard shortcuts" onClose={close}>
      <div class="keys">
        <table>
          <caption class="hide">Shortcuts of this view</caption>
          <tbody>
            {[...known].map(([key, words]) => (
              <tr key={key}>
                <th scope="row">{words}</th>
                <td class="end">
                  <kbd>{key.length === 1 ? key.toUpperCase() : key}</kbd>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <table>
          <caption class="hide">Shortcuts to views</caption>
          <tbody>
            {navigation.map(({ key, title }) => (
              <tr key={title}>
                <th scope="row">{title}</th>
                <td class="end">
                  <kbd>G</kbd> <kbd>{key?.toUpperCase()}</kbd>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pick isPicked={isOn} onPick={switchShortcuts}>
        Use keyboard shortcuts. They are off while you type.
      </Pick>
      <p class="acts">
        <Button kind="first" onPress={close}>
          Close
        </Button>
      </p>
    </Dialog>
  )
}
