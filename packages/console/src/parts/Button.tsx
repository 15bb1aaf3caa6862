/** A button that says what it does, when it is busy, and why it is unavailable. */
import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import type { Action } from "../data/useAction.ts"
import { isAdmin } from "../session/Session.ts"

export interface ButtonProps {
  readonly children: ComponentChildren
  readonly onPress?: () => void
  /** What it runs, in place of `onPress`; it is busy meanwhile. */
  readonly action?: Pick<Action<[], unknown>, "isRunning" | "run">
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
  action,
  children,
  isChange = false,
  isRunning = action?.isRunning === true,
  isSubmit = false,
  kind,
  label,
  onPress = action?.run,
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
