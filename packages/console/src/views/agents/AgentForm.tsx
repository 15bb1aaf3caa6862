/** Creates an agent, or edits one. */
import type { Agent, AgentDetail } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useAction } from "../../data/useAction.ts"
import { Dialog } from "../../parts/Dialog.tsx"
import { TextField } from "../../parts/Field.tsx"
import { account } from "../../session/Session.ts"

interface AgentFormProps {
  /** The agent to edit; without it, a new one is created. */
  readonly agent?: Agent
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onDone: (agent: AgentDetail) => void
}

export const AgentForm = ({ agent, isOpen, onClose, onDone }: AgentFormProps) => {
  const [name, setName] = useState(agent?.name ?? "")
  const [description, setDescription] = useState(agent?.description ?? "")
  const [capacity, setCapacity] = useState(String(agent?.capacity ?? 1))
  const save = useAction(() => {
    const body = { name, description, capacity: Number(capacity) }
    return agent === undefined
      ? account.value.agents.create(body)
      : account.value.agents.update(agent.id, body)
  }, onDone)
  return (
    <Dialog
      title={agent === undefined ? "New agent" : "Change this agent"}
      isOpen={isOpen}
      onClose={onClose}
      confirm={{ word: agent === undefined ? "Create agent" : "Save", action: save, run: save.run }}
    >
      <TextField
        label="Name"
        hint="Callers choose it by this."
        wrong={save.wrong("name")}
        required
        value={name}
        onText={setName}
      />
      <TextField
        label="Description"
        isOptional
        wrong={save.wrong("description")}
        value={description}
        onText={setDescription}
      />
      <TextField
        label="Slots"
        hint="Executions that run on it at once."
        wrong={save.wrong("capacity")}
        type="number"
        required
        min={1}
        value={capacity}
        onText={setCapacity}
      />
    </Dialog>
  )
}
