/** Publishes a version: its schemas pasted, typed or dropped, and checked by the service as they are typed. */
import type { Json, PublishVersion, TaskDetail } from "@runhook/sdk/admin"
import { useEffect, useRef, useState } from "preact/hooks"
import { useAction } from "../../data/Acting.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Field, type FieldInput } from "../../parts/Field.tsx"
import { isSchema, type Schema } from "../../parts/form/Control.ts"
import { Outcome } from "../../parts/problem/ProblemNote.tsx"
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

/** After the last key the service is asked, in milliseconds. */
const quietMs = 600

type Read = { readonly schema: Schema | null } | { readonly wrong: string }

/** A schema as it was typed; nothing typed is none. */
const readSchema = (text: string): Read => {
  if (text.trim() === "") return { schema: null }
  try {
    const value: Json = JSON.parse(text)
    return isSchema(value) ? { schema: value } : { wrong: "Must be a JSON object." }
  } catch (error) {
    return { wrong: `Must be JSON: ${error instanceof Error ? error.message : ""}.` }
  }
}

export const PublishDialog = ({ isOpen, onClose, onPublished, task }: PublishDialogProps) => {
  const [params, setParams] = useState(example)
  const [result, setResult] = useState("")
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
      // The next version begins as this one, but takes no tags by itself.
      setTags("")
      onPublished()
    }
  )
  const typed = JSON.stringify(body())
  const checked = useRef<string | undefined>(undefined)
  useEffect(() => {
    const version = body()
    if (!isOpen || version === undefined || check.isRunning || checked.current === typed) return undefined
    return after(quietMs, () => {
      checked.current = typed
      check.run(version)
    })
  }, [isOpen, typed, check.isRunning])

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
      <p>A version never changes again. Executions that name none run the current one.</p>
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
          why={body() === undefined ? "The schema of params has to be a JSON object." : undefined}
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
