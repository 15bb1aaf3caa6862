/** Runs a task, or shows the same as a command or as code. */
import type { Agent, TaskDetail, TaskVersion } from "@runhook/sdk/admin"
import { pathOf, useLocation } from "../../shell/Shell.ts"
import { useState } from "preact/hooks"
import { useAction, useLoad, useNames } from "../../data/Data.ts"
import { jsonIn } from "../../format/Json.ts"
import { choicesOf, isUsable } from "../../format/Choices.ts"
import { Button, Card, ChoiceField, Copy, Form, Loaded, Note, Outcome } from "../../parts/Parts.ts"
import { Queued, statusWord, TextField } from "../../parts/Parts.ts"
import { useSchemaDraft } from "../../parts/form/useSchemaDraft.ts"
import { SchemaForm } from "../../parts/form/SchemaForm.tsx"
import { account } from "../../session/Session.ts"
import { bodyOf, codeOf, curlOf, type RunForm } from "./RunRequest.ts"
import { versionWords, withVersion } from "./useVersions.ts"
import { serviceUrl } from "../../shell/Location.ts"

const agentWords = ({ busy, capacity, name, queued, status }: Agent): string => {
  const load = queued > 0 ? `${queued} waiting` : busy < capacity ? "free" : "busy"
  return `${name}, ${status === "online" ? load : statusWord(status).toLowerCase()}`
}

/** Fields of the request beside the params. */
const otherFields: ReadonlySet<string> = new Set([
  "agent_id",
  "callback_url",
  "key_id",
  "priority",
  "reference",
  "scheduled_at",
  "task_version_id"
])

interface RunCardProps {
  readonly task: TaskDetail
  readonly versions: ReadonlyArray<TaskVersion>
}

export const RunCard = ({ task, versions }: RunCardProps) => {
  const { query } = useLocation()
  const [version, setVersion] = useState(
    query["version"] ?? (task.current_version === null ? (task.latest_version?.id ?? "") : "")
  )
  // What somebody types belongs to version, agent and key that it had then: later ones do not take their place.
  const [begunWith, setBegunWith] = useState<string>()
  const currentId = task.current_version?.id ?? ""
  const versionId = version || (begunWith ?? currentId)
  const chosen = versionId === currentId ? "" : versionId
  const names = useNames()
  const detail = useLoad(`version ${versionId}`, (signal) =>
    account.value.tasks.version({ task_id: task.id, version_id: versionId }, { signal })
  )
  const params = useSchemaDraft(detail.data?.params_schema, jsonIn(query["params"]))
  const [typed, setTyped] = useState({
    agentId: query["agent"] ?? "",
    keyId: "",
    callbackUrl: query["callback_url"] ?? "",
    reference: "",
    priority: "",
    notBefore: ""
  })
  const agents = names.data?.agents ?? []
  const keys = names.data?.keys.filter(isUsable) ?? []
  const form = (): RunForm => ({
    ...typed,
    taskId: task.id,
    versionId: chosen,
    agentId: typed.agentId || (agents.find(({ status }) => status === "online") ?? agents[0])?.id || "",
    keyId: typed.keyId || keys[0]?.id || "",
    params: params.read().value
  })
  const { executions } = account.value
  /** Runs it, or only has the request judged: in the version that is shown, which need not be current any more. */
  const send = useAction(async (isTrial: boolean) => {
    const body = bodyOf({ ...form(), versionId })
    return isTrial ? executions.validate(body) : executions.create(body)
  })
  const { done, isRunning, problem } = send
  const ofParams = Object.entries(problem?.fields ?? {}).filter(([path]) => !otherFields.has(path))
  const wrong = params.wrongWith(problem && { fields: Object.fromEntries(ofParams), said: problem.said })
  const begin = (isTrial: boolean) => {
    if (Object.keys(params.read().wrong).length === 0) send.run(isTrial)
    else send.reset()
  }
  const isMissing = detail.data === undefined || (names.data === undefined && names.error === undefined)
  const why = isMissing
    ? "Agents, keys and the schema are not loaded yet."
    : names.data !== undefined && agents.length === 0
      ? "Create an agent to run it on first."
      : names.data !== undefined && keys.length === 0
        ? "Create an API key for it to run under first."
        : undefined
  const field = (name: keyof typeof typed, path: string = name) => ({
    value: form()[name],
    onText: (value: string) => setTyped({ ...form(), [name]: value }),
    wrong: send.wrong(path)
  })

  return (
    <Card title="Run it">
      <Form class="form turns" noValidate onSubmit={() => begin(false)}>
        <div class="two">
          <ChoiceField
            label="Version"
            value={chosen}
            onText={(next) => {
              setVersion(next)
              setBegunWith(undefined)
            }}
            options={withVersion(versions, detail.data).map((each) =>
              each.id === currentId ? ["", `Current (${each.number})`] : [each.id, versionWords(each)]
            )}
          />
          <ChoiceField
            {...field("agentId", "agent_id")}
            label="Agent"
            options={agents.map((agent) => [agent.id, agentWords(agent)])}
          />
        </div>
        {versionId === "" ? null : (
          <Loaded of={detail} what="version" lines={3}>
            {() => (
              <SchemaForm
                {...params}
                label="Params"
                wrong={wrong}
                onChange={(draft) => {
                  setBegunWith(versionId)
                  setTyped(form())
                  params.onChange(draft)
                }}
              />
            )}
          </Loaded>
        )}
        <TextField
          {...field("callbackUrl", "callback_url")}
          label="Callback URL"
          isOptional
          inputMode="url"
          placeholder="https://"
        />
        <details class="fold">
          <summary>Key, reference, priority, start time</summary>
          <div class="two">
            <ChoiceField
              {...field("keyId", "key_id")}
              label="Run as key"
              hint="Its limits apply, and its secret signs the callbacks."
              options={choicesOf(keys)}
            />
            <TextField {...field("reference")} label="Reference" maxLength={255} />
            <TextField
              {...field("priority")}
              label="Priority"
              hint="From -1000 to 1000; 0 by default."
              inputMode="numeric"
            />
            <TextField {...field("notBefore", "scheduled_at")} label="Not before" type="datetime-local" />
          </div>
        </details>
        <Outcome problem={problem}>
          {done === undefined ? null : "execution_id" in done ? (
            <Queued title="Queued" href={pathOf`/executions/${done.execution_id}`} what="execution" />
          ) : (
            <Note tone="good" title="The request is valid">
              Nothing was stored.
            </Note>
          )}
        </Outcome>
        <p class="acts">
          <Button kind="first" isSubmit isChange isRunning={isRunning} why={why}>
            Run
          </Button>
          <Button isRunning={isRunning} why={why} onPress={() => begin(true)}>
            Validate
          </Button>
          {isMissing ? null : (
            <>
              <Copy text={() => curlOf(form(), serviceUrl())} of="this request as curl" word="curl" />
              <Copy text={() => codeOf(form(), serviceUrl())} of="this request for the SDK" word="SDK" />
            </>
          )}
        </p>
      </Form>
    </Card>
  )
}
