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
        <Keys
          label="Shortcuts of this view"
          of={[...known].map(([key, words]) => [words, key.length === 1 ? key.toUpperCase() : key])}
        />
        <Keys
          label="Shortcuts to views"
          of={navigation.map(({ key, title }) => [title, "G", key.toUpperCase()])}
        />
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

interface KeysProps {
  readonly label: string
  readonly of: ReadonlyArray<readonly [words: string, ...keys: ReadonlyArray<string>]>
}

const Keys = ({ label, of }: KeysProps) => (
  <table>
    <caption class="hide">{label}</caption>
    <tbody>
      {of.map(([words, ...keys]) => (
        <tr key={words}>
          <th scope="row">{words}</th>
          <td class="end">
            {keys.map((key) => (
              <>
                {" "}
                <kbd>{key}</kbd>
              </>
            ))}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
