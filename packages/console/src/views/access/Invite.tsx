/** Makes a sign-in link for somebody, or for the same person in another role. The link is shown once. */
import type { ConsoleSession } from "@runhook/sdk/admin"
import { useForm } from "../../data/Data.ts"
import { Button, ChoiceField, Code, Dialog, Moment, type Opened, TextField } from "../../parts/Parts.ts"
import { account, membership } from "../../session/Session.ts"

interface InviteProps extends Pick<Opened, "onClose"> {
  /** Somebody who gets another role; without it, somebody new is invited. */
  readonly who?: ConsoleSession
}

/** Whoever a person lets in counts as that person to the service, and must not end them. */
export const isAnother = ({ person }: ConsoleSession): boolean => person !== membership.value?.person

export const Invite = ({ onClose, who: before }: InviteProps) => {
  const make = useForm(
    { name: before?.name ?? "", role: before?.role === "viewer" ? "admin" : "viewer", validFor: "900" },
    async ({ name, role, validFor }) => {
      const { consoleLinks, consoleSessions } = account.value
      const link = await consoleLinks.create({
        name: name.trim(),
        role: role === "admin" ? "admin" : "viewer",
        expires_in_seconds: Number(validFor)
      })
      // Afterwards, so that nobody is left without a way in.
      if (before !== undefined) {
        await (isAnother(before) ? consoleSessions.endPerson(before.person) : consoleSessions.end(before.id))
      }
      return link
    }
  )
  if (make.done !== undefined) {
    return (
      <Dialog title="Send this link" onClose={onClose}>
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
      onClose={onClose}
      confirm={{ word: "Create link", action: make }}
    >
      <p>
        {before === undefined
          ? "A link lets them in for as long as you are signed in yourself."
          : "They get a new link with the other role, and are signed out everywhere with everyone they let in."}
      </p>
      <TextField
        {...make.field("name")}
        label="Name"
        hint="Shown here and in the audit log."
        required
        maxLength={200}
      />
      <ChoiceField
        {...make.field("role")}
        label="Role"
        options={[
          ["viewer", "Viewer: can look, not change"],
          ["admin", "Admin: can look and change"]
        ]}
      />
      <ChoiceField
        {...make.field("validFor", "expires_in_seconds")}
        label="The link works for"
        options={[
          ["900", "15 minutes"],
          ["3600", "1 hour"],
          ["86400", "24 hours"]
        ]}
      />
    </Dialog>
  )
}
