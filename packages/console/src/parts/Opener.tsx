/** Buttons that open a dialog, and one that asks before it acts. */
import type { ComponentChild, ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { useAction } from "../data/useAction.ts"
import { Button, type ButtonProps } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"

export interface OpenerProps extends Omit<ButtonProps, "children" | "isChange" | "onPress"> {
  /** The label of the button: `Change…` */
  readonly word: ComponentChildren
  /** The dialog, which is there as long as it is open. */
  readonly children: (close: () => void) => ComponentChild
}

/** For what changes something. */
export const Opener = ({ children, word, ...button }: OpenerProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button {...button} isChange onPress={() => setOpen(true)}>
        {word}
      </Button>
      {isOpen ? children(() => setOpen(false)) : null}
    </>
  )
}

export interface AskProps {
  readonly title: ComponentChildren
  /** The label of the button that does it: `Remove` */
  readonly word: string
  readonly cancel?: string | undefined
  readonly act: () => Promise<unknown>
  readonly onDone?: (() => void) | undefined
  readonly children: ComponentChildren
}

/** A question before something is done to one thing. */
export const Ask = (props: AskProps & { readonly onClose: () => void }) => {
  const { act, cancel, children, onClose, onDone, title, word } = props
  const action = useAction(act, () => {
    onClose()
    onDone?.()
  })
  return (
    <Dialog title={title} onClose={onClose} confirm={{ word, action, isRisk: true, cancel }}>
      {children}
    </Dialog>
  )
}

/** A button whose label ends in `…`, and the question that it opens. */
export const AskButton = ({ kind, label, ...question }: AskProps & Pick<ButtonProps, "kind" | "label">) => (
  <Opener word={`${question.word}…`} {...{ kind, label }}>
    {(close) => <Ask {...question} onClose={close} />}
  </Opener>
)
