/** Runs a task, or shows the same as a command or as code. */
import type { Agent, Key, TaskDetail } from "@runhook/sdk/admin"
import { useLocation } from "preact-iso/router"
import { useState } from "preact/hooks"
import { useAction } from "../../data/useAction.ts"
import { useLoad } from "../../data/useLoad.ts"
import { plainWords } from "../../format/Hidden.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Copy } from "../../parts/Copy.tsx"
import { Field } from "../../parts/Field.tsx"
import { useSchemaDraft } from "../../parts/form/useSchemaDraft.ts"
import { SchemaForm } from "../../parts/form/SchemaForm.tsx"
import { Note } from "../../parts/Note.tsx"
import { Outcome, ProblemNote } from "../../parts/problem/ProblemNote.tsx"
import { statusWord } from "../../parts/Status.tsx"
import { account } from "../../session/Session.ts"
import { pathOf } from "../../shell/Paths.ts"
import { prefilledParams } from "./PrefilledParams.ts"
import { bodyOf, codeOf, curlOf, type RunForm } from "./RunRequest.ts"
import { versionWords } from "./Versions.tsx"

const agentWords = ({ busy, capacity, name, queued, status }: Agent): string => {
  const load = queued > 0 ? `${queued} waiting` : busy < capacity ? "free" : "busy"
  return `${name}, ${status === "online" ? load : statusWord(status).toLowerCase()}`
}

const isUsable = ({ revoked_at }: Key): boolean => revoked_at === null

export const RunCard = ({ task }: { readonly task: TaskDetail }) => {
  const { query } = useLocation()
  const [version, setVersion] = useState(
    query["version"] ?? (task.current_version === null ? (task.latest_version?.id ?? "") : "")
  )
  const versionId = version === "" ? (task.current_version?.id ?? "") : version
  const about = useLoad(`run ${account.value.id}`, async (signal) => {
    const [agents, keys] = await Promise.all([
      account.value.agents.list({ limit: 200 }, { signal }).page(),
      account.value.keys.list({ limit: 200 }, { signal }).page()
    ])
    return { agents: agents.data, keys: keys.data.filter(isUsable) }
  })
  const versions = useLoad(`versions ${task.id} ${task.latest_version?.id}`, (signal) =>
    account.value.tasks.versions(task.id, { limit: 50 }, { signal }).page()
  )
  const detail = useLoad(`version ${versionId}`, (signal) =>
    account.value.tasks.version({ task_id: task.id, version_id: versionId }, { signal })
  )
  const params = useSchemaDraft(detail.data?.params_schema, prefilledParams(query["params"]))
  const [typed, setTyped] = useState({
    agentId: query["agent"] ?? "",
    keyId: "",
    callbackUrl: query["callback_url"] ?? "",
    reference: "",
    priority: "",
    notBefore: ""
  })
  const agents = about.data?.agents ?? []
  const keys = about.data?.keys ?? []
  const form = (): RunForm => ({
    ...typed,
    taskId: task.id,
    versionId: version,
    agentId: typed.agentId || (agents.find(({ status }) => status === "online") ?? agents[0])?.id || "",
    keyId: typed.keyId || keys[0]?.id || "",
    params: params.read().value
  })
  const run = useAction(() => account.value.executions.create(bodyOf(form())))
  const check = useAction(() => account.value.executions.validate(bodyOf(form())))
  const said = run.problem ?? check.problem
  const wrong = (path: string) => params.read().wrong[path] ?? said?.fields[path]
  const isReadable = Object.keys(params.read().wrong).length === 0
  const begin = (act: { readonly run: () => void }) => {
    run.reset()
    check.reset()
    if (isReadable) act.run()
  }
  const isComing = [about, detail].some(({ data, error }) => data === undefined && error === undefined)
  const why = isComing
    ? "Loading agents, keys and the schema."
    : about.data !== undefined && agents.length === 0
      ? "There is no agent to run it on yet."
      : about.data !== undefined && keys.length === 0
        ? "There is no key for it to run under: create one first."
        : undefined
  const text = (name: keyof typeof typed) => ({
    value: typed[name],
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      setTyped({ ...typed, [name]: event.currentTarget.value })
  })

  return (
    <Card title="Run it">
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          begin(run)
        }}
      >
        <div class="two">
          <Field label="Version">
            {(input) => (
              <select {...input} value={version} onChange={(event) => setVersion(event.currentTarget.value)}>
                {task.current_version === null ? null : (
                  <option value="">Current ({task.current_version.number})</option>
                )}
                {(versions.data?.data ?? [])
                  .filter(({ id }) => id !== task.current_version?.id)
                  .map((each) => (
                    <option key={each.id} value={each.id}>
                      {versionWords(each)}
                    </option>
                  ))}
              </select>
            )}
          </Field>
          <Field label="Agent" wrong={said?.fields["agent_id"]}>
            {(input) => (
              <select {...input} {...text("agentId")} value={form().agentId}>
                {agents.map((agent) => (
                  <option key={agent.id} value={agent.id}>
                    {plainWords(agentWords(agent))}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        {detail.error === undefined ? null : (
          <ProblemNote error={detail.error} what="version" onRetry={detail.reload} />
        )}
        {detail.data === undefined ? null : <SchemaForm {...params} label="Params" wrong={wrong} />}
        <Field
          label={
            <>
              Callback URL <span class="quiet">(optional)</span>
            </>
          }
          wrong={said?.fields["callback_url"]}
        >
          {(input) => <input {...input} {...text("callbackUrl")} inputMode="url" placeholder="https://" />}
        </Field>
        <details class="fold">
          <summary>Key, reference, priority, start time</summary>
          <div class="two">
            <Field label="In the name of" hint="Its limits hold, and its secret signs the callbacks.">
              {(input) => (
                <select {...input} {...text("keyId")} value={form().keyId}>
                  {keys.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {plainWords(name)}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Field label="Reference" wrong={said?.fields["reference"]}>
              {(input) => <input {...input} {...text("reference")} maxLength={255} />}
            </Field>
            <Field label="Priority" hint="-1000 to 1000, 0 unless given" wrong={said?.fields["priority"]}>
              {(input) => <input {...input} {...text("priority")} inputMode="numeric" />}
            </Field>
            <Field label="Not before" wrong={said?.fields["scheduled_at"]}>
              {(input) => <input {...input} {...text("notBefore")} type="datetime-local" />}
            </Field>
          </div>
        </details>
        <Outcome problem={said}>
          {run.done === undefined ? null : (
            <Note tone="good" title="Queued">
              <p>
                <a href={pathOf`/executions/${run.done.execution_id}`}>Open the execution</a>
              </p>
            </Note>
          )}
          {check.done === undefined ? null : (
            <Note tone="good" title="It would be accepted">
              <p>Nothing was stored.</p>
            </Note>
          )}
        </Outcome>
        <p class="acts">
          <Button kind="first" isSubmit isChange isRunning={run.isRunning} why={why}>
            Run
          </Button>
          <Button isRunning={check.isRunning} why={why} onPress={() => begin(check)}>
            Only check
          </Button>
          <Copy text={() => curlOf(form(), location.origin)} of="this request as curl" word="curl" />
          <Copy text={() => codeOf(form(), location.origin)} of="this request for the SDK" word="SDK" />
        </p>
      </form>
    </Card>
  )
}
