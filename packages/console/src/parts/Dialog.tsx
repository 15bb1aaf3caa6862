/** A dialog before an action, which is open as long as it is there. The browser keeps the focus inside, and restores it. */
import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import type { Action } from "../data/useAction.ts"
import { Button } from "./Button.tsx"
import { Form } from "./Form.tsx"
import { Outcome } from "./problem/ProblemNote.tsx"

export interface DialogProps {
  readonly title: ComponentChildren
  /** Also called on Escape; not while its action is under way, which nothing takes back and whose outcome it tells. */
  readonly onClose: () => void
  /** What its last button does; without one, the dialog has no form. */
  readonly confirm?: Confirm | undefined
  readonly children: ComponentChildren
}

export interface Confirm {
  /** The label of the button. */
  readonly word: string
  readonly action: Pick<Action<[], unknown>, "isRunning" | "problem" | "run">
  readonly isRisk?: boolean
  /** Whether viewers may do it too. */
  readonly isOpenToAll?: boolean
  /** The label of the button that closes the dialog. */
  readonly cancel?: string | undefined
  readonly why?: string | undefined
}

export const Dialog = ({ children, confirm, onClose, title }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // In a layout effect: the next key that is pressed must not miss it.
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  const isRunning = confirm?.action.isRunning === true
  const content = (
    <>
      <h2 id={id}>{title}</h2>
      {children}
    </>
  )
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      // Escape, at once: keys pressed next are heard before the event below.
      onCancel={(event) => {
        if (isRunning) event.preventDefault()
        else onClose()
      }}
      // Not when it is closed because it goes; at a second Escape the browser closes it whatever is said above.
      onClose={() => {
        if (isRunning) dialog.current?.showModal()
        else if (dialog.current !== null) onClose()
      }}
    >
      {confirm === undefined ? (
        <div class="form">{content}</div>
      ) : (
        <Form onSubmit={confirm.action.run}>
          {content}
          <Outcome problem={confirm.action.problem} />
          <p class="acts">
            <Button isRunning={isRunning} onPress={onClose}>
              {confirm.cancel ?? "Cancel"}
            </Button>
            <Button
              kind={confirm.isRisk === true ? "risk" : "first"}
              isSubmit
              isChange={confirm.isOpenToAll !== true}
              isRunning={isRunning}
              why={confirm.why}
            >
              {confirm.word}
            </Button>
          </p>
        </Form>
      )}
    </dialog>
  )
}

export interface SaveDialogProps extends Pick<Confirm, "action" | "why"> {
  /** What it is: `agent` */
  readonly one: string
  readonly isNew: boolean
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** The dialog that makes a new thing, or changes one. */
export const SaveDialog = ({ action, children, isNew, onClose, one, why }: SaveDialogProps) => (
  <Dialog
    title={isNew ? `New ${one}` : `Change this ${one}`}
    onClose={onClose}
    confirm={{ word: isNew ? `Create ${one}` : "Save", action, why }}
  >
    {children}
  </Dialog>
)
