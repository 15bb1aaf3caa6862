/** A question before something is done to one thing. The dialog is open while there is one. */
import type { ComponentChildren } from "preact"
import { useAction } from "../data/useAction.ts"
import { Dialog } from "./Dialog.tsx"

export interface AskProps<Item> {
  /** What it is about; undefined while the dialog is closed. */
  readonly of: Item | undefined
  readonly title: ComponentChildren
  /** The label of the button. */
  readonly word: string
  readonly cancel?: string
  readonly act: (item: Item) => Promise<unknown>
  readonly onClose: () => void
  readonly onDone?: () => void
  readonly children: ComponentChildren | ((item: Item) => ComponentChildren)
}

export const Ask = <Item,>(props: AskProps<Item>) => {
  const { act, cancel = "Cancel", children, of, onClose, onDone, title, word } = props
  const action = useAction(act, () => {
    onClose()
    onDone?.()
  })
  const run = () => {
    if (of !== undefined) action.run(of)
  }
  return (
    <Dialog
      title={title}
      isOpen={of !== undefined}
      onClose={onClose}
      confirm={{ word, action, run, isRisk: true, cancel }}
    >
      {of === undefined ? null : typeof children === "function" ? children(of) : children}
    </Dialog>
  )
}
