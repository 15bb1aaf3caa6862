/** Publishes a version. The service checks its schemas while they are typed, pasted or dropped. */
import type { Json, PublishVersion, TaskDetail } from "@runhook/sdk/admin"
import { useEffect, useRef, useState } from "preact/hooks"
import { useAction } from "../../data/useAction.ts"
import { useLoad } from "../../data/useLoad.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Field, type FieldInput } from "../../parts/Field.tsx"
import { isSchema, type Schema } from "../../parts/form/Control.ts"
import { Outcome, ProblemNote } from "../../parts/problem/ProblemNote.tsx"
import { account } from "../../session/Session.ts"
import { after } from "../../time/Clock.ts"

interface PublishDialogProps {
  readonly task: TaskDetail
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onPublished: () => void
}

const example = `{
  "type": "object",
  "required": [],
  "properties": {}
}`

/** The pause after the last key before the service is asked, in milliseconds. */
const quietMs = 600

const textOf = (schema: Schema | null | undefined): string | undefined =>
  schema === null || schema === undefined ? undefined : JSON.stringify(schema, null, 2)

type ParsedSchema = { readonly schema: Schema | null } | { readonly wrong: string }

/** Parses a typed schema; an empty text is none. */
const readSchema = (text: string): ParsedSchema => {
  if (text.trim() === "") return { schema: null }
  try {
    const value: Json = JSON.parse(text)
    return isSchema(value) ? { schema: value } : { wrong: "Must be a JSON object." }
  } catch (error) {
    return { wrong: `Must be JSON: ${error instanceof Error ? error.message : ""}.` }
  }
}

export const PublishDialog = ({ isOpen, onClose, onPublished, task }: PublishDialogProps) => {
  const current = task.current_version
  const begun = useLoad(`begun ${isOpen} ${current?.id}`, async (signal) =>
    isOpen && current !== null
      ? account.value.tasks.version({ task_id: task.id, version_id: current.id }, { signal })
      : null
  )
  const [typedParams, setParams] = useState<string>()
  const [typedResult, setResult] = useState<string>()
  const params = typedParams ?? textOf(begun.data?.params_schema) ?? example
  const result = typedResult ?? textOf(begun.data?.result_schema) ?? ""
  const [tags, setTags] = useState("")
  const [isCurrent, setCurrent] = useState(true)
  const [paramsRead, resultRead] = [readSchema(params), readSchema(result)]
  const body = (): PublishVersion | undefined =>
    "schema" in paramsRead && paramsRead.schema !== null && "schema" in resultRead
      ? {
          params_schema: paramsRead.schema,
          result_schema: resultRead.schema,
          tags: tags.split(/[\s,]+/).filter(Boolean),
          make_current: isCurrent
        }
      : undefined
  const check = useAction((version: PublishVersion) => account.value.tasks.wouldPublish(task.id, version))
  const publish = useAction(
    (version: PublishVersion) => account.value.tasks.publish(task.id, version),
    () => {
      // The next version starts from the then current one, without tags.
      setParams(undefined)
      setResult(undefined)
      setTags("")
      onPublished()
    }
  )
  const typed = JSON.stringify(body())
  const checked = useRef<string | undefined>(undefined)
  useEffect(() => {
    const version = body()
    if (!isOpen || begun.isLoading || version === undefined || check.isRunning || checked.current === typed)
      return undefined
    return after(quietMs, () => {
      checked.current = typed
      check.run(version)
    })
  }, [isOpen, begun.isLoading, typed, check.isRunning])

  const problem = publish.problem ?? check.problem
  const found = Object.entries(problem?.fields ?? {}).map(([path, said]) =>
    path === "" ? said : `${path}: ${said}`
  )
  return (
    <Dialog
      title={`Publish a version of ${task.name}`}
      isOpen={isOpen}
      onClose={onClose}
      onSubmit={() => {
        const version = body()
        if (version !== undefined) publish.run(version)
      }}
    >
      <p>
        A version never changes again. Executions that name none run the current one
        {current === null ? "." : `: ${current.number}, as which this one begins.`}
      </p>
      {begun.error === undefined ? null : (
        <ProblemNote error={begun.error} what="version" onRetry={begun.reload} />
      )}
      <Field
        label="Schema of params"
        hint="JSON Schema, draft 2020-12 or 07. Paste it, or drop a file."
        wrong={"wrong" in paramsRead ? paramsRead.wrong : found[0]}
      >
        {(input) => <SchemaText input={input} text={params} onText={setParams} rows={10} />}
      </Field>
      <Field
        label={
          <>
            Schema of the result <span class="quiet">(optional)</span>
          </>
        }
        wrong={"wrong" in resultRead ? resultRead.wrong : undefined}
      >
        {(input) => <SchemaText input={input} text={result} onText={setResult} rows={4} />}
      </Field>
      <Field
        label={
          <>
            Tags <span class="quiet">(optional)</span>
          </>
        }
        hint="Each moves to this version."
        wrong={problem?.fields["tags"]}
      >
        {(input) => <input {...input} value={tags} onInput={(event) => setTags(event.currentTarget.value)} />}
      </Field>
      <label class="pick">
        <input
          type="checkbox"
          checked={isCurrent}
          onChange={(event) => setCurrent(event.currentTarget.checked)}
        />
        <span>Make it current</span>
      </label>
      <Outcome problem={publish.problem ?? (found.length > 0 ? undefined : check.problem)}>
        {check.done === undefined ? null : <p class="quiet">The schemas can be used.</p>}
      </Outcome>
      <p class="acts">
        <Button onPress={onClose}>Cancel</Button>
        <Button
          kind="first"
          isSubmit
          isChange
          isRunning={publish.isRunning}
          why={
            begun.isLoading
              ? "The current version is being fetched."
              : body() === undefined
                ? "The params schema must be a JSON object."
                : undefined
          }
        >
          Publish
        </Button>
      </p>
    </Dialog>
  )
}

interface SchemaTextProps {
  readonly input: FieldInput
  readonly text: string
  readonly onText: (text: string) => void
  readonly rows: number
}

const SchemaText = ({ input, onText, rows, text }: SchemaTextProps) => {
  const [isOver, setOver] = useState(false)
  return (
    <textarea
      {...input}
      class="drop"
      rows={rows}
      spellcheck={false}
      value={text}
      data-over={isOver}
      onInput={(event) => onText(event.currentTarget.value)}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false)
        const [file] = event.dataTransfer?.files ?? []
        if (file === undefined) return
        event.preventDefault()
        void file.text().then(onText)
      }}
    />
  )
}
