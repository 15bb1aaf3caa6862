/** Buttons that open a dialog, and one that asks before it acts. */
import type { ComponentChild, ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { useAction } from "../data/useAction.ts"
import { undisturbed } from "../live/Live.ts"
import { Button, type ButtonProps } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"

/** What a dialog tells the view that opened it. */
export interface Opened<A = unknown> {
  readonly onClose: () => void
  /** It is closed by then. */
  readonly onDone: (done: A) => void
}

export interface OpenerProps<A> extends Omit<ButtonProps, "children" | "isChange" | "onPress"> {
  /** The label of the button: `Change…` */
  readonly word: ComponentChildren
  readonly onDone?: ((done: A) => void) | undefined
  /** The dialog, which is there as long as it is open. */
  readonly children: (dialog: Opened<A>) => ComponentChild
}

/** For what changes something. */
export const Opener = <A,>({ children, onDone, word, ...button }: OpenerProps<A>) => {
  const [isOpen, setOpen] = useState(false)
  const onClose = () => setOpen(false)
  const dialog: Opened<A> = {
    onClose,
    onDone: (done) => {
      onClose()
      onDone?.(done)
    }
  }
  return (
    <>
      <Button {...button} isChange onPress={() => setOpen(true)}>
        {word}
      </Button>
      {isOpen ? children(dialog) : null}
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
  /** What it does, as one paragraph. */
  readonly children: ComponentChildren
  /** What stands below that. */
  readonly more?: ComponentChildren
}

/** A question before something is done to one thing. */
export const Ask = ({
  act,
  cancel,
  children,
  more,
  onClose,
  onDone,
  title,
  word
}: Omit<AskProps, "onDone"> & Opened) => (
  <Dialog
    title={title}
    onClose={onClose}
    confirm={{ word, action: useAction(() => undisturbed(act), onDone), isRisk: true, cancel }}
  >
    <p>{children}</p>
    {more}
  </Dialog>
)

/** A button whose label ends in `…`, and the question that it opens. */
export const AskButton = (props: AskProps & Pick<ButtonProps, "kind" | "label">) => {
  const { kind, label, onDone, ...question } = props
  return (
    <Opener word={`${question.word}…`} {...{ kind, label, onDone }}>
      {(dialog) => <Ask {...question} {...dialog} />}
    </Opener>
  )
}
