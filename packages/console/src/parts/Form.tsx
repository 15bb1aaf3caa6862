/** A form of a view; a viewer reads on top of it that only its last button is closed to them. */
import type { ComponentChildren } from "preact"
import { isAdmin } from "../session/Session.ts"
import { Note } from "./Note.tsx"

export interface FormProps {
  readonly class?: string
  readonly onSubmit: () => void
  /** Whether all of it is for changes, which viewers are not allowed to make. */
  readonly isChange?: boolean
  /** Whether this page and the service judge what is typed, and not the browser. */
  readonly noValidate?: boolean
  readonly children: ComponentChildren
}

export const Form = ({
  children,
  class: name = "form",
  isChange = false,
  noValidate,
  onSubmit
}: FormProps) => (
  <form
    class={name}
    noValidate={noValidate}
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  >
    {isChange && !isAdmin.value ? (
      <Note title="You can look at this form, but not send it">
        Your role here is viewer. Ask an admin of this account.
      </Note>
    ) : null}
    {children}
  </form>
)
