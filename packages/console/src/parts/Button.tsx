/** A button that says what it does, when it is busy, and why it is unavailable. */
import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { isAdmin } from "../session/Session.ts"

export interface ButtonProps {
  readonly children: ComponentChildren
  readonly onPress?: () => void
  /** The main action of a view, an irreversible one, or one among others. */
  readonly kind?: "first" | "risk" | "bare" | undefined
  /** Submits the form around it. */
  readonly isSubmit?: boolean
  readonly isRunning?: boolean
  /** Whether it changes something, which viewers are not allowed to. */
  readonly isChange?: boolean
  /** Why it is unavailable now, in a sentence. */
  readonly why?: string | undefined
  readonly label?: string | undefined
}

const roleWhy = "You have the role viewer. Only admins can do this."

export const Button = ({
  children,
  isChange = false,
  isRunning = false,
  isSubmit = false,
  kind,
  label,
  onPress,
  why: ownWhy
}: ButtonProps) => {
  const id = useId()
  const why = isChange && !isAdmin.value ? roleWhy : ownWhy
  const button = (
    <button
      type={isSubmit ? "submit" : "button"}
      class={kind}
      aria-label={label}
      aria-busy={isRunning || undefined}
      // Unlike a disabled button, it keeps the focus.
      aria-disabled={isRunning || why !== undefined || undefined}
      aria-describedby={why === undefined ? undefined : id}
      onClick={(event) => {
        if (isRunning || why !== undefined) event.preventDefault()
        else onPress?.()
      }}
    >
      {children}
    </button>
  )
  return why === undefined ? (
    button
  ) : (
    <span class="why">
      {button}
      <span role="tooltip" id={id}>
        {why}
      </span>
    </span>
  )
}
