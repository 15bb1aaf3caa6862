/** A dialog before an action. The browser keeps the focus inside, and restores it afterwards. */
import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef } from "preact/hooks"

export interface DialogProps {
  readonly title: ComponentChildren
  readonly isOpen: boolean
  /** Also called on Escape. */
  readonly onClose: () => void
  /** Called when its form is submitted; without it, the dialog has no form. */
  readonly onSubmit?: () => void
  readonly children: ComponentChildren
}

export const Dialog = ({ children, isOpen, onClose, onSubmit, title }: DialogProps) => {
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
      {!isOpen ? null : onSubmit === undefined ? (
        <div class="form">{content}</div>
      ) : (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault()
            onSubmit()
          }}
        >
          {content}
        </form>
      )}
    </dialog>
  )
}
