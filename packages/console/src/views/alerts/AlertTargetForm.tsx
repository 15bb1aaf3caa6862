/** Adds a target of alerts, or chooses what one is told. */
import type { AlertTarget } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useForm } from "../../data/Data.ts"
import { ChoiceField, Dialog, type Opened, PickSome, prose, TextField } from "../../parts/Parts.ts"
import { UntrustedText } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { type AlertKind, alertKinds, kindWords } from "./AlertWords.ts"

/** When it is done, it gives the signing secret of a new webhook. */
interface AlertTargetFormProps extends Opened<string | undefined> {
  /** The target to change; without it, a new one is added. */
  readonly of?: AlertTarget
}

export const AlertTargetForm = ({ of: target, onClose, onDone }: AlertTargetFormProps) => {
  const [kinds, setKinds] = useState<ReadonlyArray<AlertKind>>(
    alertKinds.filter((kind) => target?.kinds.includes(kind) ?? true)
  )
  const { targets } = account.value.alerts
  const save = useForm(
    { channel: "webhook", address: "" },
    async ({ address, channel }) => {
      if (target !== undefined) {
        await targets.update(target.id, { kinds })
        return undefined
      }
      const made = await targets.create({
        channel: channel === "email" ? "email" : "webhook",
        address: address.trim(),
        kinds
      })
      return made.signing_secret ?? undefined
    },
    onDone
  )
  const isMail = save.values.channel === "email"
  return (
    <Dialog
      title={
        target === undefined
          ? "Add a target"
          : prose`What ${<UntrustedText text={target.address} isBrief />} is told`
      }
      onClose={onClose}
      confirm={{
        word: target === undefined ? "Add target" : "Save",
        action: save,
        why: kinds.length === 0 ? "Choose at least one alert." : undefined
      }}
    >
      {target === undefined ? (
        <>
          <ChoiceField
            {...save.field("channel")}
            label="By"
            options={[
              ["webhook", "Webhook"],
              ["email", "E-mail"]
            ]}
          />
          <TextField
            {...save.field("address")}
            label={isMail ? "E-mail address" : "URL"}
            hint={
              isMail
                ? "The operator has to configure a mail server."
                : "Incoming webhooks of Slack and Mattermost work as they are. Only the host of the URL is shown again."
            }
            type={isMail ? "email" : "url"}
            required
          />
        </>
      ) : null}
      <PickSome
        legend="Alerts"
        options={alertKinds.map((kind) => [kind, kindWords(kind)])}
        value={kinds}
        onPick={setKinds}
      />
    </Dialog>
  )
}
