/** Adds a target of alerts, or chooses what one is told. */
import type { AlertTarget } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useAction } from "../../data/useAction.ts"
import { Dialog } from "../../parts/Dialog.tsx"
import { ChoiceField, TextField } from "../../parts/Field.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { account } from "../../session/Session.ts"
import { type AlertKind, alertKinds, kindWords } from "./AlertWords.ts"

export interface AlertTargetFormProps {
  /** The target to change; undefined for a new one. */
  readonly of: AlertTarget | undefined
  readonly onClose: () => void
  /** Gets the signing secret of a new webhook. */
  readonly onDone: (secret: string | undefined) => void
}

export const AlertTargetForm = ({ of: target, onClose, onDone }: AlertTargetFormProps) => {
  const [channel, setChannel] = useState<"email" | "webhook">("webhook")
  const [address, setAddress] = useState("")
  const [kinds, setKinds] = useState<ReadonlyArray<AlertKind>>(
    alertKinds.filter((kind) => target?.kinds.includes(kind) ?? true)
  )
  const { targets } = account.value.alerts
  const save = useAction(async () => {
    if (target === undefined) {
      return (await targets.create({ channel, address: address.trim(), kinds })).signing_secret ?? undefined
    }
    await targets.update(target.id, { kinds })
    return undefined
  }, onDone)
  return (
    <Dialog
      title={
        target === undefined ? (
          "Add a target"
        ) : (
          <>
            What <UntrustedText text={target.address} isBrief /> is told
          </>
        )
      }
      isOpen
      onClose={onClose}
      confirm={{
        word: target === undefined ? "Add target" : "Save",
        action: save,
        run: save.run,
        why: kinds.length === 0 ? "Choose at least one alert." : undefined
      }}
    >
      {target === undefined ? (
        <>
          <ChoiceField
            label="By"
            wrong={save.wrong("channel")}
            value={channel}
            onChoice={(next) => setChannel(next === "email" ? "email" : "webhook")}
            options={[
              ["webhook", "Webhook"],
              ["email", "E-mail"]
            ]}
          />
          <TextField
            label={channel === "email" ? "E-mail address" : "URL"}
            hint={
              channel === "email"
                ? "The operator has to configure a mail server."
                : "Incoming webhooks of Slack and Mattermost work as they are. Only the host of the URL is shown again."
            }
            wrong={save.wrong("address")}
            type={channel === "email" ? "email" : "url"}
            required
            value={address}
            onText={setAddress}
          />
        </>
      ) : null}
      <fieldset>
        <legend>Alerts</legend>
        {alertKinds.map((kind) => (
          <label class="pick" key={kind}>
            <input
              type="checkbox"
              checked={kinds.includes(kind)}
              onChange={({ currentTarget: { checked } }) =>
                setKinds(alertKinds.filter((each) => (each === kind ? checked : kinds.includes(each))))
              }
            />
            {kindWords(kind)}
          </label>
        ))}
      </fieldset>
    </Dialog>
  )
}
