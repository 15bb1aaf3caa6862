/** A dialog before an action. The browser keeps the focus inside, and restores it afterwards. */
import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef } from "preact/hooks"
import type { Action } from "../data/useAction.ts"
import { Button } from "./Button.tsx"
import { Form } from "./Form.tsx"
import { Outcome } from "./problem/ProblemNote.tsx"

export interface DialogProps {
  readonly title: ComponentChildren
  readonly isOpen: boolean
  /** Also called on Escape. */
  readonly onClose: () => void
  /** What its last button does; without one, the dialog has no form. */
  readonly confirm?: Confirm
  readonly children: ComponentChildren
}

export interface Confirm {
  /** The label of the button. */
  readonly word: string
  readonly action: Pick<Action<never, unknown>, "isRunning" | "problem">
  /** Starts the action. */
  readonly run: () => void
  readonly isRisk?: boolean
  /** Whether viewers may do it too. */
  readonly isOpenToAll?: boolean
  /** The label of the button that closes the dialog. */
  readonly cancel?: string
  /** Why it cannot be done now. */
  readonly why?: string | undefined
}

export const Dialog = ({ children, confirm, isOpen, onClose, title }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const shown = dialog.current
    if (shown === null || shown.open === isOpen) return
    if (isOpen) shown.showModal()
    else shown.close()
  }, [isOpen])
  const content = (
    <>
      <h2 id={id}>{title}</h2>
      {children}
    </>
  )
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      {/* What is closed asks nothing, holds nothing and is not found by a search in the page. */}
      {!isOpen ? null : confirm === undefined ? (
        <div class="form">{content}</div>
      ) : (
        <Form onSubmit={confirm.run}>
          {content}
          <Outcome problem={confirm.action.problem} />
          <p class="acts">
            <Button onPress={onClose}>{confirm.cancel ?? "Cancel"}</Button>
            <Button
              kind={confirm.isRisk === true ? "risk" : "first"}
              isSubmit
              isChange={confirm.isOpenToAll !== true}
              isRunning={confirm.action.isRunning}
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
