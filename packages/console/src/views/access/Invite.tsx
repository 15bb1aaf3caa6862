/** Makes a sign-in link for somebody, or for the same person in another role. The link is shown once. */
import type { ConsoleSession } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useAction } from "../../data/useAction.ts"
import { Button } from "../../parts/Button.tsx"
import { Code } from "../../parts/Copy.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { ChoiceField, TextField } from "../../parts/Field.tsx"
import { Moment } from "../../parts/Moment.tsx"
import { account } from "../../session/Session.ts"
import { isAnother } from "./People.tsx"

/** Nobody yet, or somebody who gets another role. */
export type Invited = "new" | ConsoleSession

export interface InviteProps {
  readonly who: Invited
  readonly onClose: () => void
}

export const Invite = ({ onClose, who }: InviteProps) => {
  const before = who === "new" ? undefined : who
  const [name, setName] = useState(before?.name ?? "")
  const [role, setRole] = useState<"admin" | "viewer">(before?.role === "viewer" ? "admin" : "viewer")
  const [validFor, setValidFor] = useState("900")
  const make = useAction(async () => {
    const { consoleLinks, consoleSessions } = account.value
    const link = await consoleLinks.create({
      name: name.trim(),
      role,
      expires_in_seconds: Number(validFor)
    })
    // Afterwards, so that nobody is left without a way in.
    if (before !== undefined) {
      await (isAnother(before) ? consoleSessions.endPerson(before.person) : consoleSessions.end(before.id))
    }
    return link
  })
  if (make.done !== undefined) {
    return (
      <Dialog title="Send this link" isOpen onClose={onClose}>
        <p>
          It signs one person in, once, until <Moment at={make.done.expires_at} />. It is not shown again.
        </p>
        <Code text={make.done.url} of="sign-in link" />
        <p class="acts">
          <Button kind="first" onPress={onClose}>
            Done
          </Button>
        </p>
      </Dialog>
    )
  }
  return (
    <Dialog
      title={before === undefined ? "Invite somebody" : "Change a role"}
      isOpen
      onClose={onClose}
      confirm={{ word: "Create link", action: make, run: make.run }}
    >
      <p>
        {before === undefined
          ? "A link lets them in for as long as you are signed in yourself."
          : "They get a new link with the other role, and are signed out everywhere with everyone they let in."}
      </p>
      <TextField
        label="Name"
        hint="Shown here and in the audit log."
        wrong={make.wrong("name")}
        required
        maxLength={200}
        value={name}
        onText={setName}
      />
      <ChoiceField
        label="Role"
        wrong={make.wrong("role")}
        value={role}
        onChoice={(next) => setRole(next === "admin" ? "admin" : "viewer")}
        options={[
          ["viewer", "Viewer: can look, not change"],
          ["admin", "Admin: can look and change"]
        ]}
      />
      <ChoiceField
        label="The link works for"
        wrong={make.wrong("expires_in_seconds")}
        value={validFor}
        onChoice={setValidFor}
        options={[
          ["900", "15 minutes"],
          ["3600", "1 hour"],
          ["86400", "24 hours"]
        ]}
      />
    </Dialog>
  )
}
