/** Adds a standing endpoint, or changes what one is told. */
import { type Opened, PickOne, PickSome, SaveDialog, TextField } from "../../parts/Parts.ts"
import type { KnownExecutionEventType, WebhookEndpoint } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useForm } from "../../data/Data.ts"
import { account } from "../../session/Session.ts"
import { idsOf } from "../keys/KeyDraft.ts"
import { Picker } from "../keys/Picker.tsx"
import { eventTypes } from "./EndpointWords.ts"

/** An endpoint, with its signing secret if it is new. */
export type SavedEndpoint = WebhookEndpoint & { readonly signing_secret?: string }

interface EndpointFormProps extends Opened<SavedEndpoint> {
  /** The endpoint to change; without it, a new one is added. */
  readonly of?: WebhookEndpoint
}

export const EndpointForm = ({ of, onClose, onDone }: EndpointFormProps) => {
  const { endpoints } = account.value
  const [types, setTypes] = useState<ReadonlyArray<KnownExecutionEventType>>(
    eventTypes.filter((type) => of?.event_types?.includes(type) ?? true)
  )
  const [taskIds, setTasks] = useState(idsOf(of?.task_ids))
  const [agentIds, setAgents] = useState(idsOf(of?.agent_ids))
  const form = useForm<"description" | "kind" | "url", SavedEndpoint>(
    { kind: "push", url: of?.url ?? "", description: of?.description ?? "" },
    ({ description, kind, url }) => {
      const chosen = {
        description: description.trim(),
        event_types: types.length === eventTypes.length ? null : types,
        task_ids: taskIds && [...taskIds],
        agent_ids: agentIds && [...agentIds],
        ...((of?.kind ?? kind) === "push" && { url: url.trim() })
      }
      return of === undefined
        ? endpoints.create({ kind: kind === "poll" ? "poll" : "push", ...chosen })
        : endpoints.update(of.id, chosen)
    },
    onDone
  )
  const kind = of?.kind ?? form.values.kind
  return (
    <SaveDialog
      one="endpoint"
      isNew={of === undefined}
      action={form}
      why={types.length === 0 ? "Choose at least one event." : undefined}
      onClose={onClose}
    >
      {of === undefined ? (
        <PickOne
          legend="How it gets events"
          value={kind === "poll" ? "poll" : "push"}
          onPick={(next) => form.set({ kind: next })}
          options={[
            ["push", "They are sent to a URL"],
            ["poll", "It fetches them, and needs no open port"]
          ]}
        />
      ) : null}
      {kind === "push" ? (
        <TextField
          {...form.field("url")}
          label="URL"
          hint={of === undefined ? undefined : "Events that wait already go to the URL that it had."}
          type="url"
          required
          placeholder="https://your-system.example/hooks"
        />
      ) : null}
      <TextField {...form.field("description")} label="Description" isOptional maxLength={200} />
      <PickSome
        legend="Events"
        options={eventTypes.map((type) => [type, <code key={type}>{type}</code>])}
        value={types}
        onPick={setTypes}
      />
      <Picker
        legend="Of tasks"
        of="task"
        value={taskIds}
        onChange={setTasks}
        wrong={form.wrong("task_ids")}
      />
      <Picker
        legend="On agents"
        of="agent"
        value={agentIds}
        onChange={setAgents}
        wrong={form.wrong("agent_ids")}
      />
    </SaveDialog>
  )
}
