/** Publishes a version. The service checks its schemas while they are typed, pasted or dropped. */
import type { PublishVersion, TaskDetail } from "@runhook/sdk/admin"
import { useEffect, useRef, useState } from "preact/hooks"
import { useAction, useLoad } from "../../data/Data.ts"
import { Dialog, Field, type FieldProps, type Opened, Opener, Outcome, Pick } from "../../parts/Parts.ts"
import { ProblemNote, TextField } from "../../parts/Parts.ts"
import { isMembers } from "../../format/Json.ts"
import type { Schema } from "../../parts/form/Control.ts"
import { readJson } from "../../parts/form/Draft.ts"
import { account } from "../../session/Session.ts"
import { after } from "../../time/Clock.ts"
import { SchemaChanges } from "./SchemaChanges.tsx"

interface PublishProps {
  readonly task: TaskDetail
  readonly onPublished: () => void
}

/** Undefined: as the current version has it. */
interface Typed {
  readonly params?: string
  readonly result?: string
  readonly tags?: string
}

/** What was typed outlives the dialog, until it is published. */
export const Publish = ({ onPublished, task }: PublishProps) => {
  const [typed, setTyped] = useState<Typed>({})
  return (
    <Opener
      word="Publish…"
      onDone={() => {
        // The next version starts from the then current one, without tags.
        setTyped({})
        onPublished()
      }}
    >
      {(dialog) => <PublishDialog task={task} typed={typed} onTyped={setTyped} {...dialog} />}
    </Opener>
  )
}

interface PublishDialogProps extends Opened {
  readonly task: TaskDetail
  readonly typed: Typed
  readonly onTyped: (typed: Typed) => void
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

/** A typed schema; an empty text is none. */
const readSchema = (
  text: string
): { readonly schema?: Schema | null; readonly wrong?: string | undefined } => {
  const { value, wrong } = readJson(text, "")
  if (value === undefined) return wrong[""] === undefined ? { schema: null } : { wrong: wrong[""] }
  return isMembers(value) ? { schema: value } : { wrong: "Must be a JSON object." }
}

const PublishDialog = ({ onClose, onDone, onTyped, task, typed }: PublishDialogProps) => {
  const current = task.current_version
  const begun = useLoad(`begun ${current?.id}`, async (signal) =>
    current !== null
      ? account.value.tasks.version({ task_id: task.id, version_id: current.id }, { signal })
      : null
  )
  const params = typed.params ?? textOf(begun.data?.params_schema) ?? (current === null ? example : "")
  const result = typed.result ?? textOf(begun.data?.result_schema) ?? ""
  const { tags = "" } = typed
  const [isCurrent, setCurrent] = useState(true)
  const [paramsRead, resultRead] = [readSchema(params), readSchema(result)]
  const version: PublishVersion | undefined =
    paramsRead.schema && resultRead.schema !== undefined
      ? {
          params_schema: paramsRead.schema,
          result_schema: resultRead.schema,
          tags: tags.split(/[\s,]+/).filter(Boolean),
          make_current: isCurrent
        }
      : undefined
  const check = useAction((of: PublishVersion) => account.value.tasks.wouldPublish(task.id, of))
  const publish = useAction((of: PublishVersion) => account.value.tasks.publish(task.id, of), onDone)
  const asked = JSON.stringify(version)
  const checked = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (begun.isLoading || version === undefined || check.isRunning || checked.current === asked)
      return undefined
    return after(quietMs, () => {
      checked.current = asked
      check.run(version)
    })
  }, [begun.isLoading, asked, check.isRunning])

  const problem = publish.problem ?? check.problem
  const found = Object.entries(problem?.fields ?? {}).map(([path, said]) =>
    path === "" ? said : `${path}: ${said}`
  )
  return (
    <Dialog
      title={`Publish a version of ${task.name}`}
      onClose={onClose}
      confirm={{
        word: "Publish",
        action: {
          ...publish,
          run: () => {
            if (version !== undefined) publish.run(version)
          }
        },
        why: begun.isLoading
          ? "The current version is being loaded."
          : version === undefined
            ? "The params schema must be a JSON object."
            : undefined
      }}
    >
      <p>
        A published version never changes. Executions that name no version run the current one
        {current === null ? "." : `: ${current.number}, from which this one starts.`}
      </p>
      <ProblemNote error={begun.error} what="version" onRetry={begun.reload} />
      <SchemaField
        label="Schema of params"
        hint="JSON Schema, draft 2020-12 or 07. Paste it, or drop a file."
        wrong={paramsRead.wrong ?? found[0]}
        text={params}
        onText={(text) => onTyped({ ...typed, params: text })}
        rows={10}
      />
      <SchemaField
        label="Schema of the result"
        isOptional
        wrong={resultRead.wrong}
        text={result}
        onText={(text) => onTyped({ ...typed, result: text })}
        rows={4}
      />
      <TextField
        label="Tags"
        isOptional
        hint="Each is moved to this version."
        wrong={problem?.fields["tags"]}
        value={tags}
        onText={(text) => onTyped({ ...typed, tags: text })}
      />
      <Pick isPicked={isCurrent} onPick={setCurrent}>
        Make it the current version
      </Pick>
      {found.length > 0 || publish.problem !== undefined ? null : (
        <Outcome problem={check.problem}>
          {check.done === undefined || checked.current !== asked ? null : (
            <p class="quiet">The schemas are valid.</p>
          )}
        </Outcome>
      )}
      {current === null || !begun.data || version === undefined ? null : (
        <section class="stack" aria-labelledby="publish-changes">
          <h3 id="publish-changes">Changes from version {current.number}</h3>
          <SchemaChanges
            before={begun.data}
            after={{ params_schema: version.params_schema, result_schema: version.result_schema ?? null }}
          />
        </section>
      )}
    </Dialog>
  )
}

interface SchemaFieldProps extends Omit<FieldProps, "children"> {
  readonly text: string
  readonly onText: (text: string) => void
  readonly rows: number
}

/** A text that a file may be dropped on. */
const SchemaField = ({ onText, rows, text, ...field }: SchemaFieldProps) => {
  const [isOver, setOver] = useState(false)
  return (
    <Field {...field}>
      {(input) => (
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
      )}
    </Field>
  )
}
