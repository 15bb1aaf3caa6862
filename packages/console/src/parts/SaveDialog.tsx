/** The dialog that makes a new thing, or changes one. */
import type { ComponentChildren } from "preact"
import { type Confirm, Dialog } from "./Dialog.tsx"

export interface SaveDialogProps extends Pick<Confirm, "action" | "why"> {
  /** What it is: `agent` */
  readonly one: string
  readonly isNew: boolean
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export const SaveDialog = ({ action, children, isNew, onClose, one, why }: SaveDialogProps) => (
  <Dialog
    title={isNew ? `New ${one}` : `Change this ${one}`}
    onClose={onClose}
    confirm={{ word: isNew ? `Create ${one}` : "Save", action, why }}
  >
    {children}
  </Dialog>
)
